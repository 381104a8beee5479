"""Answers over HTTP before the SDK reads them: bounded, unpacked with care, cleaned, and with large results set aside."""

import asyncio
import re
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

import httpx2
import orjson
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCResponse

from app.mcp_host.greeting import mended_greeting
from app.mcp_host.held import Held, holds_over
from app.mcp_host.lines import LARGE, LINE_LIMIT, TooLong, read_line, refusal, too_long, write_line
from app.mcp_host.serverlog import ServerLog

# The SDK looks at every value several times: of these a loop's turn takes a twentieth of a second.
VALUES_LIMIT = 40_000
Clean = Callable[[bytes], Awaitable[bytes]]
_END = re.compile(rb"\r\n\r\n|\n\n|\r\r(?!\n)|\n\r\n")
SPARE = b'"notifications/'
SPARE_A_SECOND = 200
# A stream with so many is left alone after each piece of it for the rest of the second, so that it waits for us.
FLOOD_A_SECOND = 20_000
PAUSE = 0.02
TURN = 0.002


class TooLargeError(httpx2.TransportError):
    """An answer over 16 MiB, or one that grows over it when unpacked."""


def guard(response: httpx2.Response, held: Held | None, log: ServerLog) -> None:
    """Put a stream that is safe to read in place of the response's own; `held`: it brings messages, which are cleaned."""
    plain = _unpacked(response)
    kind = response.headers.get("content-type", "").lower()
    if held is not None and response.is_success and (not kind or kind.startswith("text/plain")):
        response.headers["content-type"] = "application/json"  # what else could it be; if it is not, the reader says so
    clean = _cleaner(held, log, response.request)
    if "text/event-stream" in kind:
        response.stream = _Events(plain, clean, log)
    else:
        response.headers.pop("content-length", None)
        response.stream = _Whole(plain, clean)


def _unpacked(response: httpx2.Response) -> httpx2.AsyncByteStream:
    """Its bytes without gzip or deflate: the library would unpack without a limit."""
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing in ("gzip", "x-gzip", "deflate"):
        del response.headers["content-encoding"]
        return _Inflated(stream)
    if packing not in ("", "identity"):
        raise TooLargeError(f"The answer is packed by {packing}, which was not asked for.")
    return stream


class _Inflated(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        async for chunk in self._inner:
            rest = chunk
            while rest:
                try:
                    yield unpack.decompress(rest, 256 * 1024)
                except zlib.error as error:
                    raise TooLargeError(f"The answer cannot be unpacked: {error}.") from error
                rest = unpack.unconsumed_tail
        yield unpack.flush()

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Whole(httpx2.AsyncByteStream):
    """One JSON message, read to its end and cleaned."""

    def __init__(self, inner: httpx2.AsyncByteStream, clean: Clean) -> None:
        self._inner = inner
        self._clean = clean

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts, size = list[bytes](), 0
        async for chunk in self._inner:
            parts.append(chunk)
            if (size := size + len(chunk)) > LINE_LIMIT:
                raise TooLargeError(f"The answer is over {LINE_LIMIT // 1024 // 1024} MiB.")
        yield await self._clean(b"".join(parts))

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Events(httpx2.AsyncByteStream):
    """Events one by one: each bounded and cleaned; comments are left out, and notifications over 200 a second."""

    def __init__(self, inner: httpx2.AsyncByteStream, clean: Clean, log: ServerLog) -> None:
        self._inner = inner
        self._log = log
        self._clean = clean
        self._second, self._spared = 0.0, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        buffer = bytearray()
        turn = time.monotonic()
        async for chunk in self._inner:
            # Chunks that are there already come without a turn for anybody else.
            now = time.monotonic()
            floods = self._spared > FLOOD_A_SECOND and now - self._second < 1.0
            if floods or now - turn > TURN:
                await asyncio.sleep(PAUSE if floods else 0)
                turn = time.monotonic()
            since = max(len(buffer) - 3, 0)
            buffer += chunk
            while found := _END.search(buffer, since):
                event = bytes(buffer[: found.start()])
                del buffer[: found.end()]
                since = 0
                if kept := await self._event(event):
                    yield kept
            if len(buffer) > LINE_LIMIT:
                # Raising would have the SDK ask for the same event again: its call is answered instead.
                for message in too_long(TooLong(bytes(buffer[:LARGE]), b"", len(buffer))).messages:
                    yield b"data: " + write_line(message) + b"\n"
                return
        if buffer:
            yield bytes(buffer)

    async def _event(self, event: bytes) -> bytes:
        if len(event) < LARGE and self._spare(event):
            return b""
        lines = event.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        data = [line[5:].lstrip(b" ") for line in lines if line.startswith(b"data:")]
        if not data:
            return event + b"\n\n"
        clean = await self._clean(b"\n".join(data))
        head = [line for line in lines if not line.startswith(b"data:")]
        return b"\n".join((*head, b"data: " + clean.replace(b"\n", b""))) + b"\n\n"

    def _spare(self, event: bytes) -> bool:
        empty = event.startswith(b":") and b"\n" not in event
        if not empty and (SPARE not in event or b'"result"' in event):
            return False
        now = time.monotonic()
        if now - self._second >= 1.0:
            self._second, self._spared = now, 0
        self._spared += 1
        if self._spared == SPARE_A_SECOND + 1:
            self._log.add("host", f"more than {SPARE_A_SECOND} notifications in a second: some are left out")
        return empty or self._spared > SPARE_A_SECOND

    async def aclose(self) -> None:
        await self._inner.aclose()


def _cleaner(held: Held | None, log: ServerLog, request: httpx2.Request) -> Clean:
    async def clean(data: bytes) -> bytes:
        if held is None or (len(data) <= LARGE and _is_clean(data)):
            return data
        read = await asyncio.to_thread(read_line, data) if len(data) > LARGE else read_line(data)
        if read.note:
            log.add("stdout", read.note)
        if not read.messages:
            return data if len(data) <= LARGE else b"{}"
        message = read.messages[0]
        if isinstance(message, JSONRPCError) and message.id is None:
            message = message.model_copy(update={"id": _asked(request)})
        return write_line(_lightened(message, held)).rstrip()

    return clean


def _asked(request: httpx2.Request) -> int | str | None:
    """The id of the request that is answered here."""
    try:
        asked: Any = orjson.loads(request.read())
    except (ValueError, httpx2.StreamError):
        return None
    return cast("dict[str, Any]", asked).get("id") if isinstance(asked, dict) else None


def _is_clean(data: bytes) -> bool:
    """Whether it is a message as the protocol has it, which greets, if it does, as the protocol has it."""
    try:
        read: Any = orjson.loads(data)
    except ValueError:
        return False
    if not isinstance(read, dict):
        return False
    message = cast("dict[str, Any]", read)
    result: Any = message.get("result")
    greets = isinstance(result, dict) and "protocolVersion" in result
    return message.get("jsonrpc") == "2.0" and isinstance(message.get("error", {}), dict) and not greets


def _lightened(message: JSONRPCMessage, held: Held) -> JSONRPCMessage:
    """A large structured result set aside; what still holds too many values is refused."""
    if not isinstance(message, JSONRPCResponse):
        return message
    result = held.put("tools/call", mended_greeting(message.result))
    if holds_over(result, VALUES_LIMIT):
        return refusal(message.id, f"the message holds over {VALUES_LIMIT} values beside its structured content")
    return JSONRPCResponse.model_construct(jsonrpc="2.0", id=message.id, result=result)
