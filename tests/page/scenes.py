"""What a person can have in front of them: each scene is set up by the hand of a person, in any language."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.page.scripts import calling, written
from tests.page.talk import Talk

ANSWER = """## A heading that is long enough to be broken in a narrow window, one hopes

Some **bold** and *slanted* words, `code`, a [link](https://example.com/) and

| Name | Value | Remark |
|---|---:|---|
| one | 1 | a rather long remark that goes on and on and on |
| two | 22 | short |

```python
def a_function_with_a_long_name(argument_one: int, argument_two: int, argument_three: int, four: int) -> dict[str, int]:
    return {}
```

> a quotation

1. first
   - nested
2. second

averyveryverylongwordwithoutanyspaceinitaveryveryverylongwordwithoutanyspaceinitaveryveryverylongwordwithoutanyspaceinit
"""
KINDS = ("summary", "media", "list", "status", "review", "error")
TONES = ("default", "info", "success", "warning", "error", "error")


def empty(talk: Talk, folder: Path) -> None:
    expect(talk.page.get_by_test_id("try-it").first).to_be_visible()


def answer(talk: Talk, folder: Path) -> None:
    thinking = {"type": "thinking", "text": "so many thoughts"}
    talk.say(written(folder / "answer.jsonl", {"blocks": [thinking, {"type": "text", "text": ANSWER}]}))
    expect(talk.answers.last.locator("ol").first).to_be_visible()
    talk.rest()


def quiz(talk: Talk, folder: Path) -> None:
    talk.say("Pokémon quiz 1")
    expect(talk.card("pq_")).to_be_visible()
    talk.rest()
    talk.press(talk.card("pq_"), "opt_0")
    expect(talk.page.locator('[data-card-id$="_a1"]')).to_be_visible()
    talk.rest()


def shop(talk: Talk, folder: Path) -> None:
    talk.say('[product_search keyword="all"]')
    talk.press(talk.card("search_"), "view_0")
    talk.press(talk.card("product_"), "add_cart")
    expect(talk.card("cart_added_")).to_be_visible()
    talk.rest()


def kinds(talk: Talk, folder: Path) -> None:
    """Every kind of card and every block, drawn by the model itself."""
    cards = [card(kind, tone) for kind, tone in zip(KINDS, TONES, strict=True)]
    lines = [calling("leochat__show_card", card=one) for one in cards]
    talk.say(written(folder / "kinds.jsonl", *lines, {"blocks": [{"type": "text", "text": "That is all."}]}))
    talk.hear("That is all.")
    talk.rest()


def card(kind: str, tone: str) -> dict[str, object]:
    send = {"type": "ui-command", "command": "send_message", "payload": {"text": "x"}}
    inputs: list[tuple[str, dict[str, object]]] = [
        ("text", {}),
        ("number", {"value": 3}),
        ("date", {}),
        ("checkbox", {}),
        ("select", {"options": ["one", "two"]}),
    ]
    return {
        "id": f"kind_{kind}", "kind": kind, "tone": tone, "subtitle": "and a subtitle",
        "title": f"A {kind} card with a title of some length, to be cut or broken",
        "body": [
            {"type": "text", "text": "Some **markdown** text", "format": "markdown"},
            {"type": "fields", "fields": [{"label": f"Label {n}", "value": "value " * n} for n in range(1, 5)]},
            {"type": "progress", "progress": {"value": 30, "label": "Progress"}}, {"type": "badge", "badge": {"text": "new"}},
            {"type": "divider"}, {"type": "code", "code": {"text": "let a = 1;", "language": "js"}},
            {"type": "table", "table": {"columns": ["a", "b"], "rows": [["1", "2"], ["3", "4"]]}},
            *({"type": "input", "input": {"name": f"{kind}_{k}", "label": k.title(), "kind": k, **more}} for k, more in inputs),
        ],
        "actions": [{"id": k, "label": k.title(), "kind": k, "action": send} for k in ("primary", "secondary", "danger")],
    }  # fmt: skip


def approval(talk: Talk, folder: Path) -> None:
    talk.say(f'[filesystem__write_file path="letter.txt" content="{"Dear reader, " * 20}"]')
    expect(talk.page.get_by_test_id("approval")).to_be_visible()


def palette(talk: Talk, folder: Path) -> None:
    talk.page.keyboard.press("Control+k")
    expect(talk.page.get_by_test_id("palette")).to_be_visible()


def models(talk: Talk, folder: Path) -> None:
    talk.page.get_by_test_id("open-settings").click()
    expect(talk.page.get_by_test_id("provider-row").first).to_be_visible()


def settings(name: str) -> "Scene":
    def scene(talk: Talk, folder: Path) -> None:
        talk.page.get_by_test_id("open-settings").click()
        talk.page.get_by_test_id(f"settings-{name}").click()
        expect(talk.page.locator("main h1, main h2").first).to_be_visible()

    return scene


def server(talk: Talk, folder: Path) -> None:
    talk.page.get_by_test_id("open-servers").click()
    expect(talk.server("filesystem")).to_have_attribute("data-status", "ready")
    talk.server("filesystem").locator("button.pick").click()


def editor(talk: Talk, folder: Path) -> None:
    talk.page.get_by_test_id("open-servers").click()
    talk.page.get_by_test_id("server-add").click()
    talk.page.get_by_test_id("server-command").fill("no-such-program --with some --options")
    talk.page.get_by_test_id("server-test").click()
    talk.page.get_by_test_id("server-accept").click()
    expect(talk.page.get_by_test_id("server-report")).to_be_visible()


def consent(talk: Talk, folder: Path) -> None:
    talk.page.get_by_test_id("open-servers").click()
    talk.page.get_by_test_id("server-add").click()
    talk.page.get_by_test_id("server-name").fill(re.sub(r"\W", "", folder.name)[:20])
    talk.page.get_by_test_id("server-command").fill("/opt/some/where/far/away/in/a/long/path/to/a/program")
    talk.page.get_by_test_id("server-args").fill("--first-option with-a-value --second-option /another/path/to/something.json")
    talk.page.get_by_test_id("server-save").click()
    expect(talk.page.get_by_test_id("server-consent")).to_be_visible()


def question(talk: Talk, folder: Path) -> None:
    talk.say('[leochat__show_confirm title="Shall we?" message="It cannot be undone, or so they say."]')
    expect(talk.page.get_by_test_id("confirm-dialog")).to_be_visible()


Scene = Callable[[Talk, Path], None]
SCENES: dict[str, Scene] = {
    "empty": empty, "answer": answer, "quiz": quiz, "shop": shop, "kinds": kinds, "approval": approval, "palette": palette,
    "models": models, "general": settings("general"), "approvals": settings("approvals"), "appearance": settings("appearance"),
    "limits": settings("limits"), "about": settings("about"), "server": server, "editor": editor, "consent": consent,
    "question": question, "knowledge": settings("knowledge"),
}  # fmt: skip
