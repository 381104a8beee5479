"""From bytes of lines to the streams the SDK's Client reads and writes, for any duplex pipe."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from app.mcp_host.framing import Framing
from app.mcp_host.greeting import mended_greeting
from app.mcp_host.lines import LARGE, Read, TooLong, read_line, refusal, too_long, write_line
from app.mcp_host.serverlog import ServerLog

# A line up to here is parsed at once; a longer one in a thread, so that nobody waits for it.
INLINE = LARGE
TURN = 0.005
# The session pays about a millisecond for each notification and each question, so of these only so many get to it.
SPARE_A_SECOND = 200
# On a busy computer it pays more: then it is this share of a second.
SPENT_A_SECOND = 0.25
# Lines that wait for a server that does not read: what is said to it blocks nobody before.
WAITING = 256
BUSY = "Too many questions in a second."
# Whoever writes that much before the first answer floods: nobody waits for it.
FLOOD_LINES = 10_000
FLOOD_BYTES = 4 * 1024 * 1024
FLOOD = f"it wrote more than {FLOOD_LINES:,} lines, or {FLOOD_BYTES // 2**20} MiB, before it answered anything"

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
Receive = Callable[[], Awaitable[bytes]]
Send = Callable[[bytes], Awaitable[None]]


@asynccontextmanager
async def line_channel(
    receive: Receive, send: Send, log: ServerLog, over: asyncio.Event, unanswered: set[int | str] | None = None
) -> AsyncGenerator[Streams]:
    """Streams over a pipe: `receive` gives bytes (empty at its end), `send` takes them.

    When the pipe ends, in either direction, the read stream closes, which fails all open calls,
    and `over` is set. `unanswered` is kept as the ids of requests without an answer.
    """
    to_session, from_pipe = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_session, to_pipe = anyio.create_memory_object_stream[SessionMessage](WAITING)
    replies = from_session.clone()
    inbound = Inbound(to_session, replies, log, over, set() if unanswered is None else unanswered)
    reader = asyncio.create_task(inbound.run(receive))
    writer = asyncio.create_task(_write(to_pipe, send, inbound))
    try:
        yield from_pipe, from_session
    finally:
        from_session.close()
        replies.close()
        from_pipe.close()
        # What was accepted for sending (a cancellation, say) goes out before the pipe closes.
        await asyncio.wait({writer}, timeout=0.5)
        for task in (reader, writer):
            task.cancel()
        await asyncio.gather(reader, writer, return_exceptions=True)
        inbound.close()
        to_pipe.close()


class Inbound:
    """Reads lines and hands messages on; remembers which requests are open, to answer for a bad line."""

    def __init__(
        self,
        session: MemoryObjectSendStream[SessionMessage | Exception],
        replies: MemoryObjectSendStream[SessionMessage],
        log: ServerLog,
        over: asyncio.Event,
        unanswered: set[int | str],
    ) -> None:
        self.open = unanswered
        self._session = session
        self._replies = replies
        self._log = log
        self._over = over
        self._lines = Framing()
        self._settled = False
        self._second = 0.0
        self._heard = 0
        self._spent, self._full = 0.0, False
        self._owed: dict[str, JSONRPCNotification] = {}
        self._paying: asyncio.Task[None] | None = None
        self._answered = self._greeted = False
        self._lines_before = self._bytes_before = 0

    async def run(self, receive: Receive) -> None:
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
            while data := await receive():
                await self._take(data)
        self.close()

    def close(self) -> None:
        if self._paying is not None:
            self._paying.cancel()
        self._replies.close()
        self._session.close()
        self._over.set()

    async def _take(self, data: bytes) -> None:
        now = asyncio.get_running_loop().time
        began = now()
        if self._floods(data):
            await self._refuse_all()
            return
        for line in self._lines.feed(data):
            read = await self._read(line)
            if read.note:
                self._log.add("stdout", read.note)
            if read.messages:
                self._lines.plain()
            for message in read.messages:
                await self._deliver(message, repaired=bool(read.note))
            if now() - began > TURN:
                await asyncio.sleep(0)
                began = now()

    def _floods(self, data: bytes) -> bool:
        """Whether it has written too much without a single answer; from there on nothing of it is read."""
        if self._answered:
            return False
        self._lines_before += data.count(b"\n")
        self._bytes_before += len(data)
        return self._lines_before > FLOOD_LINES or self._bytes_before > FLOOD_BYTES

    async def _refuse_all(self) -> None:
        for request in tuple(self.open):
            self.open.discard(request)
            error = JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=INTERNAL_ERROR, message=FLOOD))
            await self._session.send(SessionMessage(error))
        await asyncio.sleep(TURN)

    async def _read(self, line: bytes | TooLong) -> Read:
        if isinstance(line, TooLong):
            return self._answering_long(line)
        if len(line) <= INLINE:
            return self._answering(read_line(line))
        return self._answering(await asyncio.to_thread(read_line, line))

    def _answering(self, read: Read) -> Read:
        """A refused answer that names no request answers the only open one, if there is only one."""
        if not read.refused or len(self.open) != 1:
            return read
        return Read((refusal(next(iter(self.open)), read.refused),), read.note)

    def _answering_long(self, line: TooLong) -> Read:
        """Blame for a line that is too long is settled at once, or at its end if not possible before."""
        if line.head:
            read = self._answering(too_long(line))
            self._settled = bool(read.messages) or not read.refused
            return read
        return Read() if self._settled else self._answering(too_long(line))

    def _spare(self, message: JSONRPCMessage) -> bool:
        """Whether it is one of too many: notifications and questions over 200 a second."""
        if not isinstance(message, JSONRPCNotification | JSONRPCRequest):
            return False
        now = asyncio.get_running_loop().time()
        if now - self._second >= 1.0:
            self._second, self._heard, self._spent, self._full = now, 0, 0.0, False
        self._heard += 1
        full, self._full = self._full, self._heard > SPARE_A_SECOND or self._spent > SPENT_A_SECOND
        if self._full and not full:
            self._log.add("host", f"more than {SPARE_A_SECOND} notifications and questions in a second: some are left out")
        return self._full

    def _left_out(self, message: JSONRPCMessage) -> None:
        """A question gets its no at once; that a list changed is told once more when the second is over."""
        if isinstance(message, JSONRPCRequest):
            refused = JSONRPCError(jsonrpc="2.0", id=message.id, error=ErrorData(code=INTERNAL_ERROR, message=BUSY))
            with contextlib.suppress(anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
                self._replies.send_nowait(SessionMessage(refused))
        elif isinstance(message, JSONRPCNotification) and message.method.endswith("/list_changed"):
            self._owed[message.method] = message
            if self._paying is None or self._paying.done():
                self._paying = asyncio.create_task(self._pay())

    async def _pay(self) -> None:
        await asyncio.sleep(1.0)
        owed, self._owed = self._owed, {}
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            for message in owed.values():
                await self._session.send(SessionMessage(message))

    async def _deliver(self, message: JSONRPCMessage, *, repaired: bool) -> None:
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            if repaired and message.id not in self.open:
                return
            self.open.discard(message.id)
            self._answered = True
            if not self._greeted and isinstance(message, JSONRPCResponse) and "protocolVersion" in message.result:
                self._greeted = True
                message = message.model_copy(update={"result": mended_greeting(message.result)})
        if self._spare(message):
            self._left_out(message)
            return
        now = asyncio.get_running_loop().time
        began = now()
        await self._session.send(SessionMessage(message))
        self._spent += now() - began


async def _write(messages: MemoryObjectReceiveStream[SessionMessage], send: Send, inbound: Inbound) -> None:
    try:
        async with messages:
            async for item in messages:
                if isinstance(item.message, JSONRPCRequest):
                    inbound.open.add(item.message.id)
                await send(write_line(item.message))
    except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        # The server may live on without reading: the session must see the end, not wait for ever.
        inbound.close()
