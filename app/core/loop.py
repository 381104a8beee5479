"""The task loop: ask the model, run the tools it calls, give the results back, until it is done; a checkpoint each round."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from app.core.calls import CUT_OFF, CallRunner
from app.core.draft import Draft
from app.core.events import (
    BlockEnd,
    BlockStart,
    Checkpoint,
    Event,
    MessageEnd,
    MessageStart,
    ModelEnd,
    PictureMade,
    RoundStart,
    TaskEnd,
    TaskEndReason,
    TaskStart,
    ToolEnd,
    ToolResult,
)
from app.core.messages import ImageBlock, Message, TextBlock, ToolCall, new_id, now_ms
from app.core.pairing import GOES_ON, INTERRUPTED, NOT_RUN, STOPPED, open_calls, plain_result, with_results
from app.core.provider import Provider, ProviderError, Request
from app.core.tools import ToolSpec
from app.core.uninterrupted import finish

MAX_ROUNDS = 50
REPEATS_TOLD, REPEATS_END = 3, 5
STOP_GRACE = 2.0
BREATH = 64
REPEATED = "\n\n[You have made this same call {} times with the same result. Do something else, or answer with what you have.]"
NO_CLOSING = "The task was ended before it was done, and the model gave no closing answer. Resume goes on with it."

UNCLOSED = "no_closing"
"""The detail of such a reply's end, by which the page knows the sentence and says it in the person's language."""

ToolChoice = Literal["auto", "none"]
Compose = Callable[[Sequence[Message], tuple[ToolSpec, ...], ToolChoice, bool], Awaitable[Request]]
"""(history, tools, tool choice, after an overflow) -> the request; after an overflow a smaller one, else ProviderError."""


@dataclass(slots=True)
class TaskLoop:
    """One task. `history` is the branch from the root, new messages are appended; `inbox` gives what was queued meanwhile."""

    provider: Provider
    model: str
    calls: CallRunner
    compose: Compose
    history: list[Message]
    inbox: Callable[[], Awaitable[list[Message]]]
    task_id: str = field(default_factory=lambda: new_id("task"))
    max_rounds: int = MAX_ROUNDS
    join_first: bool = False
    """What is queued joins before the first reply, even where a message waits for that already."""
    prefer: str | None = None
    make_room: "Callable[[TaskLoop, ProviderError | None], Awaitable[None]] | None" = None
    """(loop, the refusal of what did not fit): shorten what is sent, by a summary in the history, before a model call."""
    stopped_as: Callable[[], TaskEndReason] = lambda: "cancelled"
    """What a stop means: the person's, or the end of the time the task had."""
    limit_reached: Callable[[], str | None] = lambda: None
    _seen: Counter[str] = field(default_factory=Counter[str])
    _round: int = 0

    def __post_init__(self) -> None:
        self.calls.task_id = self.task_id

    def emit(self, event: Event) -> None:
        self.calls.emit(event)

    async def say(self, *events: Event) -> None:
        """Commit together, then tell: what a person sees as done is on the disk. A stop meanwhile waits for both."""
        _, cancelled = await finish(self.calls.journal.append(*events))
        for event in events:
            if isinstance(event, MessageEnd):
                self.history.append(event.message)
            self.emit(event)
        if cancelled:
            raise cancelled

    async def run(self) -> TaskEnd:
        """Until the end, which is told as `task_end` and given back. Cancelling it is a stop; only a broken store raises."""
        return await self._framed(self._rounds)

    async def run_alone(self, deed: "Callable[[TaskLoop], Awaitable[None]]") -> TaskEnd:
        """One deed as a task of its own (a summary at the person's wish, say)."""

        async def done() -> TaskEnd:
            await deed(self)
            return TaskEnd("done")

        return await self._framed(done)

    async def _framed(self, work: Callable[[], Awaitable[TaskEnd]]) -> TaskEnd:
        try:
            await self.say(TaskStart(self.task_id, now_ms()))
            end = await work()
        except asyncio.CancelledError:
            await self._close_calls()
            end = TaskEnd(self.stopped_as())
            await self._last(Checkpoint("stop"), end)
        except ProviderError as error:
            end = TaskEnd("error", error.info)
            await self._last(Checkpoint("error"), end)
        else:
            await self._last(end)
        return end

    async def _last(self, *events: Event) -> None:
        """What ends the task; a stop that comes meanwhile finds nothing to stop any more."""
        with contextlib.suppress(asyncio.CancelledError):
            await self.say(*events)

    async def _rounds(self) -> TaskEnd:
        await self._answer_open_calls()
        while True:
            if self._round or self.join_first or not self._asked():
                await self._take_inbox()
            if self._round >= self.max_rounds:
                return await self._close("round_limit")
            if self.limit_reached() is not None:
                return await self._close("limit")
            self._round += 1
            self.emit(RoundStart(self._round))
            message = await self._reply("auto")
            if not message.calls:
                if not await self._take_inbox():
                    return TaskEnd("done")
                continue
            await self._run_calls(message, {})
            if max(self._seen.values(), default=0) >= REPEATS_END:
                return await self._close("loop")

    async def _close(self, reason: TaskEndReason) -> TaskEnd:
        """Ask once more for a closing answer, tools listed but forbidden; not counted as a round."""
        await self._reply("none")
        return TaskEnd(reason)

    def _asked(self) -> bool:
        """Whether a person's message waits for its reply: it gets one before what was sent after it joins."""
        last = self.history[-1] if self.history else None
        return last is not None and last.role == "user" and not last.covers

    async def _take_inbox(self) -> bool:
        """What is out of the queue is placed, also where a stop comes in between: it would be lost."""
        some, cancelled = await finish(self._placed())
        if cancelled:
            raise cancelled
        return some

    async def _placed(self) -> bool:
        messages = await self.inbox()
        for message in messages:
            placed = message.model_copy(update={"parent_id": self._head()})
            self.prefer = placed.origin.server if placed.origin else None
            await self.say(MessageEnd(placed))
        return bool(messages)

    def _head(self) -> str | None:
        return self.history[-1].id if self.history else None

    async def _reply(self, choice: ToolChoice) -> Message:
        """One model call, streamed; after an overflow one more with less."""
        await self.calls.toolbox.refreshed()
        if self.make_room:
            await self.make_room(self, None)
        try:
            return await self._stream(choice, overflowed=False)
        except ProviderError as error:
            if error.kind != "context_overflow":
                raise
            if self.make_room:
                await self.make_room(self, error)
            return await self._stream(choice, overflowed=True)

    async def _stream(self, choice: ToolChoice, *, overflowed: bool) -> Message:
        request = await self.compose(self.history, self.calls.offered(), choice, overflowed)
        blank = Message(
            id=new_id("msg"),
            role="assistant",
            parent_id=self._head(),
            model=self.model,
            provider=self.provider.name,
        )
        draft = Draft(blank, lambda call: self.calls.resolve(call, self.prefer))
        self.emit(MessageStart(blank))
        try:
            end = await self._pump(request, draft)
        except asyncio.CancelledError:
            await self._keep(draft.stopped())
            raise
        except ProviderError as error:
            await self._fail(draft, error)
        except Exception as error:  # noqa: BLE001 - a parser's fault must not lose what had come
            await self._fail(
                draft,
                ProviderError(
                    "internal",
                    f"The reply could not be read: {error}",
                    f"{type(error).__name__}: {error}",
                ),
            )
        message = draft.finished(end)
        if choice == "none":
            message = self._closing(message)
        failed = message.stop_reason == "error"
        await self._keep(message, at_rest=not message.calls and not failed)
        if failed:
            raise ProviderError("protocol", message.stop_detail or "The provider ended the reply with an error.")
        return message

    def _closing(self, message: Message) -> Message:
        """Without the calls it was forbidden, and never without a word."""
        if message.calls:
            blocks = tuple(b for b in message.blocks if not isinstance(b, ToolCall))
            message = message.model_copy(update={"blocks": blocks, "stop_reason": "end"})
        if message.text.strip() or message.stop_reason == "error":
            return message
        said = {"blocks": (*message.blocks, TextBlock(text=NO_CLOSING)), "stop_detail": UNCLOSED}
        return message.model_copy(update=said)

    async def _fail(self, draft: Draft, error: ProviderError) -> NoReturn:
        await self._keep(draft.failed(error.info))
        raise error

    async def _keep(self, message: Message, *, at_rest: bool = False) -> None:
        """With the round's checkpoint where nothing of it is open: one transaction, one sync."""
        await self.say(MessageEnd(message), *([Checkpoint("round")] if at_rest else []))

    async def _pump(self, request: Request, draft: Draft) -> ModelEnd:
        said = 0
        async with aclosing(self.provider.stream(request)) as events:
            async for event in events:
                if isinstance(event, PictureMade):
                    await self._show_picture(event, draft)
                    continue
                told = draft.take(event)
                self.emit(told)
                if isinstance(told, ModelEnd):
                    return told
                said += 1
                if not said % BREATH:
                    await asyncio.sleep(0)  # a provider that never waits must not keep everybody else waiting
        raise ProviderError("protocol", "The provider's reply ended without saying why.")

    async def _show_picture(self, made: PictureMade, draft: Draft) -> None:
        block = ImageBlock(media_type=made.media_type, ref=await self.calls.blobs.put(made.data, made.media_type))
        for event in (BlockStart(made.index, block), BlockEnd(made.index, block)):
            self.emit(draft.take(event))

    async def _close_calls(self) -> None:
        """A stop between a reply and its first call: each call is answered all the same."""
        if unanswered := open_calls(self.history):
            if unanswered.answer:
                self.history.pop()
            await self._keep(unanswered.closed(NOT_RUN))

    async def _answer_open_calls(self) -> None:
        """After a crash: calls without a result get one. Only what had not begun or is safe to repeat runs."""
        unanswered = open_calls(self.history)
        if unanswered is None:
            return
        if unanswered.answer:
            self.history.pop()
        await self.calls.toolbox.refreshed()
        asked = await self.calls.journal.asked()
        for call in unanswered.message.calls:
            if call.id not in unanswered.done and call.id not in asked and not self._repeatable(call):
                unanswered.done[call.id] = plain_result(call, INTERRUPTED)
        await self._run_calls(unanswered.message, unanswered.done, unanswered.answer)

    def _repeatable(self, call: ToolCall) -> bool:
        spec = next((s for s in self.calls.specs() if s.name == call.name), None)
        if spec is None:
            return False
        return self.calls.continues(call) or (spec.trusted and (spec.read_only or spec.idempotent))

    async def _run_calls(self, message: Message, done: dict[str, ToolResult], begun: Message | None = None) -> None:
        """One tool message with a result for every call, in call order, whatever happens."""
        answer = begun or Message(id=new_id("msg"), role="tool", parent_id=message.id)
        self.emit(MessageStart(answer))
        self.calls.begun.clear()  # some models use an id again in a later round
        for call in message.calls:
            if call.invalid and message.stop_reason == "length":
                done[call.id] = self._watch(call, plain_result(call, CUT_OFF))
        tasks = {c.id: asyncio.create_task(self._run_one(c, message, answer, done)) for c in message.calls if c.id not in done}
        try:
            if tasks:
                await asyncio.gather(*tasks.values())
        except asyncio.CancelledError:
            await self._stop_calls(tasks)
            await self._finish_calls(message, answer, done, stopped=True)
            raise
        await self._finish_calls(message, answer, done, stopped=False)

    async def _run_one(self, call: ToolCall, message: Message, answer: Message, done: dict[str, ToolResult]) -> None:
        result = self._watch(call, await self.calls.run(call))
        done[call.id] = result
        if len(done) < len(message.calls):  # the last one is kept with the whole message, at once
            await self.calls.journal.draft(with_results(answer, message, done))

    def _watch(self, call: ToolCall, result: ToolResult) -> ToolResult:
        """Count equal calls with equal results; the model is told when it goes round in circles."""
        key = f"{call.name}\0{sorted(call.arguments.items(), key=str)}\0{result.text}"
        self._seen[key] += 1
        if self._seen[key] < REPEATS_TOLD:
            return result
        first, *rest = result.blocks
        text = result.text + REPEATED.format(self._seen[key])
        return ToolResult(call.id, text, result.is_error, (first.model_copy(update={"text": text}), *rest))

    async def _stop_calls(self, tasks: dict[str, "asyncio.Task[None]"]) -> None:
        for task in tasks.values():
            task.cancel()
        await asyncio.wait(tasks.values(), timeout=STOP_GRACE)

    async def _finish_calls(self, message: Message, answer: Message, done: dict[str, ToolResult], *, stopped: bool) -> None:
        for call in message.calls:
            if call.id not in done:
                done[call.id] = plain_result(call, self._why_none(call, stopped=stopped))
                self.emit(ToolEnd(done[call.id], 0))
        await self._keep(with_results(answer, message, done), at_rest=not stopped)

    def _why_none(self, call: ToolCall, *, stopped: bool) -> str:
        if self.calls.continues(call):
            return GOES_ON
        if not stopped:
            return INTERRUPTED
        return STOPPED if call.id in self.calls.begun else NOT_RUN
