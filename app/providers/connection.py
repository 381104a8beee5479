"""One TCP or TLS connection to a server or through a proxy, as a plain asyncio protocol that reads without copying."""

import asyncio
import base64
import ssl
from collections import deque
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

HIGH_WATER = 1 << 18
MAX_HEAD = 262_144


class ProxyRefusedError(Exception):
    """The proxy did not let the connection through; its status line is the message."""


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


class Connection(asyncio.Protocol):
    """Bytes that came wait in a list; a reader that lags makes the sender wait. `closed` once nothing more can come."""

    def __init__(self) -> None:
        self.closed = False
        self.error: BaseException | None = None
        self.idle_since = 0.0
        self._transport: asyncio.Transport | None = None
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._paused = False
        self._waiter: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)
        self._size += len(data)
        if self._size > HIGH_WATER and not self._paused and self._transport:
            self._paused = True
            self._transport.pause_reading()
        if self._waiter is not None:
            self._wake()

    def eof_received(self) -> bool:
        self.closed = True
        self._wake()
        return False

    def connection_lost(self, exc: BaseException | None) -> None:
        self.closed = True
        self.error = self.error or exc
        self._wake()

    def _wake(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    async def read(self) -> bytes:
        """The next bytes that have come, at least one; b"" at the end. OSError where the connection broke."""
        while not self._parts:
            if self.closed:
                if self.error is not None:
                    raise self.error
                return b""
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        part = self._parts.popleft()
        self._size -= len(part)
        if self._paused and self._size < HIGH_WATER and self._transport and not self.closed:
            self._paused = False
            self._transport.resume_reading()
        return part

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
        if self._transport is not None:
            self._transport.abort()

    async def head(self) -> Head:
        """The next response's head; interim ones are skipped. EOFError where the connection ended before it."""
        data = b""
        while True:
            found = data.find(b"\r\n\r\n")
            if found >= 0:
                head = parse_head(data[:found])
                self.unread(data[found + 4 :])
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
    first, *lines = data.split(b"\r\n")
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


async def open_connection(
    host: str, port: int, context: ssl.SSLContext | None, proxy: str | None, proxy_context: ssl.SSLContext | None
) -> Connection:
    """Connected, and with TLS where `context` is given; through `proxy` by CONNECT for TLS, else to the proxy itself."""
    loop = asyncio.get_running_loop()
    if proxy is None:
        _, made = await loop.create_connection(
            Connection, host, port, ssl=context, server_hostname=host if context else None, happy_eyeballs_delay=0.25
        )
        return made
    at = urlsplit(proxy)
    proxy_port = at.port or (443 if at.scheme == "https" else 80)
    _, made = await loop.create_connection(
        Connection,
        at.hostname or "",
        proxy_port,
        ssl=proxy_context if at.scheme == "https" else None,
        happy_eyeballs_delay=0.25,
    )
    if context is None:
        return made
    try:
        await _tunnel(made, host, port, at)
        await made.secure(context, host)
    except BaseException:
        made.close()
        raise
    return made


async def _tunnel(made: Connection, host: str, port: int, proxy: SplitResult) -> None:
    name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {name} HTTP/1.1", f"Host: {name}"]
    if who := proxy_authorization(proxy):
        lines.append(f"Proxy-Authorization: {who}")
    made.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    head = await made.head()
    if not 200 <= head.status < 300:
        raise ProxyRefusedError(f"HTTP {head.status} {head.reason.decode('latin-1')}")


def proxy_authorization(proxy: SplitResult) -> str | None:
    if not proxy.username:
        return None
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
