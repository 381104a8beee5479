"""Writing: what Enter does, what is kept, and how files come along."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(180)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="  # one red pixel
FILES = """([kind, name, type, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], name, {type}));
  const target = document.querySelector("[data-testid=composer]");
  const event = kind === "paste"
    ? new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})
    : new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true});
  return !target.dispatchEvent(event);
}"""


def test_enter_sends_and_shift_enter_breaks_the_line(talk: Talk) -> None:
    talk.composer.click()
    talk.page.keyboard.type("one")
    talk.page.keyboard.press("Shift+Enter")
    talk.page.keyboard.type("two")
    expect(talk.composer).to_have_value("one\ntwo")
    talk.page.keyboard.press("Enter")
    expect(talk.composer).to_have_value("")
    expect(talk.said.last.locator(".said")).to_have_text("one\ntwo")
    talk.rest()


def test_enter_belongs_to_the_input_method_while_it_composes(talk: Talk) -> None:
    talk.composer.click()
    line: Any = talk.page.context.new_cdp_session(talk.page)
    told: Callable[[str, dict[str, Any]], object] = line.send
    told("Input.imeSetComposition", {"text": "にほん", "selectionStart": 3, "selectionEnd": 3})
    for kind in ("rawKeyDown", "keyUp"):
        told("Input.dispatchKeyEvent", {"type": kind, "key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229})
    expect(talk.composer).to_have_value("にほん")
    told("Input.insertText", {"text": "日本"})
    expect(talk.composer).to_have_value("日本")
    expect(talk.messages).to_have_count(0)
    talk.page.keyboard.press("Enter")
    expect(talk.said.last).to_contain_text("日本")
    talk.rest()


def test_nothing_is_sent_where_nothing_was_written(talk: Talk) -> None:
    talk.composer.fill("   ")
    expect(talk.page.get_by_test_id("send")).to_be_disabled()
    talk.composer.press("Enter")
    expect(talk.messages).to_have_count(0)


def test_a_draft_is_kept_over_a_reload_and_each_conversation_has_its_own(talk: Talk) -> None:
    talk.say("hello there")
    talk.hear("Press a button above")
    talk.composer.fill("half a thought")
    talk.page.reload()
    expect(talk.composer).to_have_value("half a thought")
    talk.page.get_by_test_id("new-conversation").click()
    expect(talk.composer).to_have_value("")
    talk.composer.fill("another one")
    talk.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    expect(talk.composer).to_have_value("half a thought")


@pytest.mark.parametrize("way", ["paste", "drop", "button"])
def test_a_file_comes_along(talk: Talk, tmp_path: Path, way: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("remember the milk", encoding="utf-8")
    if way == "button":
        with talk.page.expect_file_chooser() as chooser:
            talk.page.get_by_test_id("attach").click()
        chooser.value.set_files(file)
    else:
        text = base64.b64encode(file.read_bytes()).decode()
        assert talk.page.evaluate(FILES, [way, "notes.txt", "text/plain", text]), "the browser would have done its own thing"
    chip = talk.page.get_by_test_id("attachment")
    expect(chip).to_contain_text("notes.txt")
    talk.say("see the file")
    expect(talk.said.last).to_contain_text("notes.txt")
    expect(chip).to_have_count(0)
    talk.page.reload()
    expect(talk.said.last).to_contain_text("notes.txt")
    talk.rest()


def test_a_picture_is_shown_where_it_was_sent(talk: Talk) -> None:
    talk.page.evaluate(FILES, ["paste", "dot.png", "image/png", PNG])
    expect(talk.page.get_by_test_id("attachment")).to_contain_text("dot.png")
    talk.page.evaluate(FILES, ["drop", "damaged.png", "image/png", PNG[: len(PNG) // 8 * 4]])
    expect(talk.page.get_by_test_id("attachment")).to_have_count(2)
    talk.say("a picture, and half a one")
    expect(talk.said.last.locator(".file-chip")).to_contain_text("damaged.png")
    picture = talk.said.last.locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 1
    assert (picture.get_attribute("src") or "").startswith("blob:")
    talk.rest()


def test_a_file_can_be_taken_out_again(talk: Talk) -> None:
    talk.page.evaluate(FILES, ["paste", "dot.png", "image/png", PNG])
    chip = talk.page.get_by_test_id("attachment")
    chip.get_by_role("button").click()
    expect(chip).to_have_count(0)


def test_keys_reach_what_buttons_do(talk: Talk) -> None:
    talk.page.keyboard.press("Control+k")
    palette = talk.page.get_by_test_id("palette")
    expect(palette).to_be_visible()
    talk.page.keyboard.type("dark purple")
    talk.page.keyboard.press("Enter")
    expect(palette).to_have_count(0)
    expect(talk.page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")
    talk.page.keyboard.press("Control+,")
    expect(talk.page.get_by_test_id("settings")).to_be_visible()
    expect(talk.page.get_by_test_id("settings-models")).to_be_focused()
    talk.page.keyboard.press("Escape")
    expect(talk.page.get_by_test_id("settings")).to_have_count(0)
    expect(talk.composer).to_be_focused()
    talk.page.keyboard.press("Control+Shift+F")
    expect(talk.page.get_by_test_id("search-input")).to_be_focused()
    talk.page.keyboard.press("Escape")
    expect(talk.page.get_by_test_id("search")).to_be_focused()
    talk.page.keyboard.press("Control+b")
    expect(talk.page.get_by_test_id("conversation-list")).to_have_count(0)
    talk.page.keyboard.press("Control+b")
    expect(talk.page.get_by_test_id("conversation-list")).to_be_visible()
