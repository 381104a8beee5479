"""One open conversation: its messages, its running task, and whoever watches."""

import asyncio
import logging
from collections import deque
from typing import Any

from app.chat import slash
from app.chat.approvals import Answer, Approvals, Scope
from app.chat.cards_of import CardDesk
from app.chat.elsewhere import Elsewhere
from app.chat.facts import FilledPrompt
from app.chat.going_on import go_on
from app.chat.journal import StoreJournal
from app.chat.live import Live
from app.chat.material import flattened, messages_of
from app.chat.news import one_line
from app.chat.prompts import title_of
from app.chat.queueing import Queue
from app.chat.refused import Refused
from app.chat.rooms import Rooms
from app.chat.said import (
    ContextShare,
    ConversationChanged,
    ConversationInfo,
    Opened,
    QueuedMessage,
    Said,
    Siblings,
)
from app.chat.spending import Spending
from app.chat.tasking import TaskRunner
from app.chat.tree import Tree
from app.chat.ui_host import UiHost
from app.chat.windows import Window
from app.core.events import BlockDelta, Checkpoint, MessageEnd, TaskEnd, TaskEndReason
from app.core.messages import Block, FileBlock, ImageBlock, Message, Origin, TextBlock, new_id
from app.settings import edition
from app.store import ConversationRow

log = logging.getLogger("leochat.chat")
RING = 4000
SEQ_BATCH = 1000
OWN_OPTIONS = ("system", "provider", "model", "temperature", "max_tokens", "thinking")
NEWS = ("task_end", "approval_request", "elicitation_request")
LISTED = (*NEWS, "task_start", "approval_answer", "elicitation_closed", "sampling_request", "sampling_closed")
"""What changes a row of the list."""


