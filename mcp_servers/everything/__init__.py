"""The bundled `everything` server: one small example of every MCP feature, for developing clients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "Everything", "es": "De todo"},
    "description": {
        "en": "A small example of every MCP feature, for testing and for developing clients.",
        "es": "Un pequeño ejemplo de cada función de MCP, para probar y desarrollar clientes.",
    },
    "kind": "developer",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; nothing in `config` matters to it."""
    from mcp_servers.everything import asking, content, reading, telling, working
    from mcp_servers.serving import WordsServer

    server = WordsServer(
        "everything",
        title="Everything",
        instructions="Examples of every MCP feature. Use a tool only when the user asks to test it.",
    )
    working.register(server)
    content.register(server)
    asking.register(server)
    reading.register(server)
    telling.register(server)
    return server
