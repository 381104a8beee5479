"""A folder made the ground of answers: added on the knowledge page, asked in a conversation, followed, taken out again."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.mcp_servers.knowledge.ground import files, laws, pdf
from tests.page.talk import Talk, button_of

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def talk(talk: Talk) -> Talk:
    talk.ready("knowledge")
    return talk


def to_page(talk: Talk) -> None:
    talk.page.get_by_test_id("open-settings").click()
    talk.page.get_by_test_id("settings-knowledge").click()
    expect(talk.page.get_by_test_id("knowledge")).to_be_visible()


def test_a_folder_is_added_asked_followed_and_removed(talk: Talk, tmp_path: Path) -> None:
    folder = files(laws(tmp_path), {"locked.pdf": pdf("x", password="y"), "many/0.txt": "x"})
    page = talk.page
    to_page(talk)
    page.get_by_test_id("knowledge-path").fill(str(tmp_path / "nowhere"))
    page.get_by_test_id("knowledge-add").click()
    expect(page.get_by_test_id("knowledge").get_by_role("alert")).to_contain_text("nowhere")
    page.get_by_test_id("knowledge-path").fill(str(folder))
    page.keyboard.press("Enter")
    row = page.get_by_test_id("knowledge-folder")
    expect(row).to_have_attribute("data-state", "ready", timeout=60_000)
    expect(row).to_contain_text("5 files")
    row.get_by_test_id("knowledge-problems").locator("summary").click()
    expect(row).to_contain_text("locked.pdf")
    expect(row).to_contain_text("protected by a password")
    files(folder, {f"many/{number}.txt": "more words" for number in range(1, 100)})
    page.get_by_test_id("knowledge-again").click()
    expect(row).to_contain_text("104 files", timeout=90_000)

    page.get_by_test_id("close-settings").click()
    talk.say('[search_knowledge query="plazo de preaviso"]')
    expect(talk.card("sources_")).to_contain_text("bicicletas.txt")
    talk.rest()
    talk.press(talk.card("sources_"), "show_0")
    expect(talk.card("passage_")).to_contain_text("treinta días")
    expect(button_of(talk.card("passage_"), "open")).to_be_visible()

    to_page(talk)
    page.get_by_test_id("knowledge-remove").click()
    talk.confirm("confirm-cancel")
    expect(row).to_have_count(1)
    page.get_by_test_id("knowledge-remove").click()
    talk.confirm()
    expect(row).to_have_count(0)
    page.get_by_test_id("close-settings").click()
    talk.say('[search_knowledge query="preaviso"]')
    expect(talk.call("search_knowledge")).to_have_attribute("data-state", "error")


def test_an_embedding_model_that_does_not_answer_is_said(talk: Talk) -> None:
    page = talk.page
    to_page(talk)
    page.get_by_test_id("meaning-model").fill("toy")
    page.get_by_test_id("meaning-address").fill("http://127.0.0.1:1/v1")
    page.get_by_test_id("meaning-test").click()
    report = page.get_by_test_id("meaning-report")
    expect(report).to_have_attribute("data-ok", "false", timeout=60_000)
    expect(report).to_contain_text("127.0.0.1:1 cannot be reached")
    page.get_by_test_id("meaning-address").fill("nonsense")
    page.get_by_test_id("meaning-save").click()
    expect(talk.toast).to_contain_text("http://")
