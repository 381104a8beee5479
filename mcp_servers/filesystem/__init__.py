"""The bundled `filesystem` server: files and folders inside the allowed roots, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "Files", "es": "Archivos"},
    "description": {
        "en": "Read, write, search and move files in the folders you allow.",
        "es": "Leer, escribir, buscar y mover archivos en las carpetas que permitas.",
    },
    "kind": "bundled",
}

INSTRUCTIONS = (
    "Files of the user's computer, in the allowed folders only (list_allowed_directories). "
    "Relative paths start there. Read a file before you change it."
)


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; `config` holds `roots`, a list of folders or a callable that returns one.

    A callable is asked at every call, so that roots can change while the server runs. `protected`
    lists paths that stay closed although a root holds them. In `data_dir` copies are kept for an undo; without one there
    is none. `language` is that of cards.
    """
    from mcp_servers.backups import Backups
    from mcp_servers.caller import knowing_caller
    from mcp_servers.changed_files import ChangedFiles
    from mcp_servers.environment import text_of
    from mcp_servers.filesystem import changing_tools, tools
    from mcp_servers.filesystem.keeping import Keeper
    from mcp_servers.filesystem.roots import Roots
    from mcp_servers.serving import WordsServer

    allowed = cast("Sequence[str] | Callable[[], Sequence[str]]", config.get("roots") or [])
    roots = Roots(allowed, cast("Sequence[str]", config.get("protected") or []))
    server = WordsServer("filesystem", title="Files", instructions=INSTRUCTIONS, middleware=[knowing_caller])
    tools.register(server, roots)
    data = text_of(config.get("data_dir"))
    files = ChangedFiles(roots, Backups(Path(data) / "changed-files" / "filesystem")) if data else None
    changing_tools.register(server, roots, Keeper(files, lambda: text_of(config.get("language"), "en")))
    return server
