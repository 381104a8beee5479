"""A small shop: an MCP server with search, cart and orders as cards, which works without a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT: dict[str, object] = {
    "title": {"en": "Shop", "es": "Tienda"},
    "description": {
        "en": "A make-believe shop: search, cart, order and pay by buttons. Nothing is really bought.",
        "es": "Una tienda de mentira: busca, llena el carrito, pide y paga con botones. No se compra nada de verdad.",
    },
    "kind": "demo",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The shop as an MCP server.

    `config`: `data_dir` (folder for carts, orders and stock, made if missing), `language` (read at every call;
    "en", "es" or "zh", anything else is "en"), `offline` (makes no difference: the shop never uses the network).
    """
    from demos.shop.server import build

    return build(config)
