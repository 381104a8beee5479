"""The tools that look at a page: snapshot, find, pictures, PDF, console, network, and scripts of the model's own."""

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import ADD, READ
from mcp_servers.arguments import argument
from mcp_servers.browser.hints import ACT
from mcp_servers.browser.keeper import Keeper

Call = Context[Any, Any]
Element = Annotated[str | None, argument("The element in words, for people.", examples=["the Search button"])]
Part = Annotated[str | None, argument("Only this element: its ref in the snapshot, such as e12, or a CSS selector.")]
Ref = Annotated[str | None, argument("The same as target, by its older name.")]


class MessageShape(BaseModel):
    """One message of the console; `kind` is the browser's word for it."""

    level: str
    kind: str
    text: str


class Messages(BaseModel):
    """The newest messages, at most 200."""

    messages: list[MessageShape]


class RequestShape(BaseModel):
    """One request; no status: no answer yet, or `failure` says why there is none."""

    index: int
    method: str
    url: str
    status: int | None
    failure: str | None


class Requests(BaseModel):
    """The newest requests, at most 200."""

    requests: list[RequestShape]


def register(server: MCPServer, keeper: Keeper) -> None:
    """Add the tools."""
    _register_snapshot(server, keeper)
    _register_pictures(server, keeper)
    _register_saving(server, keeper)
    _register_logs(server, keeper)
    _register_evaluate(server, keeper)


def _register_snapshot(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Read the page", annotations=READ)
    async def browser_snapshot(
        context: Call,
        target: Part = None,
        ref: Ref = None,
        depth: Annotated[int | None, argument("How many levels of the tree to show.", ge=1, le=100)] = None,
        boxes: Annotated[bool, argument("Show where each element is, as [box=x,y,width,height] in pixels.")] = False,
        start_index: Annotated[int, argument("Read on from this character, after an answer that was cut.", ge=0)] = 0,
    ) -> CallToolResult:
        """Show the current page as an accessibility tree with a ref for each element: better than a picture to act on."""
        asked = {"target": target, "ref": ref, "depth": depth, "boxes": boxes, "start_index": start_index}
        return await keeper.call("snapshot", context, asked)

    @server.tool(title="Find on the page", annotations=READ)
    async def browser_find(
        context: Call,
        text: Annotated[str | None, argument("The text to look for, in small or capital letters.")] = None,
        regex: Annotated[str | None, argument("Instead of text: a regular expression, such as /error \\d+/i.")] = None,
        maxResults: Annotated[int | None, argument("The most places to show.", ge=1, le=200)] = None,
    ) -> CallToolResult:
        """Show where on the page a text is, with the refs around it: cheaper than a snapshot. Example: {"text": "price"}."""
        return await keeper.call("find", context, {"text": text, "regex": regex, "maxResults": maxResults})


def _register_pictures(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Take a picture of the page", annotations=READ)
    async def browser_take_screenshot(
        context: Call,
        type: Annotated[Literal["png", "jpeg", "webp"] | None, argument("The picture's format; png if not given.")] = None,
        filename: Annotated[str | None, argument("What to call the picture; it is shown, not saved.")] = None,
        element: Element = None,
        target: Part = None,
        ref: Ref = None,
        fullPage: Annotated[bool, argument("The whole page, not only what is in view.")] = False,
        scale: Annotated[Literal["css", "device"], argument("device: as sharp as the screen, and larger.")] = "css",
    ) -> CallToolResult:
        """Show the user, and yourself, a picture of the page. To act on the page use browser_snapshot; to keep the picture as a
        file use browser_save_screenshot."""
        asked = {"type": type, "filename": filename, "element": element, "target": target, "ref": ref}
        return await keeper.call("take_screenshot", context, {**asked, "fullPage": fullPage, "scale": scale})


def _register_saving(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Save a picture of the page", annotations=ADD)
    async def browser_save_screenshot(
        filename: Annotated[str, argument("The new file in an allowed folder.", min_length=1, examples=["shop.png"])],
        context: Call,
        element: Element = None,
        target: Part = None,
        fullPage: Annotated[bool, argument("The whole page, not only what is in view.")] = False,
    ) -> CallToolResult:
        """Save a picture of the page as a new file, .png or .jpg; a file that is there is never replaced."""
        asked = {"filename": filename, "element": element, "target": target, "fullPage": fullPage}
        return await keeper.call("save_screenshot", context, asked)

    @server.tool(title="Save the page as PDF", annotations=ADD)
    async def browser_pdf_save(
        context: Call,
        filename: Annotated[str | None, argument("The new file in an allowed folder.", examples=["order.pdf"])] = None,
    ) -> CallToolResult:
        """Save the page as a PDF in an allowed folder; a file that is there is never replaced."""
        return await keeper.call("pdf_save", context, {"filename": filename})


def _register_logs(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Read the console", annotations=READ)
    async def browser_console_messages(
        context: Call,
        level: Annotated[Literal["error", "warning", "info", "debug"], argument("How severe at least.")] = "info",
        all: Annotated[bool, argument("Also those of the pages before in this tab.")] = False,
        onlyErrors: Annotated[bool, argument("The older way to say level error.")] = False,
    ) -> Annotated[CallToolResult, Messages]:
        """Show what the page's scripts said in the console since it was opened, errors included."""
        return await keeper.call("console_messages", context, {"level": level, "all": all, "onlyErrors": onlyErrors})

    @server.tool(title="List network requests", annotations=READ)
    async def browser_network_requests(
        context: Call,
        static: Annotated[bool, argument("Also pictures, fonts, scripts and styles that came.")] = False,
        filter: Annotated[str | None, argument("Only addresses that fit this regular expression.")] = None,
        all: Annotated[bool, argument("Also those of the pages before in this tab.")] = False,
    ) -> Annotated[CallToolResult, Requests]:
        """List what the page asked of the network since it was opened, each with a number for browser_network_request."""
        return await keeper.call("network_requests", context, {"static": static, "filter": filter, "all": all})

    @server.tool(title="Show a network request", annotations=READ)
    async def browser_network_request(
        index: Annotated[int, argument("The number that browser_network_requests gave it.", ge=1)],
        context: Call,
        part: Annotated[
            Literal["request-headers", "request-body", "response-headers", "response-body"] | None,
            argument("Only this part; all of it if not given."),
        ] = None,
    ) -> CallToolResult:
        """Show one request with its headers and bodies."""
        return await keeper.call("network_request", context, {"index": index, "part": part})


def _register_evaluate(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Run JavaScript", annotations=ACT)
    async def browser_evaluate(
        function: Annotated[
            str,
            argument(
                "The function: () => … or, with an element, (element) => …",
                min_length=1,
                examples=["() => document.title", "(element) => element.textContent"],
            ),
        ],
        context: Call,
        element: Element = None,
        target: Annotated[str | None, argument("The element it gets: its ref in the snapshot, or a CSS selector.")] = None,
        ref: Ref = None,
    ) -> CallToolResult:
        """Run a function of JavaScript in the page and show what it returns, as JSON."""
        asked = {"function": function, "element": element, "target": target, "ref": ref}
        return await keeper.call("evaluate", context, asked)
