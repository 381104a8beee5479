"""The app behind the guard: the page, its assets, attachments and the socket; and the server that carries it."""

import asyncio
import contextlib
import logging
import secrets
import socket as sockets
from collections.abc import Generator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from app.chat.leochat import LeoChat
from app.web.archive import archive_routes
from app.web.guard import Guard
from app.web.socket import load_commands, serve_socket
from app.web.upload import uploaded

STATIC = Path(__file__).parent / "static"
MAX_ATTACHMENT = 64 * 1024 * 1024
MAX_MESSAGE = 16 * 1024 * 1024
SHOWN_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml")
PAGE_SECONDS = 3.0
"""How long a page may take to open before the MCP servers start without having waited for it."""
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
NOT_BUILT = "The page is not built. Run `python3 build start`, which builds it."


def make_app(leo: LeoChat, token: str) -> Starlette:
    """The routes; they hold nothing but what the guard let through."""

    async def socket(websocket: WebSocket) -> None:
        await serve_socket(websocket, leo, token)

    routes: list[BaseRoute] = [
        Route("/", _page),
        Route("/health", _health),
        Route("/assets/{name:path}", _asset),
        *_attachment_routes(leo),
        *archive_routes(leo),
        WebSocketRoute("/ws", socket),
    ]
    return Starlette(routes=routes, exception_handlers={HTTPException: _failed})


async def _failed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": {"message": error.detail}}, error.status_code)


async def _page(_request: Request) -> Response:
    index = STATIC / "index.html"
    if not index.is_file():
        return PlainTextResponse(NOT_BUILT, 503)
    load_commands()
    return HTMLResponse(index.read_bytes(), headers={"Cache-Control": "no-store"})


async def _health(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _asset(request: Request) -> Response:
    path = (STATIC / "assets" / request.path_params["name"]).resolve()
    if not path.is_relative_to(STATIC.resolve()) or not path.is_file():
        raise HTTPException(404)
    media_type = MEDIA_TYPES.get(path.suffix, "application/octet-stream")
    return Response(path.read_bytes(), media_type=media_type, headers={"Cache-Control": "public, max-age=31536000, immutable"})


def _attachment_routes(leo: LeoChat) -> list[BaseRoute]:
    async def attach(request: Request) -> Response:
        async with uploaded(request) as file:
            data = await file.read(MAX_ATTACHMENT + 1)
        if len(data) > MAX_ATTACHMENT:
            raise HTTPException(413, "A file may have at most 64 MiB.")
        media_type = file.content_type or "application/octet-stream"
        ref = await leo.store.blobs.put(data, media_type, file.filename)
        return JSONResponse({"ref": ref, "media_type": media_type, "name": file.filename, "size": len(data)})

    async def attachment(request: Request) -> Response:
        found = await leo.store.blobs.get(request.path_params["ref"])
        if found is None:
            raise HTTPException(404)
        inline = found.media_type in SHOWN_INLINE
        headers = {
            "Content-Disposition": "inline" if inline else "attachment",
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        }
        return Response(found.data, media_type=found.media_type, headers=headers)

    return [Route("/attachments", attach, methods=["POST"]), Route("/attachments/{ref}", attachment)]


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

    def __init__(self, leo: LeoChat, host: str = "127.0.0.1", port: int = 0, token: str | None = None):
        self.leo = leo
        self.token = token or secrets.token_urlsafe(32)
        self._socket = _bound(host, port)
        shown = f"[{host}]" if ":" in host else host
        self.host = f"{shown}:{self._socket.getsockname()[1]}"
        self.address = f"http://{self.host}/#token={self.token}"
        app: Any = Guard(make_app(leo, self.token), self.host, self.token)  # type: ignore[arg-type]
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
