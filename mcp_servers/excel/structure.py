"""Edits that move cells: rows and columns put in and taken out, ranges copied and moved."""

# ruff: noqa: A002 - the argument names are the tools'

from copy import copy
from typing import Any, Literal, cast

from openpyxl.cell.cell import MergedCell
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.areas import COLUMNS, ROWS, Area, letters, number, parsed
from mcp_servers.excel.book import Book, Done, cell_at
from mcp_servers.excel.parts import cell_name
from mcp_servers.excel.shifting import Shift, carried
from mcp_servers.worker import WorkError


def change_rows_columns(
    book: Book, *, action: Literal["insert", "delete"], what: Literal["rows", "columns"], at: str, count: int, sheet: str | None
) -> Done:
    """Put in empty rows or columns before `at`, or take out `count` from `at` on; formulas and ranges follow."""
    found = book.sheet(sheet)
    start = _line(at, what)
    if start + count - 1 > (ROWS if what == "rows" else COLUMNS):
        raise WorkError(f"That is past the sheet's end: {what} {at} and {count} of them.")
    shift = Shift(found.title, what == "rows", start, count if action == "insert" else -count)
    notes = _check_tables(found, shift)
    merged = [str(area) for area in found.merged_cells.ranges]
    for area in merged:
        found.unmerge_cells(area)
    _move_cells(found, shift)
    for area in merged:
        if (moved := _moved(shift, area)) and moved.size > 1:
            found.merge_cells(str(moved))
    _move_dimensions(found, shift)
    _move_rules(found, shift)
    _move_formulas(book, shift)
    done = "Put in" if action == "insert" else "Took out"
    seen = Area(max(1, start - 1), 1, start + 4, max(1, found.max_column)) if what == "rows" else None
    return Done(f"{done} {count} {what} at {at} in {found.title}.", found, seen, notes)


def _line(at: str, what: str) -> int:
    text = at.strip().upper()
    if what == "rows" and text.isdigit() and 1 <= int(text) <= ROWS:
        return int(text)
    if what == "columns" and text.isalpha() and text.isascii() and len(text) <= 3 and number(text) <= COLUMNS:
        return number(text)
    if what == "columns" and text.isdigit() and 1 <= int(text) <= COLUMNS:
        return int(text)
    raise WorkError(f"{at!r} is no {what[:-1]}. Rows are numbers such as 5, columns letters such as C.")


def _move_cells(sheet: Worksheet, shift: Shift) -> None:
    count = abs(shift.count)
    if shift.rows:
        sheet.insert_rows(shift.at, count) if shift.count > 0 else sheet.delete_rows(shift.at, count)
    else:
        sheet.insert_cols(shift.at, count) if shift.count > 0 else sheet.delete_cols(shift.at, count)


def _moved(shift: Shift, ref: str) -> Area | None:
    asked = parsed(ref)
    return shift.area(asked.area) if asked else None


def _check_tables(sheet: Worksheet, shift: Shift) -> list[str]:
    """Tables follow; what would tear one apart is refused before anything has moved."""
    moved: dict[str, Area] = {}
    tables: dict[str, Any] = dict(cast("Any", sheet.tables).items())
    for name, table in tables.items():
        asked = parsed(table.ref)
        if asked is None:
            continue
        after = shift.area(asked.area)
        if after is None or after.width != asked.area.width or (after.height < 2 and asked.area.height > 1):
            raise WorkError(f"This would tear the table {name} ({table.ref}) apart. Change its columns in Excel.")
        if shift.rows and shift.count < 0 and shift.at <= asked.area.top <= shift.at - shift.count - 1:
            raise WorkError(f"This would take the header row of the table {name} ({table.ref}) away.")
        moved[name] = after
    for name, area in moved.items():
        sheet.tables[name].ref = str(area)
        if sheet.tables[name].autoFilter is not None:
            sheet.tables[name].autoFilter.ref = str(area)
    return []


def _move_dimensions(sheet: Worksheet, shift: Shift) -> None:
    dimensions: Any = sheet.row_dimensions if shift.rows else sheet.column_dimensions
    before = dict(dimensions.items())
    for key in before:
        del dimensions[key]
    for key, dimension in before.items():
        line = key if shift.rows else number(key)
        if (found := shift.span(line, line)) is None:
            continue
        kept = copy(dimension)
        after = found[0] if shift.rows else letters(found[0])
        kept.index = after
        if not shift.rows and kept.min and kept.max:
            kept.min, kept.max = shift.span(kept.min, kept.max) or (found[0], found[0])
        dimensions[after] = kept


