"""The demos from the first sentence to the last button, by clicking only what the cards offer."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import Opener
from tests.page.talk import Talk, button_of

pytestmark = pytest.mark.timeout(240)
ROUNDS = 2  # so that everything said stays within what the thread draws without scrolling


def question(talk: Talk, number: int) -> Locator:
    card = talk.page.locator(f'[data-testid="card"][data-card-id$="_q{number}"]').last
    expect(card).to_be_visible()
    return card


def answer_to(talk: Talk, number: int) -> Locator:
    card = talk.page.locator(f'[data-testid="card"][data-card-id$="_a{number}"]').last
    expect(card).to_be_visible()
    talk.rest()
    return card


def test_a_whole_quiz_is_played_by_clicking_and_begun_again(talk: Talk) -> None:
    talk.ready("pokemon_quiz")
    talk.say(f"start the Pokémon quiz with {ROUNDS} rounds")
    told = talk.cards.last
    for number in range(1, ROUNDS + 1):
        asked = question(talk, number)
        expect(asked).to_have_attribute("data-kind", "quiz")
        expect(asked.get_by_test_id("card-action")).to_have_count(4)
        talk.press(asked, f"opt_{number - 1}")
        told = answer_to(talk, number)
        expect(told).to_have_attribute("data-tone", re.compile("success|error|warning|info"))
        expect(button_of(asked, f"opt_{number - 1}")).to_have_attribute("data-pressed", "true")
        if number < ROUNDS:
            talk.press(told, "next")
    expect(button_of(told, "next")).to_have_count(0)
    first = question(talk, 1).get_attribute("data-card-id")
    talk.press(told, "restart")
    expect(talk.cards.last).to_have_attribute("data-card-id", re.compile(r"_q1$"))
    expect(talk.page.locator(f'[data-card-id="{first}"]')).to_have_count(1)
    assert talk.cards.last.get_attribute("data-card-id") != first
    expect(talk.cards).to_have_count(2 * ROUNDS + 1)


def test_the_person_never_has_to_see_what_a_button_sent(talk: Talk) -> None:
    talk.ready("pokemon_quiz")
    talk.say("start the Pokémon quiz with 1 round")
    asked = question(talk, 1)
    talk.rest()
    label = button_of(asked, "opt_2").inner_text().splitlines()[-1]
    talk.press(asked, "opt_2")
    answer_to(talk, 1)
    sent = talk.said.last
    expect(sent).to_contain_text(label)
    expect(sent).to_contain_text("pokemon_quiz")
    expect(sent.get_by_text("[pokemon_answer")).to_be_hidden()
    sent.locator("summary").click()
    expect(sent.get_by_text("[pokemon_answer")).to_be_visible()


def test_a_pressed_button_is_pressed_after_a_reload_and_after_a_restart(talk: Talk) -> None:
    talk.ready("pokemon_quiz")
    talk.say("start the Pokémon quiz with 1 round")
    asked = question(talk, 1)
    talk.rest()
    talk.press(asked, "opt_1")
    answer_to(talk, 1)
    talk.page.reload()
    expect(button_of(question(talk, 1), "opt_1")).to_have_attribute("data-pressed", "true")
    expect(button_of(question(talk, 1), "opt_0")).to_have_attribute("data-pressed", "false")
    talk.leo.again()
    talk.open()
    talk.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    expect(button_of(question(talk, 1), "opt_1")).to_have_attribute("data-pressed", "true")
    expect(talk.cards).to_have_count(2)


def test_shopping_from_search_to_delivery_by_clicking(talk: Talk) -> None:
    talk.ready("shop")
    talk.say("search headphones")
    found = talk.card("search_")
    talk.press(found, "view_0")
    product = talk.card("product_")
    expect(product.locator("img").first).to_be_visible()
    talk.press(product, "add_cart")
    added = talk.card("cart_added_")
    talk.rest()
    talk.press(added, "view_cart")
    cart = talk.page.locator('[data-testid="card"][data-card-id^="cart_"]:not([data-card-id^="cart_added_"])').last
    talk.press(cart, "remove_0")
    talk.confirm("confirm-cancel")
    expect(button_of(cart, "remove_0")).to_have_attribute("data-pressed", "false")
    before = talk.messages.count()
    talk.press(cart, "remove_0")
    talk.confirm()
    expect(talk.messages).not_to_have_count(before)
    talk.rest()
    expect(talk.cards.last.get_by_test_id("card-action")).to_have_attribute("data-action-id", "browse")
    talk.press(talk.cards.last, "browse")
    talk.rest()
    talk.press(talk.card("search_"), "view_1")
    expect(talk.card("product_")).to_be_visible()
    talk.rest()
    talk.press(talk.card("product_"), "add_cart")
    talk.rest()
    talk.press(talk.card("cart_added_"), "view_cart")
    talk.rest()
    talk.press(cart, "checkout")
    order = talk.card("order_")
    expect(order).to_be_visible()
    talk.rest()
    talk.press(order, "pay")
    expect(talk.page.locator('[data-testid="card"][data-card-id^="order_"]')).to_have_count(2)
    talk.rest()
    paid = talk.card("order_")
    expect(button_of(paid, "pay")).to_have_count(0)
    talk.press(paid, "track")
    expect(talk.page.locator('[data-testid="card"][data-card-id^="order_"]')).to_have_count(3)


def test_try_it_starts_a_demo_and_a_card_can_be_answered_by_key(opened: Opener) -> None:
    talk = opened()
    talk.ready("pokemon_quiz")
    talk.page.locator('[data-testid="try-it"][data-try="quiz"]').click()
    asked = question(talk, 1)
    talk.rest()
    asked.focus()
    talk.page.keyboard.press("2")
    answer_to(talk, 1)
    expect(button_of(asked, "opt_1")).to_have_attribute("data-pressed", "true")
