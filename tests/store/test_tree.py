"""Any order of appending, replacing, moving the head and restarting leaves the tree that a plain dictionary would hold."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.messages import Message, TextBlock
from app.store import Store

Step = tuple[str, int, str]
steps = st.lists(
    st.tuples(
        st.sampled_from(["append", "append", "partial", "finish", "head", "reopen"]), st.integers(0, 30), st.text(max_size=8)
    ),
    max_size=25,
)


@dataclass
class Model:
    """What the store should hold."""

    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    open: set[str] = field(default_factory=set[str])
    head: str | None = None

    def branch(self) -> list[Message]:
        path: list[Message] = []
        at = self.head
        while at is not None:
            path.append(self.messages[at])
            at = self.messages[at].parent_id
        return path[::-1]

    def pick(self, number: int) -> str | None:
        ids = [None, *self.messages]
        return ids[number % len(ids)]

    def siblings(self) -> dict[str, tuple[str, ...]]:
        groups: dict[str | None, list[str]] = {}
        for message in self.messages.values():
            groups.setdefault(message.parent_id, []).append(message.id)
        return {member: tuple(group) for group in groups.values() if len(group) > 1 for member in group}


async def take(store: Store, conversation: str, model: Model, step: Step) -> None:
    kind, number, text = step
    if kind == "head":
        model.head = await store.messages.set_head(conversation, model.pick(number))
        return
    if kind == "finish":
        waiting = sorted(model.open)
        if not waiting:
            return
        message = model.messages[waiting[number % len(waiting)]].model_copy(update={"blocks": (TextBlock(text=text),)})
    else:
        message = Message(
            id=f"m{len(model.messages)}", role="user", parent_id=model.pick(number), blocks=(TextBlock(text=text),)
        )
    model.messages[message.id] = message
    model.head = message.id
    if kind == "partial":
        model.open.add(message.id)
        await store.messages.save_partial(conversation, message)
    else:
        model.open.discard(message.id)
        await store.messages.append(conversation, message, durable=False)


async def run(opens: Callable[[], Store], todo: list[Step]) -> None:
    store, model = opens(), Model()
    try:
        conversation = (await store.conversations.create()).id
        for step in todo:
            if step[0] == "reopen":
                store.close()
                store = opens()
            else:
                await take(store, conversation, model, step)
            assert await store.messages.branch(conversation) == model.branch()
        assert await store.messages.siblings(conversation) == model.siblings()
        assert await store.messages.partials(conversation) == model.open
        row = await store.conversations.get(conversation)
        assert row is not None
        assert (row.head_id, row.message_count) == (model.head, len(model.messages))
        for message in model.messages.values():
            assert await store.messages.get(conversation, message.id) == message
    finally:
        store.close()


@settings(max_examples=25)
@given(steps)
async def test_the_tree_is_what_a_dictionary_would_hold(todo: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        await run(lambda: Store.open(Path(folder)), todo)
