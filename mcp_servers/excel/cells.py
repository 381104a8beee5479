"""Edits of values: cells, rows, records as a table, clearing, find and replace."""

# ruff: noqa: A002 - the argument names are the tools'

import re
from typing import Any, Literal, cast

from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.areas import Area, cell_of
from mcp_servers.excel.book import Book, Done, cell_at, put, put_rows, used_area
from mcp_servers.excel.numerals import Numerals, with_numbers
from mcp_servers.excel.parts import cell_name
from mcp_servers.excel.summaries import summary
from mcp_servers.excel.values import shown
from mcp_servers.worker import WorkError

WIDEST = 60
"""Characters of a column that is made to fit."""

PORTRAIT_COLUMNS = 6
"""More columns than these are printed on wide pages."""

SAMPLED = 500
"""Rows that are looked at to find a column's width."""


def write_cells(
    book: Book,
    *,
    rows: list[list[Any]],
    sheet: str | None,
    start_cell: str,
    formulas: bool,
    dates: bool,
    numbers: bool = True,
) -> Done:
    """Write a block of values from `start_cell` on."""
    if not any(rows):
        raise WorkError('There is nothing to write. Give rows like [["Name", "Age"], ["Ann", 31]].')
    found, area = book.place(sheet, start_cell, make=True)
    ready = with_numbers(rows, headers=True) if numbers and book.kind != "csv" else Numerals(rows, {})
    notes = _overwritten(found, area, ready.rows)
    filled = put_rows(found, area.top, area.left, ready.rows, formulas=formulas, dates=dates)
    _keep_decimals(found, filled, ready)
    return Done(f"Wrote {len(rows)} row(s) to {found.title}!{filled}.", found, filled, notes)


def _overwritten(sheet: Worksheet, start: Area, rows: list[list[Any]]) -> list[str]:
    """A note where other values stood: a model that writes twice to one place is to notice it."""
    told = {(start.top + down, start.left + right): value for down, row in enumerate(rows) for right, value in enumerate(row)}
    cells = [(sheet.cell(*at).value, new) for at, new in told.items() if at in sheet._cells]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    count = sum(old not in (None, "") and shown(old) != new for old, new in cells)
    return [f"{count} cell(s) there held something else before; undo_changes brings it back."] if count else []


def set_cells(book: Book, *, cells: dict[str, Any], sheet: str | None, formulas: bool, dates: bool) -> Done:
    """Write single cells, wherever they are."""
    if not cells:
        raise WorkError('There is nothing to write. Give cells like {"A1": "Total", "B1": 42}.')
    areas: list[Area] = []
    found = book.sheet(sheet, make=True)
    for text, value in cells.items():
        found, area = book.place(sheet, text, make=True)
        if area.size > 1:
            raise WorkError(f"{text} is more than one cell. Use write_cells for a block of values.")
        put(cell_at(found, area.top, area.left), value, formulas=formulas, dates=dates)
        areas.append(area)
    around = Area(
        min(a.top for a in areas), min(a.left for a in areas), max(a.bottom for a in areas), max(a.right for a in areas)
    )
    return Done(f"Wrote {len(cells)} cell(s) in {found.title}.", found, around)


def append_rows(book: Book, *, rows: list[Any], sheet: str | None, formulas: bool, dates: bool, numbers: bool = True) -> Done:
    """Write rows below the last one; objects go under the headers of the first row."""
    found = book.sheet(sheet, make=True)
    used = used_area(found)
    top = used.bottom + 1 if used else 1
    ready = [_in_order(cast("dict[str, Any]", row), found, used) if isinstance(row, dict) else _as_list(row) for row in rows]
    if not ready:
        raise WorkError('There is nothing to append. Give rows like [["Ann", 31]].')
    told = with_numbers(ready, texts=_text_columns(found, used)) if numbers and book.kind != "csv" else Numerals(ready, {})
    filled = put_rows(found, top, 1, told.rows, formulas=formulas, dates=dates)
    _keep_decimals(found, filled, told)
    _grow_tables(found, filled)
    return Done(f"Appended {len(ready)} row(s) at {found.title}!{filled}.", found, filled)


