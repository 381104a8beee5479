"""Run one tool call from the model's wish to its result: resolve, check, approve, call, digest. Errors are results."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from app.core.events import (
    ApprovalAnswer,
    ApprovalRequest,
    Checkpoint,
    Event,
    ToolEnd,
    ToolProgress,
    ToolResult,
    ToolStart,
)
from app.core.messages import ToolCall, ToolResultBlock, UiRequest, UiResult
from app.core.pairing import plain_result
from app.core.ports import Approver, Blobs, Decision, Host, Journal
from app.core.read_result import READ_RESULT, read_result
from app.core.results import RESULT_CHARS, digest
from app.core.tools import CallContext, Toolbox, ToolSpec, find_spec
from app.core.uninterrupted import finish

CUT_OFF = "This call was cut off before its arguments were complete and was not run. Make it again, shorter."


@dataclass(slots=True)
class CallRunner:
    """Everything a call needs around it. `emit` tells the windows, `journal` the disk.

    `task_id`: whose calls these are. `clicked`: a card's button asked for them.
    """

    conversation_id: str
    toolbox: Toolbox
    approver: Approver
    host: Host
    blobs: Blobs
    journal: Journal
    emit: Callable[[Event], None]
    result_chars: int = RESULT_CHARS
    offer_read_result: bool = False
    shown: Callable[[tuple[ToolSpec, ...]], tuple[ToolSpec, ...]] = lambda specs: specs
    """Which of the tools that can be called the model is shown."""
    folder_for: Callable[[ToolSpec, ToolCall], Awaitable[tuple[str, ...]]] | None = None
    """The folders outside the allowed ones that the call will need: one question then is about all of it."""
    continues: Callable[[ToolCall], bool] = lambda call: False
    """Whether a call that was cut off goes on at its server: making it again takes it up, which was allowed already."""
    task_id: str = ""
    clicked: bool = False
    begun: set[str] = field(default_factory=set[str])
    """Ids of the calls that reached their tools: what a stop finds elsewhere never ran."""
    _turns: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    def specs(self) -> tuple[ToolSpec, ...]:
        """Everything that can be called: the toolbox's tools, and the host's own reader once a result was cut."""
        return (*self.toolbox.specs(), *((READ_RESULT,) if self.offer_read_result else ()))

    def offered(self) -> tuple[ToolSpec, ...]:
        """What a request lists."""
        return self.shown(self.specs())

    def resolve(self, call: ToolCall, prefer: str | None = None) -> ToolCall:
        """The call with the server and tool it means, under the name that was offered; unchanged if it means none."""
        spec = find_spec(self.specs(), call.name, prefer)
        if spec is None:
            return call
        return call.model_copy(update={"name": spec.name, "server": spec.server, "tool": spec.tool})

    async def run(self, call: ToolCall) -> ToolResult:
        """The call's result, told as tool_start … tool_end; only cancellation is raised."""
        spec = find_spec(self.specs(), call.name)
        refused = self._fault(call, spec)
        if spec is None or refused:
            return self._told(call, plain_result(call, refused or ""), 0)
        decision = await self.approve(spec, call)
        if not decision.allowed:
            return self._told(call, plain_result(call, decision.reason or "The user did not allow this call."), 0)
        async with self._turn(spec):
            return await self._start(spec, call)

    def _fault(self, call: ToolCall, spec: ToolSpec | None) -> str | None:
        """Why the call cannot run, in words for the model; checked before anybody is asked."""
        if call.invalid:
            return (
                f"The arguments of this call are not valid JSON ({call.invalid.error}); it was not run. Send one JSON object."
            )
        if spec is None:
            near = ", ".join(s.name for s in self.offered()[:40])
            return f"There is no tool named {call.name}. " + (f"Available: {near}." if near else "No tools are available.")
        return None if spec is READ_RESULT else self.toolbox.check(spec, call.arguments)

    async def approve(self, spec: ToolSpec, call: ToolCall) -> Decision:
        if spec is READ_RESULT or self.continues(call):
            return Decision(True)
        verdict, reason = self.approver.verdict(spec, call)
        if verdict == "allow":
            return Decision(True)
        if verdict == "deny":
            return Decision(False, reason)
        folder, *more = (await self.folder_for(spec, call) if self.folder_for else ()) or (None,)
        pause, question = Checkpoint("approval"), ApprovalRequest(call, reason, folder=folder, more_folders=tuple(more))
        await self.journal.append(pause, question)
        self.emit(pause)
        self.emit(question)  # only now: an answer counts from the moment the question is seen
        allowed = False
        try:
            decision = await self.approver.ask(spec, call)
            allowed = decision.allowed
            return decision
        finally:
            answer = ApprovalAnswer(call.id, allowed)
            self.emit(answer)
            _, cancelled = await finish(self.journal.append(answer))  # before the call begins, or it could run twice
            if cancelled:
                raise cancelled

    def _turn(self, spec: ToolSpec) -> asyncio.Lock:
        """A lock for a server whose calls must not overlap; a fresh one for all others."""
        return self._turns.setdefault(spec.server, asyncio.Lock()) if spec.serial else asyncio.Lock()

    async def _start(self, spec: ToolSpec, call: ToolCall) -> ToolResult:
        self.begun.add(call.id)
        self.emit(ToolStart(call))
        began = time.monotonic()

        def progress(done: float, total: float | None, message: str | None) -> None:
            self.emit(ToolProgress(call.id, done, total, message))

        async def execute(command: UiRequest) -> UiResult:
            return await self.host.execute(spec.server, command.command, command.payload, call.id)

        try:
            if spec is READ_RESULT:
                result = await read_result(call, self.blobs, self.result_chars)
            else:
                context = CallContext(self.conversation_id, progress, self.task_id, call.id, self.clicked)
                output = await self.toolbox.call(spec, call, context)
                result = await digest(call, spec, output, blobs=self.blobs, execute=execute, limit=self.result_chars)
        except Exception as error:  # noqa: BLE001 - a fault of ours is this call's error, not the task's end
            result = plain_result(call, f"{spec.tool} failed inside LeoChat: {type(error).__name__}: {error}")
        self._note_cut(result)
        return self._told(call, result, int((time.monotonic() - began) * 1000))

    def _note_cut(self, result: ToolResult) -> None:
        if any(isinstance(b, ToolResultBlock) and b.truncated for b in result.blocks):
            self.offer_read_result = True

    def _told(self, call: ToolCall, result: ToolResult, duration_ms: int) -> ToolResult:
        first, *rest = result.blocks
        timed = first.model_copy(update={"duration_ms": duration_ms})
        result = ToolResult(result.tool_call_id, result.text, result.is_error, (timed, *rest))
        self.emit(ToolEnd(result, duration_ms))
        return result
