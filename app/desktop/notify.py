"""The system's own notifications, by what each system brings along; no library of ours draws them."""

import asyncio
import html
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from app.desktop import identity
from app.desktop.bus import BusNotifications, session_bus

SECONDS = 10.0
log = logging.getLogger("leochat.desktop")

_MACOS = (
    "on run argv\n"
    "display notification (item 2 of argv) with title (item 1 of argv)\n"
    "end run"
)  # fmt: skip
# PowerShell's own identity carries the toast: an unpackaged program has none. The texts come by environment, never as code.
_WINDOWS = """
$kind = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$null = [Windows.UI.Notifications.ToastNotification, Windows.UI.Notifications, ContentType = WindowsRuntime]
$toast = $kind::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $toast.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($toast.CreateTextNode($env:LEOCHAT_TITLE))
$null = $texts.Item(1).AppendChild($toast.CreateTextNode($env:LEOCHAT_BODY))
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$kind::CreateToastNotifier($id).Show([Windows.UI.Notifications.ToastNotification]::new($toast))
"""


class Notifications:
    """By the session bus where there is one, which tells of clicks; else by a program of the system."""

    def __init__(self) -> None:
        self._bus = BusNotifications()

    async def show(self, title: str, body: str, clicked: Callable[[], None]) -> None:
        """`clicked` is called in the loop, where the desktop tells."""
        if sys.platform.startswith("linux") and session_bus():
            marked = html.escape(body, quote=False)
            if await self._bus.show(identity.title(), str(identity.icon()), title, marked, clicked):
                return
        await notify(title, body)

    async def close(self) -> None:
        """Hear of no more clicks."""
        await self._bus.close()


async def notify(title: str, body: str) -> None:
    """Show it, or say in the log why the system did not; where no desktop runs that is nothing to warn of."""
    if sys.platform.startswith("linux") and not session_bus():
        log.info("No notification: there is no session bus here.")
        return
    command, environment = _command(title, body)
    if not command:
        log.warning("No notification: install libnotify (notify-send) or GLib (gdbus) for them.")
        return
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **environment},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # a console would flash up on Windows
        )
    except OSError as error:
        log.warning("No notification: %s", error)
        return
    try:
        async with asyncio.timeout(SECONDS):
            _, said = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        log.warning("No notification: %s did not end within %g seconds.", command[0], SECONDS)
        return
    if process.returncode:
        log.warning("No notification: %s", said.decode("utf-8", "replace").strip())


def _command(title: str, body: str) -> tuple[list[str], dict[str, str]]:
    """What to run, and what to add to its environment; nothing to run where this system has no way."""
    if sys.platform == "darwin":
        return ["osascript", "-e", _MACOS, title, body], {}
    if sys.platform == "win32":
        shell = ["powershell.exe", "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden", "-Command", _WINDOWS]
        return shell, {"LEOCHAT_TITLE": title, "LEOCHAT_BODY": body}
    marked = html.escape(body, quote=False)  # the body may hold markup, so that a tool's words must not be any
    if shutil.which("notify-send"):
        return ["notify-send", f"--app-name={identity.title()}", f"--icon={identity.icon()}", "--", title, marked], {}
    if shutil.which("gdbus"):
        return _gdbus(title, marked), {}
    return [], {}


def _gdbus(title: str, body: str) -> list[str]:
    at = ("--session", "--dest", "org.freedesktop.Notifications", "--object-path", "/org/freedesktop/Notifications")
    texts = [_variant(text) for text in (identity.title(), str(identity.icon()), title, body)]
    arguments = ["--", texts[0], "0", *texts[1:], "[]", "{}", "-1"]  # else -1 is an option that it does not know
    return ["gdbus", "call", *at, "--method", "org.freedesktop.Notifications.Notify", *arguments]


def _variant(text: str) -> str:
    """A string in GVariant's text form."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
