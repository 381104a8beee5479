"""Guess the Pokémon: an MCP server whose questions and answers are cards with buttons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT: dict[str, object] = {
    "title": {"en": "Pokémon quiz", "es": "Quiz de Pokémon"},
    "description": {
        "en": "Guess the Pokémon from its facts, with cards and buttons. Works offline.",
        "es": "Adivina el Pokémon por sus datos, con tarjetas y botones. Funciona sin conexión.",
    },
    "kind": "demo",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The quiz as an MCP server.

    `config`: `data_dir` (folder for games and downloaded facts, made if missing), `language` (read at every call;
    default "en"), `offline` (true: never use the network).
    """
    from demos.pokemon_quiz.server import build

    return build(config)
