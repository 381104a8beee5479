"""Resources, one that changes, a template of them, prompts, and proposals for arguments."""

from mcp.server import MCPServer
from mcp.server.mcpserver import AssistantMessage, Context, Message, UserMessage
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp_types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from mcp_servers.answers import READ, text_answer
from mcp_servers.everything.content import picture

NOTES = 10
"""How many notes there are."""

STYLES = ("plain", "playful", "pompous", "poetic", "precise")
COUNTER = "demo://counter"


def register(server: MCPServer) -> None:
    """Add the resources, prompts and proposals."""
    _register_resources(server)
    _register_counter(server)
    _register_prompts(server)
    _register_completion(server)


def _register_resources(server: MCPServer) -> None:
    @server.resource("demo://readme", title="Read me", description="A text.", mime_type="text/markdown")
    def readme() -> str:
        return "# Everything\n\nA small example of every MCP feature."

    @server.resource("demo://picture", title="Picture", description="A PNG.", mime_type="image/png")
    def gradient() -> bytes:
        return picture()

    @server.resource("demo://notes/{number}", title="Notes", description="Notes 1 to 10.", mime_type="text/plain")
    def note(number: str) -> str:
        if not number.isdigit() or not 1 <= int(number) <= NOTES:
            raise ResourceNotFoundError(f"There is no note {number}; there are notes 1 to {NOTES}.")
        return f"This is note {number}."


def _register_counter(server: MCPServer) -> None:
    counted = [0]

    @server.resource(COUNTER, title="Counter", description="A number that count_up changes.", mime_type="text/plain")
    def counter() -> str:
        return f"The counter stands at {counted[0]}."

    @server.tool(title="Count up", annotations=READ)
    async def count_up(ctx: Context) -> CallToolResult:
        """Change the resource demo://counter, and tell those who follow it."""
        counted[0] += 1
        await ctx.notify_resource_updated(COUNTER)
        return text_answer(f"The counter now stands at {counted[0]}.")


def _register_completion(server: MCPServer) -> None:
    @server.completion()
    async def propose(
        ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
    ) -> Completion | None:
        del context
        known = STYLES if isinstance(ref, PromptReference) else tuple(str(n) for n in range(1, NOTES + 1))
        if argument.name not in ("style", "number"):
            return None
        return Completion(values=[value for value in known if value.startswith(argument.value)])


def _register_prompts(server: MCPServer) -> None:
    @server.prompt(title="Simple", description="A prompt without arguments.")
    def simple_prompt() -> str:
        return "Say hello in three languages."

    @server.prompt(title="With arguments", description="A prompt with one required argument and one more.")
    def complex_prompt(topic: str, style: str = "plain") -> list[Message]:
        return [
            UserMessage(f"Explain {topic} in a {style} style."),
            AssistantMessage("Gladly. What do you know about it already?"),
            UserMessage("Nothing at all."),
        ]
