"""The least server there is, for both sides of the bench: `create()`, or run by hand over stdio (or `http PORT`)."""

import sys
from typing import Any

from mcp.server import MCPServer

ABOUT = {"title": "Echo", "description": "Says it again.", "version": "1"}


def create(config: Any = None) -> MCPServer:
    del config
    server = MCPServer("echo", log_level="WARNING")

    @server.tool()
    def echo(text: str, times: int = 1) -> str:
        """Say a text again, so many times."""
        return text * times

    return server


if __name__ == "__main__":
    if sys.argv[1:2] == ["http"]:
        create().run("streamable-http", port=int(sys.argv[2]))
    else:
        create().run("stdio")
