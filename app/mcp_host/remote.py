"""Servers elsewhere: streamable HTTP first, legacy SSE where it answers 4xx, lines over TCP."""

import asyncio
import contextlib
import functools
import json
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from app.mcp_host.bodies import guard
from app.mcp_host.channel import Streams, line_channel
from app.mcp_host.held import Held
from app.mcp_host.lines import LINE_LIMIT
from app.mcp_host.serverlog import ServerLog
from app.mcp_host.status import Problem
from app.mcp_host.wording import problem

CONNECT_LIMIT = 10.0
SILENCE_LIMIT = 300.0
WORDS_LIMIT = 2.0
WORDS_CHARS = 300


@dataclass(slots=True)
class Heard:
    """The last refusal of a server over HTTP, which the SDK does not tell: its status and its words."""

    status: int | None = None
    reason: str = ""
    words: str = ""


@functools.cache
def tls() -> ssl.SSLContext:
    """The certificates that are trusted. Reading them takes a twentieth of a second: once, in a thread, before it is needed."""
    return httpx2.create_ssl_context()


def http_client(
    url: str, headers: Mapping[str, str], heard: Heard, mail: "Mail", auth: httpx2.Auth | None = None
) -> httpx2.AsyncClient:
    """A client with the server's own headers, honouring proxies and certificates of the environment."""

    async def watch(response: httpx2.Response) -> None:
        await asyncio.sleep(0)
        # A refused GET only means that the server opens no stream of its own; signing in has its own requests.
        ours = auth is None or response.request.url == httpx2.URL(url)
        if response.request.method == "POST" and ours:
            refused = response.status_code >= 400
            heard.status = response.status_code if refused else None
            heard.reason = response.reason_phrase if refused else ""
        guard(response, mail.held if ours else None, mail.log)
        if heard.status == response.status_code and ours:
            heard.words = await _words(response)

    return httpx2.AsyncClient(
        auth=auth,
        verify=tls(),
        headers=dict(headers),
        timeout=httpx2.Timeout(CONNECT_LIMIT, read=SILENCE_LIMIT),
        follow_redirects=False,
        event_hooks={"response": [watch]},
    )


async def _words(response: httpx2.Response) -> str:
    """What a refusal says beside its status: a message in its JSON, or its first line of plain text."""
    kind = response.headers.get("content-type", "").lower()
    if "json" not in kind and not kind.startswith("text/plain"):
        return ""
    try:
        async with asyncio.timeout(WORDS_LIMIT):
            body = (await response.aread()).decode("utf-8", "replace").strip()
    except (httpx2.HTTPError, TimeoutError):
        return ""
    if "json" not in kind:
        return body.partition("\n")[0][:WORDS_CHARS]
    try:
        read: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    while isinstance(read, dict):
        fields = cast("dict[str, Any]", read)
        read = next((fields[k] for k in ("message", "error_description", "detail", "error", "title") if fields.get(k)), "")
    return read[:WORDS_CHARS] if isinstance(read, str) else ""


@dataclass(frozen=True, slots=True)
class Mail:
    """Where large results are set aside, and what is said of messages that had to be mended."""

    held: Held
    log: ServerLog


@asynccontextmanager
async def streamable_transport(
    url: str, headers: Mapping[str, str], heard: Heard, mail: Mail, auth: httpx2.Auth | None = None
) -> AsyncGenerator[Any]:
    async with (
        http_client(url, headers, heard, mail, auth) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=LINE_LIMIT) as streams,
    ):
        yield streams


@asynccontextmanager
async def sse_transport(
    url: str, headers: Mapping[str, str], heard: Heard, mail: Mail, auth: httpx2.Auth | None = None
) -> AsyncGenerator[Any]:
    def factory(
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        del timeout
        return http_client(url, headers or {}, heard, mail, auth)

    async with sse_client(url, dict(headers), CONNECT_LIMIT, SILENCE_LIMIT, factory, auth) as streams:
        yield streams


@asynccontextmanager
async def tcp_transport(url: str, log: ServerLog, over: asyncio.Event) -> AsyncGenerator[Streams]:
    """`tcp://host:port`: newline-delimited JSON-RPC. `over` is set when it ends."""
    place = urlsplit(url)
    async with asyncio.timeout(CONNECT_LIMIT):
        reader, writer = await asyncio.open_connection(place.hostname, place.port)

    async def receive() -> bytes:
        return await reader.read(256 * 1024)

    async def send(data: bytes) -> None:
        writer.write(data)
        await writer.drain()

    try:
        async with line_channel(receive, send, log, over) as streams:
            yield streams
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def http_problem(url: str, status: int, reason: str) -> Problem:
    """Words for a status; 401 and 403 do not get better by trying again."""
    cures = {
        401: "Sign in, or put a token into its headers: it wants to know who asks.",
        403: "Check the token in its headers: it is not allowed to use this server.",
        404: "Check the URL: there is no MCP server at this path.",
        405: "Check the URL: this path takes no MCP messages.",
        429: "It gets too many requests: wait a while.",
    }
    otherwise = "Try again later; the trouble is at the server." if status >= 500 else "Check the URL."
    return problem(
        "sign_in" if status in (401, 403) else "http",
        "{name} answered HTTP {status}.",
        cures.get(status, otherwise),
        detail=f"POST {_without_secrets(url)}",
        retry=status >= 500 or status == 429,
        name=_host(url),
        status=f"{status} {reason}".strip(),
    )


def unreachable_problem(url: str, error: BaseException) -> Problem:
    text = str(error).strip().rstrip(".") or type(error).__name__
    timed_out = isinstance(error, httpx2.TimeoutException | TimeoutError)
    return problem(
        "unreachable",
        "{name} did not answer in time." if timed_out else "{name} cannot be reached: {reason}.",
        "Check the address, and that the server runs.",
        detail=f"{type(error).__name__}: {text}",
        name=_host(url),
        reason=text,
    )


def _host(url: str) -> str:
    try:
        place = urlsplit(url)
    except ValueError:
        return url
    return place.netloc.rpartition("@")[2] or url


def _without_secrets(url: str) -> str:
    return url.split("?", 1)[0].replace(f"{urlsplit(url).netloc}", _host(url))