def _text_columns(sheet: Worksheet, used: Area | None) -> frozenset[int]:
    """Columns whose last value is a text that reads like a number: codes, which go on as such."""
    if used is None or used.bottom < 2:
        return frozenset()
    last = [sheet.cell(used.bottom, column).value for column in range(1, used.right + 1)]
    return frozenset(index for index, value in enumerate(last) if isinstance(value, str) and value.strip().isdecimal())


def _keep_decimals(sheet: Worksheet, filled: Area, ready: Numerals) -> None:
    for column, places in ready.formats.items():
        for row in range(filled.top, filled.bottom + 1):
            cell = sheet.cell(row, filled.left + column)
            if isinstance(cell.value, float) and cell.number_format == "General":
                cell.number_format = places


def _as_list(row: Any) -> list[Any]:
    if not isinstance(row, list):
        raise WorkError('Each row is a list of values, or an object with the headers as its keys, such as {"Name": "Ann"}.')
    return list(cast("list[Any]", row))


def _in_order(row: dict[str, Any], sheet: Worksheet, used: Area | None) -> list[Any]:
    if used is None:
        raise WorkError("The sheet is empty and has no headers. Use write_table to write records with their headers.")
    headers = [str(sheet.cell(1, column).value or "").strip() for column in range(1, used.right + 1)]
    known = {header.casefold(): index for index, header in enumerate(headers) if header}
    values: list[Any] = [None] * len(headers)
    for key, value in row.items():
        if key.strip().casefold() not in known:
            raise WorkError(f"There is no header {key!r} in the first row. The headers: {', '.join(filter(None, headers))}.")
        values[known[key.strip().casefold()]] = value
    return values


def _grow_tables(sheet: Worksheet, filled: Area) -> None:
    """A table that ends right above new rows takes them in, as it does in Excel."""
    for table in sheet.tables.values():
        top, left, bottom, right = _corners(table.ref)
        if bottom == filled.top - 1 and left == filled.left and right >= filled.right and not table.totalsRowCount:
            table.ref = str(Area(top, left, filled.bottom, right))
            if table.autoFilter is not None:
                table.autoFilter.ref = table.ref


def _corners(ref: str) -> tuple[int, int, int, int]:
    first, _, last = ref.partition(":")
    return (*cell_of(first), *cell_of(last or first))


def write_table(
    book: Book,
    *,
    records: list[Any],
    columns: list[str] | None,
    sheet: str | None,
    start_cell: str,
    table_name: str | None,
    formulas: bool,
    dates: bool,
    numbers: bool = True,
) -> Done:
    """Records with their headers, as a table with filters, a fixed header row and fitting columns."""
    headers, rows = _records(records, columns)
    found, area = book.place(sheet, start_cell, make=True)
    new = used_area(found) is None
    ready = with_numbers(rows) if numbers and book.kind != "csv" else Numerals(rows, {})
    _check_room(found, area, headers, len(rows))
    notes = _overwritten(found, area, [list(headers), *ready.rows])
    whole = put_rows(found, area.top, area.left, [list(headers), *rows], formulas=False, dates=False)
    _keep_decimals(found, put_rows(found, area.top + 1, area.left, ready.rows, formulas=formulas, dates=dates), ready)
    if book.kind != "csv":
        if new:
            _fit_to_page(found, whole)
        _dress(book, found, whole, table_name)
    return Done(f"Wrote a table of {len(rows)} record(s) to {found.title}!{whole}.", found, whole, notes)