def _move_rules(sheet: Worksheet, shift: Shift) -> None:
    rules: Any = ConditionalFormattingList()
    for formatting in cast("Any", sheet.conditional_formatting):
        kept = _moved_all(shift, str(formatting.sqref))
        for rule in formatting.rules:
            rule.formula = [shift.formula(f"={text}", sheet.title)[1:] for text in rule.formula]
            if kept:
                rules.add(kept, rule)
    sheet.conditional_formatting = rules
    for validation in list(sheet.data_validations.dataValidation):
        kept = _moved_all(shift, str(validation.sqref))
        if not kept:
            sheet.data_validations.dataValidation.remove(validation)
            continue
        validation.sqref = type(validation.sqref)(kept)
        for name in ("formula1", "formula2"):
            text = getattr(validation, name)
            if text and not str(text).startswith('"'):
                setattr(validation, name, shift.formula(f"={text}", sheet.title)[1:])
    if sheet.auto_filter.ref:
        moved = _moved(shift, sheet.auto_filter.ref)
        sheet.auto_filter.ref = str(moved) if moved else None


def _moved_all(shift: Shift, refs: str) -> str:
    moved = [_moved(shift, ref) for ref in refs.split()]
    return " ".join(str(area) for area in moved if area)


def _move_formulas(book: Book, shift: Shift) -> None:
    for sheet in book.workbook.worksheets:
        for row in cast("Any", sheet).iter_rows():
            for cell in row:
                if cell.data_type != "f":
                    continue
                value: Any = cell.value
                if isinstance(value, ArrayFormula):
                    value.text = shift.formula(str(value.text), sheet.title)
                    value.ref = str(_moved(shift, value.ref) or value.ref) if sheet.title == shift.sheet else value.ref
                elif isinstance(value, str):
                    cell.value = shift.formula(value, sheet.title)
        for chart in getattr(sheet, "_charts", []):
            for series in chart.series:
                _move_series(series, shift, sheet.title)
    for name in book.workbook.defined_names.values():
        name.value = shift.formula(f"={name.value}", "")[1:]


def _move_series(series: Any, shift: Shift, home: str) -> None:
    for part in ("tx", "cat", "val", "xVal", "yVal", "bubbleSize"):
        for kind in ("numRef", "strRef", "multiLvlStrRef"):
            reference = getattr(getattr(series, part, None), kind, None)
            if reference is not None and reference.f:
                reference.f = shift.reference(reference.f, home)


def copy_range(book: Book, *, range: str, to: str, sheet: str | None, to_sheet: str | None, move: bool) -> Done:
    """Copy cells with their formats to where `to` is the first cell; references in formulas follow a copy."""
    source, area = book.place(sheet, range)
    target, aim = book.place(to_sheet or source.title, to, make=True)
    down, right = aim.top - area.top, aim.left - area.left
    taken = [
        (cell.row, cell.column, _content(cell))
        for row in source.iter_rows(area.top, area.bottom, area.left, area.right)
        for cell in row
        if not isinstance(cell, MergedCell)
    ]
    merged = [m for m in (parsed(str(one)) for one in list(source.merged_cells.ranges)) if m and m.area.within(area) == m.area]
    if move:
        _empty(source, area, [str(one.area) for one in merged])
    for row, column, (value, kind, style, link) in taken:
        cell = cell_at(target, row + down, column + right)
        formula = kind == "f" and isinstance(value, str)
        cell.value = carried(value, cell_name(row, column), cell.coordinate) if formula and not move else value
        if isinstance(value, str) and not formula:
            cell.data_type = "s"
        cell._style = copy(style)  # noqa: SLF001 - the only way to carry a whole style  # pyright: ignore[reportPrivateUsage]
        if link is not None:
            cell.hyperlink = link
    for one in merged:
        moved = Area(one.area.top + down, one.area.left + right, one.area.bottom + down, one.area.right + right)
        target.merge_cells(str(moved))
    filled = Area(aim.top, aim.left, area.bottom + down, area.right + right)
    notes = ["Formulas elsewhere still point to the old place."] if move else []
    return Done(f"{'Moved' if move else 'Copied'} {source.title}!{area} to {target.title}!{filled}.", target, filled, notes)


def _content(cell: Any) -> tuple[Any, str, Any, str | None]:
    link = cell.hyperlink.target if cell.hyperlink is not None else None
    return cell.value, cell.data_type, copy(cell._style), link  # noqa: SLF001


def _empty(sheet: Worksheet, area: Area, merged: list[str]) -> None:
    for one in merged:
        sheet.unmerge_cells(one)
    for row in sheet.iter_rows(area.top, area.bottom, area.left, area.right):
        for cell in row:
            if not isinstance(cell, MergedCell):
                cell.value = None
                cell.style = "Normal"
                cell.hyperlink = None
