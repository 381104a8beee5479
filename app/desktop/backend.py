"""LeoChat and its server on an event loop in a thread of their own, since the toolkit wants the main one."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from app.chat.leochat import LeoChat
    from app.chat.shell import Shell
    from app.settings import SettingsFile
    from app.web.server import Server

STOP_SECONDS = 2.0


class Listener(Protocol):
    """Told from the backend's thread, in this order."""

    def reachable(self, address: str) -> None: ...

    def ready(self, settings: "SettingsFile") -> None: ...

    def failed(self, message: str) -> None: ...


class Backend:
    """Starts at `start`; whatever it needs is imported there, so that the window need not wait for it."""

    def __init__(self, home: Path, shell: "Shell", listener: Listener):
        self._home = home
        self._shell = shell
        self._listener = listener
        self._thread = threading.Thread(target=self._run, name="backend", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None
        self._leo: LeoChat | None = None
        self._asked_to_end = threading.Event()
        self._over = threading.Event()

    def start(self) -> None:
        self._thread.start()

    def call(self, do: Callable[[], object]) -> None:
        """Run something on the loop, from any thread; dropped where the loop is not there yet or any more."""
        loop = self._loop
        if loop and not loop.is_closed():
            loop.call_soon_threadsafe(do)

    @property
    def language(self) -> str:
        """The app's, once it is known."""
        return self._leo.language if self._leo else "en"

    def run_action(self, action: str) -> None:
        """Have the page do one of its actions, by its id."""
        if leo := self._leo:
            self.call(lambda: leo.windows.run_action(action))

    def end(self, seconds: float) -> bool:
        """Stop tasks, servers and store; False where that was not done in time.

        Threads of the loop's pool are not waited for: they only read and import, and the process is about to end.
        """
        self._asked_to_end.set()
        self.call(lambda: self._ending and self._ending.set())
        return self._over.wait(seconds)

    def _run(self) -> None:
        try:
            asyncio.run(self._live_and_tell())
        except Exception as error:
            self._listener.failed(_words(error))
            raise
        finally:
            self._over.set()

    async def _live_and_tell(self) -> None:
        try:
            await self._live()
        finally:
            if self._asked_to_end.is_set():
                self._over.set()

    async def _live(self) -> None:
        from app.web.server import Server, load

        self._ending = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        if self._asked_to_end.is_set():
            return
        server = Server()
        await server.start()
        self._listener.reachable(server.address)  # a web view begins with the page while the rest is loaded
        loading, ending = asyncio.ensure_future(load()), asyncio.ensure_future(self._ending.wait())
        await asyncio.wait({loading, ending}, return_when=asyncio.FIRST_COMPLETED)
        try:
            if not ending.done():
                await loading
                await self._carried(server, ending)
        finally:
            await _within(server.stop(), STOP_SECONDS)

    async def _carried(self, server: "Server", ending: Awaitable[Any]) -> None:
        """The whole of LeoChat behind the page, to the end."""
        from app.chat.leochat import LeoChat
        from app.web.server import PAGE_SECONDS

        leo = LeoChat(self._home, shell=self._shell)
        self._leo = leo
        try:
            server.carry(leo)
            self._listener.ready(leo.settings)
            leo.start(patience=PAGE_SECONDS)
            await ending
            await _within(server.stop(), STOP_SECONDS)
        finally:
            await leo.close()


async def _within(work: Awaitable[None], seconds: float) -> None:
    """What takes longer is left: the process is about to end."""
    await asyncio.wait({asyncio.ensure_future(work)}, timeout=seconds)


def _words(error: Exception) -> str:
    message = getattr(error, "message", None)
    return message if isinstance(message, str) else f"LeoChat could not start: {type(error).__name__}: {error}"
