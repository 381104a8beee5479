"""Tools that answer with text or data, take their time, or fail."""

from typing import Annotated, Literal

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import READ, error_answer, text_answer
from mcp_servers.arguments import argument

CITIES: dict[str, tuple[float, str, int]] = {
    "Madrid": (31.5, "sunny", 24),
    "London": (17.0, "light rain", 82),
    "Tokyo": (26.5, "cloudy", 68),
}


class Weather(BaseModel):
    """Made-up weather; `temperature` in °C, `humidity` in percent."""

    temperature: float
    conditions: str
    humidity: int


def register(server: MCPServer) -> None:
    """Add the tools."""
    _register_plain(server)
    _register_long(server)


def _register_plain(server: MCPServer) -> None:
    @server.tool(title="Echo", annotations=READ)
    async def echo(message: Annotated[str, argument("What to say back.")]) -> CallToolResult:
        """Say the message back. Example: {"message": "hello"}."""
        return text_answer(f"Echo: {message}")

    @server.tool(title="Add", annotations=READ)
    async def add(
        a: Annotated[float, argument("The first number.")],
        b: Annotated[float, argument("The second number.")],
    ) -> CallToolResult:
        """Add two numbers. Example: {"a": 2, "b": 3}."""
        return text_answer(f"The sum of {a:g} and {b:g} is {a + b:g}.")

    @server.tool(title="Structured content", annotations=READ)
    async def structured_content(
        city: Annotated[Literal["Madrid", "London", "Tokyo"], argument("One of three cities.")] = "Madrid",
    ) -> Weather:
        """Made-up weather as data, with an output schema."""
        temperature, conditions, humidity = CITIES[city]
        return Weather(temperature=temperature, conditions=conditions, humidity=humidity)

    @server.tool(title="Fail", annotations=READ)
    async def fail(
        message: Annotated[str, argument("What the error says.")] = "This tool always fails.",
    ) -> CallToolResult:
        """Answer with an error result."""
        return error_answer(message)


def _register_long(server: MCPServer) -> None:
    @server.tool(title="Long operation", annotations=READ)
    async def long_operation(
        ctx: Context,
        duration: Annotated[float, argument("How long it takes, in seconds.", ge=0, le=600)] = 5,
        steps: Annotated[int, argument("How many progress reports.", ge=1, le=1000)] = 5,
    ) -> CallToolResult:
        """Take a while and report progress. It can be cancelled."""
        for step in range(1, steps + 1):
            await anyio.sleep(duration / steps)
            await ctx.report_progress(step, steps, f"Step {step} of {steps}")
        return text_answer(f"Done: {duration:g} s in {steps} steps.")
