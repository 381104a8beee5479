"""Edits of looks: fonts, fills, number formats, borders, merging, widths, frozen panes, filters."""

# ruff: noqa: A002 - the argument names are the tools'

import re
from copy import copy
from typing import Any, Literal

from openpyxl.cell.cell import MergedCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.areas import COLUMNS, Area, cell_of, letters, number
from mcp_servers.excel.book import Book, Done, used_area
from mcp_servers.excel.cells import fit_columns
from mcp_servers.worker import WorkError

MOST = 200_000
"""The most cells one call formats."""

COLOURS = {
    "black": "000000",
    "white": "FFFFFF",
    "red": "C00000",
    "green": "2E7D32",
    "blue": "1F4E9E",
    "yellow": "FFEB3B",
    "orange": "ED7D31",
    "purple": "7030A0",
    "gray": "808080",
    "grey": "808080",
    "lightred": "F8CBAD",
    "lightgreen": "C6E0B4",
    "lightblue": "BDD7EE",
    "lightyellow": "FFF2CC",
    "lightgray": "E7E6E6",
    "lightgrey": "E7E6E6",
}
NUMBERS = {
    "general": "General",
    "integer": "#,##0",
    "number": "#,##0.00",
    "percent": "0.0%",
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm",
    "time": "hh:mm:ss",
    "euro": '#,##0.00 "€"',
    "dollar": '"$"#,##0.00',
    "text": "@",
    "scientific": "0.00E+00",
}
"""Names for common number formats; any other text is taken as Excel's own format code."""


