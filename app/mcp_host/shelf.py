"""What one server offers beside tools: its prompts and resources as last read, and which of them are followed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from app.mcp_host.causes import cause_words
from app.mcp_host.serverlog import ServerLog

if TYPE_CHECKING:
    from app.mcp_host.link import Link

Listing: TypeAlias = Literal["prompts", "resources"]
MaterialChange: TypeAlias = Literal["prompts", "resources", "resource"]
FOLLOWED_LIMIT = 100
FOLLOW_SECONDS = 15.0


class Shelf:
    """`told(what, uri)` hears of every change; `uri` goes with "resource"."""

    def __init__(self, log: ServerLog, told: Callable[[MaterialChange, str | None], None]) -> None:
        self._log = log
        self._told = told
        self._lists: dict[Listing, tuple[Any, ...]] = {}
        self._versions: dict[Listing, int] = {"prompts": 0, "resources": 0}
        self._again: asyncio.Task[None] | None = None
        self.followed: dict[str, None] = {}

    async def listed(self, what: Listing, read: Callable[[], Awaitable[tuple[Any, ...]]]) -> tuple[Any, ...]:
        """The list as last read, else read now; one that changed meanwhile is not kept."""
        if what not in self._lists:
            version = self._versions[what]
            found = await read()
            if version != self._versions[what]:
                return found
            self._lists[what] = found
        return self._lists[what]

    def changed(self, what: Listing) -> None:
        """The server said so: read again when next asked for."""
        self._versions[what] += 1
        self._lists.pop(what, None)
        self._told(what, None)

    def updated(self, uri: str) -> None:
        """A followed resource, or a part of one, is not what it was."""
        if self.followed:
            self._told("resource", uri)

    async def follow(self, link: "Link", uri: str, on: bool) -> bool:
        """Be told of a resource's changes or no more; whether it is followed now. Raises what the SDK raises."""
        wanted = {u: None for u in self.followed if u != uri} | ({uri: None} if on else {})
        if not link.following.possible or len(wanted) > FOLLOWED_LIMIT:
            return uri in self.followed
        await link.following.follow(tuple(wanted))
        self.followed = wanted
        return on

    def linked(self, link: "Link") -> None:
        """A new connection: nothing read before counts, what was followed is followed again."""
        for what in self._versions:
            self._versions[what] += 1
        self._lists.clear()
        if self.followed:
            self._again = asyncio.create_task(self._follow_again(link))

    async def _follow_again(self, link: "Link") -> None:
        uris = tuple(self.followed)
        try:
            async with asyncio.timeout(FOLLOW_SECONDS):
                await link.following.follow(uris)
        except Exception as error:  # noqa: BLE001 (whatever a server does is told, not raised)
            self._log.add("host", f"resources cannot be followed any more: {cause_words(error)}")
            self.followed = {}
        for uri in uris:
            self._told("resource", uri)
