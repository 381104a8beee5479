"""A task loop with everything around it scripted: replies, tools, approvals, the journal and the blobs in memory."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.calls import CallRunner
from app.core.events import BlockDelta, BlockEnd, BlockStart, Event, MessageEnd, ModelEnd, ModelEvent, TaskEnd
from app.core.loop import TaskLoop
from app.core.messages import Media, Message, StopReason, TextBlock, ToolCall, UiResult, Usage
from app.core.ports import Decision, Verdict
from app.core.provider import ModelInfo, ProviderError, Request
from app.core.tools import CallContext, TextItem, ToolOutput, ToolSpec

Behaviour = Callable[[dict[str, Any], CallContext], Awaitable[ToolOutput]]


@dataclass(frozen=True)
class Reply:
    """One model reply: text, then calls, then how it ends; `error` breaks it off after the text."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    detail: str | None = None
    error: ProviderError | None = None
    before: Callable[[], Awaitable[None]] | None = None


def call(name: str, call_id: str = "c1", **arguments: Any) -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


class ScriptedProvider:
    """Plays replies in turn, the last one again and again; keeps the requests it got."""

    name = "scripted"

    def __init__(self, *replies: Reply):
        self._replies = list(replies)
        self.requests: list[Request] = []

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if reply.before:
            await reply.before()
        if reply.text:
            yield BlockStart(0, TextBlock(text=""))
            for piece in reply.text.split(" "):
                yield BlockDelta(0, piece + " ")
                await asyncio.sleep(0)
            if reply.error:
                raise reply.error
            yield BlockEnd(0, TextBlock(text=reply.text))
        if reply.error:
            raise reply.error
        for index, made in enumerate(reply.calls, start=1):
            yield BlockStart(index, made.model_copy(update={"arguments": {}}))
            yield BlockEnd(index, made)
        yield ModelEnd(reply.stop, Usage(input_tokens=1, output_tokens=1), reply.detail)

    async def models(self) -> list[ModelInfo]:
        return []

    async def aclose(self) -> None:
        return None


def says(text: str) -> Behaviour:
    async def behaviour(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        return ToolOutput((TextItem(text),))

    return behaviour


class ScriptedTools:
    """Tools of server `box` by bare name; `runs` counts the calls that really ran."""

    def __init__(self, **behaviours: Behaviour):
        self._behaviours = behaviours
        self.extra: dict[str, dict[str, Any]] = {}
        self._specs: tuple[str, list[ToolSpec]] = ("", [])
        self.runs: list[str] = []

    async def refreshed(self) -> None:
        return None

    def specs(self) -> Sequence[ToolSpec]:
        """The same list each time, as a host gives it, until `extra` says something else."""
        if self._specs[0] != (said := f"{self.extra} {list(self._behaviours)}"):
            made = [ToolSpec(name=f"box__{n}", server="box", tool=n, **self.extra.get(n, {})) for n in self._behaviours]
            self._specs = (said, made)
        return self._specs[1]

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        return "field `n` must be a number" if isinstance(arguments.get("n"), str) else None

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        self.runs.append(spec.tool)
        return await self._behaviours[spec.tool](call.arguments, context)


class MemoryBlobs:
    def __init__(self) -> None:
        self.kept: dict[str, Media] = {}

    async def put(self, data: bytes, media_type: str, name: str | None = None) -> str:
        ref = hashlib.sha256(data).hexdigest()[:40]
        self.kept[ref] = Media(media_type=media_type, data=data, name=name)
        return ref

    async def get(self, ref: str) -> Media | None:
        return self.kept.get(ref)


class MemoryJournal:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.drafts: list[Message] = []
        self.waiting: set[str] = set()

    async def append(self, *events: Event) -> None:
        await asyncio.sleep(0)
        self.events.extend(events)

    async def asked(self) -> set[str]:
        return self.waiting

    async def draft(self, message: Message) -> None:
        self.drafts.append(message)


class ScriptedApprover:
    def __init__(self, verdict: Verdict = "allow", decision: Decision | None = None):
        self._verdict: Verdict = verdict
        self._decision = decision or Decision(True)
        self.asked: list[str] = []
        self.wait = asyncio.Event()
        self.wait.set()

    def verdict(self, spec: ToolSpec, call: ToolCall) -> tuple[Verdict, str]:
        return self._verdict, "scripted"

    async def ask(self, spec: ToolSpec, call: ToolCall) -> Decision:
        self.asked.append(call.name)
        await self.wait.wait()
        return self._decision


class ScriptedHost:
    def __init__(self) -> None:
        self.commands: list[tuple[str, str]] = []

    async def execute(self, server: str, command: str, payload: dict[str, Any], call_id: str) -> UiResult:
        self.commands.append((server, command))
        return UiResult(executed=True, message="done")


@dataclass
class Stage:
    """A loop ready to run, and everything to look at afterwards."""

    provider: ScriptedProvider
    tools: ScriptedTools
    approver: ScriptedApprover = field(default_factory=ScriptedApprover)
    history: list[Message] = field(default_factory=list[Message])
    queued: list[Message] = field(default_factory=list[Message])
    max_rounds: int = 50
    result_chars: int = 3000

    def __post_init__(self) -> None:
        self.events: list[Event] = []
        self.journal = MemoryJournal()
        self.blobs = MemoryBlobs()
        self.host = ScriptedHost()
        if not self.history:
            self.history.append(Message(id="u1", role="user", blocks=(TextBlock(text="go"),)))

    async def _compose(self, history: Sequence[Message], tools: tuple[ToolSpec, ...], choice: Any, overflowed: bool) -> Request:
        return Request(model="m", messages=tuple(history), tools=tools, tool_choice=choice)

    async def _inbox(self) -> list[Message]:
        taken, self.queued = self.queued, []
        return taken

    def loop(self) -> TaskLoop:
        calls = CallRunner(
            "conv", self.tools, self.approver, self.host, self.blobs, self.journal, self.events.append, self.result_chars
        )
        return TaskLoop(self.provider, "m", calls, self._compose, self.history, self._inbox, max_rounds=self.max_rounds)

    async def run(self) -> TaskEnd:
        async with asyncio.timeout(10):
            return await self.loop().run()

    def messages(self) -> list[Message]:
        return [e.message for e in self.journal.events if isinstance(e, MessageEnd)]
