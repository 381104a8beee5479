"""Notifications over the session bus of free desktops, which tells what a person did with them.

Interface: org.freedesktop.Notifications, Desktop Notifications Specification 1.2.
"""

import asyncio
import contextlib
import importlib
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
ANSWER_SECONDS = 5.0
WATCHED = 40
"""Notifications whose click is still waited for; of more the oldest are forgotten."""
log = logging.getLogger("leochat.desktop")


def session_bus() -> str:
    """Its address: as the session says it, else where systemd puts it; "" where there is none."""
    if told := os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return "" if told.startswith("disabled:") else told
    usual = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere") / "bus"
    return f"unix:path={usual}" if usual.is_socket() else ""


class BusNotifications:
    """One connection, made with the first notification. Belongs to one event loop."""

    def __init__(self) -> None:
        self._connection: Any = None
        self._router: Any = None
        self._opens: dict[int, Callable[[], None]] = {}
        self._hearing: asyncio.Task[None] | None = None

    async def show(self, name: str, icon: str, title: str, body: str, opens: Callable[[], None] | None) -> bool:
        """Whether the desktop took it; `body` may hold markup, so it must be escaped. `opens`: called when it is clicked."""
        closed: type[Exception] = importlib.import_module("jeepney.io.common").RouterClosed
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                number = await self._notify(name, icon, title, body, clickable=opens is not None)
        except (OSError, EOFError, KeyError, ValueError, RuntimeError, closed) as error:
            log.info("No notification over the session bus: %s", error or type(error).__name__)
            await self.close()  # the next one tries anew
            return False
        if number is None:
            return False
        if opens:
            self._opens[number] = opens
            while len(self._opens) > WATCHED:
                self._opens.pop(next(iter(self._opens)))
        return True

    async def _notify(self, name: str, icon: str, title: str, body: str, *, clickable: bool) -> int | None:
        words = importlib.import_module("jeepney")
        if self._router is None or self._hearing is None or self._hearing.done():
            await self._connect()
        router: Any = self._router
        actions = ["default", "Open"] if clickable else []
        arguments = (name, 0, icon, title, body, actions, dict[str, Any](), -1)
        address = words.DBusAddress(PATH, bus_name=NAME, interface=NAME)
        reply = await router.send_and_get_reply(words.new_method_call(address, "Notify", "susssasa{sv}i", arguments))
        if reply.header.message_type == words.MessageType.error:
            log.info("The session bus refused a notification: %s", reply.body)
            return None
        return int(reply.body[0])

    async def _connect(self) -> None:
        words, io = importlib.import_module("jeepney"), importlib.import_module("jeepney.io.asyncio")
        await self.close()
        self._connection = await io.open_dbus_connection(session_bus())
        self._router = io.DBusRouter(self._connection)
        rule = words.MatchRule(type="signal", interface=NAME, path=PATH)
        await io.Proxy(words.message_bus, self._router).AddMatch(rule)
        heard: asyncio.Queue[Any] = asyncio.Queue(WATCHED)
        self._hearing = asyncio.get_running_loop().create_task(self._hear(rule, heard))

    async def _hear(self, rule: Any, heard: "asyncio.Queue[Any]") -> None:
        with self._router.filter(rule, queue=heard):
            while True:
                signal = await heard.get()
                self._heard(str(signal.header.fields[3]), signal.body)  # 3: the member, in the header fields of D-Bus

    def _heard(self, member: str, body: Any) -> None:
        if member == "ActionInvoked":
            if opens := self._opens.pop(int(body[0]), None):
                opens()
        elif member == "NotificationClosed":
            self._opens.pop(int(body[0]), None)

    async def close(self) -> None:
        """Hear no more."""
        hearing, router, connection = self._hearing, self._router, self._connection
        self._hearing = self._router = self._connection = None
        if hearing:
            hearing.cancel()
            await asyncio.wait([hearing])
        if router:
            with contextlib.suppress(OSError, EOFError):
                await router.__aexit__(None, None, None)
        if connection:
            with contextlib.suppress(OSError):
                await connection.close()
