"""One TCP or TLS connection, as a plain asyncio protocol: bytes that came, and the head of the answer among them."""

import asyncio
import re
import ssl
from collections import deque
from dataclasses import dataclass

from app.providers.patience import BREATH, Pace, Wait

READ_SIZE = 1 << 16
HIGH_WATER = 1 << 18
MAX_HEAD = 262_144
HEAD_END = re.compile(rb"\r?\n\r?\n")
"""Small servers end their lines without a carriage return (RFC 9112, 2.2)."""


class BadHeadError(Exception):
    """What came is no HTTP response."""


@dataclass(frozen=True, slots=True)
class Head:
    status: int
    reason: bytes
    headers: list[tuple[bytes, bytes]]
    http10: bool

    def get(self, name: bytes) -> bytes:
        return next((value for key, value in self.headers if key.lower() == name), b"").strip().lower()


class Connection(asyncio.BufferedProtocol):
    """Bytes that came wait in a list; a reader that lags makes the sender wait. `closed` once nothing more can come."""

    def __init__(self) -> None:
        self.closed = False
        self.error: BaseException | None = None
        self.idle_since = 0.0
        self.wait = Wait()
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._room = memoryview(bytearray(READ_SIZE))
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._paused = False
        self._pace = Pace()
        self._rest: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        self._parts.append(bytes(self._room[:nbytes]))
        self._size += nbytes
        if self._pace.rests(nbytes) and self._rest is None:
            self._rest = self._loop.call_later(BREATH, self._rested)
        if (self._rest is not None or self._size > HIGH_WATER) and not self._paused and self._transport:
            self._paused = True
            self._transport.pause_reading()
        self.wait.end()

    def eof_received(self) -> bool:
        self.closed = True
        self.wait.end()
        return False

    def connection_lost(self, exc: BaseException | None) -> None:
        self.closed = True
        self.error = self.error or exc
        self.wait.end()

    def _rested(self) -> None:
        self._rest = None
        self._pace.rested()
        self._resume()

    def _resume(self) -> None:
        if self._paused and self._rest is None and self._size < HIGH_WATER and self._transport and not self.closed:
            self._paused = False
            self._transport.resume_reading()

    async def read(self) -> bytes:
        """The next bytes that have come, at least one; b"" at the end.

        OSError where the connection broke, TimeoutError where it was silent for longer than `wait` may be.
        """
        while not self._parts:
            if self.closed:
                if self.error is not None:
                    raise self.error
                return b""
            await self.wait.begin()
        part = self._parts.popleft()
        self._size -= len(part)
        if self._paused:
            self._resume()
        return part

    @property
    def waiting(self) -> bool:
        """Bytes have come that nobody read yet."""
        return bool(self._parts)

    def unread(self, data: bytes) -> None:
        if data:
            self._parts.appendleft(data)
            self._size += len(data)

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    async def secure(self, context: ssl.SSLContext, host: str) -> None:
        """Speak TLS from here on."""
        assert self._transport is not None
        secured = await asyncio.get_running_loop().start_tls(self._transport, self, context, server_hostname=host)
        assert isinstance(secured, asyncio.Transport)
        self._transport = secured

    def close(self) -> None:
        """At once: what is still to come is not wanted."""
        self.closed = True
        self.wait.unlimited()
        if self._rest is not None:
            self._rest.cancel()
        if self._transport is not None:
            self._transport.abort()

    async def head(self) -> Head:
        """The next response's head; interim ones are skipped. EOFError where the connection ended before it."""
        data = b""
        while True:
            if found := HEAD_END.search(data):
                head = parse_head(data[: found.start()])
                self.unread(data[found.end() :])
                if head.status >= 200 or head.status == 101:
                    return head
                data = b""
                continue
            if len(data) > MAX_HEAD or (data and not b"HTTP/".startswith(data[:5]) and not data.startswith(b"HTTP/")):
                raise BadHeadError(data[:200].decode("latin-1"))
            more = await self.read()
            if not more:
                raise EOFError("the server closed the connection without an answer")
            data += more


def parse_head(data: bytes) -> Head:
    first, *lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    version, _, rest = first.partition(b" ")
    code, _, reason = rest.strip().partition(b" ")
    if not version.startswith(b"HTTP/1") or not code.isdigit():
        raise BadHeadError(first[:200].decode("latin-1"))
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and headers:  # folded, as old servers do
            headers[-1] = (headers[-1][0], headers[-1][1] + b" " + line.strip())
        else:
            name, _, value = line.partition(b":")
            headers.append((name.strip(), value.strip()))
    return Head(int(code), reason, headers, version == b"HTTP/1.0")
