"""The browser's own process: it takes calls as lines of JSON, and takes the browser with it when it ends, however it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Awaitable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from mcp_servers.browser import acting, going, logs, looking
from mcp_servers.browser.acting import Operation
from mcp_servers.browser.call import Call, PageError, Reply, words_of
from mcp_servers.browser.desk import Desk, Owner
from mcp_servers.browser.files import Downloads, Uploads
from mcp_servers.browser.finding import NoBrowserError
from mcp_servers.browser.gate import guard
from mcp_servers.browser.installing import install
from mcp_servers.browser.launching import Browser, LaunchError, Wanted
from mcp_servers.browser.profile import ProfileLockedError
from mcp_servers.browser.settling import STUCK, answers, go_on, telling
from mcp_servers.browser.tab import Tab

OPERATIONS: dict[str, Operation] = {**going.OPERATIONS, **acting.OPERATIONS, **looking.OPERATIONS, **logs.OPERATIONS}
UNINTERRUPTED = ("handle_dialog", "tabs", "close", "console_messages", "network_requests", "network_request")
"""What goes on while a dialog is open; everything else answers it first."""

ASKED = {*acting.OPERATIONS, *looking.OPERATIONS, "resize"}
"""What cannot go on once a dialog has opened, and says so at once."""

ASKED_SECONDS = 0.5
"""How long such a call may take to end by itself."""

ALIVE = 10.0
"""Seconds between two words of a call that says nothing else."""

IDLE_CHECK = 60.0
IDLE_SECONDS = 1800.0
"""How long a conversation's tabs are kept without a call."""

STILL_OPEN = (
    'The page asks: "{message}" (a {type} dialog{default}). Answer it with browser_handle_dialog; any other call answers it '
    "with Cancel first."
)


