"""Whatever a person pastes, picks or drops, read as servers to be added: none of it accepted, all of it switched off."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from app.mcp_host.blanks import Candidate
from app.mcp_host.bundles import Bundle, is_bundle, look_through, unpack
from app.mcp_host.config import ServerConfig
from app.mcp_host.loosejson import NotJsonError, read_loosely
from app.mcp_host.manifest import is_manifest, read_manifest
from app.mcp_host.pasted import parse_pasted
from app.mcp_host.registry_entry import is_registry_entry, read_registry

STORAGE = "leochat-mcp-storage"
Fields = Mapping[str, Any]


@dataclass(slots=True)
class Reading:
    """What was found, and what a person should know of what was not taken as it stood.

    `bundle` with its bytes in `data`: has to be unpacked before its one candidate can start.
    """

    candidates: list[Candidate] = field(default_factory=list[Candidate])
    notes: list[str] = field(default_factory=list[str])
    bundle: Bundle | None = None
    data: bytes = b""

    def unpacked(self) -> None:
        """Write a bundle's files where its candidate starts them. Raises `ValueError` in words, or `OSError`."""
        if self.bundle is not None:
            folder = self.candidates[0].config.bundle
            assert folder is not None
            unpack(io.BytesIO(self.data), self.bundle, Path(folder))


def read_file(data: bytes, data_dir: Path) -> Reading:
    """A bundle or a text in whatever file; bundles would be unpacked below `data_dir`. Raises `ValueError` in words."""
    if not is_bundle(data):
        return read_text(_decoded(data))
    bundle = look_through(io.BytesIO(data))
    # Its folder is named after what the manifest says, so the manifest is read twice.
    first = read_manifest(bundle.manifest, Path())
    folder = bundle.folder(data_dir, first.config.name, first.version)
    return Reading([read_manifest(bundle.manifest, folder)], [], bundle, data)


def read_text(text: str) -> Reading:
    """JSON of any kind, a command line or an address. Raises `ValueError` in words."""
    value = _json(text)
    if (kept := _storage(value)) is not None:
        return _from_storage(kept)
    if is_manifest(value):
        raise ValueError("This is only the manifest of a bundle: pick the .mcpb file itself, which holds the program.")
    if is_registry_entry(value):
        found, notes = read_registry(value)
        if not found:
            raise ValueError(" ".join(notes) or "There is no server in it.")
        return Reading(found, notes)
    pasted = parse_pasted(text)
    return Reading([_plain(config) for config in pasted.servers], pasted.notes)


def _plain(config: ServerConfig) -> Candidate:
    return Candidate(config=config.model_copy(update={"enabled": False}))


def _json(text: str) -> Any:
    try:
        return read_loosely(text)
    except NotJsonError:
        return None


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


# -- what the original LeoChat kept in its browser ------------------------------------------------


def _storage(value: Any) -> Fields | None:
    """Its state: the entry's value, the entry, or all entries of the browser's storage, as JSON or as JSON in a text."""
    fields = _fields(value)
    if STORAGE in fields:
        inner = fields[STORAGE]
        return _storage(_json(inner) if isinstance(inner, str) else inner)
    state = fields.get("state")
    state = _json(state) if isinstance(state, str) else state
    for one in (_fields(state), fields):
        if "customServers" in one or "builtinServers" in one:
            return one
    return None


def _from_storage(state: Fields) -> Reading:
    """Its own servers, with their tools that were off; those that came with it are here in our own kind."""
    off = [str(t).partition(":") for t in cast("list[Any]", state.get("disabledToolIds") or [])]
    reading = Reading()
    for entry in _listed(state.get("customServers")):
        try:
            found = parse_pasted(json.dumps({"mcpServers": {str(entry.get("name") or entry.get("id")): _known(entry)}}))
        except ValueError as error:
            reading.notes.append(f"{entry.get('name') or entry.get('id')} was left out: {error}")
            continue
        reading.notes += found.notes
        tools = tuple(tool for server, _, tool in off if server == entry.get("id") and tool)
        reading.candidates += [_plain(c.model_copy(update={"tools_off": tools})) for c in found.servers]
    came_with_it = [str(e.get("name") or e.get("id")) for e in _listed(state.get("builtinServers"))]
    if came_with_it:
        reading.notes.append(f"Left out, since LeoChat brings its own or you can add them by name: {', '.join(came_with_it)}.")
    if not reading.candidates:
        raise ValueError(" ".join(reading.notes) or "There is no server in what LeoChat kept.")
    return reading


def _known(entry: Fields) -> dict[str, Any]:
    """Without what is only an identity or a state of its own."""
    return {str(k): v for k, v in entry.items() if k not in ("id", "autoConnect", "sourceId", "icon")}


def _listed(value: Any) -> list[Fields]:
    return [_fields(e) for e in cast("list[Any]", value)] if isinstance(value, list) else []


def _fields(value: Any) -> Fields:
    return cast("Fields", value) if isinstance(value, Mapping) else {}
