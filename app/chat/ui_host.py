"""UI commands on their way from a tool result or a card's button to the one window that executes them."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from app.chat.approvals import Approvals
from app.chat.opening import check_kind, checked_file
from app.chat.refused import Refused
from app.chat.rooms import Rooms
from app.chat.shell import checked_url
from app.chat.windows import Window
from app.core.events import ApprovalAnswer, ApprovalRequest
from app.core.messages import ToolCall, UiRequest, UiResult
from app.core.ui_commands import (
    MIN_HEIGHT,
    MIN_WIDTH,
    PRESETS,
    OpenFile,
    OpenUrl,
    ResizeWindow,
    ShowNotification,
    UiCommand,
    UiSendMessage,
    read_ui_command,
)
from app.settings import edition

OWN_SERVER = "leochat"
PER_MINUTE = 10
Send = Callable[[str, str | None, str], Awaitable[None]]
"""(text, label, server): a message in the user's name, from that server."""


def not_done(message: str) -> UiResult:
    return UiResult(executed=False, message=message)


class UiHost:
    """One conversation's side of it. `sender` is the window whose prompt runs; `tell` emits to the conversation."""

    def __init__(self, rooms: Rooms, approvals: Approvals, tell: Callable[[Any], None], send: Send):
        self._rooms = rooms
        self._approvals = approvals
        self._tell = tell
        self._send = send
        self._recent: dict[str, deque[float]] = {}
        self.sender: Window | None = None

    async def execute(self, server: str, command: str, payload: dict[str, Any], call_id: str) -> UiResult:
        """From a tool's result: other servers than our own need the person's leave first."""
        read = read_ui_command(command, payload)
        if isinstance(read, str):
            return not_done(read)
        if isinstance(read, OpenFile):
            return not_done("Files are opened by a person's click on a card alone. Show a card with a button for it.")
        if server != OWN_SERVER:
            refused = await self._leave(server, command, payload, call_id)
            if refused:
                return not_done(refused)
        return await self.perform(read, payload, server, clicked=server == OWN_SERVER)

    async def _leave(self, server: str, command: str, payload: dict[str, Any], call_id: str) -> str | None:
        """Why the server may not, or None. At most ten a minute even with a standing grant."""
        recent = self._recent.setdefault(server, deque(maxlen=PER_MINUTE))
        if len(recent) == PER_MINUTE and time.monotonic() - recent[0] < 60:
            return f"{server} asked for more than {PER_MINUTE} UI commands in a minute."
        recent.append(time.monotonic())
        if self._rooms.ui_granted(server):
            return None
        if not self._rooms.attended():
            return f"The user has not allowed UI commands of {server}, and nobody is there to ask."
        asked = ToolCall(id=f"{call_id}#ui{time.monotonic_ns()}", name=command, arguments=payload, server=server, tool=command)
        self._tell(ApprovalRequest(asked, "ui_command", UiRequest(command=command, payload=payload)))
        allowed = False
        try:
            answer = await self._approvals.ask_apart(asked)
            allowed = answer != "deny"
            if answer == "always":
                self._rooms.grant_ui(server)
        finally:
            self._tell(ApprovalAnswer(asked.id, allowed))
        return None if allowed else f"The user did not allow this UI command of {server}."

    async def perform(self, command: UiCommand, payload: dict[str, Any], server: str, *, clicked: bool) -> UiResult:
        """Do it: the system's part here, the page's part in the chosen window. `clicked`: a person's own wish."""
        match command:
            case ResizeWindow():
                return await self._resize(command)
            case OpenUrl(url=url):
                return await self._open(url, server, clicked=clicked)
            case OpenFile():
                return await self._open_file(command, server)
            case UiSendMessage(text=text, label=label):
                await self._send(text, label, server)
                return UiResult(executed=True, message="The message was sent.")
            case _:
                result = await self._rooms.windows.ask(self.sender, command.command, payload, server)
        if isinstance(command, ShowNotification) and result.executed:
            self._rooms.notify(edition().name, command.message, self._approvals.conversation_id)
        return result

    async def _open_file(self, command: OpenFile, server: str) -> UiResult:
        """A person clicked; on a card whose words are not ours (a model's, say) they see the path first."""
        try:
            path = await asyncio.to_thread(checked_file, command.path, self._rooms.opens(self._approvals.conversation_id))
            if not command.reveal:
                await asyncio.to_thread(check_kind, path)
            if server == OWN_SERVER or not self._rooms.bundled(server):
                question = {"title": f"{server} wants to open a file", "message": path}
                answer = await self._rooms.windows.ask(self.sender, "show_confirm", question, server)
                if not (answer.data or {}).get("confirmed"):
                    return not_done("The user did not confirm.")
            await self._rooms.shell.open_file(path, reveal=command.reveal)
        except Refused as refused:
            return not_done(refused.message)
        return UiResult(executed=True, message=f"Opened {path}.")

    async def _resize(self, command: ResizeWindow) -> UiResult:
        if not (command.preset or command.width or command.height):
            return not_done("resize_window needs a preset, or a width or height.")
        width, height = PRESETS.get(command.preset or "", (command.width, command.height))
        size = await self._rooms.shell.resize(
            max(width, MIN_WIDTH) if width else None,
            max(height, MIN_HEIGHT) if height else None,
            maximise=command.preset == "fullscreen",
        )
        if isinstance(size, str):
            return not_done(size)
        data = {"width": size[0], "height": size[1]}
        return UiResult(executed=True, message=f"The window is now {size[0]}x{size[1]}.", data=data)

    async def _open(self, url: str, server: str, *, clicked: bool) -> UiResult:
        try:
            address = checked_url(url)
        except Refused as refused:
            return not_done(refused.message)
        if not clicked:
            question = {"title": f"{server} wants to open an address", "message": address}
            answer = await self._rooms.windows.ask(self.sender, "show_confirm", question, server)
            if not (answer.data or {}).get("confirmed"):
                return not_done("The user did not confirm.")
        try:
            await self._rooms.shell.open_url(address)
        except Refused as refused:
            return not_done(refused.message)
        return UiResult(executed=True, message=f"Opened {address}.")
