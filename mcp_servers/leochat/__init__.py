"""The bundled `leochat` server: UI commands, cards of the model's own and a few pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "LeoChat", "es": "LeoChat"},
    "description": {
        "en": "Themes, window, notifications and dialogs of LeoChat itself, and cards.",
        "es": "Temas, ventana, avisos y diálogos del propio LeoChat, y tarjetas.",
    },
    "kind": "bundled",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; `config` may hold `language` ("en", "es"; looked up at every call), `offline` and `waifu_url`."""
    from mcp_servers.environment import text_of
    from mcp_servers.leochat import cards, commands, guide, pictures, trial
    from mcp_servers.serving import WordsServer

    def language() -> str:
        return text_of(config.get("language"), "en")

    server = WordsServer("leochat", title="LeoChat", instructions=guide.INSTRUCTIONS)
    commands.register(server)
    cards.register(server)
    pictures.register(
        server,
        language=language,
        offline=bool(config.get("offline")),
        address=text_of(config.get("waifu_url"), pictures.SERVICE),
    )
    trial.register(server)
    guide.register(server, language)
    return server
