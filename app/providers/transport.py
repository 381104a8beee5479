"""httpx's transport for model streams: HTTP/1.1 on plain asyncio; httpx's own pays eleven microseconds an HTTP chunk."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

import httpx

from app.providers.chunked import Chunked, ChunkedError
from app.providers.connection import BadHeadError, Connection, Head
from app.providers.packed import Packed, PackedError, packing
from app.providers.tunnel import ProxyDownError, ProxyRefusedError, open_connection, proxy_authorization

KEEP_IDLE = 20.0
"""Seconds. Many servers close an idle connection after 60 or less."""


class Transport(httpx.AsyncBaseTransport):
    """One server's connections, kept for the next request. `proxy`: an http or https address, or None."""

    def __init__(self, proxy: str | None = None) -> None:
        self._proxy = proxy
        self._idle: list[Connection] = []
        self._context: ssl.SSLContext | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        limit = request.extensions.get("timeout", {}).get("connect")
        while True:
            connection, reused = await self._connected(request, limit)
            try:
                connection.write(self._request_head(request) + body)
                head = await connection.head()
            except (EOFError, ConnectionError) as error:
                connection.close()
                if reused:  # the server closed it just as the request went out
                    continue
                raise httpx.RemoteProtocolError(str(error) or "the connection broke off") from error
            except (BadHeadError, OSError) as error:
                connection.close()
                raise httpx.RemoteProtocolError(f"no HTTP answer: {error}") from error
            except BaseException:
                connection.close()
                raise
            try:
                body = Body(connection, head, self._keep)
            except PackedError as error:
                connection.close()
                raise httpx.DecodingError(str(error)) from error
            extensions = {"body": body}  # httpx wraps a stream in generators, which cost more than they do
            return httpx.Response(head.status, headers=head.headers, stream=body, extensions=extensions, request=request)

    async def _connected(self, request: httpx.Request, limit: float | None) -> tuple[Connection, bool]:
        while self._idle:
            kept = self._idle.pop()
            if not kept.closed and time.monotonic() - kept.idle_since < KEEP_IDLE:
                return kept, True
            kept.close()
        try:
            async with asyncio.timeout(limit):
                return await self._new(request), False
        except TimeoutError as error:
            raise httpx.ConnectTimeout("no connection in time") from error
        except ProxyRefusedError as error:
            raise httpx.ProxyError(str(error)) from error
        except ProxyDownError as error:
            raise httpx.ProxyError(str(error)) from error.__cause__
        except (OSError, EOFError, BadHeadError) as error:
            raise httpx.ConnectError(str(error)) from error

    async def _new(self, request: httpx.Request) -> Connection:
        url = request.url
        secure = url.scheme == "https"
        if (secure and self._context is None) or (self._proxy and self._proxy.startswith("https:") and self._context is None):
            self._context = await asyncio.to_thread(_tls)
        port = url.port or (443 if secure else 80)
        return await open_connection(url.host, port, self._context if secure else None, self._proxy, self._context)

    def _request_head(self, request: httpx.Request) -> bytes:
        target = request.url.raw_path
        extra = b""
        if self._proxy and request.url.scheme == "http":
            target = str(request.url).encode("ascii")
            if who := proxy_authorization(urlsplit(self._proxy)):
                extra = f"Proxy-Authorization: {who}\r\n".encode("latin-1")
        lines = b"".join(b"%s: %s\r\n" % (name, value) for name, value in request.headers.raw)
        return b"%s %s HTTP/1.1\r\n%s%s\r\n" % (request.method.encode("ascii"), target, lines, extra)

    def _keep(self, connection: Connection) -> None:
        connection.wait.unlimited()
        connection.idle_since = time.monotonic()
        self._idle.append(connection)

    async def aclose(self) -> None:
        while self._idle:
            self._idle.pop().close()


def _tls() -> ssl.SSLContext:
    """With the certificates of SSL_CERT_FILE where it is set."""
    context = httpx.create_ssl_context(trust_env=True)
    context.set_alpn_protocols(["http/1.1"])
    return context


class Body(httpx.AsyncByteStream):
    """A response's body by its framing: chunked, of a known length, or until the connection ends."""

    def __init__(self, connection: Connection, head: Head, keep: Callable[[Connection], None]) -> None:
        self._connection: Connection | None = connection
        self._keep = keep
        self._reusable = head.get(b"connection") != b"close" and not head.http10
        self._chunked = Chunked() if b"chunked" in head.get(b"transfer-encoding") else None
        length = head.get(b"content-length")
        self._left = int(length) if length.isdigit() and self._chunked is None else None
        if head.status in (204, 304):
            self._left = 0
        self._refused = head.status >= 400
        self._packed = self._packing(head.get(b"content-encoding"))

    async def read(self) -> bytes:
        """The next bytes of the body, b"" after the last. TimeoutError where they are waited for longer than `limit` says."""
        connection = self._connection
        while connection is not None and self._left != 0:
            try:
                data = await connection.read()
            except TimeoutError:
                raise
            except OSError as error:
                raise httpx.ReadError(str(error) or type(error).__name__) from error
            if not data:
                self._ended()
                return b""
            if payload := self._payload(data):
                if self._packed is None:
                    return payload
                if payload := self._unpacked(self._packed, payload):
                    return payload
        self._release()
        return b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while data := await self.read():
            yield data

    def limit(self, first: float, silence: float) -> None:
        """Seconds to wait for the first bytes, then for any more."""
        if self._connection is not None:
            self._connection.wait.limit(silence if self._connection.waiting else first, silence)

    def _payload(self, data: bytes) -> bytes:
        """The part of what came that is the body's; `_left` is 0 once it is whole."""
        if self._chunked is not None:
            try:
                data = self._chunked.feed(data)
            except ChunkedError as error:
                raise httpx.RemoteProtocolError(str(error)) from error
            if self._chunked.done:
                self._left = 0
        elif self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
        return data

    def _packing(self, encoding: bytes) -> Packed | None:
        """Of a refusal whose words cannot be read its status still says what matters: no words are left of it."""
        try:
            return packing(encoding)
        except PackedError:
            if not self._refused:
                raise
            self._left = 0
            self._reusable = False
            return None

    def _unpacked(self, packed: Packed, payload: bytes) -> bytes:
        try:
            return packed.feed(payload)
        except PackedError as error:
            if self._refused:
                return b""
            raise httpx.DecodingError(str(error)) from error

    def _release(self) -> None:
        """The whole body is read: the connection may serve the next request."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._reusable and not connection.closed:
            self._keep(connection)
        else:
            connection.close()

    def _ended(self) -> None:
        """The connection ended: that is the end of a body without a length, and a break in any other."""
        if self._chunked is not None or self._left is not None:
            raise httpx.RemoteProtocolError("the connection ended before the answer was complete")

    async def aclose(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
