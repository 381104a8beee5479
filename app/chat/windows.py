"""The windows attached to LeoChat, and which of them executes a UI command."""

import asyncio
import time
from typing import Any, Protocol

from app.chat.said import RunAction, Said, ShowConversation, UiCommandAsked
from app.core.messages import UiResult, new_id

ANSWER_SECONDS = 5.0
DIALOG_SECONDS = 300.0
DIALOGS = ("show_confirm",)
RELOAD_SECONDS = 15.0


class Watched(Protocol):
    """A session as a window sees it."""

    id: str

    def attach(self, window: "Window", resume: int | None, last: int | None = None) -> None: ...

    def detach(self, window: "Window") -> None: ...


class Window:
    """Somebody who is told things: a page, a terminal, an embedding program. `tell` never blocks and never raises."""

    def __init__(self) -> None:
        self.id = new_id("win")
        self.focused = False
        self.visible = True
        self.native = False
        self.executes = True
        self._watched: dict[str, Watched] = {}

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        """Take an event; `seq` counts within the conversation."""
        del conversation_id, event, seq

    def watch(self, session: Watched, resume: int | None = None, last: int | None = None) -> None:
        """From now on events of this session are told, after what is missing since `resume` or the whole of it.

        With `last` the whole begins with no more than so many messages from its end.
        """
        self._watched[session.id] = session
        session.attach(self, resume, last)

    def watched(self, conversation_id: str) -> Watched | None:
        return self._watched.get(conversation_id)

    def unwatch(self, conversation_id: str) -> None:
        if session := self._watched.pop(conversation_id, None):
            session.detach(self)

    def leave(self) -> None:
        for conversation_id in list(self._watched):
            self.unwatch(conversation_id)


class Windows:
    """All attached windows, the last focused one first in line for UI commands."""

    def __init__(self) -> None:
        self._all: list[Window] = []
        self._asked: dict[str, tuple[Window, asyncio.Future[UiResult]]] = {}
        self._last_left = float("-inf")

    def add(self, window: Window) -> None:
        self._all.append(window)

    def remove(self, window: Window) -> None:
        """What this window was asked and did not answer is not executed."""
        window.leave()
        if window in self._all:
            self._all.remove(window)
            self._last_left = time.monotonic()
        for ui_id, (asked, future) in list(self._asked.items()):
            if asked is window and not future.done():
                future.set_result(UiResult(executed=False, message="The window was closed."))
                self._asked.pop(ui_id, None)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def attended(self) -> bool:
        """Whether there is anybody to ask: also for as long as a reload may take."""
        return bool(self._all) or time.monotonic() - self._last_left < RELOAD_SECONDS

    @property
    def in_sight(self) -> bool:
        return any(w.focused and w.visible for w in self._all)

    def focus(self, window: Window, focused: bool, visible: bool) -> None:
        window.focused, window.visible = focused, visible
        if focused and window in self._all:
            self._all.remove(window)
            self._all.append(window)

    def show(self, conversation_id: str) -> None:
        """Have the window focused last put this conversation on show."""
        if window := self.chosen(None):
            window.tell(None, ShowConversation(conversation_id))

    def run_action(self, action: str) -> None:
        """Have the window focused last do one of its page's actions."""
        if window := self.chosen(None):
            window.tell(None, RunAction(action))

    def tell_all(self, event: Said) -> None:
        for window in list(self._all):
            window.tell(None, event)

    def chosen(self, sender: Window | None) -> Window | None:
        """The window that sent the prompt while it is there, else the one focused last."""
        able = [w for w in self._all if w.executes]
        if sender in able:
            return sender
        return able[-1] if able else None

    async def ask(self, sender: Window | None, command: str, payload: dict[str, Any], server: str) -> UiResult:
        """Have one window execute it; not executed where there is none or none answers in time."""
        window = self.chosen(sender)
        if window is None:
            return UiResult(executed=False, message="No window is open, so nothing was done.")
        ui_id = new_id("ui")
        future: asyncio.Future[UiResult] = asyncio.get_running_loop().create_future()
        self._asked[ui_id] = (window, future)
        window.tell(None, UiCommandAsked(ui_id, command, payload, server))
        seconds = DIALOG_SECONDS if command in DIALOGS else ANSWER_SECONDS
        try:
            return await asyncio.wait_for(future, seconds)
        except TimeoutError:
            return UiResult(executed=False, message=f"The window did not answer within {seconds:g} seconds.")
        finally:
            self._asked.pop(ui_id, None)

    def answered(self, ui_id: str, executed: bool, message: str, data: dict[str, Any] | None) -> None:
        """A window's word on a command; late and unknown ones are dropped."""
        _, future = self._asked.get(ui_id, (None, None))
        if future and not future.done():
            future.set_result(UiResult(executed=executed, message=message, data=data))
