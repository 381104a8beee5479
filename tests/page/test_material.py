"""What a server offers beside tools, by the hand of a person: prompts, resources, its questions to the model and to them."""

import re
import sys

import pytest
from playwright.sync_api import expect

from app.mcp_host.config import ServerConfig
from tests.page.served import ROOT
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def servers() -> tuple[ServerConfig, ...]:
    """Our own server of examples, as one of somebody else's."""
    return (ServerConfig(name="all", command=sys.executable, args=("-m", "mcp_servers.everything"), cwd=str(ROOT)),)


@pytest.fixture
def talk(talk: Talk) -> Talk:
    talk.ready("all")
    return talk


def called(talk: Talk, call: str) -> None:
    """A call of a third-party server, allowed."""
    talk.say(f"[all__{call}]")
    talk.page.get_by_test_id("approve").click()


def test_a_prompt_is_a_command_with_a_form_and_goes_before_the_message(talk: Talk) -> None:
    page = talk.page
    talk.composer.fill("/complex")
    expect(page.get_by_test_id("slash-list")).to_contain_text("/all:complex_prompt")
    page.keyboard.press("Enter")
    dialog = page.get_by_test_id("prompt-dialog")
    expect(dialog.locator('[data-name="topic"]')).to_be_focused()
    dialog.get_by_test_id("prompt-fill").click()
    expect(dialog.get_by_role("alert")).to_be_visible()
    dialog.locator('[data-name="topic"]').fill("rain")
    dialog.locator('[data-name="style"]').fill("po")
    expect(dialog.locator("datalist option")).to_have_count(2)
    dialog.locator('[data-name="style"]').fill("poetic")
    page.keyboard.press("Enter")
    template = page.get_by_test_id("template")
    template.locator("summary").click()
    expect(template).to_contain_text("Explain rain in a poetic style.")
    expect(template).to_contain_text("Gladly. What do you know about it already?")
    talk.say("In one line, please")
    talk.rest()
    expect(template).to_have_count(0)
    expect(talk.said).to_have_count(3)
    expect(talk.said.nth(0)).to_contain_text("Explain rain in a poetic style.")
    expect(page.get_by_test_id("from-prompt")).to_have_count(3)
    expect(talk.said.nth(2)).to_have_text("In one line, please")


def test_a_resource_is_found_attached_followed_and_read_again(talk: Talk) -> None:
    page = talk.page
    talk.new()
    talk.composer.fill("what says @counter")
    expect(page.get_by_test_id("slash-list")).to_contain_text("demo://counter")
    page.keyboard.press("Enter")
    chip = page.get_by_test_id("attachment")
    expect(chip).to_contain_text("counter")
    expect(talk.composer).to_have_value("what says ")
    page.get_by_test_id("send").click()
    talk.rest()
    called(talk, "count_up")
    expect(page.locator('[data-testid="attachment"][data-stale="true"]')).to_be_visible()
    talk.rest()
    talk.say("and now?")
    expect(chip).to_have_count(0)
    talk.rest()
    talk.page.get_by_test_id("open-servers").click()
    talk.server("all").locator("button.pick").click()
    page.get_by_test_id("server-tab-resources").click()
    resource = page.locator('[data-testid="resource"][data-uri="demo://counter"]')
    expect(resource.get_by_test_id("resource-follow")).to_be_checked()
    resource.locator("button.pick").click()
    expect(page.get_by_test_id("resource-contents")).to_contain_text("The counter stands at 1.")
    page.get_by_test_id("reader").get_by_role("button", name="Close").click()
    page.locator('[data-testid="resource"][data-uri="demo://notes/{number}"] button.pick').click()
    page.get_by_test_id("reader").locator('[data-name="number"]').fill("7")
    page.get_by_test_id("reader-read").click()
    expect(page.get_by_test_id("resource-contents")).to_contain_text("This is note 7.")
    page.get_by_test_id("reader-attach").click()
    page.get_by_test_id("close-settings").click()
    expect(chip).to_contain_text("7.txt")


def test_a_question_to_the_model_is_shown_whole_and_its_answer_before_it_goes(talk: Talk) -> None:
    page = talk.page
    talk.new()
    called(talk, 'ask_model topic="rain"')
    question = page.get_by_test_id("sampling")
    expect(question).to_contain_text("Say something short about rain.")
    expect(question).to_contain_text("You are a poet of few words.")
    question.get_by_test_id("sampling-once").click()
    expect(question).to_have_attribute("data-state", "answered")
    question.get_by_test_id("sampling-send").click()
    expect(talk.call("ask_model")).to_have_attribute("data-state", "done")
    talk.rest()
    called(talk, 'ask_model topic="snow"')
    question.get_by_test_id("sampling-deny").click()
    expect(talk.call("ask_model")).to_have_attribute("data-state", "error")
    talk.rest()


def test_a_form_with_choices_is_filled_in(talk: Talk) -> None:
    talk.new()
    called(talk, "ask_user")
    form = talk.page.get_by_test_id("elicitation")
    form.locator('[data-name="name"]').fill("Leo")
    form.locator('[data-name="email"]').fill("nobody")
    form.get_by_role("checkbox", name="olives").check()
    form.get_by_test_id("elicit-accept").click()
    expect(form.get_by_role("alert")).to_have_text(re.compile("e-mail"))
    form.locator('[data-name="email"]').fill("leo@example.org")
    form.get_by_test_id("elicit-accept").click()
    talk.hear(re.compile("with cheese, olives for Leo"))
    talk.rest()


def test_sounds_play_and_linked_resources_are_read(talk: Talk) -> None:
    page = talk.page
    talk.new()
    called(talk, "get_audio")
    sound = page.get_by_test_id("sound")
    expect(sound).to_be_visible()
    expect(sound).to_have_js_property("readyState", 4)
    talk.rest()
    called(talk, "get_resource_links")
    linked = page.get_by_test_id("linked")
    expect(linked).to_have_count(3)
    linked.first.click()
    expect(page.get_by_test_id("resource-contents")).to_contain_text("This is note 1.")
    page.get_by_test_id("reader").get_by_role("button", name="Close").click()
    talk.rest()
    called(talk, "get_resource")
    expect(linked).to_have_count(4)
    linked.last.click()
    expect(page.get_by_test_id("resource-contents")).to_contain_text("This is note 1.")
    page.get_by_test_id("reader").get_by_role("button", name="Close").click()
    talk.rest()
