"""Tools that ask before they answer: the user for a form, the model for words, the client for its folders."""

from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import (
    AcceptedElicitation,
    DeclinedElicitation,
    Elicit,
    ElicitationResult,
    ListRoots,
    Resolve,
    Sample,
)
from mcp_types import CallToolResult, CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel, Field

from mcp_servers.answers import READ, text_answer


class Order(BaseModel):
    """The form that the user fills in."""

    name: Annotated[str, Field(description="A name for the order.", min_length=1)]
    size: Annotated[Literal["small", "medium", "large"], Field(description="How big.")] = "medium"
    takeaway: Annotated[bool, Field(description="To take away.")] = False
    extras: Annotated[list[Literal["cheese", "olives", "basil"]], Field(description="What goes on it.")] = ["cheese"]
    email: Annotated[str, Field(description="Where the bill goes.", json_schema_extra={"format": "email"})] = ""


def ask_for_order() -> Elicit[Order]:
    """The question."""
    return Elicit("What would you like?", Order)


def ask_for_words(topic: str) -> Sample:
    """The question to the model."""
    content = TextContent(type="text", text=f"Say something short about {topic}.")
    message = SamplingMessage(role="user", content=content)
    return Sample([message], max_tokens=200, system_prompt="You are a poet of few words.")


def ask_for_folders() -> ListRoots:
    """The question to the client."""
    return ListRoots()


def register(server: MCPServer) -> None:
    """Add the tools."""

    @server.tool(title="Ask the user", annotations=READ)
    async def ask_user(
        order: Annotated[ElicitationResult[Order], Resolve(ask_for_order)],
    ) -> CallToolResult:
        """Ask the user to fill in a small form (elicitation), and say what came back."""
        if isinstance(order, AcceptedElicitation):
            data = order.data
            way = "to take away" if data.takeaway else "to eat here"
            extras = f" with {', '.join(data.extras)}" if data.extras else ""
            return text_answer(f"A {data.size} one{extras} for {data.name}, {way}.")
        said = "declined" if isinstance(order, DeclinedElicitation) else "closed the question"
        return text_answer(f"The user {said}.")

    @server.tool(title="Ask the model", annotations=READ)
    async def ask_model(
        topic: Annotated[str, Field(description="What it is about.")],
        words: Annotated[CreateMessageResult, Resolve(ask_for_words)],
    ) -> CallToolResult:
        """Ask the client's model for a few words (sampling), and say what came back."""
        said = words.content.text if isinstance(words.content, TextContent) else words.content.type
        return text_answer(f"The model {words.model} says about {topic}: {said}")

    @server.tool(title="List the folders", annotations=READ)
    async def list_folders(found: Annotated[ListRootsResult, Resolve(ask_for_folders)]) -> CallToolResult:
        """Say which folders the client lets this server know of (roots)."""
        return text_answer("\n".join(str(root.uri) for root in found.roots) or "No folders are known here.")
