"""What the backend does for a window outside the page: its size, the system's notifications, opening addresses."""

import asyncio
import re
import webbrowser
from collections.abc import Callable, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from app.chat.opening import open_with_system
from app.chat.refused import Refused

SCHEMES = ("http", "https", "mailto")
_unsafe = re.compile(r"[\x00-\x20\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\\]")


IN_A_BROWSER = (
    "LeoChat runs in a browser here: it keeps running until `leochat serve` is ended, whether a page is open or not. "
    "There is no tray icon."
)


class Shell(Protocol):
    """Supplied by the desktop floor; a plain browser has NoShell."""

    async def resize(self, width: int | None, height: int | None, *, maximise: bool) -> tuple[int, int] | str:
        """The new size in CSS pixels, or why not."""
        ...

    async def notify(self, title: str, body: str, opens: Callable[[], None] | None = None) -> None:
        """`opens` is called where the person clicks it, with the window in front by then."""
        ...

    def facts(self) -> str:
        """What shows the page, for a diagnosis."""
        ...

    async def keep_running(self, on: bool) -> str | None:
        """Whether closing the window only hides it from now on; why that cannot be."""
        ...

    async def open_url(self, url: str) -> None: ...

    async def open_file(self, path: str, *, reveal: bool) -> None:
        """A checked file in its own program, or its folder with it; Refused where nothing opens it."""
        ...

    @property
    def picks(self) -> bool:
        """Whether `pick_folder` has a dialog to show."""
        ...

    async def pick_folder(self) -> str | None:
        """A folder that the person chose in the system's dialog; None where they did not."""
        ...

    async def dropped(self, names: Sequence[str]) -> list[str]:
        """The paths of what was dropped on the window just now and is called so; none where the window is not told."""
        ...


class NoShell:
    """The page runs in the person's own browser; `here`: on this computer, as far as anybody knows."""

    picks = False

    def __init__(self, *, here: bool = True):
        self._here = here

    async def resize(self, width: int | None, height: int | None, *, maximise: bool) -> tuple[int, int] | str:
        await asyncio.sleep(0)
        return "LeoChat runs in a browser here, whose window it cannot resize."

    async def notify(self, title: str, body: str, opens: Callable[[], None] | None = None) -> None:
        await asyncio.sleep(0)

    def facts(self) -> str:
        return "a browser"

    async def keep_running(self, on: bool) -> str | None:
        await asyncio.sleep(0)
        return IN_A_BROWSER if on else None

    async def open_url(self, url: str) -> None:
        await asyncio.to_thread(webbrowser.open, url)

    async def open_file(self, path: str, *, reveal: bool) -> None:
        if not self._here:
            raise Refused("unavailable", f"LeoChat is served to other computers here, so it opens no files. It is at {path}.")
        await asyncio.to_thread(open_with_system, path, reveal=reveal)

    async def pick_folder(self) -> str | None:
        await asyncio.sleep(0)
        return None

    async def dropped(self, names: Sequence[str]) -> list[str]:
        await asyncio.sleep(0)
        return []


def checked_url(url: str) -> str:
    """The one check before any address leaves for the system: scheme, no user info, no control or invisible characters."""
    text = url.strip()
    try:
        parts = urlsplit(text)
        port_ok = parts.port is None or 0 < parts.port < 65536
    except ValueError:
        raise Refused("invalid", "This is not an address that can be opened.") from None
    if _unsafe.search(text) or text.startswith("-"):
        raise Refused("invalid", "This address holds characters that do not belong in one; it was not opened.")
    if parts.scheme.lower() not in SCHEMES:
        raise Refused("invalid", f"Only http, https and mailto addresses are opened, not {parts.scheme or 'this one'}.")
    if parts.scheme.lower() != "mailto" and (not parts.hostname or "@" in parts.netloc or not port_ok):
        raise Refused("invalid", "This address has no host, or a user name in it; it was not opened.")
    return text
