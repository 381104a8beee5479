"""Conversations as a person keeps them: edited, answered again, renamed, found, exported, deleted and brought back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.page.scripts import saying
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(240)
Script = Callable[..., str]


def row(talk: Talk, title: str) -> Locator:
    return talk.page.get_by_test_id("conversation-row").filter(has_text=title)


def choose(talk: Talk, title: str, entry: str) -> None:
    row(talk, title).hover()
    row(talk, title).get_by_test_id("row-menu").click()
    row(talk, title).get_by_test_id(entry).click()


def named(talk: Talk, title: str) -> None:
    """A conversation with one message, called like that."""
    talk.say(f"something about {title}")
    talk.hear("Demo")
    talk.rest()
    talk.page.get_by_test_id("conversation-menu").click()
    talk.page.get_by_role("menuitem", name="Rename").and_(talk.page.locator(":visible")).click()
    talk.page.get_by_test_id("title-box").fill(title)
    talk.page.keyboard.press("Enter")
    expect(row(talk, title)).to_be_visible()


def test_an_edited_message_is_answered_anew_and_the_old_one_stays_beside_it(talk: Talk) -> None:
    talk.say("the first wording")
    talk.hear("Demo model")
    talk.rest()
    answered = talk.answers.count()
    talk.said.last.hover()
    talk.page.get_by_test_id("edit-message").last.click()
    talk.said.last.locator("textarea").fill("the second wording")
    talk.page.keyboard.press("Enter")
    expect(talk.said).to_have_count(1)
    expect(talk.said).to_contain_text("the second wording")
    talk.rest()
    beside = talk.said.last.get_by_test_id("siblings")
    expect(beside).to_contain_text("2/2")
    beside.get_by_role("button", name="The one before").click()
    expect(talk.said.last).to_contain_text("the first wording")
    expect(talk.answers).to_have_count(answered)
    talk.page.reload()
    expect(talk.said.last).to_contain_text("the first wording")


def test_an_answer_given_again_keeps_the_first_one(talk: Talk, script: Script) -> None:
    talk.say(script(saying("an answer", repeat=True)))
    talk.hear("an answer")
    talk.rest()
    talk.page.get_by_test_id("regenerate").last.click()
    expect(talk.answers.last.get_by_test_id("siblings")).to_contain_text("2/2")
    expect(talk.answers).to_have_count(1)


def test_a_branch_is_a_conversation_of_its_own(talk: Talk) -> None:
    named(talk, "the trunk")
    talk.page.get_by_test_id("branch").last.click()
    expect(talk.page.get_by_test_id("conversation-row").filter(has_text="the trunk")).to_have_count(2)
    expect(talk.said).to_have_count(1)
    talk.say("only in the branch")
    expect(talk.said).to_have_count(2)
    talk.rest()


def test_a_new_name_is_kept(talk: Talk) -> None:
    named(talk, "tea and biscuits")
    choose(talk, "tea and biscuits", "rename-conversation")
    talk.page.get_by_test_id("title-box").fill("coffee and cake")
    talk.page.keyboard.press("Enter")
    expect(row(talk, "coffee and cake")).to_be_visible()
    talk.page.reload()
    expect(row(talk, "coffee and cake")).to_be_visible()
    expect(row(talk, "tea and biscuits")).to_have_count(0)


def test_escape_leaves_the_name_as_it_was(talk: Talk) -> None:
    named(talk, "left alone")
    choose(talk, "left alone", "rename-conversation")
    talk.page.get_by_test_id("title-box").fill("changed")
    talk.page.keyboard.press("Escape")
    expect(row(talk, "left alone")).to_be_visible()


def test_a_deleted_conversation_comes_back_by_undo(talk: Talk) -> None:
    named(talk, "gone for a moment")
    choose(talk, "gone for a moment", "delete-conversation")
    expect(row(talk, "gone for a moment")).to_have_count(0)
    expect(talk.messages).to_have_count(0)
    talk.toast.get_by_role("button", name="Undo").click()
    expect(row(talk, "gone for a moment")).to_be_visible()
    expect(talk.said).to_contain_text("something about gone for a moment")


def test_a_deleted_conversation_stays_away_without_undo(talk: Talk) -> None:
    named(talk, "gone for good")
    choose(talk, "gone for good", "delete-conversation")
    expect(row(talk, "gone for good")).to_have_count(0)
    talk.page.reload()
    expect(talk.composer).to_be_visible()
    expect(row(talk, "gone for good")).to_have_count(0)


def test_search_finds_titles_and_what_was_said(talk: Talk) -> None:
    named(talk, "quokka facts")
    talk.new()
    talk.page.get_by_test_id("search").click()
    field = talk.page.get_by_test_id("search-input")
    field.fill("quokka")
    hits = talk.page.get_by_test_id("search-hit")
    expect(hits).to_have_count(2)
    expect(hits.first).to_contain_text("quokka facts")
    hits.last.click()
    expect(talk.said).to_contain_text("something about quokka facts")
    field.fill("zebra crossing")
    expect(talk.page.get_by_test_id("conversation-list")).to_contain_text("Nothing with")


def test_an_export_holds_what_was_said(talk: Talk, tmp_path: Path) -> None:
    named(talk, "to be kept")
    with talk.page.expect_download() as started:
        talk.page.get_by_test_id("export").click()
    file = tmp_path / "export"
    started.value.save_as(file)
    assert started.value.suggested_filename.endswith(".md")
    text = file.read_text("utf-8")
    assert "# to be kept" in text
    assert "something about to be kept" in text


def test_a_new_conversation_is_empty_and_the_old_one_is_as_it_was(talk: Talk) -> None:
    named(talk, "the old one")
    talk.new()
    expect(talk.page.get_by_test_id("try-it").first).to_be_visible()
    row(talk, "the old one").locator("button.row").click()
    expect(talk.said).to_contain_text("something about the old one")


def test_a_conversation_has_instructions_of_its_own(talk: Talk) -> None:
    named(talk, "with instructions")
    talk.page.get_by_test_id("conversation-menu").click()
    talk.page.get_by_test_id("open-options").click()
    talk.page.get_by_test_id("options-system").fill("Answer like a pirate.")
    talk.page.get_by_test_id("options-save").click()
    expect(talk.page.get_by_test_id("options-dialog")).to_have_count(0)
    talk.page.reload()
    talk.page.get_by_test_id("conversation-menu").click()
    talk.page.get_by_test_id("open-options").click()
    expect(talk.page.get_by_test_id("options-system")).to_have_value("Answer like a pirate.")


def test_the_first_message_gives_the_title(talk: Talk) -> None:
    talk.say("Tell me about the lighthouse")
    expect(row(talk, "lighthouse")).to_be_visible()
    expect(talk.page.locator("header.top h1")).to_contain_text("lighthouse")


def test_a_summary_can_be_opened_and_put_otherwise_and_all_before_it_stays_to_read(talk: Talk) -> None:
    for words in ("all about lions", "and tigers"):
        talk.say(words)
        expect(talk.messages.last).to_contain_text("Demo model")
        talk.rest()
    talk.say("/compact")
    summary = talk.page.get_by_test_id("summary")
    expect(summary).to_have_count(1)
    talk.rest()
    summary.locator("summary").click()
    summary.get_by_test_id("edit-summary").click()
    summary.locator("textarea").fill("We spoke of big cats.")
    talk.page.keyboard.press("Enter")
    expect(summary).to_have_count(2)
    summary.last.locator("summary").click()
    expect(summary.last).to_contain_text("We spoke of big cats.")
    expect(talk.said.filter(has_text="all about lions")).to_be_visible()
    expect(talk.page.get_by_test_id("stop")).to_have_count(0)
