"""An HTTP stand-in on a real port, one script a test: it gets (method, path, headers, JSON body)."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Reply:
    """`body` as bytes or JSON; `hang`: never answer."""

    status: int = 200
    body: Any = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    hang: bool = False


Script = Callable[[Asked], Reply]


@asynccontextmanager
async def http_server(script: Script) -> AsyncGenerator[str]:
    """The base URL of a server that answers by `script` until left."""
    writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        try:
            while (asked := await _read(reader)) is not None:
                reply = script(asked)
                if reply.hang:
                    await reader.read()
                    return
                await _write(writer, reply)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writers.discard(writer)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in list(writers):
            writer.close()
        await server.wait_closed()


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in rest if line)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    is_form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    body: Any = dict(parse_qsl(raw.decode())) if is_form else json.loads(raw) if raw else None
    return Asked(method, path, headers, body)


async def _write(writer: asyncio.StreamWriter, reply: Reply) -> None:
    body: Any = reply.body
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [
        f"HTTP/1.1 {reply.status} Whatever",
        f"content-type: {reply.content_type}",
        f"content-length: {len(data)}",
        *(f"{n}: {v}" for n, v in reply.headers),
    ]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    await writer.drain()
