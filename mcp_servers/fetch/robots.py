"""What sites ask of programs in their robots.txt (RFC 9309)."""

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from protego import Protego

KEPT_SECONDS = 3600.0
MAX_SITES = 64
MAX_BYTES = 512 * 1024
"""How much of the file is read (RFC 9309 asks for at least 500 KiB)."""

File = Callable[[str], Awaitable[tuple[int, bytes]]]
"""The status and body at a URL, redirects followed."""


class Robots:
    """The rules of the sites that were asked lately."""

    def __init__(self, file: File, agent: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._agent = agent
        self._clock = clock
        self._sites: dict[str, tuple[float, Any]] = {}

    async def allow(self, url: str) -> bool:
        """Whether the site lets programs read `url`.

        No file (status 4xx) allows everything; a site that cannot say (5xx) allows nothing, as
        RFC 9309, section 2.3.1.4, has it. Raises what the download raises.
        """
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        kept = self._sites.get(site)
        if kept is None or self._clock() - kept[0] > KEPT_SECONDS:
            kept = (self._clock(), await self._rules(f"{site}/robots.txt"))
            self._sites.pop(site, None)
            while len(self._sites) >= MAX_SITES:
                del self._sites[next(iter(self._sites))]
            self._sites[site] = kept
        rules: Protego | bool = kept[1]
        return rules if isinstance(rules, bool) else rules.can_fetch(url, self._agent)

    async def _rules(self, url: str) -> "Protego | bool":
        status, body = await self._file(url)
        if status >= 500:
            return False
        if status >= 400:
            return True
        from protego import Protego

        return Protego.parse(body[:MAX_BYTES].decode("utf-8", "replace"))
