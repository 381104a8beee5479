"""One download: every hop checked, the checked address connected to, no cookies, limits on time and size."""

from __future__ import annotations

import functools
import ssl
import urllib.request
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from mcp_servers.addresses import AddressError, Guard, Target, checked_url, pinned
from mcp_servers.fetch.robots import Robots

if TYPE_CHECKING:
    from aiohttp import ClientResponse

AGENT = "LeoChat/0.1 (reads one page when a person asks for it)"
MAX_BYTES = 20 * 1024 * 1024
SECONDS = 60.0
CONNECT_SECONDS = 10.0
HOPS = 10
ACCEPT = "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/pdf;q=0.8, */*;q=0.5"
LANGUAGES = "en, *;q=0.5"
_SENT_AS_IT_IS = "".join(chr(code) for code in (*range(0x20), *range(0x21, 0x7F), 0x7F))
"""In a redirect's address: all of ASCII but the blank; what is not allowed there is refused, not mended."""

REDIRECTS = (301, 302, 303, 307, 308)


class WebError(Exception):
    """Nothing could be fetched; the text says why and what to do."""


@dataclass(frozen=True)
class Download:
    """What came: `media_type` without parameters, in small letters ("" where none was said)."""

    url: str
    media_type: str
    charset: str | None
    body: bytes
    whole: bool
    status: int = 200


class Web:
    """Downloads with a person's settings; `guard` and `obey_robots` are asked anew each time."""

    def __init__(
        self,
        guard: Callable[[], Guard],
        *,
        agent: str = AGENT,
        max_bytes: int = MAX_BYTES,
        seconds: float = SECONDS,
        obey_robots: Callable[[], bool] = lambda: True,
    ) -> None:
        self._guard = guard
        self._agent = agent
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._obeying = obey_robots
        self._robots = Robots(self._robots_file, agent)

    async def get(self, url: str) -> Download:
        """The page at `url`, where all redirects lead. Raises WebError."""
        import anyio

        try:
            with anyio.fail_after(self._seconds):
                return await self._follow(url, robots=True)
        except TimeoutError as error:
            host = urlsplit(url).hostname or url
            raise WebError(f"{host} did not send the whole page within {self._seconds:g} s. Try again later.") from error

    async def _follow(self, url: str, *, robots: bool) -> Download:
        for _ in range(HOPS + 1):
            target = await self._target(url)
            if robots and self._obeying():
                await self._obey(target.url)
            async with self._asked(target) as answer:
                if answer.status not in REDIRECTS or "Location" not in answer.headers:
                    return await self._read(answer, target.url)
                url = _next(target.url, answer.headers["Location"])
        raise WebError(f"The address leads from one redirect to the next, more than {HOPS} times.")

    async def _target(self, url: str) -> Target:
        try:
            checked_url(url)  # the look for a proxy takes no half an address
            return await self._guard().check(url, proxied=_proxy(url) is not None)
        except AddressError as error:
            raise WebError(str(error)) from error

    async def _obey(self, url: str) -> None:
        if not await self._robots.allow(url):
            raise WebError(
                f"The robots.txt of {urlsplit(url).hostname} asks programs not to read {url}. The user can open it in a "
                "browser."
            )

    async def _robots_file(self, url: str) -> tuple[int, bytes]:
        found = await self._follow(url, robots=False)
        return found.status, found.body

    @asynccontextmanager
    async def _asked(self, target: Target) -> AsyncGenerator[ClientResponse]:
        import aiohttp

        proxy = _proxy(target.url)
        connector = aiohttp.TCPConnector(resolver=None if proxy else pinned(target), ssl=_tls(), force_close=True)
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS)
        headers = {"User-Agent": self._agent, "Accept": ACCEPT, "Accept-Language": LANGUAGES}
        try:
            async with (
                aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout) as client,
                client.get(target.url, allow_redirects=False, headers=headers, proxy=proxy) as answer,
            ):
                yield answer
        except (aiohttp.ClientError, ValueError, OSError) as error:
            raise WebError(_words(error, target.host)) from error

    async def _read(self, answer: ClientResponse, url: str) -> Download:
        """All of the body up to the limit; what is over it is left where it is."""
        body = bytearray()
        async for part in answer.content.iter_chunked(65_536):
            body += part
            if len(body) > self._max_bytes:
                break
        return Download(
            url=url,
            media_type=answer.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            charset=_charset(answer.headers.get("Content-Type", "")),
            body=bytes(body[: self._max_bytes]),
            whole=len(body) <= self._max_bytes,
            status=answer.status,
        )


def _next(url: str, location: str) -> str:
    try:
        # Headers are read as UTF-8 with half characters for other bytes; browsers send those on percent-encoded.
        return urljoin(url, quote(location.strip(), safe=_SENT_AS_IT_IS, errors="surrogateescape"))
    except ValueError as error:
        raise WebError(f"{url} leads to an address that is not valid: {location[:200]}") from error


def _charset(content_type: str) -> str | None:
    for parameter in content_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return value.strip().strip("\"'") or None
    return None


def _proxy(url: str) -> str | None:
    """The proxy that the person's environment or system names for this URL."""
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxies = urllib.request.getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if found and found.startswith("http") else None


@functools.cache
def _tls() -> ssl.SSLContext:
    """The system's authorities (and `SSL_CERT_FILE`'s); the bundled list where the system shows none."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def _words(error: Exception, host: str) -> str:
    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"The certificate of {host} is not valid, so nothing was read: {error.certificate_error}."
    if isinstance(error, aiohttp.ClientSSLError):
        return f"No secure connection to {host} could be made: {error}."
    if isinstance(error, TimeoutError):
        return f"{host} did not answer within {CONNECT_SECONDS:g} s. Try again later."
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ClientProxyConnectionError):
        return f"{host} cannot be reached: {error.os_error.strerror or error.os_error}."
    if "content-encoding" in str(error).lower():
        return f"{host} sent the page packed in a way that cannot be unpacked here, or damaged. Another address of it may help."
    if isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError):
        return f"{host} broke off the connection before the page was complete. Try again."
    return f"{host} answered with something that is not proper HTTP: {str(error)[:200]}."
