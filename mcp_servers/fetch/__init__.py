"""The bundled `fetch` server: pages of the web as clean Markdown, from public addresses only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "Web pages", "es": "Páginas web"},
    "description": {
        "en": "Read web pages and PDFs as clean text, and their tables as data.",
        "es": "Leer páginas web y PDF como texto limpio, y sus tablas como datos.",
    },
    "kind": "bundled",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The server. All keys of `config` are a person's settings, none can be set by a model.

    `obey_robots` (default True), `user_agent`, `open_hosts` (hosts, with a port if need be, that may
    be reached although they are not public, such as "intranet.example" or "127.0.0.1:8000"),
    `max_bytes` of a download, `seconds` for all of it, `offline`. `obey_robots` and `open_hosts` are read
    anew for each page.
    """
    from mcp_servers.addresses import Guard
    from mcp_servers.environment import text_of
    from mcp_servers.fetch import server
    from mcp_servers.fetch.pages import Pages
    from mcp_servers.fetch.web import AGENT, MAX_BYTES, SECONDS, Web

    web = Web(
        lambda: Guard(cast("Sequence[str]", config.get("open_hosts") or ())),
        agent=text_of(config.get("user_agent"), AGENT),
        max_bytes=int(cast("int", config.get("max_bytes") or MAX_BYTES)),
        seconds=float(cast("float", config.get("seconds") or SECONDS)),
        obey_robots=lambda: config.get("obey_robots", True) is not False,
    )
    return server.build(Pages(web), offline=bool(config.get("offline")))
