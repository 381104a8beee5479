"""The bundled `memory` server: a knowledge graph of what should be remembered, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcp_servers.memory.graph import Graph, GraphError

if TYPE_CHECKING:
    from mcp.server import MCPServer

__all__ = ["ABOUT", "FILE", "Graph", "GraphError", "create"]

ABOUT = {
    "title": {"en": "Memory", "es": "Memoria"},
    "description": {
        "en": "Remember people, things and how they belong together, between conversations.",
        "es": "Recordar personas, cosas y sus relaciones entre conversaciones.",
    },
    "kind": "bundled",
}

FILE = "memory.sqlite3"
"""The graph's file inside `data_dir`."""


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; the graph is in `config["data_dir"]` and may be shared with other processes."""
    from pathlib import Path

    from mcp_servers.environment import default_data_dir, text_of
    from mcp_servers.memory import server

    folder = text_of(config.get("data_dir")) or default_data_dir()
    return server.build(Graph(Path(folder) / FILE))
