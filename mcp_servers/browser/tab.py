"""One tab: its page, and all that happened to it since it was opened."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Dialog, Error, FileChooser, Frame, Page, Request

MESSAGES = 1000
REQUESTS = 500
LONG = 2000
"""The most characters that are kept of one console message."""

WAITED_FOR = ("document", "stylesheet", "script", "xhr", "fetch")
"""What a page is waited for to load; pictures, media and streams may take their time."""

LEVELS = {"error": 0, "assert": 0, "warning": 1, "debug": 3, "trace": 3}
"""How severe a console message's kind is; all others are 2, information."""


@dataclass(frozen=True)
class Message:
    """One line of the console; `page`: after how many navigations it came."""

    level: int
    kind: str
    text: str
    page: int


@dataclass(eq=False)
class Sent:
    """One request of the page; `ended` is when it was over, in seconds of the monotonic clock."""

    number: int
    request: Request
    page: int
    began: float = field(default_factory=time.monotonic)
    status: int | None = None
    failure: str | None = None
    ended: float | None = None


class Tab:
    """A page with its console, its requests, and what waits for an answer: a dialog or a choice of files."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages: deque[Message] = deque(maxlen=MESSAGES)
        self.sent: deque[Sent] = deque(maxlen=REQUESTS)
        self.navigations = 0
        self.dialog: Dialog | None = None
        self.chooser: FileChooser | None = None
        self.notes: list[str] = []
        self.stuck = False
        self.acting: asyncio.Task[None] | None = None
        """What a dialog interrupted; it goes on once the dialog is answered."""
        self.loading: set[str] = set()
        """The names of files that are being downloaded."""
        self.asked = asyncio.Event()
        """A dialog opened that waits for an answer."""
        self.moved = asyncio.Event()
        self._document: Sent | None = None
        self._busy: dict[Request, Sent] = {}
        self._numbers = itertools.count(1)
        self._listen(page)

    def _listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        page.on("request", self._request)
        page.on("requestfinished", self._over)
        page.on("requestfailed", self._over)
        page.on("framenavigated", self._navigated)
        page.on("dialog", self._asks)
        page.on("filechooser", self._chooses)
        page.on("crash", lambda _: self._crashed())

    # -- what happens -------------------------------------------------------------------------

    def _console(self, message: ConsoleMessage) -> None:
        where = message.location
        place = f" @ {where['url']}:{where['lineNumber']}" if where.get("url") else ""
        text = f"{message.text[:LONG]}{place}"
        self.messages.append(Message(LEVELS.get(message.type, 2), message.type, text, self.navigations))

    def _page_error(self, error: Error) -> None:
        self.messages.append(Message(0, "error", f"{error.name}: {error.message}"[:LONG], self.navigations))

    def _request(self, request: Request) -> None:
        new_page = request.is_navigation_request() and _frame(request) == self.page.main_frame
        sent = Sent(next(self._numbers), request, self.navigations + (1 if new_page else 0))
        self.sent.append(sent)
        if new_page:
            self._document = sent
        if request.resource_type in WAITED_FOR:
            self._busy[request] = sent
        self._changed()

    def _over(self, request: Request) -> None:
        sent = self._busy.pop(request, None) or next((s for s in reversed(self.sent) if s.request == request), None)
        if sent is not None:
            sent.ended = time.monotonic()
            sent.failure = request.failure
            response = request.existing_response
            sent.status = response.status if response else None
        self._changed()

    def _navigated(self, frame: Frame) -> None:
        if frame == self.page.main_frame:
            self.navigations += 1
            self.chooser = None
            self._changed()

    async def _asks(self, dialog: Dialog) -> None:
        """Alerts and "leave this page?" are answered at once, other questions as soon as anything else is called."""
        if dialog.type == "alert":
            self.notes.append(f'The page said "{dialog.message[:LONG]}" (an alert, which was closed).')
            await _quietly_accept(dialog)
        elif dialog.type == "beforeunload":
            self.notes.append("The page asked whether to leave it, which was answered with yes.")
            await _quietly_accept(dialog)
        else:
            self.dialog = dialog
            self.asked.set()

    def _chooses(self, chooser: FileChooser) -> None:
        self.chooser = chooser

    def _crashed(self) -> None:
        self.stuck = True
        self.notes.append("The page crashed. Open it again with browser_navigate.")
        self._changed()

    def _changed(self) -> None:
        self.moved.set()
        self.moved = asyncio.Event()

    # -- what is asked of it ------------------------------------------------------------------

    def busy_since(self, moment: float) -> bool:
        """Whether something that began after a moment is still loading."""
        return any(sent.began >= moment for sent in self._busy.values())

    @property
    def status(self) -> int | None:
        """What the server answered to the page that was asked for last, by RFC 9110; None where it did not."""
        response = self._document.request.existing_response if self._document else None
        return response.status if response else None

    def forget_loading(self) -> None:
        """Stop counting what still loads; it was waited for long enough."""
        self._busy.clear()

    async def answer_dialog(self, accept: bool, text: str | None = None) -> str:
        """Answer the open dialog; what it was, in words."""
        dialog, self.dialog = self.dialog, None
        self.asked.clear()
        assert dialog is not None
        words = f'The {dialog.type} "{dialog.message[:LONG]}" was answered with {"OK" if accept else "Cancel"}'
        with contextlib.suppress(Exception):  # its page may be gone, and the dialog with it
            await _answered(dialog, accept, text)
        return f'{words} and the text "{text}".' if accept and text and dialog.type == "prompt" else f"{words}."

    def told(self) -> list[str]:
        """The notes since the last answer; they are told once."""
        notes, self.notes = self.notes, []
        times = Counter(notes)
        return [note if count == 1 else f"{note} ({count} times)" for note, count in times.items()]

    async def title(self) -> str:
        """The page's title, "" where it does not say one in time."""
        try:
            return await asyncio.wait_for(self.page.title(), 1.0)
        except Exception:  # noqa: BLE001 - a page under way, stuck or closed has none
            return ""


async def _answered(dialog: Dialog, accept: bool, text: str | None) -> None:
    if not accept:
        await dialog.dismiss()
    elif text is None:
        await dialog.accept()
    else:
        await dialog.accept(text)


def _frame(request: Request) -> Frame | None:
    """The request's frame; one that only just begins may not have any yet."""
    from playwright.async_api import Error

    try:
        return request.frame
    except Error:
        return None


async def _quietly_accept(dialog: Dialog) -> None:
    with contextlib.suppress(Exception):  # its page may be gone, and the dialog with it
        await dialog.accept()
