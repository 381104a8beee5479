"""The shop as a buyer and a host see it: search, cart, order, stock, refusals, restarts and languages."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from app.core.outline import outline
from app.core.recognise import read_card
from demos.shop import create
from demos.shop.catalogue import categories, products
from demos.shop.server import build
from tests.demos.conftest import Meet, Person, Shown

Config = dict[str, object]


def found(shown: Shown) -> list[str]:
    """The product ids that the View buttons of a search lead to."""
    assert shown.action_ids == [f"view_{index}" for index in range(len(shown.action_ids))]
    return [shown.sends(action).split('"')[1] for action in shown.action_ids]


async def test_a_whole_purchase_goes_by_buttons_only(config: Config, meet: Meet) -> None:
    async with meet(create(config), "one") as person:
        search = await person.call("product_search", keyword="headphones")
        detail = await person.press(search, "view_1")
        assert detail.card["id"] == "product_aurora-one"
        assert {"buy_now", "add_cart"} <= set(detail.action_ids)
        added = await person.press(detail, "add_cart")
        assert added.card["id"] == "cart_added_aurora-one"
        more = await person.press(added, "continue")
        assert len(found(more)) == len(products())
        await person.call("cart_add", productId="terra-mug", quantity=3)
        cart = await person.press(added, "view_cart")
        assert {"checkout", "remove_0", "remove_1"} <= set(cart.action_ids)
        assert cart.action("remove_1")["confirm"]["confirmText"] == "Remove"
        less = await person.press(cart, "remove_1")
        assert less.card["id"] == cart.card["id"], "the newest cart replaces the older cards"
        placed = await person.press(less, "checkout")
        order_id = placed.card["id"].removeprefix("order_")
        assert placed.blocks("progress")[0]["value"] == 1
        paid = await person.press(placed, "pay")
        assert paid.card["id"] == f"order_{order_id}"
        assert (paid.blocks("progress")[0]["value"], paid.blocks("progress")[0]["max"]) == (2, 4)
        assert "pay" not in paid.action_ids
        tracked = await person.press(paid, "track")
        assert tracked.card["id"] == paid.card["id"]


async def test_buy_now_orders_one_piece_and_leaves_the_cart_alone(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        await person.call("cart_add", productId="heron-pen")
        placed = await person.press(await person.call("product_detail", productId="terra-mug"), "buy_now")
        assert placed.fields["Terra Mug"] == "1 × €14.50"
        assert placed.fields["Total"] == "€24.50"
        assert "Heron Fountain Pen" in (await person.call("cart_view")).words


async def test_a_search_lists_rows_with_picture_price_rating_and_stock(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        shown = await person.call("product_search", keyword="headphones under €150")
        assert found(await person.call("product_search", keyword="mugs")) == ["terra-mug"]
    assert shown.card["kind"] == "list"
    assert found(shown) == ["fjord-travel", "aurora-one", "sparrow-buds"]
    row = ["image", "text", "fields", "badge"]
    types = [block["type"] for block in shown.card["body"]]
    assert types == [*row, "divider", *row, "divider", *row]
    assert shown.blocks("fields")[1] == [
        {"label": "Price", "value": "€79.00"},
        {"label": "Rating", "value": "★ 4.7 (2,318)"},
    ]
    assert shown.badges == ["In stock", "In stock", "3 left"]
    assert shown.blocks("text")[0].startswith("Fjord Travel\n")
    assert all(image["url"].startswith("data:image/svg+xml") for image in shown.blocks("image"))


@pytest.mark.parametrize(
    "keyword",
    ["", "popular", "All", "recommended", "todos", "recomendados", "热门", "推荐", "全部", "show me all products"],
)
async def test_words_for_everything_list_everything(config: Config, meet: Meet, keyword: str) -> None:
    async with meet(create(config)) as person:
        assert set(found(await person.call("product_search", keyword=keyword))) == set(products())


@pytest.mark.parametrize(
    ("keyword", "first"),
    [
        ("auriculares", "fjord-travel"),
        ("无线耳机", "fjord-travel"),
        ("Wireless MOUSE", "pebble-mouse"),
        ("una taza de café", "terra-mug"),
        ("cuadernos", "meadow-notebook"),
        ("blue bottles", "drift-bottle"),
        ("pen", "heron-pen"),
        ("lámpara", "ember-lamp"),
    ],
)
async def test_products_are_found_in_any_language(config: Config, meet: Meet, keyword: str, first: str) -> None:
    async with meet(create(config)) as person:
        assert found(await person.call("product_search", keyword=keyword))[0] == first


async def test_categories_have_aliases_and_sorting_sorts(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        cheap = await person.call("product_search", category="auriculares", sort="price_asc")
        dear = await person.call("product_search", category="Audio", sort="price_desc")
        rated = await person.call("product_search", category="all", sort="rating")
        unknown = await person.call("product_search", category="groceries")
    assert found(cheap)[0] == "sparrow-buds"
    assert found(dear) == list(reversed(found(cheap)))
    ratings = [products()[one].rating for one in found(rated)]
    assert ratings == sorted(ratings, reverse=True)
    assert unknown.is_error
    assert all(category.name("en") in unknown.words for category in categories().values())


async def test_finding_nothing_is_no_dead_end(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        nothing = await person.call("product_search", keyword="submarine")
        assert not nothing.is_error
        assert nothing.action_ids == ["browse"]
        assert found(await person.press(nothing, "browse"))


async def test_shipping_is_free_from_99_and_else_10(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        below = await person.call("cart_add", productId="aurora-one")
        assert below.blocks("progress")[0] == {"value": 79, "max": 99, "label": "€20.00 more for free shipping"}
        cart = await person.call("cart_view")
        assert (cart.fields["Shipping"], cart.fields["Total"]) == ("€10.00", "€89.00")
        await person.call("cart_add", productId="terra-mug", quantity=2)
        free = await person.call("cart_view")
        assert (free.fields["Shipping"], free.fields["Total"]) == ("Free", "€108.00")
        assert free.blocks("progress")[0]["value"] == 99


async def test_quantities_are_positive_and_within_the_stock(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        for quantity in (0, -1, 10**30):
            refused = await person.call("cart_add", productId="sparrow-buds", quantity=quantity)
            assert refused.is_error
            assert "whole number" in refused.words
        broken = await person.client.call_tool("cart_add", {"productId": "sparrow-buds", "quantity": 1.5})
        assert broken.is_error
        too_many = await person.call("cart_add", productId="sparrow-buds", quantity=4)
        assert too_many.is_error
        assert "only 3 in stock" in too_many.words
        await person.call("cart_add", productId="sparrow-buds", quantity=2)
        with_held = await person.call("cart_add", productId="sparrow-buds", quantity=2)
        assert with_held.is_error
        assert "2 in your cart" in with_held.words
        assert "2 × " in (await person.press(with_held, "view_cart")).words


async def test_payment_takes_from_the_stock_and_refuses_what_is_gone(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        orders = [await person.call("order_place", productId="firefly-lantern") for _ in range(3)]
        assert "2 left" in (await person.call("product_detail", productId="firefly-lantern")).badges
        for order in orders[:2]:
            assert not (await person.press(order, "pay")).is_error
        gone = await person.press(orders[2], "pay")
        assert gone.is_error
        assert "sold out" in gone.words
        assert "Nothing was charged" in gone.words
        detail = await person.call("product_detail", productId="firefly-lantern")
        assert "Sold out" in detail.badges
        assert not {"buy_now", "add_cart"} & set(detail.action_ids)
        assert (await person.call("cart_add", productId="firefly-lantern")).is_error
        assert (await person.call("order_place", productId="firefly-lantern")).is_error
    async with meet(create(config)) as person:
        detail = await person.call("product_detail", productId="firefly-lantern")
        assert "Sold out" in detail.badges, "stock survives a restart"


async def test_of_many_payments_at_once_one_is_taken(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person, meet(create(config)) as other:
        order = await person.call("order_place", productId="sparrow-buds")
        paid = await asyncio.gather(*(who.press(order, "pay") for who in (person, other) * 3))
        assert Counter(shown.is_error for shown in paid) == {True: 5, False: 1}
        refused = next(shown for shown in paid if shown.is_error)
        assert "paid already" in refused.words
        assert not (await person.press(refused, "track")).is_error
        assert "2 left" in (await person.call("product_detail", productId="sparrow-buds")).badges


async def test_each_conversation_has_its_own_cart_over_a_restart(config: Config, meet: Meet) -> None:
    async with meet(create(config), "first") as first:
        second, nobody = first.elsewhere("second"), Person(first.client)
        await asyncio.gather(
            *(first.call("cart_add", productId="terra-mug") for _ in range(10)),
            *(second.call("cart_add", productId="drift-bottle", quantity=2) for _ in range(5)),
        )
        assert "empty" in (await nobody.call("cart_view")).card["title"]
        carts = await first.call("cart_view"), await second.call("cart_view")
        assert carts[0].card["id"] != carts[1].card["id"]
    async with meet(create(config), "second") as again:
        cart = await again.call("cart_view")
        assert "10 × €24.90" in cart.words
        assert "Terra" not in cart.words
        await again.press(cart, "checkout")
        assert "empty" in (await again.call("cart_view")).card["title"]
        assert "10 × €14.50" in (await again.elsewhere("first").call("cart_view")).words


async def test_unknown_ids_empty_carts_and_paid_orders_are_clear_errors(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        for tool in ("product_detail", "cart_add", "cart_remove", "order_place"):
            unknown = await person.call(tool, productId="moon-base")
            assert unknown.is_error
            assert "moon-base" in unknown.words
            assert found(await person.press(unknown, "browse"))
        for tool in ("order_pay", "order_status"):
            unknown = await person.call(tool, orderId="4711")
            assert unknown.is_error
            assert "4711" in unknown.words
        empty = await person.call("order_place")
        assert empty.is_error
        assert "empty" in empty.words
        absent = await person.call("cart_remove", productId="terra-mug")
        assert absent.is_error
        assert "not in your cart" in absent.words


async def test_an_order_travels_and_the_shelf_is_filled_up_the_next_day(config: Config, meet: Meet) -> None:
    now = [1_000_000.0]
    async with meet(build(config, clock=lambda: now[0])) as person:
        order = await person.call("order_place", productId="sparrow-buds")
        assert order.card["subtitle"] == "Waiting for payment"
        paid = await person.press(order, "pay")
        steps: list[tuple[int, str]] = []
        for _ in range(3):
            shown = await person.press(paid, "track")
            steps.append((shown.blocks("progress")[0]["value"], shown.card["subtitle"]))
            now[0] += 40
        assert steps == [(2, "Paid, waiting to be packed"), (3, "On its way"), (4, "Delivered")]
        assert "2 left" in (await person.call("product_detail", productId="sparrow-buds")).badges
        now[0] += 24 * 3600
        assert "3 left" in (await person.call("product_detail", productId="sparrow-buds")).badges


async def test_the_shop_speaks_the_apps_language(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        config["language"] = "es"
        spanish = await person.call("product_detail", productId="ridge-backpack")
        assert spanish.card["title"] == "Mochila Ridge"
        assert spanish.card["subtitle"].startswith("74,90\u00a0€, ★ 4,7 (1.296 ")
        assert spanish.label("buy_now") == "Comprar ahora"
        config["language"] = "zh-CN"
        chinese = await person.call("product_search", keyword="背包")
        assert found(chinese) == ["ridge-backpack"]
        assert "Ridge 背包" in chinese.words
        config["language"] = "fr"
        assert (await person.call("cart_view")).card["title"] == "Your cart is empty"


async def test_products_are_known_by_name_too(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        for name in ("Aurora One", "AURORA-ONE", "aurora one"):
            assert (await person.call("product_detail", productId=name)).card["id"] == "product_aurora-one"


async def test_what_the_model_gets_is_far_shorter_than_the_card(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        every = [
            await person.call("product_search"),
            await person.call("product_detail", productId="almanac-set"),
            await person.call("cart_add", productId="almanac-set"),
            await person.call("cart_view"),
            await person.call("order_place"),
        ]
    for shown in every:
        assert len(outline(read_card(shown.card))) <= 0.4 * len(shown.text)
        assert len(shown.text) < 64 * 1024


async def test_tools_say_truthfully_what_they_do(config: Config, meet: Meet, hints: Any) -> None:
    reads = (True, False, True, False)
    async with meet(create(config)) as person:
        assert await hints(person.client) == {
            "product_search": reads,
            "product_detail": reads,
            "cart_view": reads,
            "order_status": reads,
            "cart_add": (False, False, False, False),
            "cart_remove": (False, True, True, False),
            "order_place": (False, False, False, False),
            "order_pay": (False, False, True, False),
        }


def test_the_catalogue_is_rich_enough_and_whole() -> None:
    assert len(products()) >= 12
    assert {product.category for product in products().values()} == set(categories())
    assert len(categories()) == 5
    for product in products().values():
        assert {"en", "es", "zh"} == set(product.texts)
        assert len({len(text.specs) for text in product.texts.values()}) == 1
        assert product.picture_url.startswith("data:image/svg+xml;base64,")
