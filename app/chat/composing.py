"""From a branch of messages to the request for the model."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from app.chat.context import Measured, budget, sent, squeezed, text_tokens
from app.chat.prompts import system_prompt
from app.chat.reach import Reach
from app.chat.rooms import Choice
from app.core.messages import FileBlock, ImageBlock, Media, Message
from app.core.ports import Blobs
from app.core.provider import Request
from app.core.tools import ToolSpec


class Composer:
    """Builds requests for one task. Media is loaded once and kept for the task.

    `attached` is told each attachment of the message being answered: it may be one that the model cannot read.
    """

    def __init__(
        self, choice: Choice, blobs: Blobs, reach: Reach | None = None, attached: Callable[[Media], None] | None = None
    ):
        self._choice = choice
        self._attached = attached or _nothing
        self._reach = reach or Reach(None)
        self._blobs = blobs
        self._media: dict[str, Media] = {}
        self._looked: set[str] = set()
        self._measured = Measured()

    async def __call__(
        self, history: Sequence[Message], tools: tuple[ToolSpec, ...], tool_choice: Literal["auto", "none"], overflowed: bool
    ) -> Request:
        system = system_prompt(self._choice.system, tools, datetime.now().astimezone().date())
        messages = sent(history)
        if overflowed or self._full(messages, tools):
            messages = self._measured.pruned(messages)
            if (window := self._reach.window) is not None:
                room = budget(window, self._choice.max_tokens) - text_tokens(system) - self._measured.tools(tools)
                messages = squeezed(messages, room)
        return Request(
            model=self._choice.model,
            messages=messages,
            system=system,
            tools=tools,
            tool_choice=tool_choice,
            max_tokens=self._choice.max_tokens,
            temperature=self._choice.temperature,
            thinking=self._choice.thinking,
            media=await self._load(messages),
        )

    def _full(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> bool:
        if (window := self._reach.window) is None:
            return False
        used = self._measured.messages(messages, self._media) + self._measured.tools(tools)
        return used > budget(window, self._choice.max_tokens)

    async def _load(self, messages: Sequence[Message]) -> dict[str, Media]:
        """The bytes behind pictures and files. What cannot be found is left out; the protocol says so in its place."""
        replies = [at for at, message in enumerate(messages) if message.role == "assistant"]
        for at, message in enumerate(messages):
            if message.id in self._looked:
                continue
            self._looked.add(message.id)
            asked = message.role == "user" and (not replies or at > replies[-1])
            for block in message.blocks:
                if isinstance(block, ImageBlock | FileBlock) and block.ref not in self._media:
                    found = await self._blobs.get(block.ref)
                    if found:
                        named = found.model_copy(update={"name": block.name}) if block.name else found
                        self._media[block.ref] = named
                if asked and isinstance(block, ImageBlock | FileBlock) and block.ref in self._media:
                    self._attached(self._media[block.ref])
        return self._media


def _nothing(_media: Media) -> None: ...
