"""Whose tabs are whose: each conversation has its own, in one browser."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING

from mcp_servers.browser.call import PageError
from mcp_servers.browser.files import Downloads, Uploads
from mcp_servers.browser.launching import Browser
from mcp_servers.browser.tab import Tab

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

MOST_TABS = 30
"""Of one conversation; a page may open more, which are closed."""

MOST_OPENED = 10
"""New tabs that pages may open between two calls; more are closed at once."""

ENDLESS = 50
"""New tabs between two calls after which the pages that open them are closed too."""


class Owner:
    """A conversation's tabs, of which one is current; its calls come one after another."""

    def __init__(self) -> None:
        self.tabs: list[Tab] = []
        self.current = 0
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.roots: tuple[str, ...] = ()
        self.protected: tuple[str, ...] = ()
        self.mark = 0
        """Refusals of the gate up to here were told."""
        self.opened = 0
        """New tabs that pages opened since the last call."""

    @property
    def tab(self) -> Tab | None:
        """The current tab."""
        return self.tabs[self.current] if self.tabs else None

    def add(self, tab: Tab) -> None:
        """A tab that is current from now on."""
        self.tabs.append(tab)
        self.current = len(self.tabs) - 1

    def drop(self, tab: Tab) -> None:
        """A tab that was closed; its neighbour becomes current."""
        place = self.tabs.index(tab)
        del self.tabs[place]
        if self.current > place or self.current >= len(self.tabs):
            self.current = max(0, self.current - 1)


class Desk:
    """All owners and the browser they share."""

    def __init__(self, browser: Browser, downloads: Downloads, uploads: Uploads) -> None:
        self.browser = browser
        self.downloads = downloads
        self.uploads = uploads
        self._owners: dict[str, Owner] = {}
        self._context: BrowserContext | None = None
        self._free: list[Page] = []
        self._opening = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def owner(self, name: str) -> Owner:
        """The owner of that name."""
        return self._owners.setdefault(name, Owner())

    async def current(self, owner: Owner) -> Tab:
        """The owner's current tab, opened if there is none."""
        await self._context_now()
        return owner.tab or await self.open(owner)

    async def open(self, owner: Owner) -> Tab:
        """A new, empty tab."""
        context = await self._context_now()
        async with self._opening:
            page = self._free.pop() if self._free else await self._new_page(context)
            tab = self._tab(page, owner)
        await _to_front(page)
        return tab

    async def _new_page(self, context: BrowserContext) -> Page:
        from playwright.async_api import Error

        try:
            return await context.new_page()
        except Error as error:
            raise PageError("The browser was closed meanwhile. Call again, and it is started anew.") from error

    async def close(self, owner: Owner, tab: Tab) -> None:
        """Close a tab."""
        if tab.dialog is not None:
            await tab.answer_dialog(False)
        await _closed(tab.page)
        if tab in owner.tabs:
            owner.drop(tab)

    async def select(self, owner: Owner, number: int) -> Tab:
        """Make another tab the current one."""
        owner.current = number
        await _to_front(owner.tabs[number].page)
        return owner.tabs[number]

    async def close_idle(self, seconds: float) -> bool:
        """Close the tabs of owners without a call for so long; whether that were the last."""
        late = time.monotonic() - seconds
        old = [owner for owner in self._owners.values() if owner.tabs and owner.used < late]
        for owner in old:
            for tab in list(owner.tabs):
                await self.close(owner, tab)
        return bool(old) and self.idle

    @property
    def idle(self) -> bool:
        """Whether nobody has a tab."""
        return not any(owner.tabs for owner in self._owners.values())

    def alone(self, owner: Owner) -> bool:
        """Whether nobody else has a tab."""
        return not any(other.tabs for other in self._owners.values() if other is not owner)

    async def close_all(self) -> None:
        """End the browser."""
        await self.browser.close()
        self._forget()

    async def _context_now(self) -> BrowserContext:
        context = await self.browser.context()
        if context is not self._context:
            self._forget()
            self._context = context
            self._free = list(context.pages)
            context.on("page", self._appeared)
            context.on("close", lambda _: self._forget() if self._context is context else None)
        return context

    def _forget(self) -> None:
        self._context = None
        self._free = []
        for owner in self._owners.values():
            owner.tabs.clear()
            owner.current = 0

    def _tab(self, page: Page, owner: Owner) -> Tab:
        tab = next((known for known in owner.tabs if known.page == page), None)
        if tab is None:
            tab = Tab(page)
            owner.add(tab)
            page.on("close", lambda _: owner.drop(tab) if tab in owner.tabs else None)
            page.on("download", lambda download: self._keep(self.downloads.keep(download, tab, owner)))
        return tab

    def _appeared(self, page: Page) -> None:
        self._keep(self._adopt(page))

    async def _adopt(self, page: Page) -> None:
        """A page that another one opened belongs to the same owner, whose current tab stays as it is."""
        opener = None
        with contextlib.suppress(Exception):  # it may be gone again
            opener = await page.opener()
        for owner in list(self._owners.values()):
            here = next((tab for tab in owner.tabs if tab.page == opener), None) if opener else None
            if here is not None:
                await self._opened_by(here, owner, page)
                return
        async with self._opening:  # one of ours is known once it is open
            known = page in self._free or any(tab.page == page for owner in self._owners.values() for tab in owner.tabs)
        if not known and self.browser.unseen:
            await _closed(page)  # its opener is gone, and where there is no window nobody else can have opened it

    async def _opened_by(self, opener: Tab, owner: Owner, page: Page) -> None:
        owner.opened += 1
        if owner.opened <= MOST_OPENED and len(owner.tabs) < MOST_TABS:
            current = owner.current
            self._tab(page, owner)
            owner.current = current
            opener.notes.append(f"The page opened a new tab, number {len(owner.tabs) - 1}: browser_tabs selects it.")
            return
        opener.notes.append("The page opened one more tab, which was closed.")
        await _closed(page)
        if owner.opened > ENDLESS and opener in owner.tabs:
            told = owner.tab if owner.tab is not opener else None
            await self.close(owner, opener)
            if told := told or owner.tab:
                told.notes.append(f"{opener.page.url[:300]} opened tabs without end and was closed.")

    def _keep(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _to_front(page: Page) -> None:
    with contextlib.suppress(Exception):  # it only matters to who looks at the window
        await asyncio.wait_for(page.bring_to_front(), 1.0)


async def _closed(page: Page) -> None:
    with contextlib.suppress(Exception):  # a page that hangs or is gone already is closed all the same
        await asyncio.wait_for(page.close(), 3.0)
