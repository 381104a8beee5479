"""Tasks: one at a time, in one process; a dead process's are offered for Resume; checkpoints."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.messages import ErrorInfo
from app.store import Store, StoreError
from tests.store.stories import told


@pytest.fixture
def other(store: Store, home: Path) -> Iterator[Store]:
    """The same store as another process has it: an owner of its own."""
    opened = Store.open(home)
    yield opened
    opened.close()


async def test_one_conversation_has_one_open_task_whichever_process_begins_it(store: Store, other: Store) -> None:
    conversation, _ = await told(store, "go")
    second, _ = await told(store, "go")
    await store.tasks.begin("t1", conversation)
    for process in (store, other):
        with pytest.raises(StoreError, match="already running") as caught:
            await process.tasks.begin("t2", conversation)
        assert caught.value.kind == "busy"
    await other.tasks.begin("t3", second)
    assert await store.tasks.interrupted() == []
    assert {row.id: row.running for row in await store.conversations.all()} == {conversation: True, second: True}


async def test_a_task_whose_process_ended_is_interrupted_and_can_be_taken_over(store: Store, other: Store) -> None:
    conversation, _ = await told(store, "go")
    await other.tasks.begin("t1", conversation, {"approve": "reads"})
    other.close()
    found = await store.tasks.interrupted()
    assert [(task.id, task.options) for task in found] == [("t1", {"approve": "reads"})]
    row = await store.conversations.get(conversation)
    assert row is not None
    assert (row.interrupted, row.running, row.last_reason) == (True, False, None)
    await store.tasks.begin("t2", conversation)
    assert await store.tasks.interrupted() == []
    await store.tasks.end("t2", "done")
    row = await store.conversations.get(conversation)
    assert row is not None
    assert (row.interrupted, row.running, row.last_reason) == (False, False, "done")


async def test_how_a_task_ended_is_kept_and_ending_it_twice_changes_nothing(store: Store) -> None:
    conversation, _ = await told(store, "go")
    error = ErrorInfo(kind="network", message="No connection", detail="ECONNREFUSED")
    await store.tasks.begin("t1", conversation)
    await store.tasks.end("t1", "error", error)
    await store.tasks.end("t1", "done")
    task = await store.tasks.last(conversation)
    assert task is not None
    assert (task.reason, task.error) == ("error", error)
    assert task.ended_ms is not None


async def test_a_deleted_conversation_s_task_is_not_offered(store: Store, other: Store) -> None:
    conversation, _ = await told(store, "go")
    await other.tasks.begin("t1", conversation)
    other.close()
    await store.conversations.delete(conversation)
    assert await store.tasks.interrupted() == []


async def test_a_checkpoint_says_where_the_conversation_stood(store: Store, home: Path) -> None:
    conversation, messages = await told(store, "go", "gone")
    assert await store.tasks.last_checkpoint(conversation) is None
    await store.tasks.checkpoint(conversation, "round", 7)
    await store.tasks.checkpoint(conversation, "stop", 9)
    store.close()
    again = Store.open(home)
    point = await again.tasks.last_checkpoint(conversation)
    assert point is not None
    assert (point.reason, point.seq, point.head_id) == ("stop", 9, messages[-1].id)
    again.close()


async def test_a_checkpoint_of_nothing_is_an_error(store: Store) -> None:
    with pytest.raises(StoreError, match="no conversation nope"):
        await store.tasks.checkpoint("nope", "round", 1)
