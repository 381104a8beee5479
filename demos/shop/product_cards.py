"""The cards that show products: what a search found, and one product in detail."""

from collections.abc import Mapping
from hashlib import sha256

from mcp_types import CallToolResult

from demos import cards
from demos.shop.basket import FREE_FROM_CENTS, Basket
from demos.shop.catalogue import Found, Product, categories, products
from demos.shop.words import number, price, say, stars

FEW = 5
LOOK = (
    "The products are on the user's screen, each with a View button. Do not repeat the list: say one "
    "short sentence in the user's language, such as which one fits best, and wait for a choice. "
    "For details call product_detail with the id in that button."
)
CHOOSE = (
    "The product is on the user's screen. Say one short sentence in the user's language and wait. "
    "Do not add to the cart or order unless the user asks for it."
)
TRY_OTHER = "Say that nothing was found and offer another search or all products."


def search_card(language: str, asked: Mapping[str, str], title: str, found: Found, stock: Mapping[str, int]) -> CallToolResult:
    """`asked` makes the card's id: the same search again replaces the card."""
    card_id = "search_" + sha256(repr(sorted(asked.items())).encode("utf-8")).hexdigest()[:10]
    if not found.products:
        words = say(language, "nothing", keyword=asked["keyword"] or title)
        body, actions = [cards.text(words)], [browse(language, "browse")]
        made = cards.card(card_id, "list", say(language, "nothing_title"), body=body, actions=actions)
        return cards.shown(made, TRY_OTHER)
    made = cards.card(
        card_id,
        "list",
        title,
        subtitle=_counted(language, found, asked["sort"]),
        body=cards.divided([_row(language, one, stock[one.id]) for one in found.products]),
        actions=[_view(language, index, one) for index, one in enumerate(found.products)],
    )
    return cards.shown(made, LOOK)


def product_card(language: str, product: Product, left: int, basket: Basket) -> CallToolResult:
    text, held = product.text(language), basket.held(product)
    badges = [stock_badge(language, left)]
    if product.popular:
        badges.append(cards.badge(say(language, "popular")))
    if held:
        badges.append(cards.badge(say(language, "in_cart", quantity=held), "info"))
    body = [cards.image(product.picture_url, text.name), cards.fields(text.specs), *badges]
    if basket.lines:
        body.append(shipping_progress(language, basket))
    made = cards.card(
        f"product_{product.id}",
        "media",
        text.name,
        subtitle=say(
            language,
            "reviews",
            price=price(language, product.price_cents),
            stars=stars(language, product.rating),
            reviews=number(language, product.reviews),
        ),
        body=[cards.text(text.brief), *body],
        actions=_detail_actions(language, product, left, held),
        metadata={"productId": product.id, "category": categories()[product.category].name(language)},
    )
    return cards.shown(made, CHOOSE)


def stock_badge(language: str, left: int) -> cards.Json:
    if left == 0:
        return cards.badge(say(language, "sold_out"), "error")
    if left <= FEW:
        return cards.badge(say(language, "left", left=left), "warning")
    return cards.badge(say(language, "in_stock"), "success")


def shipping_progress(language: str, basket: Basket) -> cards.Json:
    missing = max(0, FREE_FROM_CENTS - basket.subtotal)
    label = say(language, "to_free", amount=price(language, missing)) if missing else say(language, "free_reached")
    reached = min(basket.subtotal, FREE_FROM_CENTS)
    return cards.progress(reached / 100, FREE_FROM_CENTS // 100, label)


def browse(language: str, action_id: str, kind: str = "primary") -> cards.Json:
    """A button that lists all products: `browse` out of a dead end, `continue` after a purchase."""
    sends = cards.call_text("product_search", keyword="popular")
    return cards.button(action_id, say(language, action_id), sends, kind=kind)


def view_cart(language: str, kind: str = "secondary") -> cards.Json:
    return cards.button("view_cart", say(language, "view_cart"), cards.call_text("cart_view"), kind=kind)


def remove(language: str, index: int, product: Product) -> cards.Json:
    """Asks with its own words before it sends."""
    name = product.text(language).name
    confirm = {
        "title": say(language, "remove_title", name=name),
        "message": say(language, "remove_message"),
        "confirmText": say(language, "remove"),
        "cancelText": say(language, "keep"),
    }
    return cards.button(
        f"remove_{index}",
        say(language, "remove"),
        cards.call_text("cart_remove", productId=product.id),
        kind="danger",
        says=say(language, "remove_it", name=name),
        confirm=confirm,
    )


def _counted(language: str, found: Found, sort: str) -> str:
    if found.close:
        return say(language, "close")
    order = say(language, f"sort_{sort}")
    return say(language, "found", count=len(found.products), all=len(products()), sort=order)


def _row(language: str, product: Product, left: int) -> list[cards.Json]:
    text = product.text(language)
    rating = f"{stars(language, product.rating)} ({number(language, product.reviews)})"
    facts = (
        (say(language, "price"), price(language, product.price_cents)),
        (say(language, "rating"), rating),
    )
    return [
        cards.image(product.picture_url, text.name),
        cards.text(f"{text.name}\n{text.brief}"),
        cards.fields(facts),
        stock_badge(language, left),
    ]


def _view(language: str, index: int, product: Product) -> cards.Json:
    return cards.button(
        f"view_{index}",
        say(language, "view"),
        cards.call_text("product_detail", productId=product.id),
        says=say(language, "view_it", name=product.text(language).name),
    )


def _detail_actions(language: str, product: Product, left: int, held: int) -> list[cards.Json]:
    actions: list[cards.Json] = []
    if left:
        buy = cards.call_text("order_place", productId=product.id)
        add = cards.call_text("cart_add", productId=product.id)
        actions.append(cards.button("buy_now", say(language, "buy_now"), buy, kind="primary"))
        actions.append(cards.button("add_cart", say(language, "add_cart"), add))
    if held:
        actions += [view_cart(language), remove(language, 0, product)]
    return actions or [browse(language, "browse")]
