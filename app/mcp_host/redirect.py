"""The address on this computer where a browser comes back to after a person signed in."""

import asyncio
import contextlib
import socket
from urllib.parse import parse_qsl, urlsplit

HOST = "127.0.0.1"
PATH = "/callback"
HEAD_LIMIT = 16 * 1024
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>LeoChat</title><body style='font-family:sans-serif;margin:4em'>"
    "<h1>{title}</h1><p>{text}</p>"
)


def free_port() -> int:
    """A port that nothing listens on right now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def redirect_uri(port: int) -> str:
    """A loopback address, as RFC 8252 section 7.3 has it for programs on a person's computer."""
    return f"http://{HOST}:{port}{PATH}"


async def wait_for_return(port: int, listening: asyncio.Event, seconds: float) -> dict[str, str]:
    """What the authorization server sent back: `code` and `state`, or `error`.

    Listens on loopback only, from when `listening` is set until the first answer with a code or an
    error. Raises `OSError` where the port is taken, `TimeoutError` after `seconds`.
    """
    came: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            head = await reader.readuntil(b"\r\n\r\n")
            target = urlsplit(head.split(b" ", 2)[1].decode("latin-1"))
            values = dict(parse_qsl(target.query))
            ours = target.path == PATH and ("code" in values or "error" in values)
            writer.write(_answer(ours, "error" not in values))
            await writer.drain()
            if ours and not came.done():
                came.set_result(values)
        writer.close()

    server = await asyncio.start_server(serve, HOST, port, limit=HEAD_LIMIT)
    try:
        listening.set()
        async with asyncio.timeout(seconds):
            return await came
    finally:
        server.close()


def _answer(ours: bool, well: bool) -> bytes:
    if not ours:
        return b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    title = "You are signed in." if well else "You were not signed in."
    body = _PAGE.format(title=title, text="You can close this page and go back to LeoChat.").encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"referrer-policy: no-referrer\r\nconnection: close\r\n\r\n" + body
