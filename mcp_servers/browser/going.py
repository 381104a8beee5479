"""Getting to pages: addresses, history, tabs, dialogs, waiting, and the end of it all."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_servers.browser.acting import Operation
from mcp_servers.browser.call import Call, PageError, Reply, words_of
from mcp_servers.browser.settling import act, answers, go_on, loaded, telling

if TYPE_CHECKING:
    from mcp_servers.browser.tab import Tab

ANSWER_SECONDS = 30.0
"""How long a server may take to send the first byte of a page."""

DOWNLOAD_SECONDS = 5.0
"""How long an address that is a file is waited for; what takes longer is told of by a later answer."""

DOWNLOAD_TOLD = re.compile(r"Downloaded |The download of ")
INTERRUPTED = 10
"""How often a navigation is begun again when another one came in between."""

WAIT_SECONDS = 30.0
LONGEST_WAIT = 300.0
POLL = 0.1
SHORT_OF_SCHEME = ("localhost", "127.0.0.1")


def whole_address(url: str) -> str:
    """The address as the browser gets it: a missing scheme added. Raises PageError for what is no page of the web."""
    text = url.strip()
    if "://" not in text and not text.lower().startswith(("about:", "data:", "file:", "javascript:", "blob:", "view-source:")):
        local = text.startswith(SHORT_OF_SCHEME)
        text = f"{'http' if local else 'https'}://{text}"
    try:
        scheme = urlsplit(text).scheme.lower()
    except ValueError as error:
        raise PageError(f"{text[:200]} is not a valid address: {error}.") from error
    if scheme in ("http", "https", "data") or text == "about:blank":
        return text
    raise PageError(f"The browser opens http and https addresses, not {scheme}. Files are read by other tools.")


async def navigate(call: Call) -> Reply:
    """Open an address in the current tab."""
    return await _go(call, await _fresh(call), whole_address(str(call.args["url"])))


async def _fresh(call: Call) -> Tab:
    """The current tab; a new one in its place where its page is past listening."""
    tab = await call.tab()
    if not tab.stuck and await answers(tab):
        return tab
    new = await call.desk.open(call.owner)
    await call.desk.close(call.owner, tab)
    return new


async def _go(call: Call, tab: Tab, url: str) -> Reply:
    host = urlsplit(url).hostname or url[:40]
    mark = call.desk.browser.gate.mark
    tab.chooser = None
    opening = _opened(tab, lambda: tab.page.goto(url, wait_until="commit", timeout=ANSWER_SECONDS * 1000))
    fault = await telling(opening, call.tell, lambda seconds: f"Opening {host} ({seconds} s)")
    if fault is not None:
        if "Download is starting" in fault:
            await _downloading(tab)
        if tab.loading or any(DOWNLOAD_TOLD.match(note) for note in tab.notes):
            return Reply(f"{url} is a file to download, not a page.", tab, shown=False)
        if "ERR_HTTP_RESPONSE_CODE_FAILURE" in fault and tab.status:
            raise PageError(f"{host} answered with an error, status {tab.status}, and showed nothing. Check the address.")
        raise PageError(_why(call, mark, url, host, fault))
    return Reply(f"Opened {tab.page.url[:500]}.", tab)


async def _downloading(tab: Tab) -> None:
    """Until the download that a navigation turned into is told of, and has ended if it is short."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DOWNLOAD_SECONDS):
            while not any(DOWNLOAD_TOLD.match(note) for note in tab.notes):  # noqa: ASYNC110 - no event tells of notes
                await asyncio.sleep(POLL)


async def _opened(tab: Tab, go: Callable[[], Any]) -> str | None:
    """Follow a navigation until there is a page; what went wrong, as the browser says it."""
    from playwright.async_api import Error

    words = ""
    for _ in range(INTERRUPTED):
        try:
            await go()
        except Error as error:
            words = str(error).splitlines()[0]
            if "interrupted by another navigation" in words:
                await asyncio.sleep(POLL)  # the page that tells of a failure before this one, most likely
                continue
            return words
        await loaded(tab)
        return None
    return words


