"""One guard before everything: exact Host, exact Origin, and the token on whatever holds data."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE = ("GET", "HEAD")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src blob:; font-src 'self'; "
    "connect-src 'self' {socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
WORDS = {
    421: "This address does not belong to LeoChat.",
    403: "Requests from other pages are refused.",
    401: "The token is missing or wrong: open the address that LeoChat printed.",
}


def is_open(path: str) -> bool:
    """Whether a path holds no data, so that it needs no token."""
    return path in ("/", "/health") or (path.startswith("/assets/") and ".." not in path)


class Guard:
    """ASGI middleware around the whole app. `host` is the exact Host header, port included."""

    def __init__(self, app: App, host: str, token: str):
        self._app = app
        self._host = host.encode()
        self._origin = f"http://{host}".encode()
        self._token = token.encode()
        self._headers = [
            (b"content-security-policy", CSP.format(socket=f"ws://{host}").encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        status = self._refusal(scope)
        if status is None:
            await self._app(scope, receive, self._adding_headers(send))
        elif scope["type"] == "http":
            await _answer(send, "http.response", status, self._headers)
        elif "websocket.http.response" in scope.get("extensions", {}):
            await receive()
            await _answer(send, "websocket.http.response", status, self._headers)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> int | None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        if [v for k, v in headers if k == b"host"] != [self._host]:
            return 421
        socket = scope["type"] == "websocket"
        origins = [v for k, v in headers if k == b"origin"]
        if socket or scope["method"] not in SAFE:
            if origins != [self._origin]:
                return 403
        elif origins and origins != [self._origin]:
            return 403
        if socket or is_open(scope["path"]) or self._knows(headers):
            return None
        return 401

    def _knows(self, headers: list[tuple[bytes, bytes]]) -> bool:
        given = [v for k, v in headers if k == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], b"Bearer " + self._token)

    def _adding_headers(self, send: Send) -> Send:
        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {k for k, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((k, v) for k, v in self._headers if k not in own)]
            await send(message)

        return sending


async def _answer(send: Send, kind: str, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    body = WORDS[status].encode()
    plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": [*plain, *headers]})
    await send({"type": f"{kind}.body", "body": body})
