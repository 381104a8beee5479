"""Which resources a server is to tell us about when they change, in either era of the protocol."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import mcp_types as types
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from app.mcp_host.serverlog import ServerLog

PAUSE_FIRST, PAUSE_LIMIT = 1.0, 60.0
STAND_SECONDS = 10.0


class Following:
    """Subscriptions of one connection. In the stateless era one stream carries them all; it is opened anew with each change."""

    def __init__(self, client: Client, log: ServerLog, updated: Callable[[str], None]) -> None:
        self._client = client
        self._log = log
        self._updated = updated
        self._uris: tuple[str, ...] = ()
        self._listening: asyncio.Task[None] | None = None

    @property
    def possible(self) -> bool:
        """Whether the server says that it tells of changed resources."""
        offered = self._client.server_capabilities.resources
        return offered is not None and bool(offered.subscribe)

    async def follow(self, uris: tuple[str, ...]) -> None:
        """Exactly these from now on. Raises `MCPError` where the server refuses one."""
        if not self.possible:
            return
        before, self._uris = self._uris, uris
        if self._client.protocol_version in MODERN_PROTOCOL_VERSIONS:
            await self.close()
            if uris:
                await self._begin(uris)
            return
        session = self._client.session
        for uri in (u for u in uris if u not in before):
            request = types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri))
            await session.send_request(request, types.EmptyResult)
        for uri in (u for u in before if u not in uris):
            request = types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri))
            await session.send_request(request, types.EmptyResult)

    async def _begin(self, uris: tuple[str, ...]) -> None:
        """Returns once the stream stands, so that no change from now on is missed."""
        standing = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(uris, standing))
        waiting = asyncio.create_task(standing.wait())
        try:
            await asyncio.wait({waiting, self._listening}, timeout=STAND_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()

    async def _listen(self, uris: tuple[str, ...], standing: asyncio.Event) -> None:
        pause = PAUSE_FIRST
        while True:
            try:
                async with self._client.listen(resource_subscriptions=uris) as changes:
                    pause = PAUSE_FIRST
                    standing.set()
                    async for change in changes:
                        if isinstance(change, ResourceUpdated):
                            self._updated(change.uri)
            except (SubscriptionLost, TimeoutError):
                # What changed meanwhile was not heard: better once too often than never.
                for uri in uris:
                    self._updated(uri)
            except (MCPError, RuntimeError) as error:
                self._log.add("host", f"changes of resources cannot be heard: {error}")
                return
            await asyncio.sleep(pause)
            pause = min(pause * 2, PAUSE_LIMIT)

    async def close(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
