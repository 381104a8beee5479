"""Exports of other programs: every sample is taken in, whole where it can be, with a note where it cannot."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.messages import CardBlock, Message, TextBlock, ThinkingBlock, ToolCall, ToolResultBlock
from app.store import ImportReport, Store, imports
from app.store.foreign.nodes import as_ms

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "chat_exports"
SAMPLES = sorted(path.name for path in CASES.glob("*.json*")) if CASES.is_dir() else []

needs_samples = pytest.mark.skipif(not SAMPLES, reason=f"no samples in {CASES}")


async def take(store: Store, name: str) -> ImportReport:
    return await store.archive.import_file(CASES / name)


async def every_message(store: Store) -> dict[str, list[Message]]:
    data = json.loads(await store.archive.json_text())
    return {c["conversation"]["id"]: [Message.model_validate(m) for m in c["messages"]] for c in data["conversations"]}


def assert_paired(messages: list[Message]) -> None:
    """Every reply with calls is answered, in each branch, by one tool message with just its results."""
    children = {m.id: [child for child in messages if child.parent_id == m.id] for m in messages}
    for message in messages:
        if message.calls:
            assert [child.role for child in children[message.id]] == ["tool"]
            results = [b.tool_call_id for b in children[message.id][0].blocks if isinstance(b, ToolResultBlock)]
            assert results == [call.id for call in message.calls]
        if message.role == "tool":
            assert message.parent_id in {m.id for m in messages if m.calls}


@needs_samples
@pytest.mark.parametrize("name", SAMPLES)
async def test_every_sample_is_imported_once_and_its_calls_are_paired(store: Store, name: str) -> None:
    report = await take(store, name)
    assert report.conversations
    assert report.messages
    everything = await every_message(store)
    for conversation, messages in everything.items():
        assert_paired(messages)
        assert await store.messages.branch(conversation), "the shown branch is not empty"
        assert all(message.blocks for message in messages)
    again = await take(store, name)
    assert (again.conversations, again.already) == ((), len(report.conversations))


@needs_samples
@pytest.mark.parametrize(
    ("name", "conversations", "messages", "note"),
    [
        ("chatgpt-tree.json", 1, 11, ""),
        ("chatgpt-modern-export.json", 2, 6, "Corrupted entry: it holds no messages."),
        ("claude-conversations.json", 2, 6, ""),
        ("claude-conversations-multiple-errors.json", 3, 4, "Missing chat_messages: it holds no messages."),
        ("librechat-tree.json", 1, None, ""),
        ("librechat-opts-nonr-branches.json", 1, 5, ""),
        ("openwebui-export.json", 3, 8, ""),
        ("chatbotui-export.json", 2, 6, ""),
        ("claude-code-session.jsonl", 1, 2, ""),
    ],
)
async def test_what_is_in_a_sample_is_in_the_store(
    store: Store, name: str, conversations: int, messages: int | None, note: str
) -> None:
    report = await take(store, name)
    assert len(report.conversations) == conversations
    assert messages is None or report.messages == messages
    assert not note or note in report.notes


@needs_samples
async def test_chatgpt_branches_are_siblings_and_hidden_instructions_the_system_prompt(store: Store) -> None:
    [tree] = (await take(store, "chatgpt-tree.json")).conversations
    assert await store.messages.siblings(tree)
    first, _ = (await take(store, "chatgpt-modern-export.json")).conversations
    row = await store.conversations.get(first)
    assert row is not None
    assert (row.title, row.options.system) == ("Deploying the staging cluster", "The user is an SRE.\n\nAnswer concisely.")
    assert [m.text for m in await store.messages.branch(first)] == [
        "How do I roll back the deploy?",
        "Run `helm rollback staging`.",
        "And if that fails?",
        "Restore from the last known-good chart.",
    ]
    assert row.created_ms == 1_756_000_000_123


@needs_samples
async def test_chatgpt_tool_use_becomes_a_call_with_its_result(store: Store) -> None:
    await take(store, "chatgpt-export.json")
    calls = [call for messages in (await every_message(store)).values() for m in messages for call in m.calls]
    assert {call.name for call in calls} == {"browser"}


@needs_samples
async def test_openwebui_thinking_and_tools_keep_their_kind(store: Store) -> None:
    reasoning, tools, plain = (await take(store, "openwebui-export.json")).conversations
    blocks = (await store.messages.branch(reasoning))[-1].blocks
    assert isinstance(blocks[0], ThinkingBlock)
    assert "15 * 10" in blocks[0].text
    branch = await store.messages.branch(tools)
    assert [m.role for m in branch] == ["user", "assistant", "tool", "assistant"]
    assert branch[1].calls == (ToolCall(id="call_1", name="get_weather", arguments={"city": "Paris"}),)
    assert [m.text for m in await store.messages.branch(plain)] == ["Hello", "Hi there!"]
    assert [m.model for m in await store.messages.branch(plain)] == [None, "llama3.1:latest"]


@needs_samples
async def test_librechat_nested_and_flat_branches_are_both_trees(store: Store) -> None:
    for name in ("librechat-tree.json", "librechat-opts-nonr-branches.json"):
        [conversation] = (await take(store, name)).conversations
        assert await store.messages.siblings(conversation)


ORIGINAL: dict[str, Any] = {
    "state": {
        "providerKeys": {"openai": "sk-secret-canary"},
        "conversations": [
            {
                "id": "abc",
                "title": "Quiz",
                "createdAt": 1_750_000_000_000,
                "updatedAt": 1_750_000_100_000,
                "contextMessages": [
                    {"id": "m1", "role": "user", "content": "start the quiz", "timestamp": 1_750_000_000_000},
                    {
                        "id": "m2",
                        "role": "assistant",
                        "content": "",
                        "reasoning_content": "I should start it",
                        "tool_calls": [
                            {"id": "c1", "name": "pokemon_start", "arguments": {"rounds": 5}, "status": "completed"}
                        ],
                        "timestamp": 1_750_000_001_000,
                    },
                    {"id": "m3", "role": "tool", "tool_call_id": "c1", "content": "started", "timestamp": 1_750_000_002_000},
                    {"id": "m4", "role": "assistant", "content": "Who is it?", "timestamp": 1_750_000_003_000},
                    {"id": "m5", "role": "user", "content": "thanks", "timestamp": 1_750_000_004_000},
                ],
                "displayMessages": [
                    {
                        "id": "m2",
                        "role": "assistant",
                        "contentItems": [
                            {
                                "id": "i",
                                "type": "leo-card",
                                "content": {"id": "pq_1", "kind": "quiz", "title": "Who?", "body": []},
                            }
                        ],
                    }
                ],
            }
        ],
    },
    "version": 0,
}


@pytest.mark.parametrize("data", [ORIGINAL, {"ai-chatbox-chat": json.dumps(ORIGINAL)}], ids=["file", "state as text"])
async def test_the_original_s_storage_comes_with_its_cards_and_without_its_keys(store: Store, data: dict[str, Any]) -> None:
    report = await store.archive.import_bytes(json.dumps(data).encode())
    [conversation] = report.conversations
    branch = await store.messages.branch(conversation)
    assert [m.role for m in branch] == ["user", "assistant", "tool", "assistant", "user"]
    assert_paired(branch)
    assert branch[1].calls[0].arguments == {"rounds": 5}
    [card] = [block for block in branch[2].blocks if isinstance(block, CardBlock)]
    assert (card.card.id, card.card.title) == ("pq_1", "Who?")
    assert [m.text for m in branch[3:]] == ["Who is it?", "thanks"]
    assert "sk-secret-canary" not in await store.archive.json_text()


def claude(key: str, *texts: str, name: str = "A talk") -> dict[str, Any]:
    """A conversation as Claude exports it; the texts are the person's and the model's in turns."""
    senders = ("human", "assistant")
    said = [{"uuid": f"{key}{n}", "sender": senders[n % 2], "text": text} for n, text in enumerate(texts)]
    return {"uuid": key, "name": name, "account": {}, "chat_messages": said}


async def test_lone_surrogates_become_the_replacement_mark_and_one_trouble_loses_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = {"type": "tool_use", "id": "c", "name": "t", "input": json.dumps({"k\udc00": ["\ud83d"]})}
    odd = claude("a", "half \ud83d and whole \U0001f980", name="odd \ud83d")
    odd["chat_messages"].append({"uuid": "call", "sender": "assistant", "content": [call]})
    data = json.dumps([odd, claude("b", "spoilt"), claude("c", "sound")]).encode()
    insert = imports.insert_message

    def failing(db: Any, conversation_id: str, message: Message, **more: Any) -> bool:
        if message.text == "spoilt":
            raise TypeError("no such thing")
        return insert(db, conversation_id, message, **more)

    monkeypatch.setattr(imports, "insert_message", failing)
    report = await store.archive.import_bytes(data)
    assert report.notes == ("A talk: it could not be taken in (TypeError: no such thing).",)
    first, second = report.conversations
    row = await store.conversations.get(first)
    assert row is not None
    assert row.title == "odd \ufffd"
    said, asked, _ = await store.messages.branch(first)
    assert said.text == "half \ufffd and whole \U0001f980"
    assert asked.calls[0].arguments == {"k\ufffd": ["\ufffd"]}
    assert [m.text for m in await store.messages.branch(second)] == ["sound"]
    raw = json.dumps([claude("d", "raw \ud83d")], ensure_ascii=False).encode("utf-8", "surrogatepass")
    [third] = (await store.archive.import_bytes(raw)).conversations
    assert (await store.messages.branch(third))[0].text == "raw \ufffd"


async def test_an_export_that_grew_goes_on_where_it_was_and_one_that_changed_is_one_copy(store: Store) -> None:
    async def take_in(*texts: str) -> ImportReport:
        return await store.archive.import_bytes(json.dumps([claude("a", *texts)]).encode())

    [conversation] = (await take_in("q", "a")).conversations
    grown = await take_in("q", "a", "q2", "a2")
    assert (grown.conversations, grown.messages, grown.already) == ((), 2, 1)
    assert "2 messages" in grown.notes[0]
    branch = await store.messages.branch(conversation)
    assert [m.text for m in branch] == ["q", "a", "q2", "a2"]
    own = Message(id="own", role="user", blocks=(TextBlock(text="here"),), parent_id=branch[-1].id)
    await store.messages.append(conversation, own, durable=False)
    assert (await take_in("q", "a", "q2", "a2", "q3")).messages == 1
    assert [m.text for m in await store.messages.branch(conversation)][-1] == "here", "what was said here stays shown"
    [copy] = (await take_in("q", "another", "q2")).conversations
    for _ in range(2):
        again = await take_in("q", "another", "q2")
        assert (again.conversations, again.already, again.notes) == ((), 1, ())
    assert (await take_in("q", "another", "q2", "a2")).messages == 1
    assert [m.text for m in await store.messages.branch(copy)] == ["q", "another", "q2", "a2"]
    assert len(await store.conversations.all()) == 2


async def test_a_grown_export_without_an_id_goes_on_too_and_another_one_of_its_title_does_not(store: Store) -> None:
    def named(*texts: str) -> bytes:
        talk = claude("", *texts)
        return json.dumps([{key: value for key, value in talk.items() if key != "uuid"}]).encode()

    [conversation] = (await store.archive.import_bytes(named("q", "a"))).conversations
    for grown in (named("q", "a", "q2"), named("q", "a", "q2")):
        report = await store.archive.import_bytes(grown)
        assert (report.conversations, report.already) == ((), 1)
    assert [m.text for m in await store.messages.branch(conversation)] == ["q", "a", "q2"]
    [other] = (await store.archive.import_bytes(named("another", "a"))).conversations
    assert [m.text for m in await store.messages.branch(other)] == ["another", "a"]


async def test_loops_lost_parents_and_double_ids_in_an_export_do_no_harm(store: Store) -> None:
    def node(key: str, parent: str | None, text: str) -> dict[str, Any]:
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
        return {"id": key, "parent": parent, "children": [], "message": message}

    mapping = {"a": node("a", "b", "in a loop"), "b": node("b", "a", "in it too"), "c": node("c", "lost", "an orphan")}
    entry = {"id": "x", "title": "Odd", "mapping": mapping, "current_node": "nowhere"}
    [conversation] = (await store.archive.import_bytes(json.dumps([entry]).encode())).conversations
    messages = (await every_message(store))[conversation]
    assert {m.text for m in messages} == {"in a loop", "in it too", "an orphan"}
    assert [m.text for m in await store.messages.branch(conversation)] == ["an orphan"]


@pytest.mark.parametrize("value", [True, None, "", "yesterday", -5, 1e300, float("nan"), [], "0000-00-00"])
def test_what_is_no_time_is_none(value: object) -> None:
    assert as_ms(value) == 0


def test_times_are_read_in_seconds_milliseconds_and_iso() -> None:
    assert (
        as_ms(1_756_000_000)
        == as_ms(1_756_000_000_000)
        == as_ms("2025-08-24T01:46:40Z")
        == as_ms("2025-08-24T01:46:40")
        == 1_756_000_000_000
    )