def _why(call: Call, mark: int, url: str, host: str, words: str) -> str:
    refused = call.desk.browser.gate.refused_since(mark)
    if closed := next((refusal for refusal in refused if refusal.private), None):
        return (
            f"{url} leads to {closed.host}, which is inside this computer or its network, so it was not opened. To ask the "
            f"user for it, call browser_navigate with the address on {closed.host} itself."
        )
    if here := next((refusal for refusal in refused if refusal.host.rpartition(":")[0].strip("[]") == host), None):
        return f"{url} cannot be opened: {here.words}"
    if "Timeout" in words:
        return f"{host} did not answer within {ANSWER_SECONDS:g} s. Try again later."
    if "ERR_CERT" in words or "ERR_SSL" in words:
        return f"The certificate of {host} is not valid, so the page was not opened ({_code(words)})."
    if "ERR_INVALID_AUTH" in words:
        return (
            f"{host} wants a user name and password before it shows anything, which cannot be given here. Ask the user to "
            "get what is needed from it, or for another page that has it."
        )
    if "invalid URL" in words:
        return f"{url[:200]} is not a valid address."
    if "ERR_ABORTED" in words:
        return f"{url} gave no page: the server answered with nothing to show."
    return f"{url} cannot be opened ({_code(words)}). Check the address."


def _code(words: str) -> str:
    return next((part for part in words.split() if part.startswith("net::")), words[:200])


async def navigate_back(call: Call) -> Reply:
    """Go back in the tab's history."""
    tab = await call.tab()
    before = tab.navigations
    fault = await _opened(tab, lambda: tab.page.go_back(wait_until="commit", timeout=ANSWER_SECONDS * 1000))
    if fault is not None:
        raise PageError(words_of(Exception(fault)))
    if tab.navigations == before:
        raise PageError("There is no page before this one in the tab.")
    return Reply("Went back.", tab)


async def tabs(call: Call) -> Reply:
    """List, open, close or choose tabs."""
    action, owner = str(call.args["action"]), call.owner
    number = call.args.get("index")
    words = ""
    if action == "new":
        url = call.args.get("url")
        address = whole_address(str(url)) if url else None
        tab = await call.desk.open(owner)
        words = "Opened a new tab."
        if address:
            words = (await _go(call, tab, address)).words
    elif action in ("close", "select"):
        tab = await _chosen(call, number)
        if action == "close":
            await call.desk.close(owner, tab)
            words = "Closed the tab."
        else:
            await call.desk.select(owner, owner.tabs.index(tab))
    listed = await _listed(call)
    lines = [f"- {one['index']}:{' (current)' if one['current'] else ''} [{one['title']}]({one['url']})" for one in listed]
    words = "\n".join([*([words] if words else []), "Tabs:", *(lines or ["- none is open"])])
    shown = action in ("new", "select") and owner.tab is not None
    return Reply(words, owner.tab if shown else None, data={"tabs": listed})


async def _chosen(call: Call, number: Any) -> Tab:
    await call.tab()
    owner = call.owner
    wanted = owner.current if number is None else int(number)
    if not 0 <= wanted < len(owner.tabs):
        raise PageError(f"There is no tab {wanted}; there are {len(owner.tabs)}, counted from 0.")
    return owner.tabs[wanted]


async def _listed(call: Call) -> list[dict[str, Any]]:
    owner = call.owner
    titled = dict(await asyncio.gather(*(_titled(tab) for tab in owner.tabs)))
    return [  # pages open and close tabs meanwhile: what is there now counts
        {"index": number, "title": titled.get(tab, "")[:200], "url": tab.page.url[:500], "current": number == owner.current}
        for number, tab in enumerate(owner.tabs)
    ]


async def _titled(tab: Tab) -> tuple[Tab, str]:
    return tab, await tab.title()


async def handle_dialog(call: Call) -> Reply:
    """Answer the dialog that is open."""
    tab = await call.tab()
    if tab.dialog is None:
        raise PageError(
            "No dialog is open now. Alerts are closed by themselves, other dialogs as soon as something else is called."
        )
    began = time.monotonic()
    words = await tab.answer_dialog(bool(call.args["accept"]), call.args.get("promptText"))
    await go_on(tab, began)
    return Reply(words, tab)


