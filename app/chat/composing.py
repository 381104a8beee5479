"""From a branch of messages to the request for the model."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from app.chat.prompts import system_prompt
from app.chat.rooms import Choice
from app.core.messages import FileBlock, ImageBlock, Media, Message, ToolResultBlock
from app.core.ports import Blobs
from app.core.provider import ProviderError, Request
from app.core.tools import ToolSpec

KEPT_ROUNDS = 2
PRUNED = "[an older result, left out to save room]"
PRUNE_FROM = 200


class Composer:
    """Builds requests for one task. Media is loaded once and kept for the task."""

    def __init__(self, choice: Choice, blobs: Blobs):
        self._choice = choice
        self._blobs = blobs
        self._media: dict[str, Media] = {}

    async def __call__(
        self, history: Sequence[Message], tools: tuple[ToolSpec, ...], tool_choice: Literal["auto", "none"], overflowed: bool
    ) -> Request:
        messages = pruned(history) if overflowed else tuple(history)
        if overflowed and messages == tuple(history):
            raise ProviderError(
                "context_overflow",
                "This conversation is longer than the model can read. Start a new one, or pick a model with a larger window.",
            )
        return Request(
            model=self._choice.model,
            messages=messages,
            system=system_prompt(self._choice.system, tools, datetime.now().astimezone().date()),
            tools=tools,
            tool_choice=tool_choice,
            max_tokens=self._choice.max_tokens,
            temperature=self._choice.temperature,
            thinking=self._choice.thinking,
            media=await self._load(messages),
        )

    async def _load(self, messages: Sequence[Message]) -> dict[str, Media]:
        """The bytes behind pictures and files. What cannot be found is left out; the protocol says so in its place."""
        for message in messages:
            for block in message.blocks:
                if isinstance(block, ImageBlock | FileBlock) and block.ref not in self._media:
                    found = await self._blobs.get(block.ref)
                    if found:
                        named = found if found.name else found.model_copy(update={"name": block.name})
                        self._media[block.ref] = named
        return self._media


def pruned(history: Sequence[Message]) -> tuple[Message, ...]:
    """Long tool results before the last rounds replaced by a note; every call keeps its result."""
    tool_messages = [m.id for m in history if m.role == "tool"]
    recent = set(tool_messages[-KEPT_ROUNDS:])
    return tuple(_lighter(m) if m.role == "tool" and m.id not in recent else m for m in history)


def _lighter(message: Message) -> Message:
    blocks = tuple(
        b.model_copy(update={"text": PRUNED}) if isinstance(b, ToolResultBlock) and len(b.text) > PRUNE_FROM else b
        for b in message.blocks
        if not isinstance(b, ImageBlock | FileBlock)
    )
    return message.model_copy(update={"blocks": blocks})
