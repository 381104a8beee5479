"""The shop's eight tools."""

# ruff: noqa: N803 - the argument names are the wire format's

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from demos.shop.basket import Basket
from demos.shop.catalogue import (
    Product,
    categories,
    find_category,
    find_product,
    means_everything,
    search,
)
from demos.shop.ledger import Ledger, LedgerError
from demos.shop.product_cards import product_card, search_card
from demos.shop.purchase_cards import added_card, cart_card, order_card, refused, refused_card
from demos.shop.words import known_language, say
from mcp_servers.serving import WordsServer

CONVERSATION = "leochat/conversationId"
INSTRUCTIONS = (
    "A demo shop (audio, computing, home, outdoor, stationery) whose results are cards with buttons. "
    "Search with product_search; the user goes on by the buttons. Nothing is really bought."
)

Call = Context[Any, Any]
Keyword = Annotated[str, Field(description="What to look for, such as headphones; popular, all or nothing: everything")]
CategoryName = Annotated[str, Field(description="Only this category: audio, computing, home, outdoor or stationery")]
Sort = Annotated[
    Literal["popular", "price_asc", "price_desc", "rating"],
    Field(description="Order: popular, price_asc (cheapest first), price_desc, rating"),
]
ProductId = Annotated[str, Field(description="The product's id, as in its card", min_length=1)]
OptionalProductId = Annotated[str, Field(description="Only this product (buy now); leave it out to order the whole cart")]
Quantity = Annotated[int, Field(description="How many to add, 1 or more", json_schema_extra={"minimum": 1})]
OrderId = Annotated[str, Field(description="The order's id, as in its card", min_length=1)]


class Shop:
    """The tools' work, without the protocol. A `conversation` has a cart of its own."""

    def __init__(self, config: Mapping[str, object], clock: Callable[[], float]) -> None:
        self._config = config
        self._ledger = Ledger(Path(str(config["data_dir"])), clock)

    @property
    def language(self) -> str:
        return known_language(self._config.get("language"))

    def search(self, keyword: str, category: str, sort: str) -> CallToolResult:
        language, keyword = self.language, keyword.strip()
        only = None if means_everything(category) else find_category(category)
        if only is None and not means_everything(category):
            names = ", ".join(one.name(language) for one in categories().values())
            words = say(language, "no_category", category=category.strip()[:60], names=names)
            return refused(language, "no_category", words)
        if not means_everything(keyword):
            title = say(language, "found_for", keyword=keyword[:60])
        else:
            title = only.name(language) if only else say(language, "found_all")
        asked = {"keyword": keyword, "category": only.id if only else "", "sort": sort}
        found = search(keyword, only, sort)
        return search_card(language, asked, title, found, self._ledger.stock())

    def detail(self, conversation: str, product_id: str) -> CallToolResult:
        def show(product: Product) -> CallToolResult:
            left = self._ledger.stock()[product.id]
            return product_card(self.language, product, left, self._ledger.basket(conversation))

        return self._with_product(product_id, show)

    def add(self, conversation: str, product_id: str, quantity: int) -> CallToolResult:
        def add(product: Product) -> CallToolResult:
            basket = self._ledger.add(conversation, product, quantity)
            return added_card(self.language, product, basket)

        return self._with_product(product_id, add)

    def view(self, conversation: str) -> CallToolResult:
        return self._cart(conversation, self._ledger.basket(conversation))

    def remove(self, conversation: str, product_id: str) -> CallToolResult:
        def remove(product: Product) -> CallToolResult:
            return self._cart(conversation, self._ledger.remove(conversation, product))

        return self._with_product(product_id, remove)

    def place(self, conversation: str, product_id: str) -> CallToolResult:
        def place(product: Product | None = None) -> CallToolResult:
            return order_card(self.language, self._ledger.place(conversation, product))

        return self._with_product(product_id, place) if product_id.strip() else self._try(place)

    def pay(self, order_id: str) -> CallToolResult:
        return self._try(lambda: order_card(self.language, self._ledger.pay(order_id)), order_id)

    def status(self, order_id: str) -> CallToolResult:
        return self._try(lambda: order_card(self.language, self._ledger.order(order_id)))

    def _cart(self, conversation: str, basket: Basket) -> CallToolResult:
        return cart_card(self.language, conversation, basket, self._ledger.stock())

    def _with_product(self, product_id: str, act: Callable[[Product], CallToolResult]) -> CallToolResult:
        product = find_product(product_id)
        if product is None:
            words = say(self.language, "no_product", id=product_id.strip()[:60])
            return refused(self.language, "no_product", words)
        return self._try(lambda: act(product))

    def _try(self, act: Callable[[], CallToolResult], order_id: str = "") -> CallToolResult:
        try:
            return act()
        except LedgerError as refusal:
            return refused_card(self.language, refusal, order_id)


