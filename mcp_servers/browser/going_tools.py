"""The tools that get to pages: navigate, back, tabs, dialogs, waiting, installing and closing."""

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, ElicitationResult, Resolve
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import ADD_ONCE, CHANGE, READ, READ_WEB, error_answer
from mcp_servers.arguments import argument
from mcp_servers.browser.asking import Leave, question, settle_question
from mcp_servers.browser.hints import ACT, FETCH
from mcp_servers.browser.keeper import Keeper

Call = Context[Any, Any]


class TabShape(BaseModel):
    """A tab, by its number from 0."""

    index: int
    title: str
    url: str
    current: bool


class Tabs(BaseModel):
    """The conversation's tabs."""

    tabs: list[TabShape]


def register(server: MCPServer, keeper: Keeper) -> None:
    """Add the tools."""
    _register_addresses(server, keeper)
    _register_waiting(server, keeper)
    _register_browser(server, keeper)


def _register_addresses(server: MCPServer, keeper: Keeper) -> None:
    leave = question(keeper)

    @server.tool(title="Open a page", annotations=READ_WEB)
    async def browser_navigate(
        url: Annotated[str, argument("The address to open.", min_length=1, examples=["https://example.org"])],
        context: Call,
        allowed: Annotated[ElicitationResult[Leave], Resolve(leave)],
    ) -> CallToolResult:
        """Open an address in the browser. The answer shows the page as an accessibility tree with a ref for each element."""
        if refused := await settle_question(keeper, url, allowed):
            return error_answer(refused)
        return await keeper.call("navigate", context, {"url": url})

    @server.tool(title="Go back", annotations=READ_WEB)
    async def browser_navigate_back(context: Call) -> CallToolResult:
        """Go back to the page before in the tab's history."""
        return await keeper.call("navigate_back", context)

    @server.tool(title="Manage tabs", annotations=FETCH)
    async def browser_tabs(
        action: Annotated[Literal["list", "new", "close", "select"], argument("What to do.")],
        context: Call,
        allowed: Annotated[ElicitationResult[Leave], Resolve(leave)],
        index: Annotated[
            int | None, argument("The tab's number, for close and select. Without it close means the current.")
        ] = None,
        url: Annotated[str | None, argument("For new: the address to open in the tab.")] = None,
    ) -> Annotated[CallToolResult, Tabs]:
        """List, open, close or select a tab. Example: {"action": "select", "index": 1}."""
        if refused := await settle_question(keeper, url, allowed):
            return error_answer(refused)
        return await keeper.call("tabs", context, {"action": action, "index": index, "url": url})


def _register_waiting(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Answer a dialog", annotations=ACT)
    async def browser_handle_dialog(
        accept: Annotated[bool, argument("true for OK, false for Cancel.")],
        context: Call,
        promptText: Annotated[str | None, argument("The text to enter, where the dialog asks for one.")] = None,
    ) -> CallToolResult:
        """Answer the dialog (confirm or prompt) that a page has opened. Alerts are closed by themselves."""
        return await keeper.call("handle_dialog", context, {"accept": accept, "promptText": promptText})

    @server.tool(title="Wait", annotations=READ)
    async def browser_wait_for(
        context: Call,
        time: Annotated[float | None, argument("Seconds to wait; with a text, how long at most.", ge=0, le=300)] = None,
        text: Annotated[str | None, argument("Wait until this text is on the page.")] = None,
        textGone: Annotated[str | None, argument("Wait until this text is gone from the page.")] = None,
    ) -> CallToolResult:
        """Wait for a text to come or go, 30 s at most unless time says otherwise, or for some seconds."""
        return await keeper.call("wait_for", context, {"time": time, "text": text, "textGone": textGone})


def _register_browser(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Resize the page", annotations=ADD_ONCE)
    async def browser_resize(
        width: Annotated[float, argument("Pixels.", ge=50, le=10_000)],
        height: Annotated[float, argument("Pixels.", ge=50, le=10_000)],
        context: Call,
    ) -> CallToolResult:
        """Give the page another size, to see it as on a phone, say."""
        return await keeper.call("resize", context, {"width": width, "height": height})

    @server.tool(title="Show the page as to others", annotations=ADD_ONCE)
    async def browser_emulate_media(
        context: Call,
        colorScheme: Annotated[
            Literal["light", "dark", "none"] | None, argument("The colours that the person prefers; none: as it was.")
        ] = None,
        reducedMotion: Annotated[Literal["reduce", "no-preference", "none"] | None, argument("Less motion, or not.")] = None,
        forcedColors: Annotated[Literal["active", "none"] | None, argument("Colours that the system forces on pages.")] = None,
        contrast: Annotated[Literal["more", "no-preference", "none"] | None, argument("More contrast, or not.")] = None,
        media: Annotated[Literal["screen", "print", "none"] | None, argument("print: as on paper.")] = None,
    ) -> CallToolResult:
        """Show the page as to somebody who prefers dark colours or less motion, or as printed; what is not given stays.
        Example: {"colorScheme": "dark"}."""
        asked = {"colorScheme": colorScheme, "reducedMotion": reducedMotion, "forcedColors": forcedColors}
        return await keeper.call("emulate_media", context, {**asked, "contrast": contrast, "media": media})

    @server.tool(title="Close the browser", annotations=CHANGE)
    async def browser_close(context: Call) -> CallToolResult:
        """Close the conversation's tabs, and the browser where no other conversation uses it. What was entered is lost."""
        return await keeper.call("close", context)

    @server.tool(title="Install a browser", annotations=FETCH)
    async def browser_install(context: Call) -> CallToolResult:
        """Download a Chromium (about 180 MB) for this server. Only for when an answer says that no browser was found."""
        return await keeper.call("install", context)
