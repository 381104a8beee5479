"""A desktop's services on a session bus, run as a program: notifications that are clicked when told, and a tray.

    python -m tests.desktop.services

It writes a JSON line for each thing that happens, and reads lines: `click NUMBER` clicks a notification, `press` the icon
in the tray.
"""

import asyncio
import importlib
import json
import sys
from typing import Any

words: Any = importlib.import_module("jeepney")
io: Any = importlib.import_module("jeepney.io.asyncio")
NOTIFICATIONS, TRAY = "org.freedesktop.Notifications", "org.kde.StatusNotifierWatcher"
AT = {NOTIFICATIONS: "/org/freedesktop/Notifications", TRAY: "/StatusNotifierWatcher"}
FACTS: dict[str, tuple[str, Any]] = {
    "IsStatusNotifierHostRegistered": ("b", True),
    "ProtocolVersion": ("i", 0),
    "RegisteredStatusNotifierItems": ("as", []),
}


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


class Services:
    """Both, on one connection."""

    def __init__(self, connection: Any):
        self._connection = connection
        self._shown = 0
        self._item = ""

    async def answer(self) -> None:
        """Everything that is asked, until the bus ends."""
        while True:
            message = await self._connection.receive()
            if message.header.message_type == words.MessageType.method_call:
                fields = message.header.fields
                reply = self._reply(
                    message, str(fields.get(words.HeaderFields.member)), str(fields.get(words.HeaderFields.sender))
                )
                await self._connection.send(reply)

    def _reply(self, message: Any, member: str, sender: str) -> Any:
        match member:
            case "Notify":
                self._shown += 1
                name, _, _, title, body, actions, *_ = message.body
                say(notification=self._shown, app=name, title=title, body=body, actions=actions)
                return words.new_method_return(message, "u", (self._shown,))
            case "RegisterStatusNotifierItem":
                self._item = sender
                say(tray=True)
                return words.new_method_return(message)
            case "Get":
                return words.new_method_return(message, "v", (FACTS[message.body[1]],))
            case "GetAll":
                return words.new_method_return(message, "a{sv}", (FACTS,))
            case _:
                return words.new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", (member,))

    async def obey(self, line: str) -> None:
        word, _, number = line.strip().partition(" ")
        if word == "click":
            at = words.DBusAddress(AT[NOTIFICATIONS], interface=NOTIFICATIONS)
            await self._connection.send(words.new_signal(at, "ActionInvoked", "us", (int(number), "default")))
        elif word == "press":
            item = words.DBusAddress("/StatusNotifierItem", bus_name=self._item, interface="org.kde.StatusNotifierItem")
            await self._connection.send(words.new_method_call(item, "Activate", "ii", (0, 0)))


async def main() -> None:
    connection = await io.open_dbus_connection("SESSION")
    async with io.DBusRouter(connection) as router:
        for name in AT:
            await io.Proxy(words.message_bus, router).RequestName(name)
    services = Services(connection)
    answering = asyncio.create_task(services.answer())
    say(ready=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await services.obey(line.decode())
    answering.cancel()


if __name__ == "__main__":
    asyncio.run(main())