LONGEST_FORMAT = 255
_LITERAL = re.compile(
    r"""
    "[^"]*" | \\. | [_*]. | \[[^\[\]"]*\] | general | am/pm | a/p | e[+-]
""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_CODE = re.compile(r"[^\WydhmsegabnYDHMSEGABN\d_]", re.ASCII)
"""Letters that mean nothing in a format (ECMA-376 18.8.31) and so must stand in quotes."""


def colour(text: str) -> str:
    """RRGGBB from a name or a hex number."""
    plain = text.strip().lower().replace(" ", "").replace("_", "").lstrip("#")
    if plain in COLOURS:
        return COLOURS[plain]
    if re.fullmatch(r"[0-9a-f]{6}", plain):
        return plain.upper()
    raise WorkError(f"{text!r} is no colour. Write #RRGGBB, or one of {', '.join(COLOURS)}.")


def format_range(
    book: Book,
    *,
    range: str,
    sheet: str | None,
    bold: bool | None,
    italic: bool | None,
    underline: bool | None,
    font_size: float | None,
    font_color: str | None,
    fill_color: str | None,
    number_format: str | None,
    align: Literal["left", "center", "right"] | None,
    wrap: bool | None,
    border: Literal["all", "outline", "bottom", "none"] | None,
    merge: bool | None,
) -> Done:
    """Change the looks that are given and leave the others."""
    found, area = book.place(sheet, range)
    if area.size > MOST:
        raise WorkError(f"{range} has {area.size:,} cells; at most {MOST:,} are formatted at once.")
    code = _number_format(number_format) if number_format else None
    ink = colour(font_color) if font_color else None
    fill = PatternFill("solid", start_color=colour(fill_color)) if fill_color and fill_color.lower() != "none" else None
    wishes = {"b": bold, "i": italic, "sz": font_size, "color": ink, "u": None if underline is None else underline}
    _merge(found, area, merge)
    for row in found.iter_rows(area.top, area.bottom, area.left, area.right):
        for cell in row:
            if isinstance(cell, MergedCell):
                continue
            _font(cell, wishes)
            if fill_color:
                cell.fill = fill or PatternFill()
            if code:
                cell.number_format = code
            if align or wrap is not None:
                cell.alignment = _alignment(cell, align, wrap)
    if border:
        _draw(found, area, border)
    return Done(f"Formatted {found.title}!{area}.", found, area)


def _number_format(text: str) -> str:
    """Excel's code for a name or a code; one that Excel would call damaged is refused in words."""
    if known := NUMBERS.get(text.strip().lower()):
        return known
    bare = _LITERAL.sub("", text)
    if len(text) > LONGEST_FORMAT or text.count(";") > 3 or re.search(r'["\[\]\\\x00-\x1f]', bare) or _NO_CODE.search(bare):
        raise WorkError(
            f'{text[:80]!r} is no number format of Excel. Words in it stand in quotes, such as 0.0 "kg"; or write one of '
            f"{', '.join(NUMBERS)}."
        )
    return text


def _font(cell: Any, wishes: dict[str, Any]) -> None:
    given = {key: value for key, value in wishes.items() if value is not None}
    if not given:
        return
    if "u" in given:
        given["u"] = "single" if given["u"] else None
    old = copy(cell.font)
    kept = {key: getattr(old, key) for key in ("name", "sz", "b", "i", "u", "color", "strike", "vertAlign", "family")}
    cell.font = Font(**{**kept, **given})


def _alignment(cell: Any, align: str | None, wrap: bool | None) -> Alignment:
    old = cell.alignment
    return Alignment(
        horizontal=align or old.horizontal,
        vertical=old.vertical,
        wrap_text=old.wrap_text if wrap is None else wrap,
        text_rotation=old.textRotation,
        indent=old.indent,
    )


def _merge(sheet: Worksheet, area: Area, merge: bool | None) -> None:
    if merge is None:
        return
    for one in list(sheet.merged_cells.ranges):
        taken = Area(one.min_row, one.min_col, one.max_row, one.max_col)
        if taken.within(area):
            sheet.unmerge_cells(str(one))
    if merge and area.size > 1:
        full = [c for row in sheet.iter_rows(area.top, area.bottom, area.left, area.right) for c in row if c.value is not None]
        if any((cell.row, cell.column) != (area.top, area.left) for cell in full):
            raise WorkError(f"Merging {area} would lose the values of all cells but the first. Move or clear them before.")
        sheet.merge_cells(str(area))


def _draw(sheet: Worksheet, area: Area, border: str) -> None:
    line = Side(style="thin", color="808080")
    for row in sheet.iter_rows(area.top, area.bottom, area.left, area.right):
        for cell in row:
            old = cell.border
            sides: dict[str, Any] = {name: getattr(old, name) for name in ("left", "right", "top", "bottom")}
            if border == "none":
                sides = dict.fromkeys(sides, Side())
            else:
                edges = {
                    "left": cell.column == area.left,
                    "right": cell.column == area.right,
                    "top": cell.row == area.top,
                    "bottom": cell.row == area.bottom,
                }
                for name, edge in edges.items():
                    if border == "all" or (border == "outline" and edge) or (border == name == "bottom" and edge):
                        sides[name] = line
            cell.border = Border(**sides)


def set_layout(
    book: Book,
    *,
    sheet: str | None,
    column_widths: dict[str, float] | None,
    row_heights: dict[str, float] | None,
    fit_columns_of: str | None,
    freeze: str | None,
    filter: str | None,
    hide: list[str] | None,
    show: list[str] | None,
) -> Done:
    """Widths and heights, frozen panes, the filter's range, hidden rows and columns."""
    found = book.sheet(sheet)
    _resize(found, column_widths or {}, row_heights or {})
    if fit_columns_of:
        whole = used_area(found)
        area = whole if fit_columns_of.lower() == "all" else book.place(found.title, fit_columns_of)[1]
        if area:
            fit_columns(found, area)
    if freeze is not None:
        found.freeze_panes = None if freeze.lower() == "none" else letters(cell_of(freeze)[1]) + str(cell_of(freeze)[0])
    if filter is not None:
        found.auto_filter.ref = None if filter.lower() == "none" else str(book.place(found.title, filter)[1])
    for keys, hidden in ((hide, True), (show, False)):
        for key in keys or []:
            _hide(found, key, hidden=hidden)
    return Done(f"Changed the layout of {found.title}.", found, used_area(found))


def _resize(sheet: Worksheet, widths: dict[str, float], heights: dict[str, float]) -> None:
    for key, width in widths.items():
        for column in _columns(key):
            sheet.column_dimensions[letters(column)].width = max(0.0, min(255.0, width))
    for key, height in heights.items():
        for row in _rows(key):
            sheet.row_dimensions[row].height = max(0.0, min(409.0, height))


def _hide(sheet: Worksheet, key: str, *, hidden: bool) -> None:
    if key.replace(":", "").strip().isdigit():
        for row in _rows(key):
            sheet.row_dimensions[row].hidden = hidden
    else:
        for column in _columns(key):
            sheet.column_dimensions[letters(column)].hidden = hidden


def _columns(key: str) -> list[int]:
    first, _, last = key.strip().upper().partition(":")
    if not all(part.isalpha() and part.isascii() and len(part) <= 3 for part in (first, last or first)):
        raise WorkError(f"{key!r} is no column. Write a letter such as C, or several as A:C.")
    start, end = sorted((number(first), number(last or first)))
    if end > COLUMNS:
        raise WorkError(f"{key!r} is past the last column, XFD.")
    return list(range(start, end + 1))


def _rows(key: str) -> list[int]:
    first, _, last = key.strip().partition(":")
    if not (first.isdigit() and (last or first).isdigit()):
        raise WorkError(f"{key!r} is no row. Write a number such as 3, or several as 3:5.")
    start, end = sorted((int(first), int(last or first)))
    if start < 1 or end - start > 10_000:
        raise WorkError(f"{key!r} are too many rows at once.")
    return list(range(start, end + 1))
