"""A piece of a tool's result as its server may have meant it."""

from collections.abc import Iterable
from typing import Any, cast

# How pictures and sounds begin, in base64, where nobody says what they are.
BEGINNINGS = {
    "iVBORw0KGgo": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp", "Qk": "image/bmp",
    "SUQz": "audio/mpeg", "T2dnUw": "audio/ogg",
}  # fmt: skip


def soundest(block: Any) -> Iterable[Any]:
    """The piece as it is, then what it becomes with what is missing put in and what is odd left out."""
    yield block
    if not isinstance(block, dict):
        return
    fields = {k: v for k, v in cast("dict[str, Any]", block).items() if k not in ("annotations", "_meta", "icons")}
    kind = fields.get("type")
    yield fields
    if kind == "text" and isinstance(fields.get("text"), int | float | bool):
        yield {**fields, "text": str(fields["text"])}
    elif kind in ("image", "audio") and isinstance(fields.get("data"), str):
        yield {**fields, "mimeType": _media_type(fields["data"], str(kind))}
    elif kind == "resource_link" and isinstance(fields.get("uri"), str):
        yield {"type": kind, "uri": fields["uri"], "name": str(fields.get("name") or fields["uri"])}
    elif kind == "resource" and isinstance(inner := fields.get("resource"), dict):
        resource = cast("dict[str, Any]", inner)
        kept = {k: resource[k] for k in ("text", "blob") if isinstance(resource.get(k), str)}
        yield {"type": kind, "resource": {**kept, "uri": str(resource.get("uri") or "")}}


def _media_type(data: str, kind: str) -> str:
    head = data[:200]
    if head.startswith("data:"):
        return head[5:].partition(",")[0].partition(";")[0] or "application/octet-stream"
    found = next((media for begun, media in BEGINNINGS.items() if head.startswith(begun)), None)
    return ("audio/wav" if kind == "audio" and found == "image/webp" else found) or "application/octet-stream"
