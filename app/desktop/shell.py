"""The window as the rest of LeoChat sees it: its size read back from the page, notifications, addresses for the browser."""

import asyncio
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from app.chat.opening import open_with_system
from app.chat.refused import Refused
from app.core.ui_commands import MIN_HEIGHT, MIN_WIDTH
from app.desktop.notify import Notifications
from app.desktop.toolkits.toolkit import Toolkit

T = TypeVar("T")
Size = tuple[int, int]
READ_SECONDS = 5.0
SETTLE_SECONDS = 3.0
STILL_SECONDS = 0.5
GLANCE_SECONDS = 0.04
DROP_GLANCES = 10
TRIES = 3
MEASURE = "innerWidth + 'x' + innerHeight"
NO_WINDOW = "The window is not there, so it was not resized."


class Shown(Protocol):
    """The native window, once it is there."""

    toolkit: Toolkit

    @property
    def uid(self) -> str | None: ...

    def come_forward(self) -> None: ...

    def keep_running(self, on: bool) -> str | None: ...


class DesktopShell:
    """app.chat.shell.Shell for a native window."""

    def __init__(self, shown: Shown):
        self._shown = shown
        self._turn = asyncio.Lock()
        self._notifications = Notifications()

    async def resize(self, width: int | None, height: int | None, *, maximise: bool) -> Size | str:
        """The page's new size in CSS pixels as the page itself has it, or why it is as it was."""
        async with self._turn:
            before = await self._measured()
            if before is None:
                return NO_WINDOW
            if maximise:
                await apart(self._shown.toolkit.maximise)
                return await self._settled(None)
            return await self._to((width or before[0], height or before[1]), before)

    async def _to(self, wanted: Size, before: Size) -> Size | str:
        """Ask for it, measure, and ask for as much more as a frame or a scale took away."""
        wanted = max(wanted[0], MIN_WIDTH), max(wanted[1], MIN_HEIGHT)
        toolkit = self._shown.toolkit
        if not await apart(toolkit.is_plain):
            await apart(toolkit.unmaximise)
            await self._settled(None)
        asked, got = wanted, before
        for _ in range(TRIES):
            await apart(toolkit.resize, *asked)
            last, got = got, await self._settled(wanted)
            if got in (wanted, last):
                break
            asked = asked[0] + wanted[0] - got[0], asked[1] + wanted[1] - got[1]
        if got == before != wanted:
            return f"The desktop keeps the window at {got[0]}x{got[1]}, so it was not resized."
        return got

    async def _settled(self, wanted: Size | None) -> Size:
        """The size once it is the wanted one, or has not changed for a while."""
        until = time.monotonic() + SETTLE_SECONDS
        size, since = (0, 0), time.monotonic()
        while True:
            now = await self._measured() or size
            if now != size:
                size, since = now, time.monotonic()
            late = time.monotonic()
            if size == wanted or late > until or late - since > STILL_SECONDS:
                return size
            await asyncio.sleep(GLANCE_SECONDS)

    async def _measured(self) -> Size | None:
        toolkit, uid = self._shown.toolkit, self._shown.uid
        if uid is None:
            return None
        try:
            async with asyncio.timeout(READ_SECONDS):
                said: Any = await apart(toolkit.lib.evaluate_js, MEASURE, uid, False)
        except TimeoutError:
            return None
        width, x, height = str(said).partition("x")
        return (int(width), int(height)) if x and width.isdigit() and height.isdigit() else None

    async def notify(self, title: str, body: str, opens: Callable[[], None] | None = None) -> None:
        """The window comes to the front where it is clicked, then `opens` is called; both where the desktop tells of clicks."""

        def clicked() -> None:
            threading.Thread(target=self._shown.come_forward, name="forward", daemon=True).start()
            if opens:
                opens()

        await self._notifications.show(title, body, clicked)

    def facts(self) -> str:
        return self._shown.toolkit.facts()

    async def keep_running(self, on: bool) -> str | None:
        return await apart(self._shown.keep_running, on)

    async def open_file(self, path: str, *, reveal: bool) -> None:
        await apart(lambda: open_with_system(path, reveal=reveal))

    @property
    def picks(self) -> bool:
        return self._shown.uid is not None

    async def pick_folder(self) -> str | None:
        if self._shown.uid is None:
            return None
        return await apart(self._shown.toolkit.pick_folder)

    async def dropped(self, names: Sequence[str]) -> list[str]:
        """The toolkit may hear of a drop a moment after the page does."""
        taken: list[str] = []
        for _ in range(DROP_GLANCES):
            taken += self._shown.toolkit.dropped(names)
            if taken:
                break
            await asyncio.sleep(GLANCE_SECONDS)
        return taken

    async def open_url(self, url: str) -> None:
        """Hand a checked address to the person's own browser or mail program. Raises Refused where there is none."""
        if not await apart(webbrowser.open, url):
            raise Refused("unavailable", "No browser was found on this computer, so the address was not opened.")


async def apart(do: Callable[..., T], *arguments: Any) -> T:
    """Run what may wait for the toolkit in a thread that nobody waits for at the end of the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(give: Callable[[], None]) -> None:
        if not future.done():
            give()

    def run() -> None:
        try:
            result = do(*arguments)
        except Exception as error:  # noqa: BLE001 - it is raised where it is awaited
            tell = error
            _safely(loop, lambda: settle(lambda: future.set_exception(tell)))
        else:
            _safely(loop, lambda: settle(lambda: future.set_result(result)))

    threading.Thread(target=run, name="desktop", daemon=True).start()
    return await future


def _safely(loop: asyncio.AbstractEventLoop, do: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(do)
