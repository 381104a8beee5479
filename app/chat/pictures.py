"""Remote pictures: fetched by the backend through guarded addresses, checked, kept as blobs, served from our own origin."""

import asyncio
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin, urlsplit

from app.chat.refused import Refused
from app.core.ports import Blobs
from mcp_servers.addresses import AddressError, Guard, pinned

if TYPE_CHECKING:
    from aiohttp import ClientResponse

Rules: TypeAlias = tuple[Collection[str], Collection[str]]
MAX_BYTES = 8 * 1024 * 1024
MAX_HOPS = 4
SECONDS = 15.0
TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml", "image/bmp")


class Pictures:
    """`allowed` says which servers' and hosts' pictures load without a click."""

    def __init__(self, blobs: Blobs, bundled: Callable[[str], bool], allowed: Callable[[], Rules]):
        self._blobs = blobs
        self._bundled = bundled
        self._allowed = allowed
        self._loading: dict[str, asyncio.Task[str]] = {}

    async def load(self, url: str, *, server: str | None, clicked: bool) -> str:
        """The blob's ref; Refused where it may not be loaded or is no picture."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise Refused("invalid", "This is not the address of a picture.")
        servers, hosts = self._allowed()
        if not (clicked or (server and (self._bundled(server) or server in servers)) or parts.hostname in hosts):
            raise Refused("denied", f"Pictures from {parts.hostname} are loaded on a click.")
        if url not in self._loading or self._loading[url].cancelled():
            self._loading[url] = asyncio.create_task(self._fetch(url))
        try:
            return await asyncio.shield(self._loading[url])
        except Refused:
            self._loading.pop(url, None)
            raise

    async def _fetch(self, url: str) -> str:
        try:
            async with asyncio.timeout(SECONDS):
                media_type, data = await self._follow(url)
        except (TimeoutError, OSError) as error:
            raise Refused("unavailable", f"The picture could not be loaded: {error or 'no answer in time'}.") from error
        return await self._blobs.put(data, media_type)

    async def _follow(self, url: str) -> tuple[str, bytes]:
        import aiohttp

        try:
            for _ in range(MAX_HOPS):
                target = await Guard().check(url)
                connector = aiohttp.TCPConnector(resolver=pinned(target))
                async with (
                    aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as client,
                    client.get(target.url, allow_redirects=False, headers={"Accept": "image/*"}) as answer,
                ):
                    if answer.status in (301, 302, 303, 307, 308):
                        url = urljoin(url, answer.headers.get("Location", ""))
                        continue
                    return await _read(answer)
        except AddressError as error:
            raise Refused("denied", f"The picture was not loaded: {error}") from error
        except aiohttp.ClientError as error:
            raise Refused("unavailable", f"The picture could not be loaded: {error}.") from error
        raise Refused("unavailable", "The picture's address leads in circles.")


async def _read(answer: "ClientResponse") -> tuple[str, bytes]:
    media_type = answer.headers.get("Content-Type", "").split(";")[0].strip().lower()
    if answer.status != 200 or media_type not in TYPES:
        raise Refused("unavailable", f"There is no picture there (status {answer.status}, {media_type or 'no type'}).")
    data = bytearray()
    async for chunk in answer.content.iter_chunked(65536):
        data += chunk
        if len(data) > MAX_BYTES:
            raise Refused("unavailable", "The picture is larger than 8 MiB.")
    return media_type, bytes(data)
