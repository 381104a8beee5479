"""The background work: folders looked through again and again, what changed read in child processes, vectors made."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.roots import Roots
from mcp_servers.knowledge.index import Index, KnowledgeError, Read, Waiting
from mcp_servers.knowledge.job import load
from mcp_servers.knowledge.reading import LIGHT, ending_of
from mcp_servers.knowledge.scan import Scan, scan
from mcp_servers.knowledge.turn import Turn
from mcp_servers.worker import MIB, Limits, WorkError, work

if TYPE_CHECKING:
    from mcp_servers.knowledge.meaning import Meaning

P = ParamSpec("P")
R = TypeVar("R")

READING = "mcp_servers.knowledge.job:read_files"
"""What the children do."""

TOGETHER = Limits(seconds=120.0, memory=1024 * MIB)
"""For one child with many files; whoever is at fault when it ends is read once more alone."""

ALONE = Limits(seconds=300.0, memory=1536 * MIB)
MOST_LIGHT, MOST_HEAVY, MOST_BYTES = 400, 16, 4 * MIB
"""How many files, and how many bytes of them, one child reads."""

KEEP = 100
"""After so many files (or 400 passages) what was read goes into the index."""

SCAN_SECONDS = 600.0
TROUBLE = "trouble"
"""The note with what keeps the indexing from going on."""


@dataclass(frozen=True)
class Pace:
    """Seconds: before the first look, between two looks at the index for what to do, between two looks at each folder.

    A folder is looked at again after `between`, or `share` times as long as the look took, so that it costs little.
    """

    first: float = 1.0
    tick: float = 1.0
    between: float = 5.0
    share: float = 50.0


class Indexer:
    """The work for one index, begun and ended by one event loop. Of several processes one works, the others wait."""

    def __init__(self, index: Index, meaning: Meaning, protected: Sequence[str], pace: Pace, task: str = READING) -> None:
        self._index = index
        self._meaning = meaning
        self._protected = list(protected)
        self._pace = pace
        self._reading = task
        self._turn = Turn(index.path.with_suffix(".lock"))
        self._users = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._kicked = asyncio.Event()
        self._next: dict[int, float] = {}
        self._alone: set[int] = set()
        self._patience = Patience()

    def start(self) -> None:
        """Begin, unless it has begun."""
        self._users += 1
        if self._users == 1:
            loop = asyncio.get_running_loop()
            self._tasks = [loop.create_task(self._run(step)) for step in (self._round, self._compare)]

    async def stop(self) -> None:
        """End, once all who started it have stopped it; a child that reads is killed."""
        self._users -= 1
        if self._users:
            return
        self._patience.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._turn.release()
        await off_loop(self._index.close)

    def kick(self) -> None:
        """There is something to do now."""
        self._kicked.set()

    async def _run(self, step: Callable[[], Awaitable[bool]]) -> None:
        await self._rest(self._pace.first)
        while True:
            try:
                while await step():
                    pass
            except (KnowledgeError, OSError) as error:
                with contextlib.suppress(KnowledgeError):
                    await off_loop(self._index.note, TROUBLE, str(error))
                await self._rest(10 * self._pace.tick)
            await self._rest(self._pace.tick)

    async def _rest(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._kicked.wait()
        self._kicked.clear()

    async def _round(self) -> bool:
        """A step of the work; says whether the next one should follow at once."""
        if not self._index.exists or not await off_loop(self._turn.take):
            return False
        removed, folders = await off_loop(self._index.due)
        if removed:
            return await off_loop(self._index.sweep)
        for folder, path, scanned_ms, again in folders:
            if again or scanned_ms is None or time.monotonic() >= self._next.get(folder, 0.0):
                await self._look_through(folder, path, again=again)
        if (waiting := await off_loop(self._index.waiting, MOST_LIGHT)) is not None:
            await self._read(*waiting)
            return True
        if await off_loop(self._index.noted, TROUBLE):
            await off_loop(self._index.note, TROUBLE, "")
        return False

    async def _compare(self) -> bool:
        """A step of the work with the embedding model, which may be slow and holds nothing else up."""
        return self._turn.held and self._index.exists and await self._meaning.fill()

    async def _look_through(self, folder: int, path: str, *, again: bool) -> None:
        began = time.monotonic()
        self._patience = Patience(SCAN_SECONDS)
        seen = await off_loop(scan, path, self._protected, self._patience)
        if not seen.there:
            await off_loop(self._index.missing, folder)
            more = False
        else:
            moved = await off_loop(self._moved, folder, path, seen)
            more = await off_loop(functools.partial(self._index.reconcile, folder, seen, moved, again=again))
        took = time.monotonic() - began
        self._next[folder] = 0.0 if more else time.monotonic() + max(self._pace.between, self._pace.share * took)

    def _moved(self, folder: int, path: str, seen: Scan) -> dict[str, str]:
        """The files that are somewhere else in the folder now, by what is in them."""
        gone, candidates = self._index.lost(folder, seen)
        if not gone or not candidates:
            return {}
        roots = Roots([path], self._protected)
        by_hash = {digest: name for name, (_, digest) in gone.items()}
        found: dict[str, str] = {}
        for one in candidates:
            if self._patience.over():
                break
            with contextlib.suppress(FilesError, OSError):
                old = by_hash.pop(hashlib.sha256(load(roots, path, one.path)).hexdigest(), None)
                if old is not None:
                    found[old] = one.path
        return found

    async def _read(self, folder: int, path: str, waiting: list[Waiting]) -> None:
        """Some of the files that wait, in one child."""
        files = batch_of(waiting, self._alone)
        hearing = _Hearing(self._index, {file.id for file in files})
        alone = len(files) == 1
        asked = [{"id": file.id, "path": file.path, "hash": file.hash} for file in files]
        request = {"root": path, "protected": self._protected, "files": asked}
        try:
            await work(self._reading, request, ALONE if alone else TOGETHER, hearing.hear)
        except WorkError as error:
            await self._failed(hearing, str(error), alone=alone)
        finally:
            await hearing.keep()
        self._alone -= hearing.done

    async def _failed(self, hearing: _Hearing, words: str, *, alone: bool) -> None:
        if hearing.at is None:  # the child did not even begin: no file is at fault
            raise KnowledgeError(f"Files cannot be read now: {words}")
        if alone:
            kind = "slow" if "longer than" in words else "large" if "memory" in words else "damaged"
            hearing.finish(Read(hearing.at, problem=words, kind=kind))
        else:
            self._alone.add(hearing.at)


class _Hearing:
    """What a child tells, put together by file, and kept in the index now and then."""

    def __init__(self, index: Index, asked: set[int]) -> None:
        self._index = index
        self._asked = asked
        self._ready: list[Read] = []
        self._passages: list[list[Any]] = []
        self._count = 0
        self._trouble: KnowledgeError | None = None
        self.at: int | None = None
        self.done: set[int] = set()

    async def hear(self, done: float, of: float | None, words: str) -> None:
        del done, of
        told = cast("dict[str, Any]", json.loads(words))
        file = told.pop("file")
        if file not in self._asked or self._trouble:
            return
        if "begins" in told:
            self.at, self._passages = file, []
        elif "passages" in told:
            self._passages += told["passages"]
        else:
            self.finish(Read(file, passages=self._passages, **told))
            if len(self._ready) >= KEEP or self._count >= 4 * KEEP:
                await self._keep_some()

    def finish(self, read: Read) -> None:
        self._ready.append(read)
        self._count += len(read.passages)
        self._passages = []
        self.done.add(read.file)

    async def keep(self) -> None:
        """The rest; raises what went wrong on the way, now that the child has ended."""
        await self._keep_some()
        if self._trouble:
            raise self._trouble

    async def _keep_some(self) -> None:
        ready, self._ready, self._count = self._ready, [], 0
        try:
            if ready:
                await off_loop(self._index.store, ready)
        except KnowledgeError as error:
            self._trouble = error


def batch_of(waiting: Sequence[Waiting], alone: set[int]) -> list[Waiting]:
    """The first of them that can go into one child: one that must be alone, else as many as are light together."""
    for file in waiting:
        if file.id in alone:
            return [file]
    chosen: list[Waiting] = []
    size = heavy = 0
    for file in waiting:
        size += file.size
        heavy += ending_of(file.path) not in LIGHT
        if chosen and (size > MOST_BYTES or heavy > MOST_HEAVY):
            break
        chosen.append(file)
    return chosen


async def off_loop(do: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """SQLite and the disk may let one wait, so they never run on the event loop; waited for even when cancelled."""
    import anyio.to_thread

    return await anyio.to_thread.run_sync(functools.partial(do, *args, **kwargs))
