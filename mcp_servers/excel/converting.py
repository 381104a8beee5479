"""The values of any spreadsheet as a new .xlsx or .csv file."""

import io
from pathlib import PurePath
from typing import Any

from mcp_servers.excel.csv_text import written_csv
from mcp_servers.excel.kinds import TEXT_ENDINGS
from mcp_servers.excel.sources import Source
from mcp_servers.worker import WorkError


def converted(source: Source, *, target: str, sheet: str | None) -> tuple[str, bytes]:
    """Words and the new file's content; formats and formulas are not carried over, their results are."""
    ending = PurePath(target).suffix.lower()
    if ending in TEXT_ENDINGS:
        name = source.sheet_name(sheet)
        delimiter = "\t" if ending in (".tsv", ".tab") else ","
        data = written_csv(_rows(source, name), delimiter=delimiter)
        return f"Wrote the values of sheet {name!r} as {ending[1:].upper()} in UTF-8.", data
    if ending != ".xlsx":
        raise WorkError("The target is an .xlsx or .csv file; give its name that ending.")
    wanted = [source.sheet_name(sheet)] if sheet else [name for name, state in source.sheets if state != "chart"]
    return f"Wrote the values of {len(wanted)} sheet(s), without formats and formulas.", _workbook(source, wanted)


def _rows(source: Source, name: str) -> list[list[Any]]:
    grid = source.grid(name)
    above: list[list[Any]] = [[] for _ in range(grid.top - 1)]
    return above + [[None] * (grid.left - 1) + row for row in grid.rows]


def _workbook(source: Source, names: list[str]) -> bytes:
    from openpyxl import Workbook

    from mcp_servers.excel.book import cell_at, put

    workbook = Workbook()
    states = dict(source.sheets)
    for index, name in enumerate(names):
        made = workbook.worksheets[0] if index == 0 else workbook.create_sheet()
        made.title = name
        if states[name] != "visible" and any(states[other] == "visible" for other in names):
            made.sheet_state = "hidden"
        for row, values in enumerate(_rows(source, name), start=1):
            for column, value in enumerate(values, start=1):
                if value is None or value == "":
                    continue
                if isinstance(value, str):
                    put(cell_at(made, row, column), value, dates=False)
                else:
                    cell_at(made, row, column).value = value
    data = io.BytesIO()
    workbook.save(data)
    return data.getvalue()