def _check_room(sheet: Worksheet, start: Area, headers: list[str], count: int) -> None:
    """A table is written over one with the same headers, never over something else."""
    area = Area(start.top, start.left, start.top + count, start.left + len(headers) - 1)
    held = [
        cell for row in sheet.iter_rows(area.top, area.bottom, area.left, area.right) for cell in row if cell.value is not None
    ]
    same = [str(sheet.cell(area.top, area.left + index).value or "").strip() == name for index, name in enumerate(headers)]
    if held and not all(same):
        used = used_area(sheet) or area
        raise WorkError(
            f"{sheet.title}!{area} holds other cells already ({held[0].coordinate}: {str(held[0].value)[:40]!r}); nothing was "
            f"written. Give another sheet, or start_cell below them such as A{used.bottom + 2}; or empty them with clear_range."
        )


def add_summary(book: Book, *, to_sheet: str, **options: Any) -> Done:
    """The summary of a table on a sheet of its own, in place of what an earlier one left there."""
    if book.source is None:
        raise WorkError("The workbook is empty; there is nothing to sum up.")
    rows = summary(book.source, **options)
    found = book.sheet(to_sheet, make=True)
    if found.title.casefold() == book.source.asked(options["sheet"], options["range"])[0].casefold():
        raise WorkError("Choose another sheet for the summary than the one it is of.")
    found.delete_rows(1, found.max_row)
    whole = put_rows(found, 1, 1, rows, formulas=False, dates=False)
    for row in (whole.top, whole.bottom):
        for column in range(1, whole.right + 1):
            found.cell(row, column).font = Font(bold=True)
    fit_columns(found, whole)
    found.freeze_panes = "A2"
    return Done(f"Wrote a summary of {len(rows) - 2} group(s) to {found.title}!{whole}.", found, whole)


def _records(records: list[Any], columns: list[str] | None) -> tuple[list[str], list[list[Any]]]:
    objects = [cast("dict[str, Any]", record) for record in records if isinstance(record, dict)]
    if len(objects) == len(records) and objects:
        headers = columns or list(dict.fromkeys(str(key) for record in objects for key in record))
        return _distinct(headers), [[record.get(header) for header in headers] for record in objects]
    lists = [list(cast("list[Any]", record)) for record in records if isinstance(record, list)]
    if len(lists) != len(records) or not lists:
        raise WorkError('records are objects such as {"Name": "Ann", "Age": 31}, all with the same keys.')
    if columns is None:
        columns, lists = [str(value) for value in lists[0]], lists[1:]
    return _distinct(columns), lists


def _distinct(headers: list[str]) -> list[str]:
    """A table's headers must differ and not be empty."""
    made: list[str] = []
    for index, header in enumerate(headers, start=1):
        name, count = header.strip() or f"Column{index}", 2
        while name.casefold() in (other.casefold() for other in made):
            name, count = f"{header.strip()} ({count})", count + 1
        made.append(name)
    return made


def _dress(book: Book, sheet: Worksheet, area: Area, table_name: str | None) -> None:
    for column in range(area.left, area.right + 1):
        sheet.cell(area.top, column).font = Font(bold=True)
        sheet.cell(area.top, column).fill = PatternFill("solid", start_color="DDE7F3")
    fit_columns(sheet, area)
    if area.top == 1 and sheet.freeze_panes is None:
        sheet.freeze_panes = cell_name(area.top + 1, 1)
    overlapping = any(Area(*_corners(table.ref)).within(area) for table in sheet.tables.values())
    if area.height > 1 and not overlapping:
        table = Table(displayName=_table_name(book, table_name or sheet.title), ref=str(area))
        table.tableStyleInfo = TableStyleInfo(name="TableStyleLight9", showRowStripes=True)
        sheet.add_table(table)


def _fit_to_page(sheet: Worksheet, area: Area) -> None:
    """All columns on one page when it is printed, and the headers on each; long tables go on over pages."""
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    if area.width > PORTRAIT_COLUMNS:
        sheet.page_setup.orientation = "landscape"
    sheet.print_title_rows = f"{area.top}:{area.top}"


