"""The small tables: pressed buttons, grants, usage, kept values."""

from pathlib import Path

from pydantic import JsonValue

from app.core.messages import now_ms
from app.store import CardPress, Store
from tests.store.stories import priced, told


async def test_a_pressed_button_is_still_pressed_after_a_restart(store: Store, home: Path) -> None:
    conversation, messages = await told(store, "q", "a")
    press = CardPress(message_id=messages[1].id, card_id="pq_1", action_id="opt_0", inputs={"name": "Añil"})
    kept = await store.cards.save(conversation, press)
    assert kept.at_ms > 0
    failed = kept.model_copy(update={"state": "failed"})
    await store.cards.save(conversation, failed)
    store.close()
    again = Store.open(home)
    assert await again.cards.all(conversation) == [failed]
    again.close()


async def test_a_grant_is_kept_once_and_can_be_taken_back(store: Store) -> None:
    conversation, _ = await told(store, "q")
    always = await store.grants.add("approval", "shop", tool="order_pay")
    assert await store.grants.add("approval", "shop", tool="order_pay") == always
    here = await store.grants.add("approval", "shop", tool="order_pay", conversation_id=conversation)
    path = await store.grants.add("approval", "filesystem", tool="write", pattern="/home/x/notes")
    ui = await store.grants.add("ui_command", "shop")
    assert await store.grants.all() == [always, here, path, ui]
    assert await store.grants.remove(always.id)
    assert not await store.grants.remove(always.id)
    assert await store.grants.remove_server("shop") == 2
    assert await store.grants.all() == [path]


async def test_a_grant_for_a_conversation_goes_with_it(store: Store) -> None:
    conversation, _ = await told(store, "q")
    await store.grants.add("approval", "shop", conversation_id=conversation)
    await store.conversations.delete(conversation)
    await store.purge(now_ms() + 1000)
    assert await store.grants.all() == []


async def test_usage_is_summed_and_unknown_is_never_zero(store: Store) -> None:
    conversation, messages = await told(store, "q")
    first = priced("a", messages[0].id, 100, 0.25)
    second = priced("b", messages[0].id, 50, None)
    for message in (first, second, first):
        await store.messages.append(conversation, message, durable=False)
    total = await store.usage.of_conversation(conversation)
    assert (total.replies, total.counted, total.priced) == (2, 2, 1)
    assert (total.usage.input_tokens, total.usage.output_tokens, total.usage.cost) == (150, None, 0.25)
    assert [(row.label, row.usage.input_tokens) for row in await store.usage.by_model()] == [("p1/m1", 150)]
    assert [row.replies for row in await store.usage.by_day()] == [2]
    assert await store.usage.by_day("9999-01-01") == []


async def test_what_was_spent_stays_spent_when_its_conversation_is_purged(store: Store) -> None:
    conversation, messages = await told(store, "q")
    await store.messages.append(conversation, priced("a", messages[0].id, 100, 0.25), durable=False)
    copy = await store.conversations.create()
    await store.messages.copy_branch(conversation, messages[0].id, copy.id)
    await store.conversations.delete(conversation)
    await store.purge(now_ms() + 1000)
    assert [row.usage.cost for row in await store.usage.by_day()] == [0.25]


async def test_a_kept_value_comes_back_and_goes(store: Store) -> None:
    value: JsonValue = {"tools": ["a", {"ñ": None}], "n": 1.5}
    await store.kept.set("mcp.tools:shop", value)
    assert await store.kept.get("mcp.tools:shop") == value
    await store.kept.remove("mcp.tools:shop")
    assert await store.kept.get("mcp.tools:shop") is None
