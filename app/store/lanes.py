"""The threads that touch SQLite: one writer, two readers, one for upkeep; the event loop only ever awaits them."""

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from app.store.errors import StoreError, translate
from app.store.failpoints import failpoint

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
BUSY_SECONDS = 10.0
IDLE_AFTER_SECONDS = 0.2


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode (transactions are ours), usable from whichever thread owns it."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


@dataclass(frozen=True, slots=True)
class Job:
    """`told` is set in `loop` with what comes of the work: half the cost of a future between threads."""

    work: Work[Any]
    loop: asyncio.AbstractEventLoop
    told: "asyncio.Future[Any]"
    durable: bool = False

    def done(self, result: Any, error: BaseException | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody waits any more
            self.loop.call_soon_threadsafe(self._tell, result, error)

    def _tell(self, result: Any, error: BaseException | None) -> None:
        if self.told.done():
            return  # whoever waited was cancelled
        if error is None:
            self.told.set_result(result)
        else:
            self.told.set_exception(error)


class Lane:
    """One or more threads that do jobs in the order they came, each with a connection of its own."""

    def __init__(self, name: str, path: Path, opens: Callable[[], sqlite3.Connection], threads: int = 1):
        self.path = path
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._opens = opens
        self._closed = False
        self._threads = [threading.Thread(target=self._run, name=f"store-{name}-{i}", daemon=True) for i in range(threads)]
        self._started = False

    async def do(self, work: Work[T], *, durable: bool = False) -> T:
        """What `work(connection)` gives. Once queued it is done, even if nobody waits for it any more."""
        if self._closed:
            raise StoreError("closed", "The store is closed.", self.path)
        if not self._started:
            self._started = True
            for thread in self._threads:
                thread.start()
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        self._jobs.put(Job(work, loop, told, durable))
        return await told

    def close(self) -> None:
        """Finish what is queued, then end the threads."""
        if self._closed:
            return
        self._closed = True
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while (job := self._next(connection)) is not None:
            try:
                connection = connection or self._opens()
                result = self._perform(connection, job)
            except sqlite3.Error as error:
                job.done(None, translate(error, self.path))
            except BaseException as error:  # noqa: BLE001  whoever awaits the job gets it, whatever it is
                job.done(None, error)
            else:
                job.done(result, None)
        if connection is not None:
            connection.close()

    def _next(self, connection: sqlite3.Connection | None) -> Job | None:
        return self._jobs.get()

    def _perform(self, connection: sqlite3.Connection, job: Job) -> Any:
        return job.work(connection)


class WriterLane(Lane):
    """The only thread that writes: each job is one transaction; when it has nothing to do it does a piece of `idle` work.

    `idle(connection)` runs in a transaction of its own and says whether more is left.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, idle: Work[bool]):
        super().__init__("writer", path, lambda: connection)
        self._connection = connection
        self._idle = idle
        self._full: bool | None = None

    def close(self) -> None:
        super().close()
        self._connection.close()

    def _next(self, connection: sqlite3.Connection | None) -> Job | None:
        """The next job; idle work is done piece by piece once nothing was asked for a moment."""
        more = True
        while more and not self._closed:
            try:
                return self._jobs.get(timeout=IDLE_AFTER_SECONDS)
            except queue.Empty:
                more = self._do_idle_work()
        return self._jobs.get()

    def _do_idle_work(self) -> bool:
        try:
            while (more := self._transact(self._connection, self._idle, durable=False)) and self._jobs.empty():
                pass
        except sqlite3.Error:
            return False  # tried again after the next job, which says in words what is wrong
        return more

    def _perform(self, connection: sqlite3.Connection, job: Job) -> Any:
        return self._transact(connection, job.work, durable=job.durable)

    def _transact(self, connection: sqlite3.Connection, work: Work[T], *, durable: bool) -> T:
        if self._full is not durable:
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._full = durable
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            failpoint("store.before_commit")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        failpoint("store.after_commit")
        return result


@dataclass(frozen=True, slots=True)
class Lanes:
    """What every part of the store is given: where to write, where to read, where to do long work."""

    path: Path
    writer: WriterLane
    readers: Lane
    upkeep: Lane

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """One transaction; when it returns the work is committed, with `durable` also through a power cut."""
        return await self.writer.do(work, durable=durable)

    async def read(self, work: Work[T]) -> T:
        return await self.readers.do(work)

    def close(self) -> None:
        for lane in (self.upkeep, self.readers, self.writer):
            lane.close()
