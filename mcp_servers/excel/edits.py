"""The table of all changes: a name and the function that makes it."""

from collections.abc import Callable

from mcp_servers.excel import cells, formats, sheets, structure
from mcp_servers.excel.book import Done

EDITS: dict[str, Callable[..., Done]] = {
    "write_cells": cells.write_cells,
    "set_cells": cells.set_cells,
    "append_rows": cells.append_rows,
    "write_table": cells.write_table,
    "clear_range": cells.clear_range,
    "replace_text": cells.replace_text,
    "change_sheets": sheets.change_sheets,
    "create_workbook": sheets.create_workbook,
    "change_rows_columns": structure.change_rows_columns,
    "copy_range": structure.copy_range,
    "format_range": formats.format_range,
    "set_layout": formats.set_layout,
}

VALUES_ONLY = {
    "write_cells",
    "set_cells",
    "append_rows",
    "write_table",
    "clear_range",
    "replace_text",
    "create_workbook",
    "change_rows_columns",
    "copy_range",
}
"""What can be done to a .csv file too."""
