"""The tools that write values and files."""

# ruff: noqa: A002 - range is what people call it

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from mcp_servers.answers import ADD, CHANGE, CHANGE_ONCE
from mcp_servers.arguments import argument
from mcp_servers.excel.arguments import Dates, Formulas, Numbers, Path, Range, Sheet
from mcp_servers.excel.desk import Call, Desk, answering

NewSheet = Annotated[str | None, argument("The sheet's name; it is made if it is not there. Left out: the first one.")]
Start = Annotated[str, argument("The first cell.", examples=["A1"])]
Rows = Annotated[
    list[list[Any]],
    Field(
        description="Rows of values: texts, numbers, true, false, null.",
        min_length=1,
        examples=[[["Name", "Age"], ["Ann", 31]]],
        json_schema_extra={"items": {"type": "array", "items": {}}},
    ),
]
Records = Annotated[
    list[Any],
    Field(
        description="One object a row; its keys are the headers.",
        min_length=1,
        examples=[[{"Name": "Ann", "Age": 31}, {"Name": "Bo", "Age": 40}]],
        json_schema_extra={"items": {"type": "object"}},
    ),
]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that write."""
    _register_values(server, desk)
    _register_tables(server, desk)
    _register_files(server, desk)


def _register_values(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Write cells", annotations=CHANGE_ONCE)
    @answering
    async def write_cells(
        ctx: Call,
        path: Path,
        rows: Rows,
        sheet: NewSheet = None,
        start_cell: Start = "A1",
        formulas: Formulas = False,
        dates: Dates = True,
        numbers: Numbers = True,
    ) -> CallToolResult:
        """Write a block of values. The file and the sheet are made if they are not there."""
        options = {
            "rows": rows,
            "sheet": sheet,
            "start_cell": start_cell,
            "formulas": formulas,
            "dates": dates,
            "numbers": numbers,
        }
        return await desk.change(ctx, path, "write_cells", **options)

    @server.tool(title="Set single cells", annotations=CHANGE_ONCE)
    @answering
    async def set_cells(
        ctx: Call,
        path: Path,
        cells: Annotated[
            dict[str, Any],
            argument("The value for each cell.", examples=[{"A1": "Total", "B1": "=SUM(B2:B9)"}]),
        ],
        sheet: NewSheet = None,
        formulas: Formulas = False,
        dates: Dates = True,
    ) -> CallToolResult:
        """Write some cells here and there. Example: {"path": "a.xlsx", "cells": {"B2": 5}}."""
        options = {"cells": cells, "sheet": sheet, "formulas": formulas, "dates": dates}
        return await desk.change(ctx, path, "set_cells", **options)

    @server.tool(title="Clear cells", annotations=CHANGE_ONCE)
    @answering
    async def clear_range(
        ctx: Call,
        path: Path,
        range: Range,
        sheet: Sheet = None,
        what: Annotated[Literal["values", "formats", "all"], argument("What to take away.")] = "values",
    ) -> CallToolResult:
        """Empty cells without moving others."""
        return await desk.change(ctx, path, "clear_range", range=range, sheet=sheet, what=what)

    @server.tool(title="Find and replace", annotations=CHANGE)
    @answering
    async def replace_text(
        ctx: Call,
        path: Path,
        find: Annotated[str, argument("The text to find.", min_length=1)],
        replace: Annotated[str, argument("The text to put in its place; may be empty.")],
        sheet: Annotated[str | None, argument("Only in this sheet; left out: in all.")] = None,
        whole_cell: Annotated[bool, argument("True: only cells that hold just this text.")] = False,
        match_case: Annotated[bool, argument("True: upper and lower case differ.")] = False,
        in_formulas: Annotated[bool, argument("True: inside formulas too.")] = False,
    ) -> CallToolResult:
        """Replace a text in all cells with text. Numbers and dates stay as they are."""
        options = {"whole_cell": whole_cell, "match_case": match_case, "in_formulas": in_formulas}
        return await desk.change(ctx, path, "replace_text", find=find, replace=replace, sheet=sheet, **options)


def _register_tables(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Write a table", annotations=CHANGE_ONCE)
    @answering
    async def write_table(
        ctx: Call,
        path: Path,
        records: Records,
        sheet: NewSheet = None,
        columns: Annotated[list[str] | None, argument("The headers in order; left out: the objects' keys.")] = None,
        start_cell: Start = "A1",
        table_name: Annotated[str | None, argument("The table's name, one word.", examples=["Sales"])] = None,
        formulas: Formulas = False,
        dates: Dates = True,
        numbers: Numbers = True,
    ) -> CallToolResult:
        """Write records as a table with headers, filters and fitting columns; makes the file and sheet if needed.

        Best for new data: {"path": "people.xlsx", "sheet": "People", "records": [{"Name": "Ann", "Age": 31}]}.
        """
        options = {"columns": columns, "table_name": table_name, "formulas": formulas, "dates": dates, "numbers": numbers}
        places = {"sheet": sheet, "start_cell": start_cell}
        return await desk.change(ctx, path, "write_table", records=records, **places, **options)

    @server.tool(title="Append rows", annotations=ADD)
    @answering
    async def append_rows(
        ctx: Call,
        path: Path,
        rows: Annotated[
            list[Any],
            Field(
                description="Lists of values, or objects whose keys are the headers in the first row.",
                min_length=1,
                examples=[[["Ann", 31]], [{"Name": "Ann", "Age": 31}]],
                json_schema_extra={"items": {}},
            ),
        ],
        sheet: NewSheet = None,
        formulas: Formulas = False,
        dates: Dates = True,
        numbers: Numbers = True,
    ) -> CallToolResult:
        """Write rows below the last one. Nothing that is there is overwritten."""
        options = {"rows": rows, "sheet": sheet, "formulas": formulas, "dates": dates, "numbers": numbers}
        return await desk.change(ctx, path, "append_rows", **options)


def _register_files(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Make a workbook", annotations=ADD)
    @answering
    async def create_workbook(
        ctx: Call,
        path: Path,
        sheets: Annotated[list[str] | None, argument("The names of its sheets.", examples=[["2025", "2026"]])] = None,
    ) -> CallToolResult:
        """Make an empty workbook. To make one with data in it call write_table or write_cells instead."""
        return await desk.change(ctx, path, "create_workbook", sheets=sheets)

    @server.tool(title="Convert a workbook", annotations=ADD)
    @answering
    async def convert_workbook(
        ctx: Call,
        path: Path,
        target: Annotated[str, argument("The new file, ending in .xlsx or .csv.", examples=["old.xlsx"])],
        sheet: Annotated[str | None, argument("Only this sheet; left out: all (.xlsx) or the first (.csv).")] = None,
    ) -> CallToolResult:
        """Make a new .xlsx or .csv file with the values of an .xls, .ods, .xlsb, .xlsx or .csv file."""
        return await desk.convert(ctx, path, target, sheet)

    @server.tool(title="Undo changes", annotations=CHANGE_ONCE)
    @answering
    async def undo_changes(
        ctx: Call,
        change: Annotated[str | None, argument("The change's id, as a write told it; left out: the latest here.")] = None,
    ) -> CallToolResult:
        """Bring back every file a task has changed as it was before that task. Files it made are removed."""
        return await desk.undo(ctx, change)
