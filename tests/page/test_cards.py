"""Cards of a server that is not part of LeoChat: long, many, structured, broken, with inputs; and what may not be one."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from app.mcp_host.config import ServerConfig
from tests.page.conftest import Opener
from tests.page.talk import Talk, button_of

pytestmark = pytest.mark.timeout(240)
STRANGER = Path(__file__).with_name("stranger.py")


@pytest.fixture(scope="module")
def servers() -> tuple[ServerConfig, ...]:
    return (ServerConfig(name="stranger", command=sys.executable, args=(str(STRANGER),), trusted=True),)


@pytest.fixture
def talk(opened: Opener) -> Talk:
    talk = opened()
    talk.ready("stranger")
    return talk


def shown(talk: Talk, tool: str) -> Locator:
    """The newest card, after a tool was called."""
    talk.say(f"[stranger__{tool}]")
    expect(talk.call(tool)).to_have_attribute("data-state", "done")
    talk.rest()
    return talk.cards.last


def test_a_card_of_more_than_three_thousand_characters_is_whole(talk: Talk) -> None:
    card = shown(talk, "long_card")
    expect(card).to_contain_text("Field 99")
    expect(card).to_contain_text("the very end")
    expect(card).to_have_attribute("data-server", "stranger")


def test_two_cards_of_one_result_are_both_there(talk: Talk) -> None:
    shown(talk, "two_cards")
    expect(talk.cards).to_have_count(2)
    expect(talk.cards.first).to_have_attribute("data-card-id", "first")
    expect(talk.cards.last).to_have_attribute("data-card-id", "second")


def test_a_card_in_structured_content_is_drawn(talk: Talk) -> None:
    expect(shown(talk, "structured_card")).to_contain_text("from the structure")
    expect(talk.cards).to_have_count(1)


def test_a_broken_block_is_a_line_in_its_place_and_a_dead_button_says_so(talk: Talk) -> None:
    card = shown(talk, "broken_card")
    expect(card).to_contain_text("A fields block could not be read.")
    expect(card).to_contain_text("what is whole")
    expect(button_of(card, "dead")).to_be_disabled()
    expect(button_of(card, "odd")).to_be_disabled()
    expect(talk.composer).to_be_enabled()


def test_an_object_that_only_looks_a_little_like_a_card_is_text(talk: Talk) -> None:
    talk.say("[stranger__pod]")
    row = talk.call("pod")
    expect(row).to_have_attribute("data-state", "done")
    talk.rest()
    expect(talk.cards).to_have_count(0)
    row.locator("summary").first.click()
    expect(row).to_contain_text("apiVersion")


def test_a_form_asks_for_what_is_required_and_sends_what_was_filled_in(talk: Talk) -> None:
    card = shown(talk, "form")
    before = talk.messages.count()
    button_of(card, "send").click()
    expect(card.get_by_role("alert")).to_be_visible()
    expect(talk.messages).to_have_count(before)
    card.locator('[data-testid="card-input"][data-name="who"]').fill("Ada")
    card.locator('[data-testid="card-input"][data-name="sure"]').check()
    button_of(card, "send").click()
    expect(talk.said.last).to_contain_text("for Ada, large, true")
    expect(talk.said.last.get_by_text("for Ada, large, true")).to_be_visible()
    expect(talk.said.last).to_contain_text("stranger")


def test_a_button_calls_a_tool_of_the_cards_own_server(talk: Talk) -> None:
    card = shown(talk, "form")
    card.locator('[data-testid="card-input"][data-name="who"]').fill("Ada")
    button_of(card, "again").click()
    expect(talk.page.locator('[data-card-id="second"]')).to_be_visible()


def test_an_event_for_the_embedding_page_is_told_to_it(talk: Talk) -> None:
    card = shown(talk, "form")
    talk.page.evaluate("addEventListener('leochat:card-action', (event) => { window.told = event.detail; }, true)")
    card.locator('[data-testid="card-input"][data-name="who"]').fill("Ada")
    button_of(card, "tell").click()
    told = talk.page.wait_for_function("window.told").json_value()
    assert told == {"actionId": "tell", "cardId": "form", "name": "told", "payload": {"who": "Ada"}}


def test_a_command_inside_a_fetched_text_does_nothing(talk: Talk) -> None:
    before = talk.page.locator("html").get_attribute("data-theme-id")
    talk.say("[stranger__page]")
    expect(talk.call("page")).to_have_attribute("data-state", "done")
    talk.rest()
    expect(talk.page.get_by_test_id("approval")).to_have_count(0)
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", before or "")


def test_a_command_without_a_grant_asks_and_does_nothing_when_denied(talk: Talk) -> None:
    before = talk.page.locator("html").get_attribute("data-theme-id") or ""
    talk.say("[stranger__command]")
    asked = talk.page.get_by_test_id("approval")
    expect(asked).to_contain_text("update_theme")
    expect(asked).to_contain_text("dark-green")
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", before)
    asked.get_by_test_id("deny").click()
    expect(asked).to_have_count(0)
    talk.rest()
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", before)


def test_a_command_runs_once_when_allowed_once(talk: Talk) -> None:
    asked = talk.page.get_by_test_id("approval")
    talk.say("[stranger__command]")
    asked.get_by_test_id("approve").click()
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", "dark-green")
    talk.rest()
    talk.toast.filter(has_text="Undo").get_by_role("button", name="Undo").click()
    expect(talk.page.locator("html")).not_to_have_attribute("data-theme-id", "dark-green")
    talk.say("[stranger__command]")
    asked.get_by_test_id("deny").click()
    talk.rest()
    expect(talk.page.locator("html")).not_to_have_attribute("data-theme-id", "dark-green")


@pytest.mark.parametrize(("answer", "state"), [("approve", "done"), ("deny", "error")])
def test_a_tool_that_changes_something_asks_first(talk: Talk, answer: str, state: str) -> None:
    talk.say("[stranger__change]")
    asked = talk.page.get_by_test_id("approval")
    expect(asked).to_contain_text("stranger__change")
    expect(talk.call("change")).to_have_attribute("data-state", "approval")
    talk.page.reload()  # the question is still there for whoever comes back
    asked.get_by_test_id(answer).click()
    expect(talk.call("change")).to_have_attribute("data-state", state)
    talk.rest()
