"""A server of the stateless era (2026-07-28), on the SDK, over stdio; by `legacy` of the one before."""

import asyncio
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer("modern", title="Modern server", version="3.1", log_level="ERROR")


class Size(BaseModel):
    size: str
    slices: int = 8


def which_size() -> Elicit[Size]:
    return Elicit("Which size?", Size)


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


@server.tool()
def order(size: Annotated[Size, Resolve(which_size)]) -> str:
    """Asks before it acts."""
    return f"{size.size} in {size.slices}"


@server.prompt()
def greet(name: str) -> str:
    """A greeting."""
    return f"Say hello to {name}."


@server.resource("note://today", mime_type="text/plain")
def note() -> str:
    """Of today."""
    return "rain"


@server.resource("note://{day}")
def other_note(day: str) -> str:
    """Of any day."""
    return f"{day}: sun"


server.run("stdio")
