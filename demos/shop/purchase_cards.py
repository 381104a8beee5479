"""The cards of buying: what was added, the cart, an order, and a refusal with its way out."""

from collections.abc import Mapping
from hashlib import sha256

from mcp_types import CallToolResult

from demos import cards
from demos.shop.basket import Basket, Line, Order
from demos.shop.catalogue import Product
from demos.shop.ledger import LedgerError
from demos.shop.product_cards import browse, remove, shipping_progress, stock_badge, view_cart
from demos.shop.words import price, say

STEPS = ("placed", "paid", "shipped", "delivered")
WAIT = (
    "The card shows it all. Say one short sentence in the user's language and wait: the user goes on "
    "by the card's buttons. Do not order or pay unless the user asks for it."
)
EXPLAIN = "Tell the user in one short sentence what is wrong; the card has the way out."


def added_card(language: str, product: Product, basket: Basket) -> CallToolResult:
    name, held = product.text(language).name, basket.held(product)
    facts = (
        (say(language, "quantity"), str(held)),
        (say(language, "subtotal"), price(language, basket.subtotal)),
    )
    made = cards.card(
        f"cart_added_{product.id}",
        "status",
        say(language, "added", name=name),
        tone="success",
        body=[cards.fields(facts), shipping_progress(language, basket)],
        actions=[view_cart(language, "primary"), browse(language, "continue", "secondary")],
    )
    return cards.shown(made, WAIT)


def cart_card(language: str, conversation: str, basket: Basket, stock: Mapping[str, int]) -> CallToolResult:
    """The newest card of a conversation's cart replaces the ones before."""
    card_id = "cart_" + sha256(conversation.encode("utf-8")).hexdigest()[:10]
    if not basket.lines:
        made = cards.card(
            card_id,
            "list",
            say(language, "cart_empty"),
            body=[cards.text(say(language, "cart_empty_more"))],
            actions=[browse(language, "browse")],
        )
        return cards.shown(made, "The cart is empty. Say so and offer to look around.")
    total = price(language, basket.total)
    counted = "cart_sub_one" if basket.items == 1 else "cart_sub"
    rows = [_cart_row(language, line, stock[line.product_id]) for line in basket.lines]
    checkout = say(language, "checkout", total=total)
    made = cards.card(
        card_id,
        "list",
        say(language, "cart"),
        subtitle=say(language, counted, count=basket.items, total=total),
        body=[*cards.divided(rows), cards.divider(), *_sums(language, basket)],
        actions=[
            cards.button("checkout", checkout, cards.call_text("order_place"), kind="primary"),
            browse(language, "continue", "secondary"),
            *(remove(language, i, line.product) for i, line in enumerate(basket.lines)),
        ],
    )
    return cards.shown(made, WAIT)


def order_card(language: str, order: Order) -> CallToolResult:
    step = STEPS[order.step - 1]
    track = cards.button(
        "track",
        say(language, "track"),
        cards.call_text("order_status", orderId=order.id),
        kind="primary" if order.step > 1 else "secondary",
    )
    label = say(language, "pay", total=price(language, order.basket.total))
    pay = cards.button("pay", label, cards.call_text("order_pay", orderId=order.id), kind="primary")
    made = cards.card(
        f"order_{order.id}",
        "status",
        say(language, "order", id=order.id),
        subtitle=say(language, f"state_{order.step}"),
        tone="info" if order.step == 1 else "success",
        body=[
            cards.progress(
                order.step,
                len(STEPS),
                say(language, "step", step=order.step, name=say(language, step)),
            ),
            cards.fields([*_order_lines(language, order), *_prices(language, order.basket)]),
            cards.text(say(language, "demo")),
        ],
        actions=[pay, track] if order.step == 1 else [track, browse(language, "continue", "secondary")],
    )
    return cards.shown(made, WAIT)


def refused_card(language: str, refusal: LedgerError, order_id: str = "") -> CallToolResult:
    values = dict(refusal.values)
    if refusal.product:
        values["name"] = refusal.product.text(language).name
    words = [say(language, refusal.word, **values)]
    actions = [browse(language, "browse")]
    match refusal.word:
        case "too_many_held":
            actions = [view_cart(language, "primary"), browse(language, "browse", "secondary")]
        case "paid_already":
            sends = cards.call_text("order_status", orderId=str(values["id"]))
            actions = [cards.button("track", say(language, "track"), sends, kind="primary")]
        case "is_sold_out" | "too_few" if order_id:
            words.append(say(language, "nothing_charged"))
        case _:
            pass
    return refused(language, refusal.word, " ".join(words), actions)


def refused(language: str, name: str, words: str, actions: list[cards.Json] | None = None) -> CallToolResult:
    way_out = [browse(language, "browse")] if actions is None else actions
    return cards.refused(f"shop_{name}", say(language, "refused"), words, EXPLAIN, way_out)


def _cart_row(language: str, line: Line, left: int) -> list[cards.Json]:
    name = line.product.text(language).name
    row = [
        cards.image(line.product.picture_url, name),
        cards.text(f"{name}\n{_times(language, line)}"),
    ]
    return [*row, stock_badge(language, left)] if line.quantity > left else row


def _times(language: str, line: Line) -> str:
    return f"{line.quantity} × {price(language, line.price_cents)}"


def _order_lines(language: str, order: Order) -> list[tuple[str, str]]:
    return [(one.product.text(language).name, _times(language, one)) for one in order.basket.lines]


def _prices(language: str, basket: Basket) -> list[tuple[str, str]]:
    shipping = price(language, basket.shipping) if basket.shipping else say(language, "free")
    return [(say(language, "shipping"), shipping), (say(language, "total"), price(language, basket.total))]


def _sums(language: str, basket: Basket) -> list[cards.Json]:
    subtotal = (say(language, "subtotal"), price(language, basket.subtotal))
    facts = cards.fields([subtotal, *_prices(language, basket)])
    return [facts, shipping_progress(language, basket)]
