"""Doing something to a page and waiting, not for ever, until it has come to rest."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from mcp_servers.browser.call import ACTION_SECONDS, PageError, Tell, words_of

if TYPE_CHECKING:
    from mcp_servers.browser.tab import Tab

REACTION = 0.12
"""Seconds a page gets to begin something after it was acted on."""

QUIET_SECONDS = 3.0
"""How long requests that an action began are waited for."""

PARSE_SECONDS = 7.0
"""How long a new page may take to be parsed."""

LOAD_SECONDS = 3.0
"""How long what belongs to a new page is waited for after that."""

STUCK_SECONDS = 2.0
STILL_LOADING = "The page is still loading; this is what is there so far. browser_wait_for waits for a text."
STUCK = (
    "The page does not answer: a script keeps it busy. browser_navigate opens the address again in a fresh tab, browser_tabs "
    "closes this one."
)


async def act(tab: Tab, work: Awaitable[Any], seconds: float = ACTION_SECONDS) -> None:
    """Do something to a page and wait for what it sets off; ends early where a dialog opens. Raises PageError."""
    began, navigations = time.monotonic(), tab.navigations
    task: asyncio.Task[None] = asyncio.ensure_future(_done(work))
    opened = asyncio.ensure_future(tab.asked.wait())
    try:
        await asyncio.wait({task, opened}, timeout=seconds + STUCK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            await _finished(task)
        elif tab.dialog is not None:
            tab.acting = task
            return
        else:
            tab.stuck = True
            raise PageError(STUCK)
    finally:
        opened.cancel()
        if tab.acting is not task:
            task.cancel()
    await settle(tab, began, navigations)


async def go_on(tab: Tab, began: float) -> None:
    """After a dialog was answered: wait for the end of what it interrupted. Raises PageError where that failed."""
    task, tab.acting = tab.acting, None
    if task is not None:
        opened = asyncio.ensure_future(tab.asked.wait())
        await asyncio.wait({task, opened}, timeout=ACTION_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        opened.cancel()
        if task.done():
            await _finished(task)
        elif tab.dialog is not None:
            tab.acting = task
        else:
            task.cancel()
    await settle(tab, began, tab.navigations)


async def _done(work: Awaitable[Any]) -> None:
    await work


async def _finished(task: asyncio.Task[None]) -> None:
    from playwright.async_api import Error

    try:
        await task
    except Error as error:
        raise PageError(words_of(error)) from error


async def settle(tab: Tab, began: float, navigations: int) -> None:
    """Until what began since then is over, within limits; a note on the tab where it is not."""
    await asyncio.sleep(REACTION)
    until = time.monotonic() + QUIET_SECONDS
    while tab.navigations == navigations and tab.busy_since(began) and tab.dialog is None:
        if not await _moved(tab, until):
            break
    if tab.navigations != navigations and tab.dialog is None:
        await loaded(tab)
    while tab.loading and await _moved(tab, until):
        pass  # a small download is told in the same answer
    tab.forget_loading()


async def loaded(tab: Tab) -> None:
    """Until a new page is parsed and loaded, within limits; a note on the tab where it is not."""
    if await _state(tab, "domcontentloaded", PARSE_SECONDS) and await _state(tab, "load", LOAD_SECONDS):
        return
    tab.stuck = not await answers(tab)
    if not tab.stuck:
        tab.notes.append(STILL_LOADING)


async def _state(tab: Tab, state: Any, seconds: float) -> bool:
    from playwright.async_api import Error

    waiting = asyncio.ensure_future(tab.page.wait_for_load_state(state, timeout=seconds * 1000))
    opened = asyncio.ensure_future(tab.asked.wait())
    try:
        await asyncio.wait({waiting, opened}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            return True
        await waiting
    except Error as error:
        return "Timeout" not in str(error)
    finally:
        opened.cancel()
        waiting.cancel()
    return True


async def _moved(tab: Tab, until: float) -> bool:
    """Wait for the next thing that happens to a page; False once it is time to go on."""
    left = until - time.monotonic()
    if left <= 0:
        return False
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(tab.moved.wait(), min(left, 0.25))
    return True


async def telling(work: Awaitable[Any], tell: Tell, words: Callable[[int], str], every: float = 2.0) -> Any:
    """The work's result; meanwhile whoever waits is told how long it takes."""
    task = asyncio.ensure_future(work)
    seconds = 0.0
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=every)
            seconds += every
            if not task.done():
                await tell(words(int(seconds)))
        return await task
    finally:
        task.cancel()


async def answers(tab: Tab) -> bool:
    """Whether the page's scripts let anybody in."""
    try:
        await asyncio.wait_for(tab.page.evaluate("1"), STUCK_SECONDS)
    except TimeoutError:
        return False
    except Exception:  # noqa: BLE001 - a page that is just changing says so, and that is an answer
        return not tab.page.is_closed()
    return True
