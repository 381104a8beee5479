"""Texts that want to run or to fetch: through the model's words, results, cards, titles and the person's own paste."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from app.mcp_host.config import ServerConfig
from tests.page.conftest import Opener
from tests.page.payloads import EVIL, PAYLOADS
from tests.page.scripts import streaming
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(240)
Script = Callable[..., str]
STRANGER = Path(__file__).with_name("stranger.py")
# What must not be in the page, wherever it came from: elements that run or fetch, handlers, addresses with a will of their own.
SUSPECTS = """() => {
  const bad = [...document.body.querySelectorAll(
    "script, iframe, object, embed, link, style, base, meta, video, audio, marquee, template, [ping], [srcdoc], [style*=url]"
  )].filter((element) => !(element.tagName === "SCRIPT" && new URL(element.src).origin === location.origin));
  for (const element of document.querySelectorAll("*"))
    for (const {name, value} of element.attributes) {
      if (name.startsWith("on")) bad.push(element);
      if (["href", "src", "action", "srcset", "xlink:href", "formaction", "poster"].includes(name)
          && !/^(https?:|mailto:|blob:|data:image\\/|#|\\/)/i.test(value.trim())) bad.push(element);
      if (["src", "srcset", "poster"].includes(name) && /^https?:/.test(value)
          && new URL(value).origin !== location.origin) bad.push(element);
    }
  return bad.map((element) => element.outerHTML.slice(0, 200));
}"""


@pytest.fixture(scope="module")
def servers() -> tuple[ServerConfig, ...]:
    return (ServerConfig(name="stranger", command=sys.executable, args=(str(STRANGER),), trusted=True),)


@pytest.fixture
def talk(opened: Opener) -> Talk:
    talk = opened()
    talk.page.on("dialog", lambda dialog: talk.complaints.append(f"a dialog: {dialog.message}"))
    talk.page.on("framenavigated", lambda frame: talk.complaints.append(frame.url) if not talk.owns(frame.url) else None)
    talk.page.context.on("page", lambda page: talk.complaints.append(f"a window: {page.url}") if page != talk.page else None)
    return talk


def harmless(talk: Talk) -> None:
    """Nothing ran, nothing that could run is there; `opened` sees to requests and to the policy."""
    talk.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert talk.page.evaluate("window.ran") is None
    assert talk.page.evaluate(SUSPECTS) == []
    assert talk.page.url.startswith(talk.leo.origin)


def given(folder: Path, *results: Any) -> str:
    file = folder / "results.json"
    file.write_text(json.dumps(results), encoding="utf-8")
    return f"[stranger__given path={json.dumps(str(file))}]"


def test_there_are_enough_of_them() -> None:
    assert len(set(PAYLOADS)) >= 60


def test_the_models_words_are_only_words(talk: Talk, script: Script) -> None:
    whole = "\n\n".join(PAYLOADS) + "\n\nthe end of it"
    talk.say(script(streaming(*(whole[at : at + 7] for at in range(0, len(whole), 7)))))
    talk.hear("the end of it")
    talk.rest()
    harmless(talk)
    talk.page.reload()
    talk.hear("the end of it")
    harmless(talk)


def test_what_follows_a_raw_tag_is_still_shown(talk: Talk, script: Script) -> None:
    talk.say(script(streaming("<script>", "window.ran=1", "</script>\n\n", "and **after** it")))
    talk.hear("and after it")
    talk.rest()
    expect(talk.answers.last).to_contain_text("<script>window.ran=1</script>")


def test_results_are_only_text(talk: Talk, tmp_path: Path) -> None:
    talk.ready("stranger")
    talk.say(given(tmp_path, *PAYLOADS))
    row = talk.call("given")
    expect(row).to_have_attribute("data-state", "done")
    talk.rest()
    row.locator("summary").first.click()
    expect(row).to_contain_text("window.ran=1")
    harmless(talk)


def test_every_field_of_a_card_is_only_text(talk: Talk, tmp_path: Path) -> None:
    talk.ready("stranger")
    cards = [card_of(number, text) for number, text in enumerate(PAYLOADS)]
    talk.say(given(tmp_path, cards))
    expect(talk.cards.last).to_be_visible()
    expect(talk.call("given")).to_have_attribute("data-state", "done")
    talk.rest()
    harmless(talk)
    assert talk.cards.count() > 0


def card_of(number: int, text: str) -> dict[str, Any]:
    send = {"type": "ui-command", "command": "send_message", "payload": {"text": text, "label": text}}
    body = [
        {"type": "text", "text": text}, {"type": "text", "text": text, "format": "markdown"},
        {"type": "fields", "fields": [{"label": text, "value": text}]}, {"type": "badge", "badge": {"text": text}},
        {"type": "progress", "progress": {"value": 5, "label": text}},
        {"type": "code", "code": {"text": text, "language": text}},
        {"type": "table", "table": {"columns": [text], "rows": [[text]], "caption": text}},
        {"type": "image", "image": {"url": f"https://{EVIL}/{number}.png", "alt": text}},
        {"type": "image", "image": {"url": f"javascript:window.ran={number}", "alt": text}},
        {"type": "image", "image": {"url": "data:text/html,<script>parent.ran=1</script>", "alt": text}},
        {"type": "input", "input": {"name": f"n{number}", "label": text, "kind": "select", "options": [text]}},
    ]  # fmt: skip
    actions = [{"id": f"a{number}", "label": text, "action": send, "confirm": {"title": text, "message": text}}]
    return {"id": f"c{number}", "kind": "summary", "title": text, "subtitle": text, "body": body, "actions": actions}


@pytest.mark.parametrize("url", ["javascript:window.ran=1", "data:text/html,<script>1</script>", "file:///etc/x", "/assets/x"])
def test_a_link_button_with_another_scheme_goes_nowhere(talk: Talk, tmp_path: Path, url: str) -> None:
    talk.ready("stranger")
    action = {"id": "go", "label": "Go", "action": {"type": "link", "url": url}}
    talk.say(given(tmp_path, {"id": "link", "kind": "summary", "title": "A link", "body": [], "actions": [action]}))
    card = talk.card("link")
    expect(card).to_be_visible()
    talk.rest()
    button = card.get_by_test_id("card-action")
    if button.is_enabled():
        button.click()
    harmless(talk)


def test_a_remote_picture_of_a_strangers_card_waits_for_a_click(talk: Talk, tmp_path: Path) -> None:
    talk.ready("stranger")
    picture = {"type": "image", "image": {"url": f"https://{EVIL}/cat.png", "alt": "a cat"}}
    talk.say(given(tmp_path, {"id": "cat", "kind": "media", "title": "A cat", "body": [picture]}))
    expect(talk.card("cat")).to_contain_text(EVIL)
    talk.rest()
    harmless(talk)


def test_titles_and_messages_of_the_person_are_only_text(talk: Talk) -> None:
    nasty = PAYLOADS[10]
    talk.say(nasty)
    expect(talk.said.last).to_contain_text(nasty)
    talk.rest()
    expect(talk.page.get_by_test_id("conversation-row").first).to_contain_text("<img")
    talk.page.get_by_test_id("search").click()
    talk.page.get_by_test_id("search-input").fill("<img src=x")
    expect(talk.page.get_by_test_id("conversation-list")).to_contain_text("<img")
    harmless(talk)


def test_the_page_carries_a_policy_without_inline_or_eval(talk: Talk) -> None:
    answer = talk.page.request.get(talk.leo.origin + "/")
    policy = answer.headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert "default-src 'none'" in policy or "default-src 'self'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_address_does_not_keep_the_token(talk: Talk) -> None:
    assert "token" not in talk.page.url
    assert "token" not in talk.page.evaluate("document.referrer + document.cookie + JSON.stringify(localStorage)")
