"""What somebody's export may hold that no history of ours ever does is made sound where it comes in."""

import asyncio
import json
from typing import Any

import pytest

from app.core.messages import Message
from app.store import Store, StoreError
from tests.core.test_loop import unpaired


def said(id_: str, role: str, parent: str | None, **more: Any) -> dict[str, Any]:
    stop = "end" if role == "assistant" else None
    block = {"type": "text", "text": f"text of {id_}"}
    return {"id": id_, "role": role, "parent_id": parent, "blocks": [block], "stop_reason": stop, **more}


def called(id_: str, parent: str, *call_ids: str) -> dict[str, Any]:
    calls: list[dict[str, Any]] = [{"type": "tool_call", "id": call_id, "name": "x", "arguments": {}} for call_id in call_ids]
    return {**said(id_, "assistant", parent), "blocks": calls, "stop_reason": "tool_use"}


def answered(id_: str, parent: str, *call_ids: str) -> dict[str, Any]:
    results = [{"type": "tool_result", "tool_call_id": call_id, "text": "42", "is_error": False} for call_id in call_ids]
    return {**said(id_, "tool", parent), "blocks": results}


async def taken(store: Store, *messages: dict[str, Any], head: str) -> tuple[list[Message], tuple[str, ...]]:
    """What is shown of an import, and its notes."""
    row: dict[str, Any] = {
        "id": "conv_theirs",
        "title": "theirs",
        "titled_by": "person",
        "created_ms": 1,
        "updated_ms": 2,
        "pinned": False,
    }
    kept: dict[str, Any] = {
        **row,
        "folder": None,
        "head_id": head,
        "seq": 0,
        "last_reason": None,
        "options": {},
        "deleted_ms": 5,
    }
    entry: dict[str, Any] = {"conversation": kept, "messages": list(messages)}
    data = {"format": "leochat", "version": 1, "conversations": [entry]}
    report = await store.archive.import_bytes(json.dumps(data).encode())
    async with asyncio.timeout(20):
        return await store.messages.branch(report.conversations[0]), report.notes


async def test_an_id_twice_or_a_ring_of_parents_holds_nobody_up(store: Store) -> None:
    ring = (said("a", "user", "d"), said("b", "assistant", "a"), said("a", "user", "b"), said("d", "user", "a"))
    shown, notes = await taken(store, *ring, head="b")
    assert [m.id for m in shown][-1] == "b"
    assert len(notes) == 2
    rows = await store.conversations.all()
    assert [row.id for row in rows] == ["conv_theirs"], "it is to be seen, whatever the file says of its deletion"


async def test_children_may_come_first_and_a_lost_parent_or_head_hides_nothing(store: Store) -> None:
    messages = (said("b", "assistant", "a"), said("a", "user", None), said("c", "user", "lost"))
    shown, _ = await taken(store, *messages, head="nowhere")
    assert [m.id for m in shown] == ["a", "b", "c"]


async def test_a_call_that_was_gone_past_is_answered_and_a_result_needs_its_call(store: Store) -> None:
    messages = (
        said("a", "user", None),
        called("b", "a", "c1", "c2"),
        said("c", "user", "b"),
        called("d", "c", "c3", "c4"),
        answered("e", "d", "c4"),
        said("f", "assistant", "e"),
        answered("g", "f", "c9"),
        said("h", "user", "g"),
        called("i", "h", "c5"),
    )
    shown, notes = await taken(store, *messages, head="i")
    assert [m.role for m in shown[:-1]] == ["user", "assistant", "tool", "user", "assistant", "tool", "assistant", "user"]
    assert not unpaired(shown[:-1]), "the last call is open, which going on answers"
    assert [block.text for block in shown[5].blocks if block.type == "tool_result"][1] == "42"
    assert len(notes) == 2


@pytest.mark.parametrize("content", [{"version": 1, "conversations": "none"}, {"version": "1", "conversations": []}])
async def test_half_an_export_of_ours_is_said_to_be_none(store: Store, content: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="not a whole one"):
        await store.archive.import_bytes(json.dumps({"format": "leochat", **content}).encode())
