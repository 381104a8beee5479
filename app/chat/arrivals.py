"""What an edition brings, servers and folders: each arrives once, and what a person did with it afterwards stays done."""

import json
from pathlib import Path
from typing import Any, cast

from app.mcp_host.config import ServerConfig, accept_launch, save_servers
from app.settings import edition
from app.settings.atomic import write_private
from app.settings.edition import Edition, EditionServer

MARK = "arrived.json"


def with_arrivals(file: Path, saved: tuple[ServerConfig, ...]) -> tuple[ServerConfig, ...]:
    """`saved` with the edition's servers that never were in this home; they are saved before this returns.

    One whose name a person uses already stays away. Raises OSError where the home cannot be written.
    """
    ours = edition()
    if not ours.servers:
        return saved
    fresh = _fresh(file.parent, "servers", [server.name for server in ours.servers])
    if not fresh:
        return saved
    taken = {config.name for config in saved}
    new = [server for server in ours.servers if server.name in fresh and server.name not in taken]
    together = (*saved, *(_config(server, ours) for server in new))
    save_servers(file, together)
    _note(file.parent, "servers", fresh)
    return together


def arriving_folders(home: Path) -> list[str]:
    """The edition's folders of knowledge that never were in this home, as paths to index; one taken out stays out."""
    ours = edition()
    if ours.place is None or not ours.knowledge:
        return []
    fresh = _fresh(home, "knowledge", [entry.name for entry in ours.knowledge])
    if fresh:
        _note(home, "knowledge", fresh)
    return [str(ours.place / entry.folder) for entry in ours.knowledge if entry.name in fresh]


def _config(server: EditionServer, ours: Edition) -> ServerConfig:
    made = ServerConfig(
        name=server.name,
        transport=server.transport if not server.url or server.transport != "stdio" else "http",
        command=ours.here(server.command),
        args=tuple(ours.here(argument) for argument in server.args),
        env={name: ours.here(value) for name, value in server.env.items()},
        cwd=ours.here(server.cwd) if server.cwd else None,
        url=server.url,
        headers=server.headers,
        enabled=server.enabled,
        description=server.description,
    )
    return accept_launch(made) if server.accepted else made


def _fresh(home: Path, kind: str, names: list[str]) -> list[str]:
    known = _read(home / MARK).get(kind, [])
    return [name for name in names if name not in known]


def _note(home: Path, kind: str, fresh: list[str]) -> None:
    told = _read(home / MARK)
    told[kind] = sorted({*told.get(kind, []), *fresh})
    write_private(home / MARK, json.dumps(told) + "\n")


def _read(mark: Path) -> dict[str, list[str]]:
    try:
        told: Any = json.loads(mark.read_text("utf-8"))
        return {str(kind): [str(name) for name in names] for kind, names in cast("dict[str, list[str]]", told).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}  # then everything arrives again
