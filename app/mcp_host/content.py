"""From what a tool sent, of any kind and however broken, to the items the loop understands."""

import base64
import binascii
import mimetypes
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from app.core.tools import LinkItem, MediaItem, OutputItem, ResourceItem, TextItem, ToolOutput

_ALPHABET = bytes.maketrans(b"-_", b"+/")


def output_of(result: CallToolResult) -> ToolOutput:
    """Every content kind kept: pictures, sounds and files as bytes, links as links."""
    return ToolOutput(items_of(result.content), result.structured_content, is_error=result.is_error, meta=result.meta)


def items_of(blocks: Iterable[Any]) -> tuple[OutputItem, ...]:
    return tuple(item for block in blocks for item in _items(block))


def resource_item(resource: TextResourceContents | BlobResourceContents, audience: tuple[str, ...] | None) -> OutputItem:
    """A resource's text with its URI, or its bytes as a file."""
    if isinstance(resource, BlobResourceContents):
        return _media("file", resource.mime_type, resource.blob, _file_name(resource.uri), audience)
    return ResourceItem(resource.uri, resource.mime_type, resource.text)


def _items(block: Any) -> Iterable[OutputItem]:
    audience = _audience(block)
    if isinstance(block, TextContent):
        yield TextItem(block.text, audience)
    elif isinstance(block, ImageContent | AudioContent):
        kind: Literal["image", "audio"] = "image" if isinstance(block, ImageContent) else "audio"
        yield _media(kind, block.mime_type, block.data, None, audience)
    elif isinstance(block, ResourceLink):
        yield LinkItem(block.uri, block.title or block.name, block.mime_type, block.description)
    elif isinstance(block, EmbeddedResource):
        yield resource_item(block.resource, audience)
    else:
        kind_name = getattr(block, "type", type(block).__name__)
        yield TextItem(f"[The server sent content of a kind that is not known here: {kind_name}]")


def _media(
    kind: Literal["image", "audio", "file"],
    media_type: str | None,
    data: str,
    name: str | None,
    audience: tuple[str, ...] | None,
) -> OutputItem:
    try:
        raw = _decoded(data)
    except (binascii.Error, ValueError):
        return TextItem(f"[The server sent {kind} data that is not valid base64]")
    guessed = media_type or (mimetypes.guess_type(name)[0] if name else None)
    whole = (guessed or "application/octet-stream").split(";", 1)[0].strip().lower()
    if kind == "file" and whole.startswith("image/"):
        kind = "image"
    return MediaItem(kind, whole, raw, name, audience)


def _decoded(data: str) -> bytes:
    """Base64 as servers write it: also as a data URL, with the other alphabet, without its end. Raises `ValueError`."""
    if data.startswith("data:"):
        data = data.partition(",")[2]
    plain = data.encode("ascii", "ignore").translate(_ALPHABET, b" \r\n\t=")
    return base64.b64decode(plain + b"=" * (-len(plain) % 4), validate=False)


def _file_name(uri: str) -> str | None:
    try:
        return PurePosixPath(unquote(urlsplit(uri).path)).name or None
    except ValueError:
        return None


def _audience(block: Any) -> tuple[str, ...] | None:
    annotations = getattr(block, "annotations", None)
    listed: Sequence[str] | None = getattr(annotations, "audience", None)
    return tuple(listed) if listed else None
