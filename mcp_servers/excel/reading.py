"""The reads: what is in a workbook, a page of a sheet, a search. Each answers with text and data."""

# ruff: noqa: A002 - the argument names are the tools'

from collections.abc import Iterable
from typing import Any

from mcp_servers.excel.areas import Area
from mcp_servers.excel.parts import Formula, cell_name
from mcp_servers.excel.sources import Source, column_names
from mcp_servers.excel.values import shown
from mcp_servers.worker import WorkError

PAGE_CELLS = 20_000
LONGEST = 2_000
"""Characters of one cell that are shown before it is cut."""

ANSWER = 200_000
"""Characters of text in one answer; then the page ends early."""


def describe_workbook(source: Source) -> dict[str, Any]:
    """The sheets with their size and state, tables, names, and how a CSV was read."""
    sheets: list[dict[str, Any]] = []
    for name, state in source.sheets:
        used = source.used(name) if state != "chart" else None
        told: dict[str, Any] = {"name": name, "state": state, "range": str(used) if used else None}
        told["rows"], told["columns"] = (used.height, used.width) if used else (0, 0)
        if used:
            told["first_row"] = [shown(value) for value in source.grid(name).cells(used)[0][:30]]
        sheets.append(told)
    data: dict[str, Any] = {"file": source.name, "kind": source.kind, "sheets": sheets}
    data["tables"] = [{"name": n, "sheet": a.sheet, "range": str(a.area)} for n, a in source.tables.items()]
    data["names"] = dict(list(source.parts.names.items())[:100]) if source.parts else {}
    if source.kind == "csv":
        data |= {"encoding": source.csv.encoding, "delimiter": source.csv.delimiter}
        data["decimal_comma"] = source.csv.decimal_comma
    return {"text": "\n".join(_described(data)), "data": data}


def _described(data: dict[str, Any]) -> Iterable[str]:
    yield f"{data['file']} ({data['kind']}), {len(data['sheets'])} sheet(s)"
    if data["kind"] == "csv":
        comma = ", decimals after a comma" if data["decimal_comma"] else ""
        yield f"Encoding {data['encoding']}, delimiter {data['delimiter']!r}{comma}"
    for sheet in data["sheets"]:
        size = f"{sheet['range']}, {sheet['rows']} rows x {sheet['columns']} columns" if sheet["range"] else "empty"
        hidden = "" if sheet["state"] == "visible" else f" [{sheet['state']}]"
        yield f"- {sheet['name']}{hidden}: {size}"
        if sheet.get("first_row"):
            yield f"  first row: {' | '.join(_text(value) for value in sheet['first_row'])}"
    for table in data["tables"]:
        yield f"Table {table['name']}: {table['sheet']}!{table['range']}"
    for name, target in data["names"].items():
        yield f"Name {name}: {target}"