async def wait_for(call: Call) -> Reply:
    """Wait for a text to come or go, or for some seconds."""
    tab = await call.tab()
    text, gone, seconds = call.args.get("text"), call.args.get("textGone"), call.args.get("time")
    if text is None and gone is None and seconds is None:
        raise PageError("Say what to wait for: text, textGone, or time in seconds.")
    limit = min(float(seconds), LONGEST_WAIT) if seconds is not None else WAIT_SECONDS
    if text is None and gone is None:
        await telling(asyncio.sleep(limit), call.tell, lambda past: f"Waiting ({past} of {limit:g} s)")
        return Reply(f"Waited {limit:g} s.", tab)
    what = " or ".join([f'"{text}"'] * (text is not None) + [f'the end of "{gone}"'] * (gone is not None))
    came = await telling(_seen(tab, text, gone, limit), call.tell, lambda past: f"Waiting for {what} ({past} s)")
    if not came:
        raise PageError(f"{what} did not come within {limit:g} s. browser_snapshot shows what is there.")
    return Reply(f"Waited for {what}.", tab)


async def _seen(tab: Tab, text: str | None, gone: str | None, limit: float) -> bool:
    from playwright.async_api import Error

    until = time.monotonic() + limit
    while tab.dialog is None:
        try:
            if text is not None and await _visible(tab, text):
                return True
            if gone is not None and not await _visible(tab, gone):
                return True
        except Error:
            if tab.page.is_closed():
                raise PageError("The tab was closed meanwhile.") from None
        except TimeoutError:
            pass  # it is busy: that is what is waited for
        if time.monotonic() >= until:
            return False
        await asyncio.sleep(POLL)
    return True


async def _visible(tab: Tab, text: str) -> bool:
    found = tab.page.get_by_text(text)
    return any(await asyncio.wait_for(asyncio.gather(*(one.is_visible() for one in (await found.all())[:20])), 2.0))


async def resize(call: Call) -> Reply:
    """Give the page another size."""
    tab = await call.tab()
    width, height = int(call.args["width"]), int(call.args["height"])
    await tab.page.set_viewport_size({"width": width, "height": height})
    return Reply(f"The page is {width} x {height} pixels now.", tab, shown=False)


MEDIA = {
    "colorScheme": "color_scheme",
    "reducedMotion": "reduced_motion",
    "forcedColors": "forced_colors",
    "contrast": "contrast",
    "media": "media",
}


async def emulate_media(call: Call) -> Reply:
    """Show the page as to somebody with other wishes: dark, on paper, with less motion."""
    tab = await call.tab()
    said = {name: str(call.args[name]) for name in MEDIA if call.args.get(name)}
    if not said:
        raise PageError('Say what to change, such as {"colorScheme": "dark"}; "none" takes a change back.')
    options: dict[str, Any] = {MEDIA[name]: _wish(name, value) for name, value in said.items()}
    await act(tab, tab.page.emulate_media(**options))
    return Reply(f"The page is shown with {', '.join(f'{name} {value}' for name, value in said.items())}.", tab)


def _wish(name: str, value: str) -> str:
    """In Playwright's words, where "null" takes a change back, and "none" is a state of forced colours."""
    return "null" if value == "none" and name != "forcedColors" else value


async def close(call: Call) -> Reply:
    """End the browser where nobody else has pages in it, else close the caller's tabs."""
    desk, owner = call.desk, call.owner
    if desk.alone(owner):
        await desk.close_all()
        return Reply("The browser is closed. browser_navigate starts it again; logins are kept.")
    for tab in list(owner.tabs):
        await desk.close(owner, tab)
    return Reply("The tabs are closed.")


OPERATIONS: dict[str, Operation] = {
    "navigate": navigate,
    "navigate_back": navigate_back,
    "tabs": tabs,
    "handle_dialog": handle_dialog,
    "wait_for": wait_for,
    "resize": resize,
    "emulate_media": emulate_media,
    "close": close,
}
