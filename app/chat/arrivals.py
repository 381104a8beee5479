"""The servers that an edition brings: each arrives once, and what a person did with it afterwards stays done."""

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
    mark = file.with_name(MARK)
    known = _read(mark)
    fresh = [server for server in ours.servers if server.name not in known]
    if not fresh:
        return saved
    taken = {config.name for config in saved}
    together = (*saved, *(_config(server, ours) for server in fresh if server.name not in taken))
    save_servers(file, together)
    write_private(mark, json.dumps(sorted({*known, *(server.name for server in fresh)})) + "\n")
    return together


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


def _read(mark: Path) -> set[str]:
    try:
        told: Any = json.loads(mark.read_text("utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in cast("list[Any]", told) if isinstance(name, str)} if isinstance(told, list) else set()
