"""The tools that change sheets, rows and columns, places and looks."""

# ruff: noqa: A002 - range and filter are what people call them

from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult

from mcp_servers.answers import CHANGE, CHANGE_ONCE
from mcp_servers.arguments import argument
from mcp_servers.excel.arguments import Path, Range, Sheet
from mcp_servers.excel.desk import Call, Desk, answering

Colour = Annotated[str | None, argument("A name (red, lightyellow) or #RRGGBB.", examples=["#FFF2CC"])]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that shape a workbook."""
    _register_structure(server, desk)
    _register_looks(server, desk)


def _register_structure(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Change sheets", annotations=CHANGE)
    @answering
    async def change_sheets(
        ctx: Call,
        path: Path,
        action: Annotated[
            Literal["add", "rename", "delete", "copy", "move", "hide", "show"], argument("What to do with the sheet.")
        ],
        sheet: Annotated[str, argument("The sheet; for add, the new one's name.")],
        new_name: Annotated[str | None, argument("For rename and copy.")] = None,
        position: Annotated[int | None, argument("For add, copy and move; 1 is the first.", ge=1)] = None,
    ) -> CallToolResult:
        """Add, rename, delete, copy, move, hide or show a sheet. Formulas follow a new name."""
        options = {"action": action, "sheet": sheet, "new_name": new_name, "position": position}
        return await desk.change(ctx, path, "change_sheets", **options)

    @server.tool(title="Insert or delete rows or columns", annotations=CHANGE)
    @answering
    async def change_rows_columns(
        ctx: Call,
        path: Path,
        action: Annotated[Literal["insert", "delete"], argument("Put in empty ones, or take out those that are there.")],
        at: Annotated[str, argument("A row's number or a column's letter.", examples=["5", "C"])],
        what: Annotated[Literal["rows", "columns"], argument("Rows or columns.")] = "rows",
        count: Annotated[int, argument("How many.", ge=1, le=100_000)] = 1,
        sheet: Sheet = None,
    ) -> CallToolResult:
        """Insert before a row or column, or delete from it on. Formulas, merged cells and rules follow."""
        options = {"action": action, "what": what, "at": at, "count": count, "sheet": sheet}
        return await desk.change(ctx, path, "change_rows_columns", **options)

    @server.tool(title="Copy or move cells", annotations=CHANGE)
    @answering
    async def copy_range(
        ctx: Call,
        path: Path,
        range: Range,
        to: Annotated[str, argument("The first cell of the new place.", examples=["E1"])],
        sheet: Sheet = None,
        to_sheet: Annotated[str | None, argument("The sheet to copy to; left out: the same one.")] = None,
        move: Annotated[bool, argument("True: the old cells become empty.")] = False,
    ) -> CallToolResult:
        """Copy or move cells with their formats, over what is there. References in copied formulas follow."""
        options = {"range": range, "to": to, "sheet": sheet, "to_sheet": to_sheet, "move": move}
        return await desk.change(ctx, path, "copy_range", **options)


def _register_looks(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Format cells", annotations=CHANGE_ONCE)
    @answering
    async def format_range(
        ctx: Call,
        path: Path,
        range: Range,
        sheet: Sheet = None,
        bold: Annotated[bool | None, argument("Bold or not.")] = None,
        italic: Annotated[bool | None, argument("Italic or not.")] = None,
        underline: Annotated[bool | None, argument("Underlined or not.")] = None,
        font_size: Annotated[float | None, argument("In points.", ge=1, le=409)] = None,
        font_color: Colour = None,
        fill_color: Annotated[str | None, argument("A name, #RRGGBB, or none.", examples=["lightyellow"])] = None,
        number_format: Annotated[
            str | None,
            argument(
                "integer, number, percent, date, datetime, time, euro, dollar, text, general, or Excel's own code.",
                examples=["percent", "#,##0.00"],
            ),
        ] = None,
        align: Annotated[Literal["left", "center", "right"] | None, argument("Where the text stands.")] = None,
        wrap: Annotated[bool | None, argument("Break long texts into lines.")] = None,
        border: Annotated[Literal["all", "outline", "bottom", "none"] | None, argument("Which lines.")] = None,
        merge: Annotated[bool | None, argument("True: merge into one cell. False: unmerge.")] = None,
    ) -> CallToolResult:
        """Change how cells look: font, fill, number format, alignment, borders, merging. Give only what changes."""
        fonts = {"bold": bold, "italic": italic, "underline": underline, "font_size": font_size, "font_color": font_color}
        looks = {"fill_color": fill_color, "number_format": number_format, "align": align, "wrap": wrap}
        options = {**fonts, **looks, "border": border, "merge": merge}
        return await desk.change(ctx, path, "format_range", range=range, sheet=sheet, **options)

    @server.tool(title="Set the layout", annotations=CHANGE_ONCE)
    @answering
    async def set_layout(
        ctx: Call,
        path: Path,
        sheet: Sheet = None,
        column_widths: Annotated[dict[str, float] | None, argument("In characters.", examples=[{"A": 20, "B:D": 12}])] = None,
        row_heights: Annotated[dict[str, float] | None, argument("In points.", examples=[{"1": 30}])] = None,
        fit_columns_of: Annotated[str | None, argument("Make these columns fit their texts: all, or a range.")] = None,
        freeze: Annotated[str | None, argument("All above and left of this cell stays: A2 keeps the first row; none.")] = None,
        filter: Annotated[str | None, argument("The range with filter buttons, or none.", examples=["A1:D50"])] = None,
        hide: Annotated[list[str] | None, argument("Rows and columns to hide.", examples=[["C", "5:8"]])] = None,
        show: Annotated[list[str] | None, argument("Rows and columns to show again.")] = None,
    ) -> CallToolResult:
        """Set column widths, row heights, frozen rows and columns, filter buttons, hidden rows and columns."""
        sizes = {"column_widths": column_widths, "row_heights": row_heights, "fit_columns_of": fit_columns_of}
        options = {**sizes, "freeze": freeze, "filter": filter, "hide": hide, "show": show}
        return await desk.change(ctx, path, "set_layout", sheet=sheet, **options)
