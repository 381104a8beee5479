"""The bundled `excel` server: spreadsheets read, written, formatted and summed up, without Excel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "Excel", "es": "Excel"},
    "description": {
        "en": "Read, write, format and sum up spreadsheets (.xlsx, .csv and older ones). Needs no Excel.",
        "es": "Leer, escribir, dar formato y resumir hojas de cálculo (.xlsx, .csv y más antiguas). No necesita Excel.",
    },
    "kind": "bundled",
}

ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".csv", ".tsv", ".tab")
"""Of the files that are read."""

INSTRUCTIONS = (
    "Spreadsheets in the allowed folders. Reads .xlsx .xlsm .xlsb .xls .ods .csv; changes .xlsx .xlsm .csv. "
    "Look first (describe_workbook, read_sheet), then change. To put data into a new file call write_table: it makes "
    "the file. A text that begins with = stays text unless formulas is true. Every file is backed up before a task's "
    "first change; undo_changes brings it back."
)


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; `config` holds `roots` (folders, or a callable that returns them), `protected`, `data_dir`, `language`."""
    from mcp_servers.backups import Backups
    from mcp_servers.caller import knowing_caller
    from mcp_servers.changed_files import ChangedFiles
    from mcp_servers.environment import default_data_dir, text_of
    from mcp_servers.excel import drawing_tools, reading_tools, shaping_tools, writing_tools
    from mcp_servers.excel.desk import Desk
    from mcp_servers.filesystem.roots import Roots
    from mcp_servers.serving import WordsServer

    allowed = cast("Sequence[str] | Callable[[], Sequence[str]]", config.get("roots") or [])
    roots = Roots(allowed, cast("Sequence[str]", config.get("protected") or []))
    kept = Path(text_of(config.get("data_dir")) or default_data_dir()) / "changed-files" / "excel"
    desk = Desk(ChangedFiles(roots, Backups(kept), ENDINGS), lambda: text_of(config.get("language"), "en"))
    server = WordsServer("excel", title="Excel", instructions=INSTRUCTIONS, middleware=[knowing_caller])
    for tools in (reading_tools, writing_tools, shaping_tools, drawing_tools):
        tools.register(server, desk)
    return server
