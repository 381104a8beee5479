"""What keeps a changed workbook whole: tables with proper headers, cells within reach of each other."""

from typing import Any, cast

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.areas import letters, parsed
from mcp_servers.excel.far_cells import MOST_AREA
from mcp_servers.worker import WorkError


def check_reach(workbook: Workbook) -> None:
    """WorkError where cells are so far apart that the file would be refused when it is read again."""
    for sheet in cast("list[Worksheet]", workbook.worksheets):
        spans = (sheet.max_row - sheet.min_row + 1) * (sheet.max_column - sheet.min_column + 1)
        if spans > MOST_AREA:
            raise WorkError(
                f"Nothing was written: with this, the cells of {sheet.title} would lie {spans:,} cells apart, as far as "
                f"{letters(sheet.max_column)}{sheet.max_row}; at most {MOST_AREA:,} are worked with. Choose a place nearer to "
                "the others, or another sheet."
            )


def mend_tables(workbook: Workbook) -> list[str]:
    """Notes on headers that were put right: Excel calls a file damaged whose tables have empty, equal or numeric ones."""
    notes: list[str] = []
    for sheet in cast("list[Any]", workbook.worksheets):
        for name, table in list(zip(sheet.tables.keys(), sheet.tables.values(), strict=True)):
            asked = parsed(table.ref)
            if asked is None or table.headerRowCount == 0:
                continue
            top, left, right = asked.area.top, asked.area.left, asked.area.right
            cells = [sheet.cell(top, column) for column in range(left, right + 1)]
            if all(cell.value is None for cell in cells):
                del sheet.tables[name]
                notes.append(f"The table {name} ({table.ref}) has no headers any more; its cells are plain ones now.")
                continue
            if changed := _mended(cells):
                notes.append(f"Headers of the table {name} must be there and differ; set: {', '.join(changed)}.")
            _name_columns(table, [str(cell.value) for cell in cells])
    return notes


def _name_columns(table: Any, names: list[str]) -> None:
    """The table's own list of its columns says what their headers say; openpyxl leaves it as it was read."""
    columns = cast("list[Any]", table.tableColumns)
    if len(columns) != len(names):
        table.tableColumns = columns = []  # made anew when the file is written
    for column, name in zip(columns, names, strict=False):
        column.name = name


def _mended(cells: list[Any]) -> list[str]:
    changed: list[str] = []
    taken: set[str] = set()
    for index, cell in enumerate(cells, start=1):
        said = "" if cell.value is None else str(cell.value).strip()
        base = name = said or f"Column{index}"
        count = 2
        while name.casefold() in taken:
            name, count = f"{base} ({count})", count + 1
        taken.add(name.casefold())
        if not isinstance(cell.value, str) or name != said or cell.data_type == "f":
            if name != said:
                changed.append(f"{cell.coordinate} {name}")
            cell.value = name
            cell.data_type = "s"
    return changed
