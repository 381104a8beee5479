"""A task that another process with this home runs in a conversation: shown as one, followed, and stopped when asked."""

import asyncio
from typing import TYPE_CHECKING, cast, get_args

from app.chat.refused import Refused
from app.core.events import MessageEnd, RoundStart, TaskEnd, TaskEndReason, TaskStart
from app.core.messages import Message
from app.store import StoreError, TaskRow

if TYPE_CHECKING:
    from app.chat.session import Session

LOOK_SECONDS, LOOK_SOON_SECONDS = 0.5, 0.1
STOP_SECONDS = 8.0
"""For the other process to hear of it and to end its tools; one that hangs takes longer."""
LATEST = 50
"""Messages that are looked at for new ones; where more came meanwhile, all is read again."""


class Elsewhere:
    """One session's view of such a task. What is written there is told here once it is whole."""

    def __init__(self, session: "Session"):
        self._session = session
        self._task: TaskRow | None = None
        self._following: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()

    @property
    def running(self) -> bool:
        """Whether one is followed: what is sent meanwhile waits for its end."""
        return self._following is not None

    async def notice(self) -> None:
        """Follow what runs, if something does and is not followed already."""
        if self._following is not None or self._session.running:
            return
        task = await self._session.rooms.store.tasks.elsewhere(self._session.id)
        if task is None or self._following is not None or self._session.running:
            return
        self._task = task
        self._hurried.clear()
        self._session.emit(TaskStart(task.id, task.started_ms))
        self._session.emit(RoundStart(1))
        self._following = asyncio.create_task(self._follow(), name=f"another's task in {self._session.id}")

    async def stop(self) -> None:
        """Have it stopped there; back when it is. Refused where that process does not answer."""
        if self._following is None or self._task is None:
            return
        await self._session.rooms.store.tasks.ask_stop(self._task.id)
        self._hurried.set()
        done, _ = await asyncio.wait([self._following], timeout=STOP_SECONDS)
        if not done:
            raise Refused("busy", "The task runs in another LeoChat, which does not answer: stop it there.")

    def close(self) -> None:
        """Look no more; the other process goes on."""
        if self._following is not None:
            self._following.cancel()
            self._following = None

    async def over(self) -> TaskEndReason | None:
        """It ran until now; tell so, and give how it ended. For a moment in which nobody else begins a task."""
        following, self._following = self._following, None
        if following is None or self._task is None:
            return None
        if following is not asyncio.current_task():
            following.cancel()
        self._session.tasks.last_end = None  # what the row says of the task there holds now
        last = await self._session.rooms.store.tasks.last(self._session.id)
        ended = last if last is not None and last.id == self._task.id else None
        reason = ended.reason if ended and ended.reason in get_args(TaskEndReason) else "cancelled"
        end = TaskEnd(cast("TaskEndReason", reason), ended.error if ended else None)
        self._session.emit(end)
        return end.reason

    async def _follow(self) -> None:
        session = self._session
        while True:
            await self._pause()
            if session.running:  # somebody is about to begin one here, and looks himself
                continue
            try:
                goes_on = await session.rooms.store.tasks.elsewhere(session.id) is not None
                if session.running:
                    continue
                with session.tasks.alone():
                    await self._take()
                    if goes_on:
                        continue
                    reason = await self.over()
                    await session.catch_up(await session.rooms.store.conversations.get(session.id))
                    await session.refresh_row()
                if len(session.queue) and reason not in (None, "cancelled"):  # after a stop it waits for the person
                    session.tasks.background(session.tasks.begin(None, session.ui_host.sender, join_first=True))
            except (StoreError, Refused):
                self._following = None
            return

    async def _pause(self) -> None:
        if self._hurried.is_set():
            await asyncio.sleep(LOOK_SOON_SECONDS)
            return
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self._hurried.wait()
        except TimeoutError:
            return

    async def _take(self) -> None:
        """Tell the messages that are whole and were not told."""
        session, messages = self._session, self._session.rooms.store.messages
        latest = await messages.branch(session.id, last=LATEST)
        unfinished = await messages.partials(session.id)
        ids = [m.id for m in latest]
        if session.head is not None and session.head not in ids:
            await session.reload()
            session.emit(session.opened())
            return
        start = 0 if session.head is None else ids.index(session.head) + (not session.unfinished)
        for message in latest[start:]:
            if message.id in unfinished:
                break
            self._tell(message)

    def _tell(self, message: Message) -> None:
        session = self._session
        if session.head == message.id:
            session.messages.pop()
        session.messages.append(message)
        session.unfinished = False
        session.emit(MessageEnd(message))
