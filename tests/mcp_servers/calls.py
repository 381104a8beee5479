"""How the tests of the bundled servers call tools: through a real client, in process or over a pipe."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30.0
"""Seconds after which a call in a test has failed."""


def text_of(result: CallToolResult) -> str:
    """The text items of a result, joined."""
    return "\n".join(item.text for item in result.content if isinstance(item, TextContent))


class Tools:
    """The tools of a server: of a client that is connected, or connected anew for each call.

    A client must be closed by the task that opened it, so a fixture cannot keep one open.
    """

    def __init__(self, connected: Client | None = None, server: MCPServer | None = None) -> None:
        self._connected = connected
        self._server = server

    @property
    def client(self) -> Client:
        """The connected client."""
        assert self._connected is not None
        return self._connected

    async def result(self, tool: str, **arguments: Any) -> CallToolResult:
        """The whole result."""
        if self._connected is not None:
            return await self.client.call_tool(tool, arguments, read_timeout_seconds=LIMIT)
        assert self._server is not None
        async with Client(self._server) as client:
            return await client.call_tool(tool, arguments, read_timeout_seconds=LIMIT)

    async def ok(self, tool: str, **arguments: Any) -> str:
        """The text of a result that must not be an error."""
        result = await self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The words of a result that must be an error."""
        result = await self.result(tool, **arguments)
        assert result.is_error, text_of(result)
        return text_of(result)


@asynccontextmanager
async def tools_of(server: MCPServer) -> AsyncGenerator[Tools]:
    """The server's tools, in process."""
    async with Client(server) as client:
        yield Tools(client)


@asynccontextmanager
async def tools_over_stdio(module: str, *arguments: str, **environment: str) -> AsyncGenerator[Tools]:
    """The tools of `python -m module`, started as any MCP client would start it."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment}
    parameters = StdioServerParameters(command=sys.executable, args=["-m", module, *arguments], env=env)
    async with Client(parameters, read_timeout_seconds=LIMIT) as client:
        yield Tools(client)
