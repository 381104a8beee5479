"""A server as a child process: started with pipes, read without trust, stopped with its whole tree."""

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from app.mcp_host.channel import Streams, line_channel
from app.mcp_host.childtree import MARK_NAME, Guard, ProcessTree, new_mark, spawn_options
from app.mcp_host.command import Program
from app.mcp_host.environment import base_environment
from app.mcp_host.lines import LineSplitter
from app.mcp_host.serverlog import ServerLog

# Bytes read ahead of the session before the child has to wait.
AHEAD = 1024 * 1024


@dataclass(slots=True)
class Child:
    """What is known of the process behind a connection; `exit_code` where it `exited` by itself.

    `over` is set when nothing more can be said with it, which can be before or after its end.
    """

    pid: int | None = None
    exit_code: int | None = None
    exited: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    closing: bool = False
    tree: ProcessTree | None = None
    open: set[int | str] = field(default_factory=set[int | str])
    """The ids of requests that it has not answered."""


class _Pipes(asyncio.SubprocessProtocol):
    """The child's three pipes: stdout queued with back pressure, stderr into the log."""

    def __init__(self, log: ServerLog) -> None:
        self.ended = asyncio.Event()
        self._log = log
        self._errors = LineSplitter(64 * 1024)
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._waiting = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._closed = False
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            for line in self._errors.feed(data):
                text = line if isinstance(line, bytes) else line.head
                self._log.add("stderr", text.decode("utf-8", "replace").rstrip())
            return
        self._queue.append(data)
        self._queued += len(data)
        if self._queued > AHEAD:
            self._flow(reading=False)
        self._waiting.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        if fd == 1:
            self._closed = True
            self._waiting.set()
        elif fd == 2:
            self.pipe_data_received(2, b"\n")
        else:
            self._writable.set()

    def process_exited(self) -> None:
        self.ended.set()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    async def receive(self) -> bytes:
        while not self._queue and not self._closed:
            self._waiting.clear()
            await self._waiting.wait()
        if not self._queue:
            return b""
        data = self._queue.popleft()
        self._queued -= len(data)
        if self._queued <= AHEAD // 2:
            self._flow(reading=True)
        return data

    async def send(self, data: bytes) -> None:
        pipe = self._pipe(0)
        if pipe is None or pipe.is_closing() or self.ended.is_set():
            raise BrokenPipeError
        cast("asyncio.WriteTransport", pipe).write(data)
        await self._writable.wait()

    def end_output(self) -> None:
        """Stop waiting for stdout: a descendant may hold it open long after the server died."""
        self._closed = True
        self._waiting.set()

    def close_input(self) -> None:
        if (pipe := self._pipe(0)) is not None:
            pipe.close()

    def _flow(self, *, reading: bool) -> None:
        pipe = self._pipe(1)
        if pipe is None or pipe.is_closing():
            return
        readable = cast("asyncio.ReadTransport", pipe)
        with contextlib.suppress(RuntimeError):
            if reading and not readable.is_reading():
                readable.resume_reading()
            elif not reading and readable.is_reading():
                readable.pause_reading()

    def _pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return None if self._transport is None else self._transport.get_pipe_transport(fd)


@asynccontextmanager
async def stdio_transport(
    program: Program,
    *,
    env: Mapping[str, str],
    cwd: str | None,
    log: ServerLog,
    guard: Guard,
    child: Child,
) -> AsyncGenerator[Streams]:
    """Start `program` and speak lines with it; `child` is filled in as things happen.

    Raises `OSError` where it cannot be started. On leaving, however that comes about: stdin closes,
    2 s, TERM, 2 s, KILL, for the whole tree.
    """
    mark = new_mark()
    variables = base_environment(os.environ, program.path) | dict(env) | {MARK_NAME: mark}
    loop = asyncio.get_running_loop()
    options: dict[str, Any] = {"env": variables, "cwd": cwd, **spawn_options()}
    if program.shell_line is not None:
        transport, pipes = await loop.subprocess_shell(lambda: _Pipes(log), program.shell_line, **options)
    else:
        transport, pipes = await loop.subprocess_exec(lambda: _Pipes(log), *program.argv, **options)
    tree = ProcessTree(transport.get_pid(), guard, mark)
    child.pid, child.tree = transport.get_pid(), tree
    watch = asyncio.create_task(_watch(transport, pipes, child))
    try:
        async with line_channel(pipes.receive, pipes.send, log, child.over, child.open) as streams:
            yield streams
    finally:
        await _finish(asyncio.create_task(_end(transport, pipes, tree, watch, child)))


async def _watch(transport: asyncio.SubprocessTransport, pipes: _Pipes, child: Child) -> None:
    await pipes.ended.wait()
    if not child.closing:
        child.exit_code = transport.get_returncode()
    child.exited.set()
    # Its last words are in the pipe already; 0.3 s are plenty to read them.
    await asyncio.sleep(0.3)
    pipes.end_output()


async def _end(
    transport: asyncio.SubprocessTransport,
    pipes: _Pipes,
    tree: ProcessTree,
    watch: asyncio.Task[None],
    child: Child,
) -> None:
    if child.over.is_set():
        # Its output ended before we came to close it: how it exits is its own doing.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(child.exited.wait(), 0.3)
    child.closing = True
    pipes.close_input()
    try:
        await tree.stop()
        # Dead is not yet reaped: asyncio hears of it from another thread.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(pipes.ended.wait(), 1.0)
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            transport.close()


async def _finish(ending: asyncio.Task[None]) -> None:
    """Wait for the end even when cancelled meanwhile: a child is never left behind."""
    cancelled: asyncio.CancelledError | None = None
    while not ending.done():
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError as error:
            if ending.done():
                break
            cancelled = error
    ending.result()
    if cancelled is not None:
        raise cancelled
