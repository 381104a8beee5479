"""A tool that asks the user something before it answers."""

from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import (
    AcceptedElicitation,
    DeclinedElicitation,
    Elicit,
    ElicitationResult,
    Resolve,
)
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from mcp_servers.answers import READ, text_answer


class Order(BaseModel):
    """The form that the user fills in."""

    name: Annotated[str, Field(description="A name for the order.", min_length=1)]
    size: Annotated[Literal["small", "medium", "large"], Field(description="How big.")] = "medium"
    takeaway: Annotated[bool, Field(description="To take away.")] = False


def ask_for_order() -> Elicit[Order]:
    """The question."""
    return Elicit("What would you like?", Order)


def register(server: MCPServer) -> None:
    """Add the tool."""

    @server.tool(title="Ask the user", annotations=READ)
    async def ask_user(
        order: Annotated[ElicitationResult[Order], Resolve(ask_for_order)],
    ) -> CallToolResult:
        """Ask the user to fill in a small form (elicitation), and say what came back."""
        if isinstance(order, AcceptedElicitation):
            data = order.data
            way = "to take away" if data.takeaway else "to eat here"
            return text_answer(f"A {data.size} one for {data.name}, {way}.")
        said = "declined" if isinstance(order, DeclinedElicitation) else "closed the question"
        return text_answer(f"The user {said}.")
