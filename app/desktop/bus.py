"""Notifications over the session bus of free desktops, which tells what a person did with them.

Interface: org.freedesktop.Notifications, Desktop Notifications Specification 1.2.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
ANSWER_SECONDS = 5.0
WATCHED = 40
"""Notifications whose click is still waited for; of more the oldest are forgotten."""
log = logging.getLogger("leochat.desktop")


class BusNotifications:
    """One connection, made with the first notification. Belongs to one event loop."""

    def __init__(self) -> None:
        self._router: Any = None
        self._opens: dict[int, Callable[[], None]] = {}
        self._hearing: asyncio.Task[None] | None = None

    async def show(self, name: str, icon: str, title: str, body: str, opens: Callable[[], None] | None) -> bool:
        """Whether the desktop took it; `body` may hold markup, so it must be escaped. `opens`: called when it is clicked."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                number = await self._notify(name, icon, title, body, clickable=opens is not None)
        except (OSError, EOFError, KeyError, ValueError, TimeoutError, RuntimeError) as error:
            log.info("No notification over the session bus: %s", error or type(error).__name__)
            self._router = None
            return False
        if number is None:
            return False
        if opens:
            self._opens[number] = opens
            while len(self._opens) > WATCHED:
                self._opens.pop(next(iter(self._opens)))
        return True

    async def _notify(self, name: str, icon: str, title: str, body: str, *, clickable: bool) -> int | None:
        from jeepney import DBusAddress, MessageType, new_method_call

        if self._router is None or self._hearing is None or self._hearing.done():
            await self._connect()
        actions = ["default", "Open"] if clickable else []
        arguments = (name, 0, icon, title, body, actions, {}, -1)
        address = DBusAddress(PATH, bus_name=NAME, interface=NAME)
        reply = await self._router.send_and_get_reply(new_method_call(address, "Notify", "susssasa{sv}i", arguments))
        if reply.header.message_type == MessageType.error:
            log.info("The session bus refused a notification: %s", reply.body)
            return None
        return int(reply.body[0])

    async def _connect(self) -> None:
        from jeepney import MatchRule, message_bus
        from jeepney.io.asyncio import DBusRouter, Proxy, open_dbus_connection

        self._router = DBusRouter(await open_dbus_connection("SESSION"))
        rule = MatchRule(type="signal", interface=NAME, path=PATH)
        await Proxy(message_bus, self._router).AddMatch(rule)
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
        if self._hearing:
            self._hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._hearing
