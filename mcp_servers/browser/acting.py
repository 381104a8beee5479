"""What can be done to the elements of a page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from mcp_servers.browser.call import ACTION_SECONDS, Call, PageError, Reply, words_of
from mcp_servers.browser.settling import act
from mcp_servers.filesystem.roots import Roots

if TYPE_CHECKING:
    from playwright.async_api import Locator

    from mcp_servers.browser.tab import Tab

LIMIT = ACTION_SECONDS * 1000
REF = re.compile(r"\[?(?:ref=)?((?:f\d+)?e\d+)\]?")
YES = ("true", "yes", "on", "1", "checked")
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
WRITTEN = {
    "date": "2026-12-31",
    "time": "23:59",
    "datetime-local": "2026-12-31T23:59",
    "month": "2026-12",
    "week": "2026-W52",
    "range": "a number",
}
"""How values look that fields of these types take (HTML, section 4.10.5.1); they drop all others without a word."""

TYPING = 20
"""Milliseconds between two keys where a text is typed slowly."""


async def located(tab: Tab, args: Mapping[str, Any], target: str = "target", ref: str = "ref") -> tuple[Locator, str]:
    """The element that the arguments mean, and what to call it. Raises PageError where there is none or no single one."""
    from playwright.async_api import Error

    given = str(args.get(target) or args.get(ref) or "").strip()
    if not given:
        raise PageError(f"Say which element: {target} is its ref in the snapshot, such as e12. browser_snapshot shows them.")
    match = REF.fullmatch(given)
    try:
        element = tab.page.get_by_ref(match[1]) if match else tab.page.locator(given)
        if await asyncio.wait_for(element.count(), ACTION_SECONDS) == 0:
            kind = "There is no element with the ref" if match else "No element fits the selector"
            raise PageError(f"{kind} {given} on the page now. Look again with browser_snapshot: refs change with the page.")
    except Error as error:
        raise PageError(f"{given} is no ref of the snapshot and no valid selector: {words_of(error)}") from error
    except TimeoutError:
        tab.stuck = True
        raise PageError("The page does not answer. Open it again with browser_navigate.") from None
    return element, str(args.get("element") or given)


async def click(call: Call) -> Reply:
    """Click an element."""
    tab = await call.tab()
    element, name = await located(tab, call.args)
    options: dict[str, Any] = {"button": call.args.get("button") or "left", "timeout": LIMIT}
    if call.args.get("modifiers"):
        options["modifiers"] = call.args["modifiers"]
    twice = bool(call.args.get("doubleClick"))
    await act(tab, element.dblclick(**options) if twice else element.click(**options))
    return Reply(f"{'Double-clicked' if twice else 'Clicked'} {name}.", tab)


async def hover(call: Call) -> Reply:
    """Move the mouse over an element."""
    tab = await call.tab()
    element, name = await located(tab, call.args)
    await act(tab, element.hover(timeout=LIMIT))
    return Reply(f"The mouse is over {name}.", tab)


async def drag(call: Call) -> Reply:
    """Drag one element onto another."""
    tab = await call.tab()
    start, first = await located(tab, {**call.args, "element": call.args.get("startElement")}, "startTarget", "startRef")
    end, second = await located(tab, {**call.args, "element": call.args.get("endElement")}, "endTarget", "endRef")
    await act(tab, start.drag_to(end, timeout=LIMIT))
    return Reply(f"Dragged {first} onto {second}.", tab)


async def type_text(call: Call) -> Reply:
    """Put a text into a field, and send it off if asked to."""
    tab = await call.tab()
    element, name = await located(tab, call.args)
    text, slowly = str(call.args["text"]), bool(call.args.get("slowly"))

    async def typed() -> None:
        if slowly:
            await element.press_sequentially(text, delay=TYPING, timeout=LIMIT + TYPING * len(text))
        else:
            await _put(element, text)
        if call.args.get("submit"):
            await element.press("Enter", timeout=LIMIT, no_wait_after=True)

    await act(tab, typed(), 2 * ACTION_SECONDS + (TYPING * len(text) / 500 if slowly else 0))
    sent = " and pressed Enter" if call.args.get("submit") else ""
    return Reply(f"Typed into {name}{sent}.", tab)


async def fill_form(call: Call) -> Reply:
    """Fill several fields. What was filled before a field that fails stays filled, and is told."""
    tab = await call.tab()
    fields = cast("list[dict[str, Any]]", call.args["fields"])
    done: list[str] = []
    for field in fields:
        name = str(field.get("name") or field.get("element") or field.get("target") or field.get("ref"))
        try:
            element, _ = await located(tab, field)
            await act(tab, _filled(element, str(field.get("type") or "textbox"), str(field["value"])))
        except PageError as fault:
            before = f" Filled before it: {', '.join(done)}." if done else ""
            raise PageError(f"The field {name} could not be filled: {fault}{before}") from fault
        done.append(name)
        if tab.dialog is not None:
            break
    return Reply(f"Filled {', '.join(done)}.", tab)


async def _filled(element: Locator, kind: str, value: str) -> None:
    if kind in ("checkbox", "radio"):
        await element.set_checked(value.strip().lower() in YES, timeout=LIMIT)
    elif kind == "combobox":
        await _chosen(element, [value])
    else:
        await _put(element, value)


async def _put(element: Locator, value: str) -> None:
    """Enter a value. Raises PageError where the field, being of a type of its own, has not taken it."""
    from playwright.async_api import Error

    kind = await element.evaluate("e => e.tagName === 'INPUT' ? e.type : ''", timeout=LIMIT)
    await element.fill(value, timeout=LIMIT)
    if kind not in WRITTEN or not value.strip():
        return
    try:
        taken = await element.input_value(timeout=1000)
    except Error:
        return  # the value led to another page
    if not taken or (kind == "range" and not NUMBER.fullmatch(value.strip())):
        raise PageError(
            f'This {kind} field did not take "{value[:100]}" and is now {taken or "empty"}. Write it as {WRITTEN[kind]}.'
        )


async def select_option(call: Call) -> Reply:
    """Choose options of a list."""
    tab = await call.tab()
    element, name = await located(tab, call.args)
    values = [str(value) for value in call.args["values"]]
    await act(tab, _chosen(element, values))
    return Reply(f"Chose {', '.join(values)} in {name}.", tab)


async def _chosen(element: Locator, values: list[str]) -> None:
    """By value or label; an input with suggestions is typed into."""
    tag = await element.evaluate("e => e.tagName")
    if tag == "SELECT":
        await element.select_option(values, timeout=LIMIT)
    else:
        await element.fill(values[0], timeout=LIMIT)


async def press_key(call: Call) -> Reply:
    """Press a key, or several at once ("Control+A")."""
    tab = await call.tab()
    key = str(call.args["key"])
    await act(tab, tab.page.keyboard.press(key))
    return Reply(f"Pressed {key}.", tab)


async def drop(call: Call) -> Reply:
    """Drop files or data onto an element, as if dragged from outside of the page."""
    tab = await call.tab()
    paths = [str(path) for path in cast("list[Any]", call.args.get("paths") or [])]
    data = {str(kind): str(text) for kind, text in cast("dict[Any, Any]", call.args.get("data") or {}).items()}
    if not paths and not data:
        raise PageError('Say what to drop: paths of files, or data such as {"text/plain": "hello"}.')
    element, name = await located(tab, call.args)
    copies = await asyncio.to_thread(call.desk.uploads.prepare, paths, Roots(call.roots, call.protected))
    await act(tab, element.drop({"files": copies, "data": data}, timeout=LIMIT))
    what = ", ".join([*(copy.name for copy in copies), *data])
    return Reply(f"Dropped {what} onto {name}.", tab)


async def file_upload(call: Call) -> Reply:
    """Give files to the page: to the choice that is open, or to a field."""
    tab = await call.tab()
    paths = [str(path) for path in cast("list[Any]", call.args.get("paths") or [])]
    named = call.args.get("target") or call.args.get("ref")
    if named is None and tab.chooser is None:
        raise PageError(
            "The page does not ask for files now. Click what lets people choose a file first, or name the field with target."
        )
    element = (await located(tab, call.args))[0] if named is not None else None
    copies = await asyncio.to_thread(call.desk.uploads.prepare, paths, Roots(call.roots, call.protected))
    chooser, tab.chooser = tab.chooser, None
    if element is not None:
        await act(tab, element.set_input_files(copies, timeout=LIMIT))
    elif chooser is not None and copies:
        await act(tab, chooser.set_files(copies, timeout=LIMIT))
    names = ", ".join(copy.name for copy in copies)
    return Reply(f"Gave {names} to the page." if copies else "Closed the choice of files without one.", tab)


Operation = Callable[[Call], Awaitable[Reply]]

OPERATIONS: dict[str, Operation] = {
    "click": click,
    "hover": hover,
    "drag": drag,
    "drop": drop,
    "type": type_text,
    "fill_form": fill_form,
    "select_option": select_option,
    "press_key": press_key,
    "file_upload": file_upload,
}
