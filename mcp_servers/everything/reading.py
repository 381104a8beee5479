"""Resources, a template of them, and prompts."""

from mcp.server import MCPServer
from mcp.server.mcpserver import AssistantMessage, Message, UserMessage
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from mcp_servers.everything.content import picture

NOTES = 10
"""How many notes there are."""


def register(server: MCPServer) -> None:
    """Add the resources and prompts."""
    _register_resources(server)
    _register_prompts(server)


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
