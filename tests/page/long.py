"""A home with a conversation of any length, written as an import writes it."""

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from app.core.messages import Message, TextBlock
from app.store import Store
from app.store.messages import insert_message, set_head_row

WORDS = "The lions of the plains hunt at dusk, mostly in the long grass by the river. "


def said(number: int) -> str:
    """Of many heights, and each to be found by its number."""
    return f"Message {number}. Leaf {number:05}. {WORDS * (number % 7)}\n\n" + "- a point of it\n" * (number % 5)


def long_conversation(home: Path, title: str, size: int) -> None:
    """A conversation of `size` messages, person and model in turns; the home is not open elsewhere."""
    with ThreadPoolExecutor(1) as beside:  # a loop of its own: the browser's has this thread
        beside.submit(lambda: asyncio.run(_made(home, title, size))).result()


async def _made(home: Path, title: str, size: int) -> None:
    store = Store.open(home)
    try:
        await _written(store, title, size)
    finally:
        store.close()


async def _written(store: Store, title: str, size: int) -> None:
    conversation = (await store.conversations.create()).id
    await store.conversations.rename(conversation, title)

    def work(db: sqlite3.Connection) -> None:
        parent: str | None = None
        for number in range(size):
            role: Any = "assistant" if number % 2 else "user"
            blocks = (TextBlock(text=said(number)),)
            made = Message(id=f"m{number}-{title}", role=role, parent_id=parent, blocks=blocks, stop_reason="end")
            insert_message(db, conversation, made, final=True)
            parent = made.id
        set_head_row(db, conversation, parent)

    await store._lanes.write(work)  # pyright: ignore[reportPrivateUsage]
