"""Messages as a tree: branches, partials, siblings, and that size does not matter."""

import time

import pytest

from app.core.messages import Message, TextBlock
from app.store import CardPress, Store, StoreError
from app.store.messages import insert_message, set_head_row
from tests.store.stories import answered, calling, reply, told, user


async def test_a_branch_is_the_path_from_the_root_to_the_head_with_every_block_as_it_was(store: Store) -> None:
    conversation, messages = await told(store, "show my cart")
    call = calling(messages[-1].id)
    result = answered(call.id)
    for message in (call, result):
        await store.messages.append(conversation, message, durable=True)
    assert await store.messages.branch(conversation) == [*messages, call, result]
    assert await store.messages.branch(conversation, call.id) == [*messages, call]


async def test_the_last_messages_come_alone_and_earlier_ones_page_by_page(store: Store) -> None:
    conversation, messages = await told(store, *"abcdefg")
    last = await store.messages.branch(conversation, last=3)
    assert last == messages[-3:]
    assert await store.messages.branch(conversation, last[0].parent_id, last=3) == messages[1:4]


async def test_an_edited_message_is_a_sibling_and_both_branches_stay(store: Store) -> None:
    conversation, messages = await told(store, "q", "a", "q2", "a2")
    edited = user("q2, better", messages[1].id)
    await store.messages.append(conversation, edited, durable=True)
    assert await store.messages.branch(conversation) == [*messages[:2], edited]
    pair = (messages[2].id, edited.id)
    assert await store.messages.siblings(conversation) == {messages[2].id: pair, edited.id: pair}
    head = await store.messages.set_head(conversation, messages[2].id, deepest=True)
    assert head == messages[3].id
    assert await store.messages.branch(conversation) == messages


async def test_the_first_message_can_be_edited_too(store: Store) -> None:
    conversation, messages = await told(store, "q", "a")
    assert await store.messages.set_head(conversation, None) is None
    assert await store.messages.branch(conversation) == []
    other = user("another q")
    await store.messages.append(conversation, other, durable=False)
    assert await store.messages.branch(conversation) == [other]
    assert set(await store.messages.siblings(conversation)) == {messages[0].id, other.id}


async def test_a_partial_is_replaced_becomes_final_and_never_replaces_a_final_one(store: Store) -> None:
    conversation, messages = await told(store, "q")
    whole = reply("one two three", messages[0].id)
    partial = whole.model_copy(update={"blocks": (TextBlock(text="one"),), "stop_reason": None})
    longer = whole.model_copy(update={"blocks": (TextBlock(text="one two"),), "stop_reason": None})
    await store.messages.save_partial(conversation, partial)
    await store.messages.save_partial(conversation, longer)
    assert await store.messages.branch(conversation) == [*messages, longer]
    assert await store.messages.partials(conversation) == {whole.id}
    await store.messages.append(conversation, whole, durable=True)
    await store.messages.save_partial(conversation, partial)
    assert await store.messages.branch(conversation) == [*messages, whole]
    assert await store.messages.partials(conversation) == set()
    row = await store.conversations.get(conversation)
    assert row is not None
    assert row.message_count == 2


async def test_a_message_needs_its_conversation_and_its_parent(store: Store) -> None:
    conversation, _ = await told(store, "q")
    with pytest.raises(StoreError, match="no message nope") as caught:
        await store.messages.append(conversation, reply("a", "nope"), durable=True)
    assert caught.value.kind == "missing"
    with pytest.raises(StoreError, match="no conversation nope"):
        await store.messages.append("nope", user("q"), durable=True)
    row = await store.conversations.get(conversation)
    assert row is not None
    assert row.message_count == 1, "what failed left nothing behind"


async def test_a_branch_is_copied_into_another_conversation_with_its_pressed_buttons(store: Store) -> None:
    conversation, messages = await told(store, "q", "a", "q2")
    await store.cards.save(conversation, CardPress(message_id=messages[1].id, card_id="k", action_id="x"))
    await store.cards.save(conversation, CardPress(message_id=messages[2].id, card_id="k", action_id="y"))
    target = await store.conversations.create()
    await store.messages.copy_branch(conversation, messages[1].id, target.id)
    assert await store.messages.branch(target.id) == messages[:2]
    assert [press.action_id for press in await store.cards.all(target.id)] == ["x"]
    assert await store.messages.branch(conversation) == messages


async def grow(store: Store, conversation: str, count: int, parent: str | None) -> Message:
    """Many messages at once, as an import would write them."""
    messages: list[Message] = []
    for _ in range(count):
        parent = messages[-1].id if messages else parent
        messages.append(user("a message of the size that people write, more or less, give or take", parent))

    def work(db: object) -> None:
        for message in messages:
            insert_message(db, conversation, message, final=True)  # pyright: ignore[reportArgumentType]
        set_head_row(db, conversation, messages[-1].id)  # pyright: ignore[reportArgumentType]

    await store._lanes.write(work)
    return messages[-1]


async def cheapest(store: Store, conversation: str, parent: str) -> tuple[float, float]:
    """The least seconds of 15 rounds (append and checkpoint), and of 15 times the last 50 messages."""
    rounds: list[float] = []
    opens: list[float] = []
    for seq in range(15):
        message = user("x", parent)
        start = time.perf_counter()
        await store.messages.append(conversation, message, durable=False)
        await store.tasks.checkpoint(conversation, "round", seq)
        rounds.append(time.perf_counter() - start)
        parent = message.id
        start = time.perf_counter()
        assert len(await store.messages.branch(conversation, last=50)) == 50
        opens.append(time.perf_counter() - start)
    return min(rounds), min(opens)


async def test_a_round_and_the_last_messages_cost_the_same_at_message_10000_as_at_100(store: Store) -> None:
    conversation = (await store.conversations.create()).id
    small_head = await grow(store, conversation, 100, None)
    small = await cheapest(store, conversation, small_head.id)
    big_head = await grow(store, conversation, 10_000, (await store.messages.branch(conversation, last=1))[0].id)
    big = await cheapest(store, conversation, big_head.id)
    assert big[0] < small[0] * 3, f"a round took {small[0] * 1e6:.0f} us at first and {big[0] * 1e6:.0f} us later"
    assert big[1] < small[1] * 3, f"the last 50 took {small[1] * 1e6:.0f} us at first and {big[1] * 1e6:.0f} us later"
    assert len(await store.messages.branch(conversation)) == 10_130
