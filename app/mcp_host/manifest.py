"""A bundle's manifest as a server to be added: taken as it is meant; what its schema dislikes is noted, not refused."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from app.mcp_host.blanks import Blank, BlankKind, Candidate, blank
from app.mcp_host.bundles import BundleError
from app.mcp_host.config import ServerConfig
from app.mcp_host.loosejson import NotJsonError, read_loosely

Fields = Mapping[str, Any]
VERSIONS = ("0.1", "0.2", "0.3", "0.4")
PLATFORM = "linux" if sys.platform.startswith("linux") else sys.platform
_KNOWN = {
    "$schema", "dxt_version", "manifest_version", "name", "display_name", "version", "description", "long_description",
    "author", "repository", "homepage", "documentation", "support", "icon", "icons", "screenshots", "localization", "server",
    "tools", "tools_generated", "prompts", "prompts_generated", "keywords", "license", "privacy_policies", "compatibility",
    "user_config", "_meta",
}  # fmt: skip
_KINDS: dict[str, BlankKind] = {
    "string": "text", "number": "number", "boolean": "boolean", "directory": "folder", "file": "file",
}  # fmt: skip
_SETTING = re.compile(r"\$\{user_config\.([^}]+)\}")


def is_manifest(value: Any) -> bool:
    """Whether JSON is the manifest of a bundle (rather than a configuration that happens to have a `server`)."""
    fields = _fields(value)
    server = _fields(fields.get("server"))
    return ("manifest_version" in fields or "dxt_version" in fields) and bool(server)


def read_manifest(text: str, folder: Path) -> Candidate:
    """The server of a bundle that is, or would be, unpacked in `folder`. Raises `BundleError` where none could be started."""
    try:
        fields = _fields(read_loosely(text))
    except NotJsonError as error:
        raise BundleError(f"The manifest of this bundle cannot be read: {error}") from error
    server = _fields(fields.get("server"))
    if not server:
        raise BundleError("The manifest of this bundle names no server.")
    blanks = tuple(_blanks(_fields(fields.get("user_config"))))
    command, args, env = _launch(server, folder)
    name = _text(fields, "name") or "bundle"
    config = ServerConfig(
        name=name[:200],
        command=command,
        env={n: _placed(v, folder) for n, v in env.items()},
        description=_text(fields, "description") or None,
        bundle=str(folder),
    )
    return Candidate(
        config=config,
        title=_text(fields, "display_name"),
        version=_text(fields, "version"),
        args=tuple((_placed(a, folder),) for a in args),
        blanks=blanks,
        notes=tuple(_notes(fields, server, blanks, (*args, *env.values()))),
    )


def _launch(server: Fields, folder: Path) -> tuple[str, list[str], dict[str, str]]:
    """Program, arguments and variables; where the manifest has none, those its kind of server has."""
    config = dict(_fields(server.get("mcp_config")))
    config |= _fields(_fields(config.get("platform_overrides")).get(PLATFORM))
    command, entry = _text(config, "command"), _text(server, "entry_point")
    raw: Any = config.get("args")
    args = [str(a) for a in cast("list[Any]", raw)] if isinstance(raw, list) else []
    env = {str(n): str(v) for n, v in _fields(config.get("env")).items()}
    if command:
        return _placed(command, folder), args, env
    if not entry:
        raise BundleError("The manifest of this bundle says neither a command nor what to start.")
    place = "${__dirname}/" + entry
    kinds: dict[str, tuple[str, list[str]]] = {
        "node": ("node", [place]),
        "python": ("python3", [place]),
        "uv": ("uv", ["run", "--directory", "${__dirname}", entry]),
        "binary": (_placed(place, folder), []),
    }
    guess = kinds.get(_text(server, "type")) or kinds[_kind_of(entry)]
    return guess[0], guess[1], env


def _kind_of(entry: str) -> str:
    return "node" if entry.endswith((".js", ".mjs", ".cjs")) else "python" if entry.endswith(".py") else "binary"


def _placed(text: str, folder: Path) -> str:
    """The text with the bundle's folder and the person's in it, and its settings as blanks."""
    home = Path.home()
    places = {
        "__dirname": str(folder),
        "HOME": str(home),
        "DESKTOP": str(home / "Desktop"),
        "DOCUMENTS": str(home / "Documents"),
        "DOWNLOADS": str(home / "Downloads"),
        "pathSeparator": os.sep,
        "/": os.sep,
    }
    for name, value in places.items():
        text = text.replace(f"${{{name}}}", value)
    return _SETTING.sub(lambda match: blank(match.group(1)), text)


def _blanks(settings: Fields) -> Iterable[Blank]:
    for key, raw in settings.items():
        one = _fields(raw)
        default = one.get("default")
        listed: list[Any] = cast("list[Any]", default) if isinstance(default, list) else [] if default is None else [default]
        yield Blank(
            key=key,
            title=_text(one, "title") or key,
            description=_text(one, "description"),
            kind=_KINDS.get(_text(one, "type"), "text"),
            required=one.get("required") is True,
            secret=one.get("sensitive") is True,
            multiple=one.get("multiple") is True,
            default=tuple(_placed(str(d).lower() if isinstance(d, bool) else str(d), Path()) for d in listed),
            least=_number(one.get("min")),
            most=_number(one.get("max")),
        )


def _notes(fields: Fields, server: Fields, blanks: Iterable[Blank], texts: Iterable[str]) -> Iterable[str]:
    """What the schema of manifests dislikes, and what will not work here."""
    version = str(fields.get("manifest_version") or fields.get("dxt_version") or "")
    if version not in VERSIONS:
        yield f"Its manifest is of version {version or 'unknown'}, which LeoChat does not know."
    missing = [n for n in ("name", "version", "description", "author") if not fields.get(n)]
    if missing:
        yield f"Its manifest leaves out {', '.join(missing)}."
    unknown = sorted(str(k) for k in fields if k not in _KNOWN)
    if unknown:
        yield f"Its manifest has fields that LeoChat does not know: {', '.join(unknown)}."
    if (kind := _text(server, "type")) not in ("node", "python", "binary", "uv"):
        yield f"Its manifest calls it a server of kind {kind!r}, which LeoChat does not know."
    if not _text(_fields(server.get("mcp_config")), "command"):
        yield "Its manifest names no command; LeoChat starts it as servers of its kind are started."
    author = _fields(fields.get("author"))
    if (mail := _text(author, "email")) and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", mail):
        yield f"Its author's address {mail!r} is none."
    platforms: Any = _fields(fields.get("compatibility")).get("platforms")
    if isinstance(platforms, list) and platforms and PLATFORM not in platforms:
        yield f"It is made for {', '.join(map(str, cast('list[Any]', platforms)))}, not for this computer's system."
    known = {b.key for b in blanks}
    for wanted in dict.fromkeys(k for t in texts for k in _SETTING.findall(t)):
        if wanted not in known:
            yield f"It uses a setting {wanted!r} that its manifest does not describe; what needs it is left out."


def _fields(value: Any) -> Fields:
    return cast("Fields", value) if isinstance(value, Mapping) else {}


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
