"""What helps somebody help, as text to copy: versions, counts, states. No keys, no texts, no names of people or files."""

import locale
import os
import platform
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.mcp_host.status import ServerStatus
from app.settings import Settings
from app.settings.edition import packaged

LEVELS = ("WARNING", "ERROR", "CRITICAL")
TAIL_BYTES = 256 * 1024
_RECORD = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+ (WARNING|ERROR|CRITICAL) ([\w.]+)", re.MULTILINE)
_FOLDER = re.compile(r"(?<=[/\\])[^/\\]+(?=[/\\]|$)")
SHOWN_SETTINGS = ("general", "approvals", "limits", "program", "window")
"""The sections whose values are switches and numbers; of the others only the names of what was changed are told."""


def diagnosis(
    *,
    title: str,
    shell: str,
    home: Path,
    settings: Settings,
    servers: Sequence[ServerStatus],
    counts: Mapping[str, int],
    keys_where: str,
) -> str:
    """A few dozen lines. `shell`: what shows the page; `counts`: of conversations and whatever else is countable."""
    lines = [
        title,
        f"packaged: {'yes' if packaged() else 'no'}; Python {platform.python_version()}",
        f"system: {platform.platform()}; {os.cpu_count()} cores; {locale.getlocale()[0] or 'no locale'}",
        f"window: {shell}; {_session()}",
        f"data: {without_name(home)}; {'; '.join(f'{name} {_size(home / name)}' for name in ('leochat.db', 'logs'))}",
        *(f"{name}: {count}" for name, count in counts.items()),
        f"keys: {without_name(keys_where)}",
        f"providers: {', '.join(sorted({p.vendor for p in settings.providers})) or 'none saved'}",
        "",
        "Settings that are not as they came:",
        *changed(settings),
        "",
        "Servers:",
        *(f"  {_server(status)}" for status in servers),
        "",
        "Warnings in the log:",
        *warnings(home / "logs" / "leochat.log"),
    ]
    return "\n".join(lines) + "\n"


def _session() -> str:
    kind = os.environ.get("XDG_SESSION_TYPE") or ("x11" if os.environ.get("DISPLAY") else "")
    return "; ".join(filter(None, (kind, os.environ.get("XDG_CURRENT_DESKTOP", "")))) or sys.platform


def without_name(words: object) -> str:
    """A path, or words with one, where the person's own folder is ~ and any other of their name is `NAME`."""
    home = str(Path.home())
    text = str(words).replace(home, "~") if len(home) > 1 else str(words)
    own = {Path(home).name, os.environ.get("USER", ""), os.environ.get("USERNAME", "")} - {"", "root"}
    return _FOLDER.sub(lambda found: "NAME" if found[0] in own else found[0], text)


def _size(path: Path) -> str:
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()] if path.is_dir() else []
    return f"{sum(p.stat().st_size for p in files) / 1e6:.1f} MB" if files else "none"


def changed(settings: Settings) -> list[str]:
    """`section.field` of what differs from the default; the value too where it is no text of the person's."""
    now, plain = settings.model_dump(mode="json"), Settings().model_dump(mode="json")
    found: list[str] = []
    for section, values in now.items():
        if not isinstance(values, dict):
            continue
        for name, value in _items(values):
            if value != plain[section][name]:
                plainly = section in SHOWN_SETTINGS and not (isinstance(value, str) and "://" in value)
                found.append(f"  {section}.{name}{f' = {value}' if plainly else ''}")
    return found or ["  none"]


def _items(values: Any) -> Iterable[tuple[str, Any]]:
    return values.items()


def _server(status: ServerStatus) -> str:
    trouble = f"; {status.problem.kind}" if status.problem else ""
    name = "(added)" if status.kind == "third_party" else status.name
    return f"{status.kind} {name}: {status.state}, {len(status.tools)} tools{trouble}"


def warnings(log: Path) -> list[str]:
    """How many of each kind the log's end has, by who wrote them; their words may hold a person's own."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - TAIL_BYTES))
            tail = file.read().decode("utf-8", "replace")
    except OSError:
        return ["  no log yet"]
    counted = Counter(_RECORD.findall(tail))
    return [f"  {count} x {level} {name}" for (level, name), count in counted.most_common(20)] or ["  none"]