def _table_name(book: Book, wanted: str) -> str:
    base = re.sub(r"\W", "_", wanted)[:200] or "Table"
    if not re.match(r"[^\W\d]|_", base) or re.match(r"([A-Za-z]{1,3}\d+|[RCrc])$", base):
        base = f"T_{base}"
    taken = {name.casefold() for sheet in book.workbook.worksheets for name in sheet.tables}
    taken |= {name.casefold() for name in book.workbook.defined_names}
    name, count = base, 2
    while name.casefold() in taken:
        name, count = f"{base}_{count}", count + 1
    return name


def fit_columns(sheet: Worksheet, area: Area) -> None:
    """Columns as wide as their longest text, within reason."""
    for column in range(area.left, area.right + 1):
        longest = 0
        for row in range(area.top, min(area.bottom, area.top + SAMPLED) + 1):
            value = sheet.cell(row, column).value
            lines = str(value).splitlines() if value is not None else []
            longest = max([longest, *(sum(2 if ord(letter) > 0x2E80 else 1 for letter in line) for line in lines)])
        letter = get_column_letter(column)
        sheet.column_dimensions[letter].width = min(WIDEST, max(8.43, longest * 1.1 + 3))


def clear_range(book: Book, *, range: str, sheet: str | None, what: Literal["values", "formats", "all"]) -> Done:
    """Empty cells, without moving others."""
    found, area = book.place(sheet, range)
    for row in found.iter_rows(area.top, min(area.bottom, found.max_row), area.left, min(area.right, found.max_column)):
        for cell in row:
            if what != "formats" and hasattr(cell, "data_type") and cell.value is not None:
                cell.value = None
            if what != "values":
                cell.style = "Normal"
    return Done(f"Cleared {what} of {found.title}!{area}.", found, area)


def replace_text(
    book: Book, *, find: str, replace: str, sheet: str | None, whole_cell: bool, match_case: bool, in_formulas: bool
) -> Done:
    """Replace a text in all texts of one sheet or of the workbook; numbers and dates stay as they are."""
    if not find:
        raise WorkError("The text to find is empty.")
    pattern = re.compile(re.escape(find), 0 if match_case else re.IGNORECASE)
    sheets = [book.sheet(sheet)] if sheet else book.workbook.worksheets
    changed = 0
    first: tuple[Any, Area] | None = None
    for each in sheets:
        for row in cast("Any", each).iter_rows():
            for cell in row:
                if _replaced(cell, pattern, replace, whole_cell, in_formulas):
                    changed += 1
                    first = first or (each, Area(cell.row, cell.column, cell.row, cell.column))
    if not first:
        raise WorkError(f"{find!r} was not found in any text, so nothing was changed.")
    return Done(f"Replaced {find!r} with {replace!r} in {changed} cell(s).", *first)


def _replaced(cell: Any, pattern: re.Pattern[str], replace: str, whole_cell: bool, in_formulas: bool) -> bool:
    value = cell.value
    if isinstance(value, CellRichText):
        return _replaced_in_rich(value, pattern, replace, whole_cell)
    if not isinstance(value, str) or (cell.data_type == "f" and not in_formulas):
        return False
    if not (pattern.fullmatch(value) if whole_cell else pattern.search(value)):
        return False
    made = pattern.sub(lambda _: replace, value)
    put(cell, made, formulas=cell.data_type == "f", dates=False)
    return True


def _replaced_in_rich(value: CellRichText, pattern: re.Pattern[str], replace: str, whole_cell: bool) -> bool:
    """In a text with several fonts each stretch keeps its own; a match across two of them is not touched."""
    if whole_cell and not pattern.fullmatch(str(value)):
        return False
    count = 0
    parts = cast("list[TextBlock | str]", value)
    for index, part in enumerate(parts):
        text = part.text if isinstance(part, TextBlock) else part
        made, times = pattern.subn(lambda _: replace, str(text or ""))
        count += times
        if times and isinstance(part, TextBlock):
            part.text = made
        elif times:
            parts[index] = made
    return count > 0
