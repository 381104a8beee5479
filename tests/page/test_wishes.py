"""What a sentence changes in the window, and how it is undone."""

import re

import pytest
from playwright.sync_api import expect

from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(180)


def test_a_sentence_changes_the_theme_and_undo_brings_the_old_one_back(talk: Talk) -> None:
    html = talk.page.locator("html")
    before = html.get_attribute("data-theme-id") or ""
    talk.ready("leochat")
    talk.say("make the theme dark purple")
    expect(html).to_have_attribute("data-theme-id", "dark-purple")
    talk.toast.get_by_role("button", name="Undo").click()
    expect(html).to_have_attribute("data-theme-id", before)
    talk.rest()


def test_the_theme_stays_over_a_reload(talk: Talk) -> None:
    talk.ready("leochat")
    talk.say("pon el tema verde oscuro")
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", "dark-green")
    talk.rest()
    talk.page.reload()
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", "dark-green")
    talk.say("make the theme light")
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", "light-green")
    talk.rest()


def test_a_browsers_window_is_not_resized_and_the_model_is_told(talk: Talk) -> None:
    size = talk.page.evaluate("[innerWidth, innerHeight]")
    talk.ready("leochat")
    talk.say("make the window small")
    done = talk.page.get_by_test_id("ui-command").last
    expect(done).to_have_attribute("data-command", "resize_window")
    expect(done).to_have_attribute("data-executed", "false")
    talk.rest()
    assert talk.page.evaluate("[innerWidth, innerHeight]") == size


def test_a_notification_is_shown(talk: Talk) -> None:
    talk.ready("leochat")
    talk.say("notify me that the tea is ready")
    expect(talk.toast.filter(has_text="the tea is ready")).to_be_visible()
    talk.rest()


def test_settings_open_by_sentence(talk: Talk) -> None:
    talk.ready("leochat")
    talk.send("open the settings")  # which may stand there before the sentence is seen as said
    expect(talk.page.get_by_test_id("settings")).to_be_visible()


def test_a_wish_that_no_rule_knows_gets_a_guide_with_buttons(talk: Talk) -> None:
    talk.say("hm")
    expect(talk.cards.last.get_by_test_id("card-action").first).to_be_visible()
    expect(talk.answers.last).to_contain_text(re.compile("demo", re.IGNORECASE))