def build(config: Mapping[str, object], clock: Callable[[], float] = time.time) -> MCPServer:
    """The server. `clock`: seconds since the epoch, by which orders travel and days pass."""
    shop = Shop(config, clock)
    server = WordsServer("shop", title="Shop", instructions=INSTRUCTIONS)
    _add_looking(server, shop)
    _add_cart(server, shop)
    _add_orders(server, shop)
    return server


def _add_looking(server: MCPServer, shop: Shop) -> None:
    @server.tool(**_told("Search products", reads=True))
    def product_search(keyword: Keyword = "", category: CategoryName = "", sort: Sort = "popular") -> CallToolResult:
        """Search the shop's products, or list them all, and show them as a card with View buttons."""
        return shop.search(keyword, category, sort)

    @server.tool(**_told("Show a product", reads=True))
    def product_detail(productId: ProductId, ctx: Call) -> CallToolResult:
        """Show one product with its specs, stock and price, and buttons to add it or buy it now."""
        return shop.detail(_conversation(ctx), productId)


def _add_cart(server: MCPServer, shop: Shop) -> None:
    @server.tool(**_told("Add to cart"))
    def cart_add(productId: ProductId, ctx: Call, quantity: Quantity = 1) -> CallToolResult:
        """Put a product into the cart of this conversation, when the user asks for it."""
        return shop.add(_conversation(ctx), productId, quantity)

    @server.tool(**_told("View the cart", reads=True))
    def cart_view(ctx: Call) -> CallToolResult:
        """Show the cart of this conversation with its total, shipping and an order button."""
        return shop.view(_conversation(ctx))

    @server.tool(**_told("Remove from cart", repeats=True, removes=True))
    def cart_remove(productId: ProductId, ctx: Call) -> CallToolResult:
        """Take a product, in all its quantity, out of the cart."""
        return shop.remove(_conversation(ctx), productId)


def _add_orders(server: MCPServer, shop: Shop) -> None:
    @server.tool(**_told("Place an order"))
    def order_place(ctx: Call, productId: OptionalProductId = "") -> CallToolResult:
        """Order the whole cart, or with productId one piece of that product. It is paid afterwards."""
        return shop.place(_conversation(ctx), productId)

    @server.tool(**_told("Pay an order", repeats=True))
    def order_pay(orderId: OrderId) -> CallToolResult:
        """Pay a placed order (make-believe: no money moves), when the user asks for it."""
        return shop.pay(orderId)

    @server.tool(**_told("Track an order", reads=True))
    def order_status(orderId: OrderId) -> CallToolResult:
        """Show how far an order is: placed, paid, shipped, delivered."""
        return shop.status(orderId)


def _told(title: str, *, reads: bool = False, repeats: bool = False, removes: bool = False) -> dict[str, Any]:
    """`repeats`: a second call changes nothing more. No tool reaches beyond the shop's own data."""
    hints = ToolAnnotations(
        title=title,
        read_only_hint=reads,
        destructive_hint=removes,
        idempotent_hint=reads or repeats,
        open_world_hint=False,
    )
    return {"title": title, "annotations": hints, "structured_output": False}


def _conversation(ctx: Call) -> str:
    """Whose cart this is; a host that does not say shares one."""
    meta = ctx.request_context.meta
    return str(meta.get(CONVERSATION) or "") if meta else ""
