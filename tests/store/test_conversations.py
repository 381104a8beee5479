"""Conversations: the list, titles, options, deleting and undoing it, sequence numbers."""

from pathlib import Path

import pytest

from app.core.messages import now_ms
from app.store import ConversationOptions, Store, StoreError
from tests.store.stories import told, user


async def test_a_conversation_comes_back_with_its_options_after_a_restart(store: Store, home: Path) -> None:
    options = ConversationOptions(system="Be brief", model="m", temperature=0.5, thinking=2048, extra={"agent": "x"})
    row = await store.conversations.create(options)
    store.close()
    again = Store.open(home)
    assert await again.conversations.get(row.id) == row
    assert row.options == options
    again.close()


async def test_the_list_shows_pinned_first_and_then_the_latest_used(store: Store) -> None:
    first, messages = await told(store, "one")
    second, _ = await told(store, "two")
    third, _ = await told(store, "three")
    await store.conversations.set_pinned(second, pinned=True)
    await store.messages.append(first, user("more", messages[-1].id), durable=False)
    listed = [row.id for row in await store.conversations.all()]
    assert listed[0] == second
    assert set(listed) == {first, second, third}
    assert [row.message_count for row in await store.conversations.all() if row.id == first] == [2]


async def test_a_title_by_the_model_never_replaces_one_by_a_person(store: Store) -> None:
    row = await store.conversations.create()
    assert await store.conversations.rename(row.id, "Suggested", by="model")
    assert await store.conversations.rename(row.id, "Mine")
    assert not await store.conversations.rename(row.id, "Suggested again", by="model")
    kept = await store.conversations.get(row.id)
    assert kept is not None
    assert (kept.title, kept.titled_by) == ("Mine", "person")


async def test_a_deleted_conversation_can_be_brought_back_until_it_is_purged(store: Store) -> None:
    conversation, messages = await told(store, "hello there", "hi")
    await store.conversations.delete(conversation)
    assert await store.conversations.all() == []
    assert [row.id for row in await store.conversations.all(deleted=True)] == [conversation]
    await store.conversations.undelete(conversation)
    assert await store.messages.branch(conversation) == messages
    await store.conversations.delete(conversation)
    assert await store.purge(now_ms() - 1000) == 0, "it was deleted just now, not 30 days ago"
    assert await store.purge(now_ms() + 1000) == 1
    assert await store.conversations.get(conversation) is None
    assert await store.messages.get(conversation, messages[0].id) is None


async def test_sequence_numbers_rise_over_restarts_though_none_is_written(store: Store, home: Path) -> None:
    row = await store.conversations.create()
    first = await store.conversations.reserve_seq(row.id, 100)
    store.close()
    again = Store.open(home)
    assert (first, await again.conversations.reserve_seq(row.id, 100)) == (0, 100)
    await again.tasks.checkpoint(row.id, "round", 150)
    kept = await again.conversations.get(row.id)
    assert kept is not None
    assert kept.seq == 200, "a checkpoint never lowers what was reserved"
    again.close()


async def test_what_is_not_there_is_said_in_words(store: Store) -> None:
    with pytest.raises(StoreError, match="no conversation nope") as caught:
        await store.conversations.rename("nope", "x")
    assert caught.value.kind == "missing"
    assert await store.conversations.get("nope") is None
