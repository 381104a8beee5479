"""What a page shows: its accessibility tree, pictures of it, and what its scripts answer."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64encode
from datetime import datetime
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from mcp_servers.browser.acting import Operation, located
from mcp_servers.browser.call import Call, PageError, Reply, words_of
from mcp_servers.browser.files import save_new
from mcp_servers.browser.settling import STUCK, act, answers
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.roots import Roots

if TYPE_CHECKING:
    from mcp_servers.browser.tab import Tab

SNAPSHOT_SECONDS = 15.0
FRAME_SECONDS = 4.0
"""How long frames inside a page are waited for: one that never answers is left out after the whole time given."""

TOO_MUCH = "The page is too large to be shown as a whole. Show a part of it: browser_snapshot with depth, or with a CSS target."
RESTLESS = (
    "The page loads itself anew all the time, so it never rests long enough to be read. browser_take_screenshot may still "
    "show it."
)
EVALUATE_SECONDS = 30.0
PICTURE_SECONDS = 20.0
TALLEST = 8000
"""Pixels of a picture of a whole page: what models and most viewers take."""

LARGEST_PNG = 2_000_000
"""Bytes over which a picture is sent as JPEG instead."""

FOUND = 20
AROUND = 2
LINE = 1000
"""The most characters of a snapshot's line that a regular expression is tried on."""


async def tree(tab: Tab, args: dict[str, Any]) -> str:
    """The accessibility tree as Playwright writes it, with refs. Raises PageError."""
    from playwright.async_api import Error

    options: dict[str, Any] = {"mode": "ai"}
    if args.get("depth"):
        options["depth"] = int(args["depth"])
    if args.get("boxes"):
        options["boxes"] = True
    navigations = tab.navigations
    try:
        named = args.get("target") or args.get("ref")
        shown = (await located(tab, args))[0] if named else tab.page
        try:
            text = await shown.aria_snapshot(**options, timeout=FRAME_SECONDS * 1000)
        except Error as error:
            if "Timeout" not in str(error):
                raise
            text = await shown.aria_snapshot(**options, timeout=SNAPSHOT_SECONDS * 1000)
    except Error as error:
        if "Timeout" not in str(error):
            raise PageError(words_of(error)) from error
        tab.stuck = not await answers(tab)
        raise PageError(STUCK if tab.stuck else RESTLESS if tab.navigations > navigations + 1 else TOO_MUCH) from error
    tab.stuck = False
    return text


def part(text: str, start: int, most: int) -> str:
    """At most so many characters of a snapshot, whole lines, with a note on how to read the rest."""
    if start and start >= len(text):
        return f"(There are only {len(text):,} characters.)"
    end = len(text)
    if end - start > most:
        end = text.rfind("\n", start, start + most)
        end = start + most if end <= start else end
    if end >= len(text):
        return text[start:]
    return (
        f"{text[start:end]}\n[… {len(text) - end:,} of {len(text):,} characters are left out. Read on with browser_snapshot "
        f"and start_index={end + 1}, look for a text with browser_find, or take one part of it with target.]"
    )


async def snapshot(call: Call) -> Reply:
    """The page's accessibility tree, or that of one element; the page's state is told above it."""
    tab = await call.tab()
    text = await tree(tab, dict(call.args))
    shown = part(text, int(call.args.get("start_index") or 0), call.chars)
    return Reply(f"### Snapshot\n```yaml\n{shown}\n```", tab, shown=False)


async def find(call: Call) -> Reply:
    """The lines of the snapshot that hold a text or fit an expression, each with its way from the top."""
    text, pattern = call.args.get("text"), call.args.get("regex")
    if (text is None) == (pattern is None):
        raise PageError("Give either text or regex.")
    fits = _expression(str(pattern)) if pattern is not None else re.compile(re.escape(str(text)), re.IGNORECASE)
    tab = await call.tab()
    lines = (await tree(tab, {})).splitlines()
    hits = [number for number, line in enumerate(lines) if fits.search(line[:LINE])]
    most = int(call.args.get("maxResults") or FOUND)
    if not hits:
        return Reply("Nothing on the page fits. browser_snapshot shows all of it.", tab, shown=False)
    chosen = sorted({near for hit in hits[:most] for near in _shown_with(lines, hit)})
    shown: list[str] = []
    for place, number in enumerate(chosen):
        if place and number != chosen[place - 1] + 1:
            shown.append("  …")
        shown.append(lines[number][:LINE])
    left = f" (the first {most} are shown)" if len(hits) > most else ""
    return Reply(f"{len(hits)} lines fit{left}:\n```yaml\n{part(chr(10).join(shown), 0, call.chars)}\n```", tab, shown=False)


def _expression(given: str) -> re.Pattern[str]:
    whole = re.fullmatch(r"/(.*)/([a-z]*)", given, re.DOTALL)
    source, flags = whole.groups() if whole else (given, "")
    try:
        return re.compile(source, re.IGNORECASE if "i" in flags else 0)
    except re.error as error:
        raise PageError(f"{given} is no valid regular expression: {error}.") from error


def _shown_with(lines: list[str], hit: int) -> set[int]:
    """A line's own number, its neighbours', and those of everything it is inside of."""
    near = set(range(max(0, hit - AROUND), min(len(lines), hit + AROUND + 1)))
    depth = _depth(lines[hit])
    for number in range(hit - 1, -1, -1):
        if _depth(lines[number]) < depth:
            depth = _depth(lines[number])
            near.add(number)
    return near


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


