"""Tools that tell the client something beside their answer: log messages, lists that changed, a page to visit."""

import inspect
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ElicitRequest, ElicitRequestURLParams, ElicitResult, InputRequiredResult

from mcp_servers.answers import READ, text_answer
from mcp_servers.arguments import argument

MODERN = "2026-07-28"
"""From this revision on a server asks by answering, and is called again with what came."""

PAGE = "https://example.org/"
VISIT = "Please look at this page (an example), then come back."
EXTRA = "extra"
"""The tool and the prompt that come and go."""

Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


def register(server: MCPServer) -> None:
    """Add the tools."""
    _register_log(server)
    _register_lists(server)
    _register_visit(server)


def _register_log(server: MCPServer) -> None:
    @server.tool(title="Write a log message", annotations=READ)
    async def write_log(
        ctx: Context,
        message: Annotated[str, argument("What it says.")] = "Hello from the server.",
        level: Annotated[Level, argument("How grave it is.")] = "info",
    ) -> CallToolResult:
        """Send the client a log message (notifications/message)."""
        # Deprecated by the newest revision and still in use; what is called carries its rules without its warning.
        send = inspect.unwrap(type(ctx.session).send_log_message)  # pyright: ignore[reportDeprecated]
        await send(ctx.session, level, message, "everything", ctx.request_id)
        return text_answer(f"Sent as {level}: {message}")


def _register_lists(server: MCPServer) -> None:
    there = [False]

    async def extra() -> CallToolResult:
        """Answer that this tool is there for now."""
        return text_answer("I come and go.")

    @server.tool(title="Change the lists", annotations=READ)
    async def change_lists(ctx: Context) -> CallToolResult:
        """Add a tool called extra, or take it away, and tell the client that its list of tools is another (list_changed)."""
        if there[0]:
            server.remove_tool(EXTRA)
        else:
            server.add_tool(extra, name=EXTRA, title="Extra", annotations=READ)
        there[0] = not there[0]
        await ctx.notify_tools_changed()
        return text_answer(f"The tool {EXTRA} is {'there now' if there[0] else 'gone'}.")


def _register_visit(server: MCPServer) -> None:
    @server.tool(title="Send to a page", annotations=READ)
    async def visit_page(ctx: Context) -> CallToolResult | InputRequiredResult:
        """Ask the client to send the user to a page of the web (elicitation by URL), and say what came of it."""
        if (ctx.protocol_version or "") < MODERN:
            action = (await ctx.elicit_url(VISIT, PAGE, "everything-visit")).action
        else:
            answer = (ctx.input_responses or {}).get("visit")
            if not isinstance(answer, ElicitResult):
                asked = ElicitRequest(params=ElicitRequestURLParams(message=VISIT, url=PAGE))
                return InputRequiredResult(input_requests={"visit": asked})
            action = answer.action
        said = {"accept": "went there", "decline": "did not want to"}.get(action, "closed the question")
        return text_answer(f"The user {said}.")
