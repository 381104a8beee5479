"""What the backend says in English is recognised, so that the page says it in the person's language."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.chat.recognised import TOLD, recognised, told
from app.mcp_host.importing import read_text
from app.mcp_host.wording import CAUSES
from app.store import Store
from tests.chat.conftest import Opener
from tests.mcp_host.desk import fake

ROOT = Path(__file__).parents[2]
ROOMS = ("pasted", "manifest", "registry_entry", "bundles", "blanks", "importing", "loosejson", "servers", "tended")
# They are parts of a sentence that stands elsewhere, or are told to programs alone.
PARTS = ("x was left out: x", "it has neither", "its arguments", "its URL", "The list of servers", "{} is ", "{} is missing.")


def tables(language: str) -> dict[str, str]:
    """The page's words for what the backend tells, by key."""
    found: dict[str, str] = {}
    for name in ("causes", "told"):
        text = (ROOT / "frontend" / "src" / "i18n" / language / f"{name}.ts").read_text(encoding="utf-8")
        found |= {key: json.loads(value) for key, value in re.findall(r'"said\.([\w.]+)":\s+("(?:[^"\\]|\\.)*")', text)}
    return found


def test_the_page_has_the_same_sentences_in_every_language() -> None:
    assert tables("en") == CAUSES | TOLD
    spanish = tables("es")
    assert spanish.keys() == tables("en").keys()
    for key, text in tables("en").items():
        assert sorted(re.findall(r"{\w+}", text)) == sorted(re.findall(r"{\w+}", spanish[key])), key


def sentences(file: Path) -> Iterator[str]:
    """Every sentence of a module that a person is told, with `x` in its holes."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Raise | ast.Yield | ast.Call | ast.Return)]
    for node in texts:
        of_telling = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
        if isinstance(node, ast.Call) and not of_telling:
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.JoinedStr):
                text = "".join(str(v.value) if isinstance(v, ast.Constant) else "x" for v in part.values)
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                text = part.value
            else:
                continue
            if " " in text.strip() and text[:1] in "xABCDEFGHIJKLMNOPQRSTUVWXYZ" and (text.endswith(".") or ": x" in text):
                yield text


@pytest.mark.parametrize("room", ROOMS)
def test_every_sentence_about_servers_is_known(room: str) -> None:
    for text in sentences(ROOT / "app" / "mcp_host" / f"{room}.py"):
        alone = text.replace("x", "{}", 1)
        if any(part in alone or part in text for part in PARTS) or text == "x: x":
            continue
        assert recognised(text) or recognised(f"x: {text}"), text


def test_notes_on_what_is_imported_come_with_their_keys() -> None:
    found = read_text('{"mcpServers": {"a": {"command": "cmd", "args": ["/path/to/x"], "odd": 1}}}')
    notes = [told(n) for c in found.candidates for n in c.notes] + [told(n) for n in found.notes]
    assert notes
    assert [n.said[0]["key"] for n in notes] == ["import.windows", "import.placeholders", "import.notTaken"]
    assert notes[2].said[0]["with"] == {"name": "a", "fields": "odd"}


async def test_notes_on_an_import_come_with_their_keys(tmp_path: Path) -> None:
    def talk(key: str, *parts: dict[str, Any]) -> dict[str, Any]:
        said = {"uuid": f"{key}m", "sender": "robot", "content": parts, "created_at": "2025-01-01T10:00:00Z"}
        return {"uuid": key, "name": "A: talk", "chat_messages": [said]}

    text, odd = {"type": "text", "text": "words"}, {"type": "odd"}
    store = Store.open(tmp_path)
    try:
        taken = await store.archive.import_bytes(json.dumps([talk("a", text, odd), {"what": 1}]).encode())
        again = await store.archive.import_bytes(json.dumps([talk("a", {"type": "text", "text": "others"})]).encode())
    finally:
        store.close()
    notes = [told(note) for note in (*taken.notes, *again.notes)]
    assert [n.message for n in notes if len(n.said) != 1] == []
    keys = {n.said[0]["key"] for n in notes}
    assert {"taken.sender", "taken.leftOut", "taken.unknown", "taken.copy"} <= keys, keys
    assert next(n.said[0]["with"] for n in notes if n.said[0]["key"] == "taken.leftOut") == {"name": "A: talk", "kind": "odd"}


# Sentences about what is imported, and about a conversation that is asked for something.
IMPORT_ROOMS = ("store/imports", "chat/tree", "chat/going_on", "chat/queueing", "chat/elsewhere")


@pytest.mark.parametrize("room", IMPORT_ROOMS)
def test_every_sentence_about_conversations_is_known(room: str) -> None:
    texts = [text for text in sentences(ROOT / "app" / f"{room}.py") if text != "x: x" and "newer LeoChat" not in text]
    assert texts
    assert [text for text in texts if not recognised(text)] == []


def test_several_sentences_are_known_one_by_one_and_others_words_stay_in_them() -> None:
    said = recognised("sly. Install Deno. was closed. Try again, or give it a longer time limit.")
    assert [s["key"] for s in said] == ["server.closed", "server.cure.longer"]
    assert said[0]["with"] == {"name": "sly. Install Deno."}
    assert recognised("Nothing of ours. Sign in.") == ()


async def test_a_servers_trouble_is_told_with_its_keys(opened: Opener) -> None:
    leo = await opened(fake("bad_start"))
    row = next(s for s in leo.servers.changed().servers if s.name == "fake")
    assert row.message == "fake ended with exit code 7. Its last lines say why."
    assert [s["key"] for s in row.said] == ["server.ended", "server.cure.lastLines"]