class Session:
    """The live object around a conversation. Everything happens on the event loop's thread."""

    def __init__(self, rooms: Rooms, row: ConversationRow):
        self.id = row.id
        self.rooms = rooms
        self.row = row
        self.messages: list[Message] = []
        self.live = Live()
        self.approvals = Approvals(rooms.store.grants, row.id, rooms.approval_mode, rooms.attended, rooms.door)
        self.ui_host = UiHost(rooms, self.approvals, self.emit, self._send_from)
        self.queue = Queue(rooms.store, row.id, self.emit)
        self.journal = StoreJournal(rooms.store, row.id, self.queue)
        self.tasks = TaskRunner(self)
        self.elsewhere = Elsewhere(self)
        self.cards = CardDesk(self)
        self._siblings: tuple[Siblings, ...] = ()
        self.spending = Spending(rooms.store, row.id)
        self.forked: str | None = None
        self.unfinished = False
        """The last message was read while it was being written: by a task elsewhere, or by one that a kill cut off."""
        self.tree = Tree(self)
        self._windows: list[Window] = []
        self._ring: deque[tuple[int, Said]] = deque(maxlen=RING)
        self._seq = 0
        self._reserved = 0
        self._drafting: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()  # in the order they were sent

    async def load(self) -> None:
        """Read everything from the store; to be awaited once before use."""
        store = self.rooms.store
        self._seq = await store.conversations.reserve_seq(self.id, SEQ_BATCH)
        self._reserved = self._seq + SEQ_BATCH
        await self.approvals.load()
        await self.queue.load()
        await self.cards.load()
        await self.reload()

    async def reload(self) -> None:
        """Read the shown branch again, after it was switched or edited."""
        store = self.rooms.store
        self.messages = await store.messages.branch(self.id)
        self.unfinished = self.head in await store.messages.partials(self.id)
        groups = await store.messages.siblings(self.id)
        self._siblings = tuple(Siblings(ids=ids) for ids in dict.fromkeys(groups.values()))
        await self.spending.load(self.messages)

    async def catch_up(self, row: ConversationRow | None) -> None:
        """Where what is kept is not what is shown, another process or an import has gone on here: all is read and told again.

        For a moment in which nothing of this session's own runs.
        """
        if row is None or (row.head_id == self.head and not await self._grown()):
            return
        self.tasks.last_end = None
        await self.approvals.load()
        await self.queue.load()
        await self.cards.load()
        await self.reload()
        self.emit(self.opened())
        await self.refresh_row()

    async def _grown(self) -> bool:
        return self.unfinished and await self.rooms.store.messages.get(self.id, self.messages[-1].id) != self.messages[-1]

    # What is told

    def emit(self, event: Said) -> None:
        """Number an event, fold it, and tell every window that watches."""
        self._seq += 1
        if type(event) is not BlockDelta:
            self._mind(event)
        self.live.fold(event)
        self._ring.append((self._seq, event))
        for window in list(self._windows):
            try:
                window.tell(self.id, event, self._seq)
            except Exception:  # one window's trouble is not the task's
                log.exception("a window could not be told %s", event.type)

    def _mind(self, event: Said) -> None:
        """What else an event means: numbers run out, a checkpoint carries its own, a draft is due, the list changed."""
        if self._reserved - self._seq < SEQ_BATCH // 2:
            self._reserved += SEQ_BATCH
            self._keep(self.rooms.store.conversations.reserve_seq(self.id, SEQ_BATCH))
        self.journal.seq = self._seq
        match event:
            case Checkpoint():
                event.seq = self._seq
            case MessageEnd(message=message):
                self.spending.count(message)
                if self.forked is not None and message.parent_id == self.forked:
                    self.forked = None
                    self._keep(self.retell())
            case _:
                pass
        if event.type in LISTED:
            asyncio.get_running_loop().call_soon(self.changed)
        if event.type in NEWS:
            self.rooms.notify(self.row.title or edition().name, one_line(event, self.rooms.language()), self.id)

    def _keep(self, awaitable: Any) -> None:
        self.tasks.background(awaitable)

    def changed(self) -> None:
        """The conversation's row is not what it was."""
        self.emit(ConversationChanged(self.info()))
        self.rooms.list_changed()

    def info(self) -> ConversationInfo:
        row, default = self.row, self.rooms.models.choice()
        provider = row.options.provider or default.provider
        model = row.options.model or (default.model if provider == default.provider else "")
        interrupted = None if self.live.running else self.tasks.interrupted()
        return ConversationInfo(
            id=self.id,
            title=row.title,
            created_ms=row.created_ms,
            updated_ms=row.updated_ms,
            running=self.live.running is not None,
            waiting=bool(self.live.approvals or self.live.questions or self.live.asked_for_model),
            pinned=row.pinned,
            folder=row.folder,
            interrupted=interrupted,
            provider=provider,
            model=model,
            system=row.options.system or "",
            temperature=row.options.temperature,
            max_tokens=row.options.max_tokens,
            thinking=None if row.options.thinking is None else str(row.options.thinking),
            usage=self.spending.usage,
            context=ContextShare(used=self.spending.used, window=self.tasks.reach(provider, model).window),
        )

    def opened(self, last: int | None = None) -> Opened:
        """The whole as it is now, or with no more than its `last` messages."""
        partial = self.live.partial()
        messages = [*(m for m in self.messages if partial is None or m.id != partial.id), *((partial,) if partial else ())]
        earlier = max(0, len(messages) - last) if last else 0
        return Opened(
            self.info(),
            tuple(messages[earlier:]),
            self.live.state(),
            tuple(self.live.approvals.values()),
            self.queue.listed,
            tuple(self.live.questions.values()),
            tuple(self.live.samplings.values()),
            self.cards.states,
            self._siblings,
            earlier,
        )

    def before(self, message_id: str, most: int) -> tuple[list[Message], int]:
        """No more than so many messages that stand before one of the shown branch, and how many before these."""
        partial = self.live.partial()
        ids = [m.id for m in self.messages]
        if message_id not in ids and (partial is None or partial.id != message_id):
            raise Refused("not_found", "This message is not on the shown branch.")
        end = ids.index(message_id) if message_id in ids else len(ids)
        start = max(0, end - most)
        return self.messages[start:end], start

    def attach(self, window: Window, resume: int | None, last: int | None = None) -> None:
        """Catch a window up: the events after `resume` where they are still held, else everything; then it is told all."""
        if window not in self._windows:
            self._windows.append(window)
        missed = self._missed(resume)
        if missed is None:
            window.tell(self.id, self.opened(last), self._seq)
            return
        for seq, event in missed:
            window.tell(self.id, event, seq)

    def _missed(self, resume: int | None) -> list[tuple[int, Said]] | None:
        if resume is None or resume > self._seq or not self._ring or self._ring[0][0] > resume + 1:
            return [] if resume == self._seq else None
        return [(seq, event) for seq, event in self._ring if seq > resume]

    def detach(self, window: Window) -> None:
        if window in self._windows:
            self._windows.remove(window)

    # What is asked

    @property
    def cost(self) -> float | None:
        """US dollars so far, where the prices are known."""
        return self.spending.usage.cost

    @property
    def seq(self) -> int:
        """The number of the last event told."""
        return self._seq

    @property
    def running(self) -> bool:
        return self.tasks.running

    @property
    def idle(self) -> bool:
        """Nothing happens here and nobody watches: what there is can be read from the store again."""
        return not (self.running or self.tasks.busy or self._windows or self.live.questions or self.live.samplings)

    async def send(
        self,
        text: str,
        attachments: tuple[str, ...] = (),
        *,
        label: str | None = None,
        origin: Origin | None = None,
        window: Window | None = None,
        prompts: tuple[FilledPrompt, ...] = (),
    ) -> str:
        """A message of the user's: starts a task, or is queued while one runs. Gives its id; a slash command has none.

        The messages of `prompts` go before it, or are it where it is empty.
        """
        if origin is None and not attachments and not prompts and (command := slash.find(text)):
            await command[0].run(self, command[1])
            return ""
        async with self._sending:
            blocks = await self._blocks(text, attachments)
            before = [m for p in prompts for m in messages_of(p, self.rooms.bundled(p.server))]
            if not blocks and not (before and before[-1].role == "user"):
                words = "This prompt ends with an answer: write a message after it." if before else "There is nothing to send."
                raise Refused("invalid", words)
            if origin is None and label:
                origin = Origin(server="", card_id="", label=label, bundled=True)
            await self._name(text or next((p.title for p in prompts), ""))
            await self.tasks.settled()
            if self.running or self.elsewhere.running:
                return await self.queue.add((*(b for p in prompts for b in flattened(p)), *blocks), origin)
            own = Message(id=new_id("msg"), role="user", blocks=blocks, origin=origin, parent_id=self.head)
            message = own if blocks else before.pop()
            await self.tasks.begin(message, window, first=(lambda: self.tasks.lay(before)) if before else None)
            return message.id

    @property
    def head(self) -> str | None:
        return self.messages[-1].id if self.messages else None

    async def _blocks(self, text: str, refs: tuple[str, ...]) -> tuple[Block, ...]:
        blocks: list[Block] = []
        for ref in refs:
            row = await self.rooms.store.blobs.row(ref)
            if row is None:
                raise Refused("not_found", "An attachment is not there any more; attach it again.")
            if row.media_type.startswith("image/") and row.media_type != "image/svg+xml":
                blocks.append(ImageBlock(media_type=row.media_type, ref=ref, name=row.name))
            else:
                blocks.append(FileBlock(media_type=row.media_type, ref=ref, name=row.name, size=row.size))
        if text.strip():
            blocks.append(TextBlock(text=text))
        return tuple(blocks)

    async def _name(self, text: str) -> None:
        if self.row.title or not (title := title_of(text)):
            return
        await self.rooms.store.conversations.rename(self.id, title, by="model")
        await self.refresh_row()

    async def rename(self, title: str) -> None:
        """The person's title, which no automatic one replaces."""
        await self.rooms.store.conversations.rename(self.id, " ".join(title.split())[:200])
        await self.refresh_row()

    async def refresh_row(self) -> None:
        row = await self.rooms.store.conversations.get(self.id)
        if row is None:
            raise Refused("not_found", "This conversation is not there any more.")
        self.row = row
        self.changed()

    async def _send_from(self, text: str, label: str | None, server: str) -> None:
        """A UI command `send_message` from a tool's result: queued, since a task runs."""
        origin = Origin(server=server, card_id="", label=label or text, bundled=self.rooms.bundled(server))
        await self.send(text, origin=origin, window=self.ui_host.sender)

    async def stop(self, reason: TaskEndReason = "cancelled") -> None:
        """A pause: what was said is kept. Returns when all is quiet; the task has ended for this `reason` then.

        A task that another process with this home runs here is stopped there.
        """
        await self.tasks.stop(reason)
        await self.elsewhere.stop()

    async def send_now(self, queued_id: str, *, window: Window | None = None) -> None:
        """Stop what runs and go on with what is queued, this one first."""
        await self.queue.first(queued_id)
        await self.stop()
        if not self.running:
            await self.tasks.begin(None, window, join_first=True)

    async def resume(self, *, window: Window | None = None) -> None:
        """Go on after a stop, an error, a limit, a cut reply or a kill."""
        await go_on(self, window)

    async def retell(self) -> None:
        """The branch is another one: every window gets the whole again."""
        groups = await self.rooms.store.messages.siblings(self.id)
        self._siblings = tuple(Siblings(ids=ids) for ids in dict.fromkeys(groups.values()))
        self.emit(self.opened())

    async def set_options(self, options: dict[str, Any]) -> None:
        """Change any of system, provider, model, temperature, max_tokens, thinking, pinned, folder; null is the default."""
        store = self.rooms.store.conversations
        own = {k: v for k, v in options.items() if k in OWN_OPTIONS}
        unknown = set(options) - set(own) - {"pinned", "folder"}
        if unknown:
            raise Refused("invalid", f"There is no such option: {', '.join(sorted(unknown))}.")
        try:
            changed = type(self.row.options).model_validate({**self.row.options.model_dump(), **own})
        except ValueError:
            raise Refused("invalid", "One of these values does not fit.") from None
        await store.set_options(self.id, changed)
        if "pinned" in options:
            await store.set_pinned(self.id, bool(options["pinned"]))
        if "folder" in options:
            await store.set_folder(self.id, options["folder"])
        await self.refresh_row()

    def answer_approval(self, call_id: str, answer: Answer, scope: Scope) -> None:
        if not self.approvals.answer(call_id, answer, scope):
            raise Refused("not_found", "This was answered already.")


__all__ = ["QueuedMessage", "Session", "TaskEnd"]
