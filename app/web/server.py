"""The server: on its port at once with the page, behind the guard; the whole of LeoChat once that is loaded."""

import asyncio
import contextlib
import importlib
import logging
import secrets
import socket as sockets
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import uvicorn

from app.web.front import FrontDoor
from app.web.guard import Guard

if TYPE_CHECKING:
    from app.chat.leochat import LeoChat

MAX_MESSAGE = 16 * 1024 * 1024
PAGE_SECONDS = 3.0
"""How long a page may take to open before the MCP servers start without having waited for it."""


async def load() -> None:
    """Import what `Server.carry` needs, in a thread: the page is served meanwhile."""
    await asyncio.to_thread(importlib.import_module, "app.web.routes")


def _is_news(record: logging.LogRecord) -> bool:
    """uvicorn tells a refused socket, answered by the guard, as the app's error; anybody could fill the log so."""
    return record.msg != "ASGI callable returned without completing handshake."


class Carrier(uvicorn.Server):
    """uvicorn without its signal handlers: they end the process before LeoChat could close what it keeps."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


class Server:
    """The app on a port of this computer. `address` holds the token in its fragment, which no request carries."""

    def __init__(self, leo: "LeoChat | None" = None, host: str = "127.0.0.1", port: int = 0, token: str | None = None):
        """Without `leo` only the page is served until `carry` brings one."""
        self.token = token or secrets.token_urlsafe(32)
        self._socket = _bound(host, port)
        shown = f"[{host}]" if ":" in host else host
        self.host = f"{shown}:{self._socket.getsockname()[1]}"
        self.address = f"http://{self.host}/#token={self.token}"
        self._door = FrontDoor()
        app: Any = Guard(self._door, self.host, self.token)
        config = uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_news)
        self._uvicorn = Carrier(config)
        self._task: asyncio.Task[None] | None = None
        self._leo: LeoChat | None = None
        if leo is not None:
            self.carry(leo)

    @property
    def leo(self) -> "LeoChat":
        """What is carried."""
        assert self._leo is not None
        return self._leo

    def carry(self, leo: "LeoChat") -> None:
        """Let the page, and whoever waits, talk to it."""
        from app.web.routes import make_app
        from app.web.socket import load_commands

        self._leo = leo
        self._door.open(make_app(leo, self.token))  # type: ignore[arg-type]
        load_commands()

    async def start(self) -> None:
        """Return once it can be used."""
        self._task = asyncio.create_task(self._uvicorn.serve([self._socket]))
        while not self._uvicorn.started:
            if self._task.done():
                await self._task
                raise OSError("the server ended before it began")
            await asyncio.sleep(0.002)

    async def wait(self) -> None:
        """Until it is stopped."""
        if self._task:
            await self._task

    def end(self) -> None:
        """Begin to stop; `wait` returns soon."""
        self._uvicorn.should_exit = True
        self._door.close()

    async def stop(self) -> None:
        self.end()
        await self.wait()


def _bound(host: str, port: int) -> sockets.socket:
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    made = sockets.socket(family, sockets.SOCK_STREAM)
    made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError:
        made.close()
        raise
    return made
