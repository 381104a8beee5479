"""What runs in the child process: one read or one change of one file, from its bytes to its answer."""

import base64
from collections.abc import Callable
from typing import Any

from mcp_servers.excel import reading, sheet_facts, summaries
from mcp_servers.excel.parts import cell_name
from mcp_servers.excel.sources import Source, column_names
from mcp_servers.excel.values import shown
from mcp_servers.worker import WorkError

PREVIEW_ROWS = 8
PREVIEW_COLUMNS = 8
PREVIEW_TEXT = 60

Tell = Callable[[float, float | None, str], None]

READS: dict[str, Callable[..., dict[str, Any]]] = {
    "describe_workbook": reading.describe_workbook,
    "describe_sheet": sheet_facts.describe_sheet,
    "read_sheet": reading.read_sheet,
    "find_cells": reading.find_cells,
    "summarize_table": summaries.summarize,
}


def read(request: dict[str, Any]) -> dict[str, Any]:
    """`{operation, name, data, arguments}` to `{text, data}`; `data` of the request is base64."""
    source = Source.of(base64.b64decode(request["data"]), request["name"])
    return READS[request["operation"]](source, **request["arguments"])


def change(request: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The same for a change: `{words, data, preview}`, where `data` is the file's new content in base64.

    Without `data` in the request the file is new.
    """
    from mcp_servers.excel.book import Book
    from mcp_servers.excel.edits import EDITS, VALUES_ONLY, moving

    name, operation = request["name"], request["operation"]
    given = base64.b64decode(request["data"]) if request["data"] is not None else None
    tell(0, 3, f"Opening {name}")
    book = Book.opened(given, name) if given else Book.new(name)
    tell(1, 3, f"Changing {name}")
    if book.kind == "csv" and operation not in VALUES_ONLY:
        raise WorkError("A .csv file holds values only, no formats or drawings. Convert it to .xlsx first (convert_workbook).")
    book.moves = moving(operation, request["arguments"])
    done = EDITS[operation](book, **request["arguments"])
    tell(2, 3, f"Saving {name}")
    made = base64.b64encode(book.stored()).decode("ascii")
    words = [done.words, *done.notes, *book.notes]
    if book.lost:
        lost = ", ".join(book.lost)
        words.append(f"Lost by this change, since they cannot be kept: {lost}. Tell the user; undo_changes brings them back.")
    return {"words": "\n".join(words), "data": made, "lost": book.lost, "preview": _preview(done.sheet, done.area)}


def convert(request: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """One file's values as another kind: `{words, data, preview}`. `arguments`: target (a name), sheet."""
    from mcp_servers.excel.converting import converted

    tell(0, 2, f"Reading {request['name']}")
    source = Source.of(base64.b64decode(request["data"]), request["name"])
    tell(1, 2, "Writing its values")
    words, data = converted(source, **request["arguments"])
    return {"words": words, "data": base64.b64encode(data).decode("ascii"), "preview": None}


def _preview(sheet: Any, area: Any) -> dict[str, Any] | None:
    """The first cells of the changed area as a table of texts."""
    if sheet is None or area is None:
        return None
    from mcp_servers.excel.areas import Area

    seen = Area(
        area.top,
        area.left,
        min(area.bottom, area.top + PREVIEW_ROWS - 1),
        min(area.right, area.left + PREVIEW_COLUMNS - 1),
    )
    rows = [
        [str(row), *(_shown(sheet, row, column) for column in range(seen.left, seen.right + 1))]
        for row in range(seen.top, seen.bottom + 1)
    ]
    return {"columns": ["", *column_names(seen)], "rows": rows, "caption": f"{sheet.title}!{area}"}


def _shown(sheet: Any, row: int, column: int) -> str:
    value = shown(sheet[cell_name(row, column)].value)
    text = "" if value is None else str(value)
    return text if len(text) <= PREVIEW_TEXT else f"{text[:PREVIEW_TEXT]}…"
