"""A served LeoChat on a port of this computer, and sockets to it."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from app.chat.leochat import LeoChat, Run
from app.web.server import Server


@pytest.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Server]:
    """Ready to be used, with the demo model and no MCP servers."""
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    leo = LeoChat(tmp_path / "home", Run(servers=(), bundled=(), offline=True), environ={})
    served = Server(leo)
    await served.start()
    leo.start()
    yield served
    await leo.close()
    await served.stop()


class Line:
    """A socket as a page uses it."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self._asked = 0

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(20):
            return json.loads(await self.socket.recv())

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command; frames that come before its reply are kept."""
        self._asked += 1
        await self.socket.send(json.dumps({"type": kind, "id": str(self._asked), **fields}))
        while True:
            got = await self.next()
            if got.get("reply_to") == str(self._asked):
                return got
            self.frames.append(got)

    async def until(self, kind: str) -> dict[str, Any]:
        """The next event of that type; what comes before is kept."""
        while True:
            got = await self.next()
            self.frames.append(got)
            if got.get("event", {}).get("type") == kind:
                return got


async def open_line(
    server: Server, *, token: str | None = None, origin: str | None = None, resume: Any = None, languages: Any = None
) -> Line:
    socket = await connect(f"ws://{server.host}/ws", origin=origin or f"http://{server.host}", max_size=None)  # type: ignore[arg-type]
    hello = {"token": server.token if token is None else token, "resume": resume, "languages": languages}
    await socket.send(json.dumps({"type": "hello", **hello}))
    return Line(socket)


def folded(frames: list[dict[str, Any]]) -> str:
    """The text that deltas and whole messages leave on a page."""
    text = ""
    for frame in frames:
        event = frame["event"]
        if event["type"] == "opened":
            text = "".join(
                b["text"] for m in event["messages"] if m["role"] == "assistant" for b in m["blocks"] if b["type"] == "text"
            )
        elif event["type"] == "block_delta":
            text += event["text"]
    return text
