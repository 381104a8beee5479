"""Begin, stop and recover a conversation's task: the loop of floor 0 with everything it needs around it."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from app.chat.compaction import Compaction
from app.chat.composing import Composer
from app.chat.context import sent
from app.chat.deferring import Deferring, Room, room_of
from app.chat.drafting import draft
from app.chat.reach import Reach
from app.chat.refused import Refused
from app.chat.rooms import Choice
from app.chat.unconnected import Unconnected
from app.chat.unread import unread
from app.chat.windows import Window
from app.core.calls import CallRunner
from app.core.events import MessageEnd, TaskEnd, TaskEndReason
from app.core.loop import TaskLoop
from app.core.messages import Message, ToolCall, ToolResultBlock
from app.core.pairing import INTERRUPTED, open_calls
from app.core.provider import Provider, ProviderError
from app.store import ConversationRow, StoreError

if TYPE_CHECKING:
    from app.chat.session import Session

log = logging.getLogger("leochat.chat")
QUIET_SECONDS = 4.0


class TaskRunner:
    """At most one task of a session at a time."""

    def __init__(self, session: "Session"):
        self._session = session
        self._task: asyncio.Task[TaskEnd | None] | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._beginning = False
        self._begun = asyncio.Event()
        self._begun.set()
        self._stopping = False
        self._stopped_as: TaskEndReason = "cancelled"
        self._held = False
        self._after: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self.last_end: TaskEnd | None = None
        self.provider: Provider | None = None
        self._reaches: dict[tuple[str, str], Reach] = {}

    @property
    def running(self) -> bool:
        return self._beginning or (self._task is not None and not self._task.done())

    @property
    def busy(self) -> bool:
        """Whether something begun beside a task is not done."""
        return bool(self._background)

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have something done beside; it is awaited before the session ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def interrupted(self) -> "TaskEndReason | Literal['killed'] | None":
        """Why there is something to resume, None after a good end."""
        row = self._session.row
        if self.last_end is None and (row.interrupted or row.last_reason == "interrupted" or self._unanswered()):
            return "killed"
        reason = self.last_end.reason if self.last_end else row.last_reason
        # A summary at the person's wish was stopped, or could not be had: what was said before had come to its end.
        after = reason in ("cancelled", "error") and self.whole() and not len(self._session.queue)
        return None if after or reason in (None, "done") else _known(reason)

    def _unanswered(self) -> bool:
        """A kill came between the person's message and its task."""
        last = self._session.messages[-1] if self._session.messages else None
        return last is not None and last.role == "user" and not last.covers and not self.running

    def concluded(self) -> bool:
        """A kill came between the last word of the answer and the task's end: there is nothing more to ask."""
        return self.whole() and self.interrupted() == "killed"

    def whole(self) -> bool:
        """The last word is a reply that came to its end."""
        last = self._session.messages[-1] if self._session.messages else None
        return last is not None and last.role == "assistant" and last.stop_reason == "end" and not last.calls

    async def begin(
        self,
        message: Message | None,
        window: Window | None,
        *,
        ending: bool = False,
        join_first: bool = False,
        first: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Commit the user's message, if there is one, and run a task from the head; `ending`: it only comes to its end.

        `join_first`: what is queued goes in before the first reply, also where a message waits for one already.
        `first` is done before, while nobody else can begin a task: going to another branch, say.
        """
        if self.running:
            raise Refused("busy", "A task is running in this conversation.")
        with self.alone():
            await self._session.catch_up(await self.free())
            self._session.ui_host.sender = window
            if first:
                await first()
            await self.mend()
            if message is not None:
                await self._close_calls()
                message = await self._with_recalled(message)
                await self.place(message.model_copy(update={"parent_id": self._session.head}))
            self._start(_to_the_end if ending else _in_rounds, join_first=join_first)

    async def lay(self, messages: Sequence[Message]) -> None:
        """Commit what goes before the person's own message: the messages of a prompt."""
        await self.mend()
        await self._close_calls()
        for message in messages:
            await self.place(message.model_copy(update={"parent_id": self._session.head}))

    async def settled(self) -> None:
        """Until nobody is just about to begin a task."""
        await self._begun.wait()

    async def compact(self) -> None:
        """Sum up the branch now, at the person's wish."""
        if self.running:
            raise Refused("busy", "Stop the task first.")
        if not self._session.messages:
            raise Refused("invalid", "There is nothing to sum up.")
        with self.alone():
            await self._session.catch_up(await self.free())
            await self.mend()
            await self._close_calls()
            self._start(lambda loop: loop.run_alone(self._compaction(self._choice()).at_will))
        await self.wait()
        if self.interrupted() is None:  # what became of the summary is no reason to go on with the answer before it
            await self._session.rooms.store.tasks.rested(self._session.id)
            await self._session.refresh_row()
        if self.last_end and self.last_end.error:
            raise Refused("unavailable", self.last_end.error.message)

    @contextlib.contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else begins a task meanwhile; a stop and a new message wait for what comes of it."""
        self._beginning = True
        self._begun.clear()
        try:
            yield
        finally:
            self._beginning = False
            self._begun.set()

    def _start(self, work: Callable[[TaskLoop], Awaitable[TaskEnd]], *, join_first: bool = False) -> None:
        self._held = False
        self._task = asyncio.create_task(self._run(work, join_first), name=f"task of {self._session.id}")
        self._stopping = False

    def _compaction(self, choice: Choice) -> Compaction:
        reach, lost = self.reach(choice.provider, choice.model), self._session.spending.lost
        return Compaction(choice.model, reach, choice.max_tokens, choice.system, lost)

    def reach(self, provider: str, model: str) -> Reach:
        """What refusals taught of a model's window is forgotten once more is known of it."""
        known = self._session.rooms.models.context_window(provider, model)
        reach = self._reaches.get((provider, model))
        if reach is None or reach.known != known:
            reach = self._reaches[provider, model] = Reach(known)
        return reach

    async def free(self) -> ConversationRow | None:
        """Another process may have this home open too: where its task runs, nothing is touched. Gives what is kept."""
        session, store = self._session, self._session.rooms.store
        row = await store.conversations.get(session.id, settled=True)
        if row is not None and row.running and await store.tasks.let_go(session.id):
            row = await store.conversations.get(session.id, settled=True)
        if row is not None and row.running:
            raise Refused("busy", "A task of this conversation runs in another LeoChat; wait for it, or stop it first.")
        await session.elsewhere.over()
        return row

    async def place(self, message: Message) -> None:
        """Commit a message at the end of the branch and tell it; one with the last one's id replaces it."""
        session = self._session
        await session.journal.append(MessageEnd(message))
        if session.messages and session.messages[-1].id == message.id:
            session.messages.pop()
        session.messages.append(message)
        session.emit(MessageEnd(message))

    async def _close_calls(self) -> None:
        """The person goes on with something else: calls a crash left open are answered as interrupted."""
        if unanswered := open_calls(self._session.messages):
            await self.place(unanswered.closed(INTERRUPTED, await self._session.journal.asked()))

    async def mend(self) -> None:
        """A reply cut off by a kill ends as what it is: its half calls never ran and are left out."""
        session = self._session
        session.unfinished = False
        last = session.messages[-1] if session.messages else None
        if last is None or last.role != "assistant" or last.stop_reason is not None:
            return
        blocks = tuple(b for b in last.blocks if not isinstance(b, ToolCall))
        ended = last.model_copy(update={"blocks": blocks, "stop_reason": "cancelled", "stop_detail": "killed"})
        await self.place(ended)

    async def _run(self, work: Callable[[TaskLoop], Awaitable[TaskEnd]], join_first: bool) -> TaskEnd | None:
        session = self._session
        drafting = asyncio.create_task(draft(session))
        try:
            self.last_end = await work(await self._loop(self._choice(), join_first))
        except StoreError as error:
            await self._broken(error)
        except Exception as error:
            log.exception("a task failed")
            await self._broken(StoreError("corrupt", f"LeoChat failed inside: {type(error).__name__}: {error}"))
        finally:
            drafting.cancel()
            if self.provider:
                await self.provider.aclose()
            asyncio.get_running_loop().call_soon(self._ended)
        return self.last_end

    async def _broken(self, error: StoreError) -> None:
        """The store cannot be written: the task ends with its words, and lets the next one begin where that can be kept."""
        self._held = True
        self.last_end = TaskEnd("error", ProviderError("internal", error.message).info)
        with contextlib.suppress(StoreError):  # the same trouble again; it was said
            await self._session.journal.append(self.last_end)
        self._session.emit(self.last_end)

    def _choice(self) -> Choice:
        options, default = self._session.row.options, self._session.rooms.models.choice()
        provider = options.provider or default.provider
        return Choice(
            provider=provider,
            model=options.model or (default.model if provider == default.provider else ""),
            system=options.system or default.system,
            max_tokens=options.max_tokens or default.max_tokens,
            temperature=default.temperature if options.temperature is None else options.temperature,
            thinking=default.thinking if options.thinking is None else options.thinking,
        )

    async def _loop(self, choice: Choice, join_first: bool) -> TaskLoop:
        session, rooms = self._session, self._session.rooms
        try:
            self.provider = await rooms.models.connect(choice.provider)
        except ProviderError as error:
            self.provider = Unconnected(choice.provider, error)
        reach = self.reach(choice.provider, choice.model)
        return TaskLoop(
            provider=self.provider,
            model=choice.model,
            calls=self.call_runner(),
            compose=Composer(choice, rooms.store.blobs, reach, unread(rooms.models, choice, session.emit)),
            history=session.messages,
            inbox=self._inbox,
            max_rounds=rooms.limits().rounds,
            join_first=join_first,
            stopped_as=lambda: self._stopped_as,
            make_room=self._compaction(choice),
            limit_reached=self._limit(),
            prefer=_server_of(session.messages),
        )

    async def _inbox(self) -> list[Message]:
        return [await self._with_recalled(message) for message in self._session.queue.take()]

    async def _with_recalled(self, message: Message) -> Message:
        return await self._session.rooms.recall(message, sent(self._session.messages))

    def _limit(self) -> Callable[[], str | None]:
        """Says once this task took longer or cost more than the settings allow."""
        limits, began, spent = self._session.rooms.limits(), time.monotonic(), self._session.cost

        def reached() -> str | None:
            if limits.task_seconds and time.monotonic() - began > limits.task_seconds:
                return "time"
            if limits.task_cost and (self._session.cost or 0) - (spent or 0) > limits.task_cost:
                return "cost"
            return None

        return reached

    def aside(self, deed: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A card's own call: alone as a task is, so behind one that runs; what is sent meanwhile waits in the queue."""
        if self.running:
            self._after.append(deed)
            return
        self._stopping = False
        self._task = asyncio.create_task(self._aside(deed), name=f"card's call in {self._session.id}")

    async def _aside(self, deed: Callable[[], Coroutine[Any, Any, None]]) -> TaskEnd | None:
        try:
            await deed()
        finally:
            asyncio.get_running_loop().call_soon(self._ended, True)
        return self.last_end

    def call_runner(self) -> CallRunner:
        session, rooms = self._session, self._session.rooms
        cut = any(isinstance(b, ToolResultBlock) and b.truncated for m in session.messages for b in m.blocks)
        toolbox = Deferring(rooms.toolbox, self._room_for_tools, session.messages)
        return CallRunner(
            conversation_id=session.id,
            toolbox=toolbox,
            shown=toolbox.offered,
            approver=session.approvals,
            host=session.ui_host,
            blobs=rooms.store.blobs,
            journal=session.journal,
            emit=session.emit,
            result_chars=rooms.limits().result_chars,
            offer_read_result=cut,
            folder_for=session.approvals.folder_for,
            continues=lambda call: rooms.continues(session.id, call.id),
        )

    def _room_for_tools(self) -> Room:
        choice, rooms = self._choice(), self._session.rooms
        return room_of(self.reach(choice.provider, choice.model).window, rooms.limits().tools_percent)

    def _ended(self, aside: bool = False) -> None:
        """After the task: what waited for it, then what was queued meanwhile."""
        session = self._session
        session.queue.put_back()
        self.background(session.cards.task_ended())
        if self._after and not self.running:
            self.aside(self._after.pop(0))
        cancelled = self.last_end is not None and self.last_end.reason == "cancelled"
        stopped = not aside and (cancelled or self._stopping)
        held = stopped or self._held  # what is queued waits for the person
        if not held and len(session.queue) and not self.running:
            self.background(self.begin(None, session.ui_host.sender, join_first=True))
        self.background(session.refresh_row())

    async def wait(self) -> TaskEnd | None:
        """Until no task runs; gives how the last one ended."""
        while self.running and self._task:
            await asyncio.wait([self._task])
        while self._background:
            await asyncio.wait(self._background)
            if self.running:
                return await self.wait()
        return self.last_end

    async def quiet(self) -> None:
        """Until everything begun beside the task is done; bounded."""
        if self._background:
            await asyncio.wait(self._background, timeout=QUIET_SECONDS)

    async def stop(self, reason: TaskEndReason = "cancelled") -> None:
        """Cancel the task, also one that is just beginning, and wait until it is quiet; `reason` is how it ends then."""
        await self.settled()
        if not self.running or self._task is None:
            return
        if not self._stopping:
            self._stopping, self._stopped_as = True, reason
            self._task.cancel()
        await asyncio.wait([self._task], timeout=QUIET_SECONDS)
        if self._task.cancelled():
            self.last_end = TaskEnd(self._stopped_as)
            self._session.emit(self.last_end)


async def _in_rounds(loop: TaskLoop) -> TaskEnd:
    return await loop.run()


async def _to_the_end(loop: TaskLoop) -> TaskEnd:
    return await loop.run_alone(_nothing)


async def _nothing(loop: TaskLoop) -> None:
    """The deed of a task that was done already."""


def _server_of(messages: list[Message]) -> str | None:
    """The server of the card that sent the last user message."""
    asked = next((m for m in reversed(messages) if m.role == "user"), None)
    return asked.origin.server or None if asked and asked.origin else None


def _known(reason: str) -> TaskEndReason:
    for known in ("done", "round_limit", "loop", "limit", "cancelled", "error"):
        if reason == known:
            return known
    return "error"
