"""The first thing that answers: the page and its assets, at once, while the rest of LeoChat is still loading.

A browser needs as long to begin with a page as Python to import what the page talks to; so both go on beside each other.
Requests for anything else wait until that is there.
"""

import asyncio
from pathlib import Path

from app.web.guard import App, Receive, Scope, Send

STATIC = Path(__file__).parent / "static"
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
GONE = b'{"error":{"message":"LeoChat has ended."}}'
NOT_BUILT = b"The page is not built. Run `python3 build start`, which builds it."
ASSETS = "/assets/"
KEPT = "public, max-age=31536000, immutable"
"""Assets have their content's hash in their names."""


class FrontDoor:
    """An ASGI app; what it does not know itself goes to the app that `open` gives it, once it has been given.

    Whoever waits for it when the door is closed is sent away: 503, and 403 for a socket.
    """

    def __init__(self) -> None:
        self._opened: asyncio.Event = asyncio.Event()
        self._app: App | None = None

    def open(self, app: App) -> None:
        self._app = app
        self._opened.set()

    def close(self) -> None:
        """Nothing will come any more, if nothing has come."""
        self._opened.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            path = str(scope["path"])
            if path == "/":
                await self._page(send)
                return
            if path.startswith(ASSETS):
                await _asset(send, path.removeprefix(ASSETS))
                return
        await self._opened.wait()
        if self._app is None:
            await _sent_away(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"] == "/health":
            await _answer(send, 200, b'{"status":"ok"}', "application/json")
            return
        await self._app(scope, receive, send)

    async def _page(self, send: Send) -> None:
        try:
            page = (STATIC / "index.html").read_bytes()
        except FileNotFoundError:
            await _answer(send, 503, NOT_BUILT, "text/plain; charset=utf-8")
            return
        await _answer(send, 200, page, "text/html; charset=utf-8", "no-store")


async def _asset(send: Send, name: str) -> None:
    path = _kept(name)
    if path is None:
        await _answer(send, 404, b'{"error":{"message":"Not Found"}}', "application/json")
        return
    await _answer(send, 200, path.read_bytes(), MEDIA_TYPES.get(path.suffix, "application/octet-stream"), KEPT)


def _kept(name: str) -> Path | None:
    """The asset's file; None where there is none, or none can have such a name."""
    try:
        path = (STATIC / "assets" / name).resolve()
        return path if path.is_relative_to(STATIC.resolve()) and path.is_file() else None
    except (OSError, ValueError):
        return None


async def _sent_away(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await _answer(send, 503, GONE, "application/json")
        return
    await receive()
    await send({"type": "websocket.close", "code": 1001})


async def _answer(send: Send, status: int, body: bytes, media_type: str, cache: str | None = None) -> None:
    """The server leaves out the body itself where only the head was asked for."""
    headers = [(b"content-type", media_type.encode()), (b"content-length", str(len(body)).encode())]
    if cache:
        headers.append((b"cache-control", cache.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
