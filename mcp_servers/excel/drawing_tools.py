"""The tools for charts, pictures, comments, rules and summaries."""

# ruff: noqa: A002 - range is what people call it

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import ADD, CHANGE_ONCE, READ
from mcp_servers.arguments import argument
from mcp_servers.excel.arguments import Path, Range, Sheet
from mcp_servers.excel.conditions import Condition
from mcp_servers.excel.desk import Call, Desk, answering

Source = Annotated[str | None, argument("The table with its headers: a range or a table's name. Left out: the whole sheet.")]
Groups = Annotated[list[str], argument("The headers to group by.", examples=[["Region", "Year"]])]
Measures = Annotated[
    dict[str, Literal["sum", "count", "average", "min", "max", "median", "distinct"]],
    argument("What to find out of which column.", examples=[{"Amount": "sum", "Client": "distinct"}]),
]
Across = Annotated[str | None, argument("A header whose values become columns, for the first of values.")]
Where = Annotated[dict[str, Any] | None, argument("Only rows with these values.", examples=[{"Year": 2026}])]


class Summary(BaseModel):
    """A row of headers, a row a group, a row of totals."""

    rows: list[list[Any]]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools."""
    _register_summaries(server, desk)
    _register_drawings(server, desk)
    _register_rules(server, desk)


def _register_summaries(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Sum up a table", annotations=READ)
    @answering
    async def summarize_table(
        path: Path,
        group_by: Groups,
        values: Measures,
        sheet: Sheet = None,
        range: Source = None,
        across: Across = None,
        where: Where = None,
    ) -> Annotated[CallToolResult, Summary]:
        """Sums, counts, averages by group, like a pivot table, without reading all rows into the conversation.

        Example: {"path": "sales.xlsx", "group_by": ["Region"], "values": {"Amount": "sum"}}.
        """
        options = {"group_by": group_by, "values": values, "across": across, "where": where}
        return await desk.read(path, "summarize_table", sheet=sheet, range=range, **options)

    @server.tool(title="Write a summary sheet", annotations=CHANGE_ONCE)
    @answering
    async def add_summary(
        ctx: Call,
        path: Path,
        group_by: Groups,
        values: Measures,
        sheet: Sheet = None,
        range: Source = None,
        across: Across = None,
        where: Where = None,
        to_sheet: Annotated[str, argument("The sheet to write to; it is emptied before.")] = "Summary",
    ) -> CallToolResult:
        """The same as summarize_table, written to a sheet of the workbook."""
        options = {"group_by": group_by, "values": values, "across": across, "where": where}
        return await desk.change(ctx, path, "add_summary", sheet=sheet, range=range, to_sheet=to_sheet, **options)


def _register_drawings(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Add a chart", annotations=ADD)
    @answering
    async def add_chart(
        ctx: Call,
        path: Path,
        range: Annotated[str, argument("Headers in its first row, categories in its first column.", examples=["A1:C13"])],
        kind: Annotated[
            Literal["column", "bar", "line", "area", "pie", "doughnut", "scatter"], argument("The chart's kind.")
        ] = "column",
        title: Annotated[str | None, argument("The chart's title.")] = None,
        sheet: Sheet = None,
        at: Annotated[str | None, argument("Its top left cell; left out: beside the data.", examples=["F2"])] = None,
        x_title: Annotated[str | None, argument("The title of the horizontal axis.")] = None,
        y_title: Annotated[str | None, argument("The title of the vertical axis.")] = None,
        stacked: Annotated[bool, argument("True: the series stand on each other.")] = False,
    ) -> CallToolResult:
        """Add a chart of a range. Example: {"path": "sales.xlsx", "range": "A1:B13", "kind": "line"}."""
        axes = {"x_title": x_title, "y_title": y_title, "stacked": stacked}
        return await desk.change(ctx, path, "add_chart", range=range, kind=kind, title=title, sheet=sheet, at=at, **axes)

    @server.tool(title="Add a picture", annotations=ADD)
    @answering
    async def add_image(
        ctx: Call,
        path: Path,
        image: Annotated[str, argument("The picture's file (PNG, JPEG, GIF) in an allowed folder.", examples=["logo.png"])],
        at: Annotated[str, argument("Its top left cell.", examples=["E2"])] = "A1",
        sheet: Sheet = None,
        width: Annotated[int | None, argument("In pixels; the height follows.", ge=1, le=4000)] = None,
    ) -> CallToolResult:
        """Put a picture on a sheet."""
        picture = await desk.picture(image)
        return await desk.change(ctx, path, "add_image", image=picture, at=at, sheet=sheet, width=width)

    @server.tool(title="Set a comment", annotations=CHANGE_ONCE)
    @answering
    async def set_comment(
        ctx: Call,
        path: Path,
        cell: Annotated[str, argument("The cell.", examples=["B2"])],
        text: Annotated[str | None, argument("The comment; left out: the one there is taken away.")] = None,
        sheet: Sheet = None,
        author: Annotated[str, argument("Whose comment it is.")] = "LeoChat",
    ) -> CallToolResult:
        """Put a comment at a cell, in place of the one that is there."""
        return await desk.change(ctx, path, "set_comment", cell=cell, text=text, sheet=sheet, author=author)


def _register_rules(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Add a conditional format", annotations=ADD)
    @answering
    async def add_conditional_format(
        ctx: Call,
        path: Path,
        range: Range,
        condition: Annotated[
            Condition,
            argument("When cells are marked; the last three show the size of numbers."),
        ],
        value: Annotated[Any, argument("The number or text to compare with; for formula, the formula.")] = None,
        value2: Annotated[Any, argument("The upper end, for between.")] = None,
        fill_color: Annotated[str, argument("A name or #RRGGBB.")] = "lightred",
        font_color: Annotated[str | None, argument("A name or #RRGGBB.")] = None,
        sheet: Sheet = None,
    ) -> CallToolResult:
        """Mark cells while a condition holds. Example: {"range": "B2:B99", "condition": "less", "value": 0}."""
        colours = {"fill_color": fill_color, "font_color": font_color}
        options = {"range": range, "condition": condition, "value": value, "value2": value2, "sheet": sheet}
        return await desk.change(ctx, path, "add_conditional_format", **options, **colours)

    @server.tool(title="Set what may be typed in", annotations=CHANGE_ONCE)
    @answering
    async def set_validation(
        ctx: Call,
        path: Path,
        range: Range,
        allow: Annotated[
            Literal["list", "whole", "decimal", "date", "text_length", "formula", "anything"],
            argument("What is allowed; anything takes the rule away."),
        ],
        choices: Annotated[list[str] | None, argument("For list.", examples=[["yes", "no"]])] = None,
        choices_range: Annotated[
            str | None, argument("For list, the cells with the choices.", examples=["Lists!A1:A9"])
        ] = None,
        minimum: Annotated[Any, argument("The least number, length or date (2026-01-31).")] = None,
        maximum: Annotated[Any, argument("The greatest number, length or date.")] = None,
        formula: Annotated[str | None, argument("For formula: true where the value is allowed.")] = None,
        message: Annotated[str | None, argument("What is said to who types something else.")] = None,
        sheet: Sheet = None,
    ) -> CallToolResult:
        """Say what may be typed into cells, such as a drop-down list of choices."""
        bounds = {"minimum": minimum, "maximum": maximum, "formula": formula, "message": message}
        options = {"range": range, "allow": allow, "choices": choices, "choices_range": choices_range, "sheet": sheet}
        return await desk.change(ctx, path, "set_validation", **options, **bounds)
