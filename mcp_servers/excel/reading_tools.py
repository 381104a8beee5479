"""The tools that read."""

# ruff: noqa: A002 - range is what people call it

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import READ
from mcp_servers.arguments import argument
from mcp_servers.excel.arguments import Path, Sheet
from mcp_servers.excel.desk import Desk, answering


class Workbook(BaseModel):
    """What is in a workbook; `state` of a sheet is visible, hidden, veryHidden or chart."""

    file: str
    kind: str
    sheets: list[dict[str, Any]]
    tables: list[dict[str, Any]]
    names: dict[str, str]
    encoding: str | None = None
    delimiter: str | None = None
    decimal_comma: bool | None = None


class Page(BaseModel):
    """Values by row (dates in ISO 8601, null where empty or not calculated), formulas by cell."""

    sheet: str
    range: str
    whole_range: str
    values: list[list[Any]]
    formulas: dict[str, str]
    not_calculated: list[str]
    merged: list[str]
    next_start_row: int | None


class Found(BaseModel):
    """The cells that hold a text; `cut` says that there may be more."""

    found: list[dict[str, Any]]
    cut: bool


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that change nothing."""

    @server.tool(title="Describe a workbook", annotations=READ)
    @answering
    async def describe_workbook(path: Path) -> Annotated[CallToolResult, Workbook]:
        """List the sheets of a spreadsheet with their size and first row, hidden sheets, tables and names."""
        return await desk.read(path, "describe_workbook")

    @server.tool(title="Describe a sheet", annotations=READ)
    @answering
    async def describe_sheet(path: Path, sheet: Sheet = None) -> CallToolResult:
        """List what an .xlsx sheet has beside values: comments, drop-downs, conditional formats, hidden rows, charts."""
        return await desk.read(path, "describe_sheet", sheet=sheet)

    @server.tool(title="Read a sheet", annotations=READ)
    @answering
    async def read_sheet(
        path: Path,
        sheet: Sheet = None,
        range: Annotated[
            str | None,
            argument("Only these cells: A1:C10, A:C, a table's name. Left out: all.", examples=["A1:C10"]),
        ] = None,
        start_row: Annotated[int | None, argument("The row to begin with, to read on in a large sheet.", ge=1)] = None,
        rows: Annotated[int, argument("How many rows at most.", ge=1, le=1000)] = 100,
        formulas: Annotated[bool, argument("True: show the formulas in place of their results.")] = False,
    ) -> Annotated[CallToolResult, Page]:
        """Read cells of .xlsx, .xls, .ods or .csv, a page at a time. Example: {"path": "sales.xlsx", "rows": 20}."""
        options = {"sheet": sheet, "range": range, "start_row": start_row, "rows": rows, "formulas": formulas}
        return await desk.read(path, "read_sheet", **options)

    @server.tool(title="Find cells", annotations=READ)
    @answering
    async def find_cells(
        path: Path,
        text: Annotated[str, argument("The text or number to look for, as it is shown.", min_length=1)],
        sheet: Annotated[str | None, argument("Only in this sheet; left out: in all.")] = None,
        whole_cell: Annotated[bool, argument("True: the cell must hold just this text.")] = False,
        match_case: Annotated[bool, argument("True: upper and lower case differ.")] = False,
        most: Annotated[int, argument("How many cells at most.", ge=1, le=2000)] = 100,
    ) -> Annotated[CallToolResult, Found]:
        """Find the cells whose value holds a text, in all sheets."""
        options = {"text": text, "sheet": sheet, "whole_cell": whole_cell, "match_case": match_case, "most": most}
        return await desk.read(path, "find_cells", **options)
