"""From a tool's raw answer to the result the model gets and the blocks the person sees."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from app.core.cards import Card, CardBody, CardImage, CardImages, Picture
from app.core.events import ToolResult
from app.core.messages import (
    Block,
    CardBlock,
    FileBlock,
    ImageBlock,
    LinkedResource,
    ToolCall,
    ToolResultBlock,
    Truncated,
    UiCommandBlock,
    UiRequest,
    UiResult,
)
from app.core.outline import outline
from app.core.pictures import decode_data_url
from app.core.ports import Blobs
from app.core.recognise import Recognised, recognise
from app.core.tidy import clean
from app.core.tools import LinkItem, MediaItem, ResourceItem, TextItem, ToolOutput, ToolSpec

RESULT_CHARS = 3000
LINKS_LIMIT = 100
SHOWN_TO_USER = "(The result was shown to the user.)"
Execute = Callable[[UiRequest], Awaitable[UiResult]]


def cut(text: str, limit: int, ref: str) -> tuple[str, Truncated | None]:
    """At most `limit` characters: head and tail of `text` with a note of how much is left out and how to read it."""
    if len(text) <= limit:
        return text, None
    note = f"\n\n[… cut here; {len(text):,} characters in all. Read on with leochat__read_result ref={ref} offset="
    room = max(limit - len(note) - 16, 200)
    head = room * 2 // 3
    shown = f"{text[:head]}{note}{head} …]\n\n{text[len(text) - (room - head) :]}"
    return shown, Truncated(chars=len(text), kept=room, ref=ref)


async def digest(
    call: ToolCall,
    spec: ToolSpec,
    output: ToolOutput,
    *,
    blobs: Blobs,
    execute: Execute,
    limit: int = RESULT_CHARS,
) -> ToolResult:
    """The whole way: recognise, run UI commands, keep media, outline cards, cut the text."""
    found = recognise(output)
    media = [await _keep(item, call.id, blobs) for item in found.left if isinstance(item, MediaItem)]
    ui = [
        UiCommandBlock(
            tool_call_id=call.id,
            command=c.command,
            payload=c.payload,
            server=spec.server,
            result=await execute(c),
        )
        for c in found.commands
    ]
    cards = [CardBlock(tool_call_id=call.id, card=await keep_pictures(c, blobs), server=spec.server) for c in found.cards]
    text = clean(_model_text(found, output, ui, media))
    text, truncated = await _cut_and_keep(text, found, blobs, limit)
    for_user = clean("\n".join(i.text for i in found.left if isinstance(i, TextItem) and i.audience == ("user",))) or None
    result = ToolResultBlock(
        tool_call_id=call.id,
        text=text,
        is_error=output.is_error,
        for_user=for_user,
        truncated=truncated,
        links=tuple([await _link(i, blobs) for i in found.left if isinstance(i, LinkItem | ResourceItem)][:LINKS_LIMIT]),
    )
    blocks: tuple[Block, ...] = (result, *cards, *ui, *media)
    return ToolResult(call.id, text, output.is_error, blocks)


async def _cut_and_keep(text: str, found: Recognised, blobs: Blobs, limit: int) -> tuple[str, Truncated | None]:
    if len(text) > limit:
        return cut(text, limit, await blobs.put(text.encode(), "text/plain"))
    if found.cards and found.raw:
        whole = clean("\n".join(found.raw))
        return text, Truncated(
            chars=len(whole),
            kept=len(text),
            ref=await blobs.put(whole.encode(), "application/json"),
        )
    return text, None


def _model_text(
    found: Recognised,
    output: ToolOutput,
    ui: list[UiCommandBlock],
    media: list[ImageBlock | FileBlock],
) -> str:
    """What the model reads: outcomes of commands, outlines of cards, texts meant for it; never what is for the user alone."""
    parts = [_outcome(b) for b in ui] + [outline(c) for c in found.cards]
    parts += [i.text for i in found.left if isinstance(i, TextItem) and (i.audience is None or "assistant" in i.audience)]
    parts += found.for_model
    parts += [_note(b) for b in media] + [_linked(i) for i in found.left if isinstance(i, LinkItem | ResourceItem)]
    if not any(p.strip() for p in parts) and output.structured is not None and found.empty:
        parts.append(json.dumps(output.structured, ensure_ascii=False, default=str))
    text = "\n".join(p for p in parts if p)
    if text:
        return text
    return SHOWN_TO_USER if output.items else "(The tool gave no output.)"


def _outcome(block: UiCommandBlock) -> str:
    data: dict[str, Any] = {"executed": block.result.executed, "message": block.result.message}
    if block.result.data is not None:
        data["data"] = block.result.data
    return json.dumps(data, ensure_ascii=False)


def _note(block: ImageBlock | FileBlock) -> str:
    what = "picture" if isinstance(block, ImageBlock) else "file"
    name = f" {block.name}" if block.name else ""
    return f"[{what}{name}, {block.media_type}, shown to the user]"


def _linked(item: LinkItem | ResourceItem) -> str:
    if isinstance(item, ResourceItem):
        return item.text
    return f"[link {item.name}: {item.uri}]" + (f" {item.description}" if item.description else "")


async def _link(item: LinkItem | ResourceItem, blobs: Blobs) -> LinkedResource:
    """For the person, to open or read; the text of an embedded resource is kept."""
    if isinstance(item, LinkItem):
        return LinkedResource(
            uri=clean(item.uri), name=clean(item.name), media_type=item.media_type, description=item.description
        )
    name = clean(item.uri).rstrip("/").rpartition("/")[2] or clean(item.uri)
    media_type = item.media_type or "text/plain"
    ref = await blobs.put(item.text.encode("utf-8", "replace"), media_type, name)
    return LinkedResource(uri=clean(item.uri), name=name, media_type=media_type, ref=ref)


PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


async def _keep(item: MediaItem, call_id: str, blobs: Blobs) -> ImageBlock | FileBlock:
    ref = await blobs.put(item.data, item.media_type, item.name)
    if item.kind == "image" and item.media_type in PICTURES:
        return ImageBlock(media_type=item.media_type, ref=ref, name=item.name, tool_call_id=call_id)
    return FileBlock(
        media_type=item.media_type,
        ref=ref,
        name=item.name,
        size=len(item.data),
        tool_call_id=call_id,
    )


async def keep_pictures(card: Card, blobs: Blobs) -> Card:
    """The card with each `data:` picture kept as a blob and named `leochat-blob:REF` instead."""

    async def kept(picture: Picture) -> Picture:
        if not picture.url.startswith("data:"):
            return picture
        decoded = decode_data_url(picture.url)
        if decoded is None:
            return picture.model_copy(update={"url": "about:blank"})
        return picture.model_copy(update={"url": f"leochat-blob:{await blobs.put(decoded[1], decoded[0])}"})

    async def with_kept(block: CardBody) -> CardBody:
        if isinstance(block, CardImage):
            return block.model_copy(update={"image": await kept(block.image)})
        if isinstance(block, CardImages):
            return block.model_copy(update={"images": tuple([await kept(p) for p in block.images])})
        return block

    return card.model_copy(update={"body": tuple([await with_kept(b) for b in card.body])})
