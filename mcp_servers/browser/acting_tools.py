"""The tools that act on a page: click, type, fill, select, keys, mouse and files."""

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from mcp_servers.arguments import argument
from mcp_servers.browser.hints import ACT, POINT
from mcp_servers.browser.keeper import Keeper

Call = Context[Any, Any]
Element = Annotated[str | None, argument("The element in words, for people.", examples=["the Search button"])]
Target = Annotated[
    str | None,
    argument("The element: its ref in the snapshot, such as e12, or a CSS selector. Always give this.", examples=["e12"]),
]
Ref = Annotated[str | None, argument("The same as target, by its older name.")]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


class FormField(BaseModel):
    """One field of a form; `target` (or `ref`, its older name) is its ref in the snapshot."""

    name: str = Field(description="The field's name, for people.")
    type: Literal["textbox", "checkbox", "radio", "combobox", "slider"] = Field(description="What kind of field it is.")
    value: str = Field(description="What to enter; true or false for a checkbox; an option's text for a combobox.")
    target: str = Field(default="", description="The field: its ref in the snapshot, such as e12, or a CSS selector.")
    ref: str = Field(default="", description="The same as target, by its older name.")
    element: str = Field(default="", description="The field in words, for people.")


def register(server: MCPServer, keeper: Keeper) -> None:
    """Add the tools."""
    _register_mouse(server, keeper)
    _register_keys(server, keeper)
    _register_forms(server, keeper)


def _register_mouse(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Click", annotations=ACT)
    async def browser_click(
        context: Call,
        element: Element = None,
        target: Target = None,
        ref: Ref = None,
        doubleClick: Annotated[bool, argument("Click twice.")] = False,
        button: Annotated[Literal["left", "right", "middle"], argument("Which button of the mouse.")] = "left",
        modifiers: Annotated[list[Modifier] | None, argument("Keys held down meanwhile.")] = None,
    ) -> CallToolResult:
        """Click an element. Example: {"element": "the Search button", "target": "e12"}."""
        asked = {"element": element, "target": target, "ref": ref, "doubleClick": doubleClick}
        return await keeper.call("click", context, {**asked, "button": button, "modifiers": modifiers})

    @server.tool(title="Point at an element", annotations=POINT)
    async def browser_hover(context: Call, element: Element = None, target: Target = None, ref: Ref = None) -> CallToolResult:
        """Move the mouse over an element, to open a menu or a hint."""
        return await keeper.call("hover", context, {"element": element, "target": target, "ref": ref})

    @server.tool(title="Drag and drop", annotations=ACT)
    async def browser_drag(
        context: Call,
        startElement: Element = None,
        startTarget: Annotated[
            str | None, argument("What to drag: its ref in the snapshot, such as e12. Always give this.")
        ] = None,
        startRef: Annotated[str | None, argument("The same as startTarget, by its older name.")] = None,
        endElement: Element = None,
        endTarget: Annotated[str | None, argument("Where to drop it: a ref in the snapshot. Always give this.")] = None,
        endRef: Annotated[str | None, argument("The same as endTarget, by its older name.")] = None,
    ) -> CallToolResult:
        """Drag one element onto another. Example: {"startTarget": "e12", "endTarget": "e20"}."""
        start = {"startElement": startElement, "startTarget": startTarget, "startRef": startRef}
        end = {"endElement": endElement, "endTarget": endTarget, "endRef": endRef}
        return await keeper.call("drag", context, {**start, **end})

    @server.tool(title="Drop files or data", annotations=ACT)
    async def browser_drop(
        context: Call,
        element: Element = None,
        target: Target = None,
        ref: Ref = None,
        paths: Annotated[list[str] | None, argument("Files to drop, inside allowed folders.")] = None,
        data: Annotated[dict[str, str] | None, argument('Data to drop, by its type: {"text/plain": "hello"}.')] = None,
    ) -> CallToolResult:
        """Drop files or data onto an element, as if dragged from outside of the page. Give paths or data.
        Example: {"target": "e12", "paths": ["photo.png"]}."""
        asked = {"element": element, "target": target, "ref": ref, "paths": paths, "data": data}
        return await keeper.call("drop", context, asked)


def _register_keys(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Type text", annotations=ACT)
    async def browser_type(
        text: Annotated[str, argument("The text; it takes the place of what is in the field.", max_length=100_000)],
        context: Call,
        element: Element = None,
        target: Target = None,
        ref: Ref = None,
        submit: Annotated[bool, argument("Press Enter afterwards.")] = False,
        slowly: Annotated[bool, argument("Key by key, for pages that listen to each.")] = False,
    ) -> CallToolResult:
        """Type a text into a field. Example: {"target": "e7", "text": "headphones", "submit": true}."""
        asked = {"text": text, "element": element, "target": target, "ref": ref, "submit": submit, "slowly": slowly}
        return await keeper.call("type", context, asked)

    @server.tool(title="Press a key", annotations=ACT)
    async def browser_press_key(
        key: Annotated[
            str, argument("The key's name or a character.", min_length=1, examples=["Enter", "ArrowLeft", "Control+A", "a"])
        ],
        context: Call,
    ) -> CallToolResult:
        """Press a key on the page."""
        return await keeper.call("press_key", context, {"key": key})


def _register_forms(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Fill in a form", annotations=ACT)
    async def browser_fill_form(
        fields: Annotated[
            list[FormField],
            argument(
                "The fields to fill in.",
                min_length=1,
                max_length=200,
                examples=[[{"name": "Town", "type": "textbox", "target": "e12", "value": "Madrid"}]],
            ),
        ],
        context: Call,
    ) -> CallToolResult:
        """Fill in several fields of a form at once."""
        return await keeper.call("fill_form", context, {"fields": [field.model_dump() for field in fields]})

    @server.tool(title="Select an option", annotations=ACT)
    async def browser_select_option(
        values: Annotated[list[str], argument("The options to select, by their text or value.", min_length=1)],
        context: Call,
        element: Element = None,
        target: Target = None,
        ref: Ref = None,
    ) -> CallToolResult:
        """Select options of a list. Example: {"target": "e9", "values": ["Express"]}."""
        asked = {"values": values, "element": element, "target": target, "ref": ref}
        return await keeper.call("select_option", context, asked)

    @server.tool(title="Upload files", annotations=ACT)
    async def browser_file_upload(
        context: Call,
        paths: Annotated[list[str] | None, argument("The files, inside allowed folders. None: choose no file.")] = None,
        target: Annotated[str | None, argument("The field for files, where the page does not ask by itself: its ref.")] = None,
        element: Element = None,
    ) -> CallToolResult:
        """Give files to a page that asks for them (click its choose button first), or put them into a field."""
        return await keeper.call("file_upload", context, {"paths": paths, "target": target, "element": element})
