"""What tests do with a running host, and the fake servers they give it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from app.core.messages import ToolCall
from app.core.tools import CallContext, TextItem, ToolOutput, ToolSpec
from app.mcp_host.config import ServerConfig, accept_launch
from app.mcp_host.host import McpHost
from app.mcp_host.status import ServerStatus

FAKES = Path(__file__).parent / "fakes"


def fake(mode: str, *more: str, name: str = "fake", file: str = "faulty.py", **facts: Any) -> ServerConfig:
    """An accepted third-party server: one of our fakes in this Python."""
    args = (str(FAKES / file), mode, *more)
    return accept_launch(ServerConfig(name=name, command=sys.executable, args=args, **facts))


class Desk:
    """A running host and what a test does with it."""

    def __init__(self, host: McpHost, seen: list[ServerStatus]) -> None:
        self.host = host
        self.seen = seen
        self.progress: list[tuple[float, float | None, str | None]] = []

    def spec(self, tool: str) -> ToolSpec:
        return next(s for s in self.host.specs() if s.tool == tool)

    async def call(self, tool: str, **arguments: Any) -> ToolOutput:
        spec = self.spec(tool)
        call = ToolCall(id="c", name=spec.name, arguments=arguments)
        context = CallContext("conv", lambda done, total, text: self.progress.append((done, total, text)))
        return await self.host.call(spec, call, context)

    async def until(self, name: str, *states: str, seconds: float = 60) -> ServerStatus:
        """Wait for a server's state."""
        await eventually(lambda: self.host.status(name).state in states, seconds)
        return self.host.status(name)


class OpenDesk(Protocol):
    def __call__(self, *configs: ServerConfig, **options: Any) -> Any: ...


def words(output: ToolOutput) -> str:
    return "".join(i.text for i in output.items if isinstance(i, TextItem))


async def eventually(condition: Callable[[], bool | Awaitable[bool]], seconds: float = 60) -> None:
    """Wait until it holds; fails when time is up."""
    async with asyncio.timeout(seconds):
        while True:
            held = condition()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.02)
