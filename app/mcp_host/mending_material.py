"""Prompts and resources a strict reader would refuse whole: a broken entry costs only itself."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias, cast

from app.mcp_host.mending_blocks import soundest

Fits: TypeAlias = Callable[[Mapping[str, Any]], bool]
Note: TypeAlias = Callable[[str], None]
Mender: TypeAlias = Callable[[dict[str, Any], dict[str, Any], Fits, Note], dict[str, Any]]
SHOWN = 200


def _listing(key: str, frame: dict[str, Any], result: dict[str, Any], fits: Fits, note: Note) -> dict[str, Any]:
    """A page of prompts, resources or patterns: its sound entries, and those that are sound without what is odd."""
    sound: list[Any] = []
    for entry in _list(result.get(key)):
        kept = next((e for e in _entry(entry) if fits({**frame, key: [e]})), None)
        if kept is None:
            note(f"one of its {key} was left out, it is broken: {str(entry)[:SHOWN]}")
        else:
            sound.append(kept)
    cursor = result.get("nextCursor")
    return {**frame, key: sound, **({"nextCursor": cursor} if isinstance(cursor, str) else {})}


def _entry(entry: Any) -> Iterable[dict[str, Any]]:
    if not isinstance(entry, dict):
        return
    fields = cast("dict[str, Any]", entry)
    yield fields
    address = fields.get("uri", fields.get("uriTemplate"))
    kept = {k: v for k, v in fields.items() if k in ("name", "uri", "uriTemplate", "arguments") and v is not None}
    kept |= {k: v for k, v in fields.items() if k in ("title", "description", "mimeType") and isinstance(v, str)}
    if isinstance(address, str):
        kept["name"] = str(kept.get("name") or address)
    if "arguments" in kept:
        named = (cast("dict[str, Any]", a) for a in _list(kept["arguments"]) if isinstance(a, dict))
        kept["arguments"] = [
            {"name": a["name"], "required": a.get("required") is True} for a in named if isinstance(a.get("name"), str)
        ]
    yield kept


def _prompt(frame: dict[str, Any], result: dict[str, Any], fits: Fits, note: Note) -> dict[str, Any]:
    """A prompt's messages: a role that is none of the two is the person's, content in a list is one message each."""
    messages: list[Any] = []
    for message in _list(result.get("messages")):
        fields: dict[str, Any] = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
        role = "assistant" if fields.get("role") == "assistant" else "user"
        content = fields.get("content")
        for piece in cast("list[Any]", content) if isinstance(content, list) else [content]:
            block: Any = {"type": "text", "text": piece} if isinstance(piece, str) else piece
            made = ({"role": role, "content": b} for b in soundest(block))
            kept = next((m for m in made if fits({**frame, "messages": [m]})), None)
            if kept is None:
                note(f"a part of a prompt was left out, it is broken: {str(piece)[:SHOWN]}")
            else:
                messages.append(kept)
    return {**frame, "messages": messages}


def _contents(frame: dict[str, Any], result: dict[str, Any], fits: Fits, note: Note) -> dict[str, Any]:
    """What a resource holds: pieces without an address have none, pieces with neither text nor bytes are left out."""
    contents: list[Any] = []
    for piece in _list(result.get("contents")):
        fields: dict[str, Any] = cast("dict[str, Any]", piece) if isinstance(piece, dict) else {}
        strings = {k: v for k, v in fields.items() if k in ("uri", "mimeType", "text", "blob") and isinstance(v, str)}
        kept = {"uri": "", **strings}
        if fits({**frame, "contents": [kept]}):
            contents.append(kept)
        else:
            note(f"a part of a resource was left out, it is broken: {str(fields)[:SHOWN]}")
    return {**frame, "contents": contents}


def _completion(frame: dict[str, Any], result: dict[str, Any], fits: Fits, note: Note) -> dict[str, Any]:
    del fits, note
    given: Any = result.get("completion")
    fields: dict[str, Any] = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    values = [v for v in _list(fields.get("values")) if isinstance(v, str)]
    return {**frame, "completion": {"values": values[:100], "hasMore": len(values) > 100}}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


MATERIAL: Mapping[str, Mender] = {
    "prompts/list": partial(_listing, "prompts"),
    "resources/list": partial(_listing, "resources"),
    "resources/templates/list": partial(_listing, "resourceTemplates"),
    "prompts/get": _prompt,
    "resources/read": _contents,
    "completion/complete": _completion,
}
"""By method: what is made of a result that does not fit."""
