"""The table of all changes: a name and the function that makes it."""

from collections.abc import Callable, Mapping
from typing import Any

from mcp_servers.excel import cells, drawings, formats, rules, sheets, structure
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
    "add_conditional_format": rules.add_conditional_format,
    "set_validation": rules.set_validation,
    "add_chart": drawings.add_chart,
    "add_image": drawings.add_image,
    "set_comment": drawings.set_comment,
    "add_summary": cells.add_summary,
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


def moving(operation: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the change moves cells, or renames or deletes a sheet."""
    if operation == "change_sheets":
        return arguments.get("action") in ("rename", "delete")
    return operation == "change_rows_columns" or (operation == "copy_range" and bool(arguments.get("move")))
