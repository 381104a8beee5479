"""`test_tool_call`: takes its time, reports progress and can fail, for trying a client out."""

# ruff: noqa: N803 - the argument names are the wire format's

from typing import Annotated

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from mcp_servers.answers import READ, error_answer, text_answer
from mcp_servers.arguments import argument

STEP = 0.1
"""Seconds between two progress reports."""


def register(server: MCPServer) -> None:
    """Add the tool."""

    @server.tool(title="Test a tool call", annotations=READ)
    async def test_tool_call(
        ctx: Context,
        duration: Annotated[float, argument("How long it takes, in seconds.", ge=0, le=600)] = 1,
        shouldFail: Annotated[bool, argument("True: it ends with an error.")] = False,
        message: Annotated[str, argument("What it answers.")] = "The test tool works.",
    ) -> CallToolResult:
        """Test that tools work: wait, report progress, then answer with the message or fail."""
        await _wait(ctx, duration)
        if shouldFail:
            return error_answer(f"The test tool failed, as asked: {message}")
        return text_answer(message)


async def _wait(ctx: Context, duration: float) -> None:
    steps = max(1, round(duration / STEP))
    for step in range(1, steps + 1):
        await anyio.sleep(duration / steps)
        done = duration * step / steps
        await ctx.report_progress(done, duration or 1, f"{done:.1f} of {duration:g} s")