def read_sheet(
    source: Source, *, sheet: str | None, range: str | None, start_row: int | None, rows: int, formulas: bool
) -> dict[str, Any]:
    """A page of a sheet or range, from row `start_row` on, at most `rows` rows and `PAGE_CELLS` cells."""
    name, whole = source.asked(sheet, range)
    top = max(whole.top, start_row or whole.top)
    if top > whole.bottom:
        raise WorkError(f"Row {top} is past the end: {name} ends at row {whole.bottom}.")
    height = max(1, min(rows, PAGE_CELLS // whole.width, whole.bottom - top + 1))
    if whole.width > PAGE_CELLS:
        raise WorkError(f"{whole} is too wide for one answer. Ask for fewer columns.")
    page = Area(top, whole.left, top + height - 1, whole.right)
    grid = source.cells(name, page)
    found = source.formulas(name, page)
    lines, page, grid = _lines(grid, page, found, formulas)
    found = {where: formula for where, formula in found.items() if _row(where) <= page.bottom}
    data = _page_data(source, name, whole, page, grid, found)
    return {"text": "\n".join([*_page_head(data), *lines, *_page_foot(data, found, formulas)]), "data": data}


def _lines(
    grid: list[list[Any]], page: Area, found: dict[str, Formula], formulas: bool
) -> tuple[list[str], Area, list[list[Any]]]:
    lines = ["\t".join(["row", *column_names(page)])]
    size = 0
    for index, values in enumerate(grid):
        cells: list[str] = []
        for offset, value in enumerate(values):
            formula = found.get(cell_name(page.top + index, page.left + offset))
            cells.append(_cell(value, formula, formulas))
        line = "\t".join([str(page.top + index), *cells])
        size += len(line)
        if size > ANSWER and index:
            return lines, Area(page.top, page.left, page.top + index - 1, page.right), grid[:index]
        lines.append(line)
    return lines, page, grid


def _cell(value: Any, formula: Formula | None, formulas: bool) -> str:
    if formula is None:
        return _text(shown(value))
    if formulas:
        return formula.text
    return _text(shown(value)) if formula.calculated else "(not calculated)"


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = str(value)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}… [{len(text):,} characters]"
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _page_data(
    source: Source, name: str, whole: Area, page: Area, grid: list[list[Any]], found: dict[str, Formula]
) -> dict[str, Any]:
    values = [[shown(value) for value in row] for row in grid]
    for where, formula in found.items():
        if not formula.calculated:
            row, column = _row(where) - page.top, _column(where) - page.left
            values[row][column] = None
    merged = [area for area in source.merged(name) if area.within(page)][:200]
    return {
        "sheet": name,
        "range": str(page),
        "whole_range": str(whole),
        "values": values,
        "formulas": {where: formula.text for where, formula in found.items()},
        "not_calculated": [where for where, formula in found.items() if not formula.calculated],
        "merged": [str(area) for area in merged],
        "next_start_row": page.bottom + 1 if page.bottom < whole.bottom else None,
    }


def _row(where: str) -> int:
    return int(where.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _column(where: str) -> int:
    total = 0
    for letter in where.rstrip("0123456789"):
        total = total * 26 + ord(letter) - 64
    return total


def _page_head(data: dict[str, Any]) -> Iterable[str]:
    yield f"Sheet {data['sheet']!r}, {data['range']} of {data['whole_range']}"


def _page_foot(data: dict[str, Any], found: dict[str, Formula], formulas: bool) -> Iterable[str]:
    if found and not formulas:
        some = list(found.items())[:40]
        told = "; ".join(f"{where} {formula.text}" for where, formula in some)
        yield f"Formulas: {told}{f'; … {len(found) - len(some)} more' if len(found) > len(some) else ''}"
    if data["not_calculated"]:
        yield "(not calculated): the file holds no result for these formulas; Excel calculates them when it opens the file."
    if data["merged"]:
        yield f"Merged: {', '.join(data['merged'][:40])}"
    if data["next_start_row"]:
        yield f"More rows follow: start_row={data['next_start_row']}"


def find_cells(
    source: Source, *, text: str, sheet: str | None, whole_cell: bool, match_case: bool, most: int
) -> dict[str, Any]:
    """Where a text is among the values of one sheet or of all."""
    wanted = text if match_case else text.casefold()
    names = [source.sheet_name(sheet)] if sheet else [name for name, state in source.sheets if state != "chart"]
    found: list[dict[str, Any]] = []
    for name in names:
        grid = source.grid(name)
        for index, row in enumerate(grid.rows):
            for offset, value in enumerate(row):
                said = _text(shown(value))
                have = said if match_case else said.casefold()
                if have == wanted if whole_cell else wanted in have:
                    where = cell_name(grid.top + index, grid.left + offset)
                    found.append({"sheet": name, "cell": where, "value": shown(value)})
                    if len(found) >= most:
                        return _found(found, text, cut=True)
    return _found(found, text, cut=False)


def _found(found: list[dict[str, Any]], text: str, *, cut: bool) -> dict[str, Any]:
    lines = [f"{one['sheet']}!{one['cell']}\t{_text(one['value'])}" for one in found] or [f"{text!r} was not found."]
    if cut:
        lines.append(f"[cut after {len(found)} cells]")
    return {"text": "\n".join(lines), "data": {"found": found, "cut": cut}}
