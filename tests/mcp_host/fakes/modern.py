"""A server of the stateless era (2026-07-28), on the SDK, over stdio."""

import asyncio

from mcp.server import MCPServer
from mcp.server.mcpserver import Context

server = MCPServer("modern", title="Modern server", version="3.1", log_level="ERROR")


@server.tool()
async def slow(ctx: Context, steps: int = 4) -> str:
    """Works for a while and says so."""
    for step in range(steps):
        await asyncio.sleep(0.2)
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
    return "done"


@server.tool()
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


server.run("stdio")
