"""The reply being written: folds a provider's events into a message, and makes the best of it when it breaks off."""

import time
from collections.abc import Callable

from app.core.events import BlockDelta, BlockEnd, BlockStart, Event, ModelEnd, Retry
from app.core.messages import (
    Block,
    ErrorInfo,
    InvalidArguments,
    Message,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    new_id,
)
from app.core.tidy import tidy


class Draft:
    """One assistant message in the making. `resolve` names the tool each call means."""

    def __init__(self, message: Message, resolve: Callable[[ToolCall], ToolCall]):
        self.message = message
        self._resolve = resolve
        self._blocks: dict[int, Block] = {}
        self._parts: dict[int, list[str]] = {}
        self._began: dict[int, float] = {}
        self._ids: set[str] = set()
        self._start = time.monotonic()

    def take(self, event: BlockStart | BlockDelta | BlockEnd | Retry | ModelEnd) -> Event:
        """Fold one event; gives it back, with calls resolved and thinking timed."""
        if type(event) is BlockDelta:
            self._parts[event.index].append(event.text)
            return event
        if isinstance(event, BlockStart):
            self._parts[event.index] = []
            self._began[event.index] = time.monotonic()
            self._blocks[event.index] = event.block
        elif isinstance(event, BlockEnd):
            event = BlockEnd(event.index, self._whole(event))
            self._blocks[event.index] = event.block
            self._parts.pop(event.index, None)
        return event

    def _whole(self, event: BlockEnd) -> Block:
        if isinstance(event.block, ToolCall):
            return self._resolve(self._sound(event.block))
        if isinstance(event.block, ThinkingBlock) and event.block.duration_ms is None:
            began = self._began.get(event.index, time.monotonic())
            return event.block.model_copy(update={"duration_ms": int((time.monotonic() - began) * 1000)})
        return event.block

    def _sound(self, call: ToolCall) -> ToolCall:
        """A call with an id of its own, and arguments that can be kept: some models repeat ids within a reply."""
        if call.id in self._ids or not call.id:
            call = call.model_copy(update={"id": new_id("call")})
        self._ids.add(call.id)
        try:
            return call.model_copy(update={"arguments": tidy(call.arguments)})
        except ValueError as error:
            return call.model_copy(update={"arguments": {}, "invalid": InvalidArguments(raw="", error=str(error))})

    def partial(self) -> Message:
        """The message as far as it has come: half a call is left out, half a text is not."""
        return self.message.model_copy(update={"blocks": tuple(self._so_far())})

    def _so_far(self) -> list[Block]:
        blocks: list[Block] = []
        for index in sorted(self._blocks):
            block = self._blocks[index]
            if index in self._parts:
                if not isinstance(block, TextBlock | ThinkingBlock):
                    continue
                block = block.model_copy(update={"text": block.text + "".join(self._parts[index])})
            if not (isinstance(block, TextBlock) and not block.text and block.opaque is None):
                blocks.append(block)
        return blocks

    def finished(self, end: ModelEnd) -> Message:
        """The whole message. Calls make it a `tool_use`, also where the provider says it just stopped."""
        message = self.partial()
        reason: StopReason = "tool_use" if message.calls and end.stop_reason == "end" else end.stop_reason
        return self._ended(message, reason, end.stop_detail, None, end)

    def failed(self, error: ErrorInfo) -> Message:
        """What had come, marked as broken off; whole calls are dropped too, since nothing of them ran."""
        return self._ended(self._without_calls(), "error", error.kind, error, None)

    def stopped(self) -> Message:
        return self._ended(self._without_calls(), "cancelled", None, None, None)

    def _without_calls(self) -> Message:
        message = self.partial()
        return message.model_copy(update={"blocks": tuple(b for b in message.blocks if not isinstance(b, ToolCall))})

    def _ended(
        self,
        message: Message,
        reason: StopReason,
        detail: str | None,
        error: ErrorInfo | None,
        end: ModelEnd | None,
    ) -> Message:
        duration = int((time.monotonic() - self._start) * 1000)
        extra = {"usage": end.usage, "model": end.model or message.model} if end else {}
        return message.model_copy(
            update={
                "stop_reason": reason,
                "stop_detail": detail,
                "error": error,
                "duration_ms": duration,
                **extra,
            }
        )