class Worker:
    """Calls by their number, and the one browser that they are about."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._calls: dict[int, asyncio.Task[None]] = {}
        self._about: Mapping[str, Any] = {}
        self._desk: Desk | None = None

    # -- messages -----------------------------------------------------------------------------

    def hear(self, message: Mapping[str, Any]) -> None:
        """One message of whoever started us."""
        if "cancel" in message:
            if task := self._calls.get(int(message["cancel"])):
                task.cancel()
            return
        number = int(message["id"])
        task = asyncio.ensure_future(self._serve(number, message))
        self._calls[number] = task
        task.add_done_callback(lambda _: self._calls.pop(number, None))

    async def _serve(self, number: int, message: Mapping[str, Any]) -> None:
        async def tell(words: str) -> None:
            self._say({"id": number, "told": words})
            await asyncio.sleep(0)

        try:
            said = {"reply": await self._answer(message, tell)}
        except PageError as fault:
            said = {"fault": str(fault), "meta": fault.meta}
        except (NoBrowserError, ProfileLockedError, LaunchError) as error:
            said = {"fault": str(error), "meta": None}
        except asyncio.CancelledError:
            self._say({"id": number, "cancelled": True})
            raise
        except Exception as error:  # noqa: BLE001 - whatever a page or the browser does becomes words
            said = {"fault": words_of(error), "meta": None}
        self._say({"id": number, **said})

    def _say(self, told: Mapping[str, Any]) -> None:
        self._answers.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self._answers.flush()

    # -- calls --------------------------------------------------------------------------------

    async def _answer(self, message: Mapping[str, Any], tell: Any) -> dict[str, Any]:
        self._about = message["about"]
        operation = str(message["op"])
        if operation == "install":
            return {"text": await install(self._wanted().installed, tell)}
        desk = self._desk = self._desk or self._made_desk()
        owner = desk.owner(str(message.get("owner") or ""))
        owner.roots, owner.protected = tuple(self._about["roots"]), tuple(self._about["protected"])
        call = Call(desk, owner, message["args"], tell, int(self._about["chars"]), owner.roots, owner.protected)
        async with owner.lock:
            owner.used, owner.opened = time.monotonic(), 0
            if not desk.browser.running:
                await tell("Starting the browser")
            before = await _dismissed(owner) if operation not in UNINTERRUPTED else None
            work = _until_asked(OPERATIONS[operation](call), owner.tab if operation in ASKED else None)
            reply = await telling(work, tell, lambda past: f"Working ({past} s)", every=ALIVE)
            return await self._told(call, reply, before)

    def _made_desk(self) -> Desk:
        browser = Browser(self._wanted, lambda: guard(self._about["opened"], offline=bool(self._about["offline"])))
        return Desk(browser, Downloads(browser.staging("downloads")), Uploads(browser.staging("uploads")))

    def _wanted(self) -> Wanted:
        about = self._about
        return Wanted(
            folder=Path(about["folder"]),
            program=about.get("program") or None,
            headless=bool(about.get("headless", True)),
            sandbox=bool(about.get("sandbox", True)),
            isolated=bool(about.get("isolated")),
        )

    async def _told(self, call: Call, reply: Reply, before: str | None) -> dict[str, Any]:
        """The answer: what was done, notes, where the page is now, and its snapshot."""
        parts = [reply.words] if reply.words else []
        notes = [before] if before else []
        if reply.tab is not None:
            notes += reply.tab.told()
            notes += [f"{name} is being downloaded." for name in sorted(reply.tab.loading)]
        notes += _refusals(call)
        if call.desk.browser.note:
            notes.append(call.desk.browser.note)
            call.desk.browser.note = None
        if reply.tab is not None:
            head = await _page(reply.tab)
            parts.insert(0 if reply.words.startswith("### ") else 1, head)
            if reply.shown and reply.tab.dialog is None:
                parts.append(await _snapshot(call, reply))
        if notes:
            parts.insert(0, "\n".join(notes))
        return {"text": "\n\n".join(parts), "picture": reply.picture, "data": reply.data}

    async def tidy(self) -> None:
        """Close the tabs of conversations that nobody has gone on with, where no person looks at them."""
        if self._desk is None or self._calls or not self._wanted().headless:
            return
        if await self._desk.close_idle(IDLE_SECONDS):
            await self._desk.close_all()

    async def end(self) -> None:
        """Close the browser as it should be."""
        for task in list(self._calls.values()):
            task.cancel()
        if self._desk is not None:
            await self._desk.close_all()


async def _until_asked(work: Awaitable[Reply], tab: Tab | None) -> Reply:
    """The work's reply; where the page opens a dialog that keeps it from ending, the dialog is the reply."""
    if tab is None:
        return await work
    working, opened = asyncio.ensure_future(work), asyncio.ensure_future(tab.asked.wait())
    try:
        await asyncio.wait({working, opened}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            await asyncio.wait({working}, timeout=ASKED_SECONDS)
        return await working if working.done() else Reply("The page asked something before this was done.", tab, shown=False)
    finally:
        opened.cancel()
        working.cancel()


async def _dismissed(owner: Owner) -> str | None:
    """Answer a dialog that nobody answered; in words what was done."""
    tab = owner.tab
    if tab is None or tab.dialog is None:
        return None
    began = time.monotonic()
    words = await tab.answer_dialog(False)
    with contextlib.suppress(PageError):  # what it interrupted was told before
        await go_on(tab, began)
    return words


async def _page(tab: Tab) -> str:
    lines = ["### Page", f"- Page URL: {tab.page.url[:1000]}"]
    if tab.dialog is not None:
        dialog = tab.dialog
        default = f', with "{dialog.default_value}" in it' if dialog.default_value else ""
        return "\n".join([*lines, f"- {STILL_OPEN.format(message=dialog.message[:2000], type=dialog.type, default=default)}"])
    lines.append(f"- Page Title: {' '.join((await tab.title()).split())[:300]}")
    if tab.status is not None and tab.status >= 400:
        lines.append(f"- HTTP status: {tab.status}, an error")
    if tab.chooser is not None:
        lines.append("- The page asks for files: give them with browser_file_upload.")
    errors = sum(message.level == 0 and message.page == tab.navigations for message in tab.messages)
    if errors:
        lines.append(f"- Errors in the console: {errors} (browser_console_messages)")
    return "\n".join(lines)


async def _snapshot(call: Call, reply: Reply) -> str:
    tab = reply.tab
    assert tab is not None
    if tab.stuck and not await answers(tab):
        return STUCK
    try:
        text = await looking.tree(tab, {})
    except PageError as fault:
        return str(fault)
    shown = looking.part(text, 0, max(500, call.chars - len(reply.words)))
    return f"### Snapshot\n```yaml\n{shown}\n```"


def _refusals(call: Call) -> list[str]:
    """Private addresses that pages wanted to reach, each told once."""
    gate, owner = call.desk.browser.gate, call.owner
    mark, owner.mark = owner.mark, gate.mark
    hosts = [refusal.host for refusal in gate.refused_since(mark) if refusal.private]
    if not hosts:
        return []
    words = f"Refused: the page wanted to reach {', '.join(hosts[:5])}, inside this computer or its network."
    return [f"{words} browser_navigate to such an address asks the user."]


# -- life -------------------------------------------------------------------------------------


def main() -> None:
    """Serve until standard input ends; then nothing that was started here is left."""
    _in_a_job()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    sys.stdout = sys.stderr
    asyncio.run(_serve(answers))


async def _serve(answers: BinaryIO) -> None:
    worker = Worker(answers)
    loop = asyncio.get_running_loop()
    ending = asyncio.Event()

    def listen() -> None:
        try:
            for line in sys.stdin.buffer:
                message = json.loads(line)
                loop.call_soon_threadsafe(ending.set if "end" in message else partial(worker.hear, message))
        finally:
            end_now()  # whoever started us is gone, or has no patience left

    threading.Thread(target=listen, name="calls", daemon=True).start()
    while not ending.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ending.wait(), IDLE_CHECK)
        await worker.tidy()
    await worker.end()
    end_now()


def end_now() -> None:
    """End everything that was started here, and this process, at once."""
    import psutil

    mine = psutil.Process()
    for _ in range(3):  # what is started while we look is found the next time
        children = mine.children(recursive=True)
        for child in children:
            with contextlib.suppress(psutil.Error):
                child.kill()
        if not children:
            break
        psutil.wait_procs(children, timeout=0.3)
    os._exit(0)


def _in_a_job() -> None:
    """On Windows: a Job Object that ends its members with this process, even if it is killed."""
    if sys.platform != "win32":
        return
    import pywintypes
    import win32api
    import win32job

    with contextlib.suppress(pywintypes.error):  # the tree is still ended by `end_now`
        job = win32job.CreateJobObject(None, "")
        limits = win32job.QueryInformationJobObject(job, win32job.JobObjectExtendedLimitInformation)
        limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        win32job.SetInformationJobObject(job, win32job.JobObjectExtendedLimitInformation, limits)
        win32job.AssignProcessToJobObject(job, win32api.GetCurrentProcess())
        globals()["_job"] = job  # closed, it would end us


if __name__ == "__main__":
    main()
