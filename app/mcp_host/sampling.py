"""Sampling between the protocol's words and ours: what a server asks of the model, and the answer it gets."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import mcp_types as types

from app.core.messages import Block, FileBlock, ImageBlock, Media, Message, TextBlock, ToolCall, ToolResultBlock, new_id
from app.core.tools import LinkItem, MediaItem, ResourceItem, TextItem, ToolSpec
from app.mcp_host.asking import NotSampled, SampleAsked, Sampled
from app.mcp_host.content import items_of

TEXT_LIMIT = 400_000
MEDIA_LIMIT = 8 * 1024 * 1024
MESSAGES_LIMIT = 200
TOOLS_LIMIT = 64
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
REFUSED = -1
"""The code that the protocol's examples give for a person's no."""
STOPS: Mapping[str, str] = {"end": "endTurn", "tool_use": "toolUse", "length": "maxTokens", "stop_sequence": "stopSequence"}


class UnfitError(Exception):
    """What the server asks for is not done; the message says why."""


def asked_of(params: types.CreateMessageRequestParams, server: str, conversation_id: str, *, allowed: bool) -> SampleAsked:
    """Raises `UnfitError` where it is too large, broken, or wants what is not given: our conversation."""
    if params.include_context not in (None, "none"):
        raise UnfitError("The conversation is not given to servers: ask with includeContext none.")
    if len(params.messages) > MESSAGES_LIMIT or len(params.tools or ()) > TOOLS_LIMIT:
        raise UnfitError(f"At most {MESSAGES_LIMIT} messages and {TOOLS_LIMIT} tools can be asked with.")
    reading = _Reading(server)
    messages = tuple(m for message in params.messages for m in reading.messages(message))
    if reading.chars + len(params.system_prompt or "") > TEXT_LIMIT or reading.bytes > MEDIA_LIMIT:
        raise UnfitError(f"Too long: at most {TEXT_LIMIT:,} characters and {MEDIA_LIMIT // 2**20} MiB of pictures and files.")
    if not messages:
        raise UnfitError("There is no message to answer.")
    preferences = params.model_preferences
    choice = params.tool_choice.mode if params.tool_choice else None
    return SampleAsked(
        server=server,
        conversation_id=conversation_id,
        messages=messages,
        max_tokens=max(1, params.max_tokens),
        system=params.system_prompt or "",
        temperature=params.temperature,
        stop=tuple(s for s in params.stop_sequences or () if s)[:16],
        hints=tuple(h.name for h in (preferences.hints or () if preferences else ()) if h.name)[:16],
        tools=tuple(_spec(server, tool) for tool in params.tools or ()),
        tool_choice="none" if choice == "none" else "auto",
        media=reading.media,
        allowed=allowed,
    )


@dataclass(slots=True)
class _Reading:
    """Counts what it reads, so that a huge question is refused and not shown."""

    server: str
    media: dict[str, Media] = field(default_factory=dict[str, Media])
    chars: int = 0
    bytes: int = 0

    def messages(self, message: types.SamplingMessage) -> Iterable[Message]:
        """One message, or two: a result of a tool is a message of its own here."""
        results: list[Block] = []
        blocks: list[Block] = []
        for content in message.content_as_list:
            (results if isinstance(content, types.ToolResultContent) else blocks).extend(self._blocks(content))
        if results:
            yield Message(id=new_id("msg"), role="tool", blocks=tuple(results))
        if blocks:
            yield Message(id=new_id("msg"), role="user" if message.role == "user" else "assistant", blocks=tuple(blocks))

    def _blocks(self, content: Any) -> Iterable[Block]:
        match content:
            case types.TextContent(text=text):
                self.chars += len(text)
                yield TextBlock(text=text)
            case types.ImageContent() | types.AudioContent():
                yield self._kept(content)
            case types.ToolUseContent():
                self.chars += len(json.dumps(content.input, default=str))
                yield ToolCall(id=content.id, name=content.name, arguments=dict(content.input), server=self.server)
            case types.ToolResultContent():
                text = "\n".join(_words(item) for item in items_of(content.content))
                if not text and content.structured_content is not None:
                    text = json.dumps(content.structured_content, ensure_ascii=False, default=str)
                self.chars += len(text)
                yield ToolResultBlock(tool_call_id=content.tool_use_id, text=text, is_error=bool(content.is_error))
            case _:
                raise UnfitError("There is content of a kind that cannot be asked with.")

    def _kept(self, content: types.ImageContent | types.AudioContent) -> Block:
        try:
            data = base64.b64decode(content.data, validate=True)
        except (binascii.Error, ValueError):
            raise UnfitError("A picture or sound is not valid base64.") from None
        self.bytes += len(data)
        ref = new_id("sample")
        self.media[ref] = Media(media_type=content.mime_type, data=data)
        if isinstance(content, types.ImageContent):
            return ImageBlock(media_type=content.mime_type, ref=ref)
        return FileBlock(media_type=content.mime_type, ref=ref, size=len(data))


def _words(item: TextItem | MediaItem | LinkItem | ResourceItem) -> str:
    match item:
        case TextItem(text=text) | ResourceItem(text=text):
            return text
        case LinkItem(uri=uri, name=name):
            return f"[link {name}: {uri}]"
        case MediaItem(kind=kind, media_type=media_type):
            return f"[{kind}, {media_type}]"


def _spec(server: str, tool: types.Tool) -> ToolSpec:
    if not _TOOL_NAME.fullmatch(tool.name):
        raise UnfitError("A tool's name may have letters, digits, _ and - only, at most 64.")
    return ToolSpec(
        name=tool.name, server=server, tool=tool.name, description=tool.description or "", input_schema=tool.input_schema
    )


def answer_of(
    sampled: Sampled | NotSampled, *, with_tools: bool
) -> types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData:
    """The answer as the protocol has it; with tools it may hold several parts."""
    if isinstance(sampled, NotSampled):
        return types.ErrorData(code=REFUSED, message=sampled.reason)
    role: Literal["assistant"] = "assistant"
    stop = STOPS.get(sampled.stop_reason, sampled.stop_reason)
    text = types.TextContent(type="text", text=sampled.text)
    if not with_tools:
        return types.CreateMessageResult(role=role, content=text, model=sampled.model, stop_reason=stop)
    parts: list[Any] = [text] if sampled.text or not sampled.calls else []
    parts += [types.ToolUseContent(type="tool_use", id=c.id, name=c.name, input=c.arguments) for c in sampled.calls]
    return types.CreateMessageResultWithTools(role=role, content=parts, model=sampled.model, stop_reason=stop)