async def take_screenshot(call: Call) -> Reply:
    """A picture of what is in view, of the whole page or of one element."""
    tab = await call.tab()
    picture, kind, note = await _picture(tab, dict(call.args))
    words = f"A picture of {call.args.get('element') or tab.page.url[:300]}{note}:"
    return Reply(words, tab, shown=False, picture=(b64encode(picture).decode("ascii"), f"image/{kind}"))


async def save_screenshot(call: Call) -> Reply:
    """The same as a new file in an allowed folder."""
    tab = await call.tab()
    name = str(call.args["filename"])
    ending = name.rpartition(".")[2].lower()
    wanted = "jpeg" if ending in ("jpg", "jpeg") else "png"
    picture, _, note = await _picture(tab, {**call.args, "type": wanted}, smaller=False)
    path = await _saved(call, name if ending in ("png", "jpg", "jpeg") else f"{name}.png", picture)
    return Reply(f"Saved a picture of the page{note} as {path}.", tab, shown=False)


async def _picture(tab: Tab, args: dict[str, Any], *, smaller: bool = True) -> tuple[bytes, str, str]:
    from playwright.async_api import Error

    kind = _format(args)
    options: dict[str, Any] = {"type": kind, "timeout": PICTURE_SECONDS * 1000, "scale": args.get("scale") or "css"}
    options |= {"quality": 85} if kind != "png" else {}
    note = ""
    try:
        if args.get("target") or args.get("ref"):
            element, _ = await located(tab, args)
            return await element.screenshot(**options), kind, note
        if args.get("fullPage"):
            width, height = await tab.page.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            )
            options["full_page"] = True
            if height > TALLEST:
                options["clip"] = {"x": 0, "y": 0, "width": max(1, width), "height": TALLEST}
                note = f" (its first {TALLEST:,} of {height:,} pixels)"
        picture = await tab.page.screenshot(**options)
        if smaller and kind == "png" and len(picture) > LARGEST_PNG:
            kind = "jpeg"
            options |= {"type": kind, "quality": 80}
            picture = await tab.page.screenshot(**options)
    except Error as error:
        if "Timeout" in str(error):
            raise PageError(f"No picture could be taken within {PICTURE_SECONDS:g} s: the page does not rest.") from error
        raise PageError(words_of(error)) from error
    return picture, kind, note


def _format(args: dict[str, Any]) -> str:
    wanted = str(args.get("type") or str(args.get("filename") or "").rpartition(".")[2]).lower()
    return {"jpg": "jpeg", "jpeg": "jpeg", "webp": "webp"}.get(wanted, "png")


async def pdf_save(call: Call) -> Reply:
    """The page as a PDF in an allowed folder."""
    from playwright.async_api import Error

    tab = await call.tab()
    name = str(call.args.get("filename") or f"page-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.pdf")
    try:
        data = await asyncio.wait_for(tab.page.pdf(print_background=True), PICTURE_SECONDS)
    except (Error, TimeoutError) as error:
        hint = " It works only without a window: switch that in the settings." if "headless" in str(error).lower() else ""
        raise PageError(f"The page could not be made a PDF: {words_of(error)}.{hint}") from error
    path = await _saved(call, name if name.lower().endswith(".pdf") else f"{name}.pdf", data)
    return Reply(f"Saved the page as {path} ({len(data):,} bytes).", tab, shown=False)


async def _saved(call: Call, name: str, data: bytes) -> str:
    roots = Roots(call.roots, call.protected)
    try:
        place = await asyncio.to_thread(save_new, roots, name, partial(_write, data))
    except FilesError as error:
        raise PageError(str(error), error.meta) from error
    return place.path


def _write(data: bytes, file: IO[bytes]) -> None:
    file.write(data)


async def evaluate(call: Call) -> Reply:
    """Run a function of JavaScript in the page and answer what it returns."""
    tab = await call.tab()
    source = str(call.args["function"])
    wants_element = bool(call.args.get("target") or call.args.get("ref"))
    element = (await located(tab, call.args))[0] if wants_element else None
    results: list[Any] = []

    async def run() -> None:
        async with asyncio.timeout(EVALUATE_SECONDS):
            results.append(await (element.evaluate(source) if element else tab.page.evaluate(source)))

    try:
        await act(tab, run(), EVALUATE_SECONDS)
    except TimeoutError as error:
        tab.stuck = True
        raise PageError(f"The script did not end within {EVALUATE_SECONDS:g} s. {STUCK}") from error
    if not results:
        return Reply("The script waits for an answer to a dialog.", tab, shown=False)
    text = "undefined" if results[0] is None else json.dumps(results[0], ensure_ascii=False, indent=2, default=str)
    more = f"\n[… cut; {len(text):,} characters in all]" if len(text) > call.chars else ""
    return Reply(f"### Result\n{text[: call.chars]}{more}", tab, shown=False)


OPERATIONS: dict[str, Operation] = {
    "snapshot": snapshot,
    "find": find,
    "take_screenshot": take_screenshot,
    "save_screenshot": save_screenshot,
    "pdf_save": pdf_save,
    "evaluate": evaluate,
}
