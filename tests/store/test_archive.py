"""Exports: our JSON loses nothing and comes back the same; Markdown is for people; broken files are said in words."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from app.core.cards import Card, CardAction, CardCode, CardTable, Code, Table
from app.core.messages import CardBlock, FileBlock, Message, Opaque, Origin, ThinkingBlock, Usage
from app.store import CardPress, ConversationOptions, Store, StoreError
from app.store.markdown import MarkdownWords
from tests.store.stories import answered, calling, reply, told, user


async def rich(store: Store) -> str:
    """A conversation with one of everything: branches, a partial, cards, presses, files, thinking, options."""
    ref = await store.blobs.put("añb\x00🎉".encode(), "text/plain", "notes.txt")
    row = await store.conversations.create(
        ConversationOptions(system="Be brief", thinking="low", extra={"x": [1]}), title="Todo ✓"
    )
    first = user("¿Qué hay?").model_copy(
        update={"blocks": (FileBlock(media_type="text/plain", ref=ref, name="notes.txt", size=9),)}
    )
    call = calling(first.id)
    result = answered(call.id)
    signed = ThinkingBlock(
        text="hmm", opaque=Opaque(protocol="anthropic", vendor="anthropic", data={"signature": "s"}), duration_ms=5
    )
    said = reply("Listo", result.id, blocks=(signed,), usage=Usage(input_tokens=5, cost=0.1), model="m", provider="p")
    other = user("Other question", None)
    for message in (first, call, result, other, said):
        await store.messages.append(row.id, message, durable=False)
    await store.messages.save_partial(row.id, reply("half", said.id))
    await store.cards.save(row.id, CardPress(message_id=result.id, card_id="cart_1", action_id="buy", inputs={"n": 2}))
    await store.tasks.begin("t1", row.id)
    await store.tasks.end("t1", "cancelled")
    await store.conversations.set_pinned(row.id, pinned=True)
    await store.conversations.set_folder(row.id, "Trabajo")
    await store.conversations.reserve_seq(row.id, 500)
    return row.id


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_file()]


def timeless(text: str) -> dict[str, Any]:
    return {**json.loads(text), "exported_ms": 0}


async def test_an_export_taken_into_an_empty_store_exports_the_same_again(store: Store, tmp_path: Path) -> None:
    conversation = await rich(store)
    await told(store, "another", "one")
    first = await store.archive.json_text()
    other = Store.open(tmp_path / "other")
    report = await other.archive.import_bytes(first.encode())
    assert (len(report.conversations), report.messages, report.already, report.notes) == (2, 8, 0, ())
    assert timeless(await other.archive.json_text()) == timeless(first)
    assert await other.messages.branch(conversation) == await store.messages.branch(conversation)
    assert await other.messages.partials(conversation) == await store.messages.partials(conversation)
    assert await other.conversations.get(conversation) == await store.conversations.get(conversation)
    assert await other.usage.by_day() == await store.usage.by_day()
    assert len(await other.search("hay")) == len(await store.search("hay"))
    other.close()


async def test_what_is_already_there_is_left_alone_and_what_differs_becomes_a_copy(store: Store) -> None:
    conversation, messages = await told(store, "q", "a")
    text = await store.archive.json_text([conversation])
    await store.messages.append(conversation, user("later", messages[-1].id), durable=False)
    report = await store.archive.import_bytes(text.encode())
    assert (report.conversations, report.already) == ((), 1)
    changed = text.replace(messages[-1].id, "msg_from_elsewhere")
    report = await store.archive.import_bytes(changed.encode())
    assert (await store.archive.import_bytes(changed.encode())).already == 1, "the copy is not copied again"
    assert len(report.conversations) == 1
    assert report.conversations[0] != conversation
    assert len(await store.messages.branch(conversation)) == 3
    assert [m.text for m in await store.messages.branch(report.conversations[0])] == ["q", "a"]


async def test_a_file_is_written_whole_and_read_from_a_zip_too(store: Store, tmp_path: Path) -> None:
    conversation = await rich(store)
    target = tmp_path / "export.json"
    await store.archive.export_json(target, [conversation])
    assert files_in(tmp_path) == ["export.json"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x/conversations.json", target.read_bytes())
        archive.writestr("a.json", "{}")
    other = Store.open(tmp_path / "other")
    assert (await other.archive.import_bytes(packed.getvalue())).conversations == (conversation,)
    other.close()
    with pytest.raises(StoreError, match="no conversation nope"):
        await store.archive.export_json(tmp_path / "nope.json", ["nope"])
    assert not (tmp_path / "nope.json").exists()


async def test_a_broken_message_costs_only_itself(store: Store, tmp_path: Path) -> None:
    conversation, _ = await told(store, "q", "a", "q2")
    data = json.loads(await store.archive.json_text([conversation]))
    data["conversations"][0]["messages"][1]["blocks"] = [{"type": "text"}]
    data["conversations"].append({"conversation": {}})
    other = Store.open(tmp_path / "other")
    report = await other.archive.import_bytes(json.dumps(data).encode())
    assert [m.text for m in await other.messages.branch(conversation)] == ["q", "q2"]
    assert len(report.notes) == 2
    assert "blocks.0.text" in report.notes[0]
    other.close()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"{", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"PK\x03\x04 no zip", "damaged"),
        (b"[]", "no export that LeoChat knows"),
        (b'"text"', "no export that LeoChat knows"),
        (b'{"mcpServers": {}}', "no export that LeoChat knows"),
        (b'{"format": "leochat", "version": 99, "conversations": []}', "newer LeoChat"),
    ],
)
async def test_what_is_no_export_is_said_in_words(store: Store, content: bytes, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        await store.archive.import_bytes(content)
    assert await store.conversations.all() == []


async def test_markdown_shows_who_said_what_and_draws_the_cards(store: Store) -> None:
    conversation = await rich(store)
    table = CardTable(table=Table(columns=("a", "b|c"), rows=(("1", "2"), ("3",))))
    code = CardCode(code=Code(text="```x```", language="py"))
    card = Card(id="k", kind="list", title="Tabla", body=(table, code), actions=(CardAction(id="go", label="Comprar"),))
    branch = await store.messages.branch(conversation)
    call = calling(branch[-1].id)
    shown = answered(call.id).model_copy(update={"blocks": (CardBlock(tool_call_id="c1", card=card, server="shop"),)})
    for message in (call, shown):
        await store.messages.append(conversation, message, durable=False)
    text = await store.archive.markdown(conversation, MarkdownWords(user="Usuario"))
    for piece in (
        "# Todo ✓",
        "> Be brief",
        "## Usuario",
        "*Attachment: notes.txt (text/plain)*",
        "**Tool:** `shop__cart_view`",
        "> **Carrito**",
        "> - **Total:** 99",
        "<details><summary>Thinking</summary>\n\nhmm",
        "> | a | b\\|c |\n> | --- | --- |\n> | 1 | 2 |\n> | 3 |  |",
        "> ````py\n> ```x```\n> ````",
        "> [Comprar]",
        "half",
    ):
        assert piece in text
    assert "Other question" not in text, "only the shown branch"


async def test_markdown_names_the_server_of_a_press_and_what_leochat_says_itself(store: Store) -> None:
    conversation, said = await told(store, "q", "a")
    for server, label, prompt in (("shop", "Buy", False), ("shop", "Plan", True), ("", "summary", False), ("", "", False)):
        origin = Origin(server=server, card_id="", label=label, bundled=True, prompt=prompt)
        message = user("x", said[-1].id).model_copy(update={"origin": origin})
        await store.messages.append(conversation, message, durable=False)
        said.append(message)
    heads = [line for line in (await store.archive.markdown(conversation)).splitlines() if line.startswith("## User")]
    told_by = ["", " (from a card of shop)", " (from a prompt of shop)", " (summary)", ""]
    assert heads == [f"## User{by}" for by in told_by]


async def test_an_empty_conversation_is_exported_too(store: Store) -> None:
    row = await store.conversations.create()
    assert "# Conversation" in await store.archive.markdown(row.id)
    assert len(json.loads(await store.archive.json_text())["conversations"]) == 1
    with pytest.raises(StoreError, match="no conversation nope"):
        await store.archive.markdown("nope")


def test_messages_survive_json_as_they_are() -> None:
    message: Message = answered("x")
    assert Message.model_validate_json(message.model_dump_json()) == message


def packed(data: bytes) -> bytearray:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", data)
    return bytearray(made.getvalue())


async def test_any_unicode_is_read_and_a_zip_that_is_damaged_inside_or_locked_is_said(store: Store, tmp_path: Path) -> None:
    conversation, _ = await told(store, "¿qué? 🎉", "sí")
    text = await store.archive.json_text([conversation])
    for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"):
        assert (await store.archive.import_bytes(text.encode(encoding))).already == 1, encoding
    damaged, locked = packed(text.encode() * 3), packed(text.encode())
    damaged[60:90] = bytes(30)
    for flags in (6, locked.index(b"PK\x01\x02") + 8):
        locked[flags] |= 1
    for content, words in ((damaged, "damaged"), (locked, "locked"), (text.encode("latin-1", "replace"), "no text in UTF-8")):
        with pytest.raises(StoreError, match=words):
            await store.archive.import_bytes(bytes(content))
