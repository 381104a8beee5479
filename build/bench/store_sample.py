"""One sample of the store in a process of its own: SEARCHED SIZE…; prints microseconds by what was done, as JSON.

The floor and the rounds of every size take turns, so that what the disk does meanwhile hits all alike; each cost is the
median of its turns, and what was read and found is checked.
"""

import asyncio
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.core.messages import Message, TextBlock, new_id
from app.store import Store
from app.store.messages import insert_message, set_head_row

TURNS = 120
OPENINGS = 60
BATCH = 2_000
TEXT = "The lions of the plains hunt at dusk, mostly in the long grass by the river. "
RARE = ("savannah {n} at noon", "las leonas número {n} del río", "獅子は草原で {n} 回狩りをする", "狮子在草原上捕猎第 {n} 次")
QUERIES = (
    "lions",
    "savannah",
    "leonas número",
    "草原",
    "獅子",
    "捕猎第",
    "gras",
    "savannah 2",
    "dusk mostly",
    "nowhere at all",
)


@dataclass
class Told:
    """A conversation of a known length and the id of its last message."""

    conversation: str
    head: str | None
    size: int


def message(number: int, parent: str | None, text: str = TEXT) -> Message:
    role: Any = "assistant" if number % 2 else "user"
    return Message(id=new_id("msg"), role=role, parent_id=parent, blocks=(TextBlock(text=text),), stop_reason="end")


async def grown(store: Store, size: int, *, rare: bool = False) -> Told:
    """A new conversation of `size` messages, written as an import writes them: many in one transaction."""
    told = Told((await store.conversations.create()).id, None, size)
    for start in range(0, size, BATCH):
        batch: list[Message] = []
        for number in range(start, min(start + BATCH, size)):
            text = TEXT + RARE[number // 50 % len(RARE)].format(n=number) if rare and not number % 50 else TEXT
            batch.append(message(number, told.head, text))
            told.head = batch[-1].id
        await written(store, told, batch)
    return told


async def written(store: Store, told: Told, batch: list[Message]) -> None:
    def work(db: sqlite3.Connection) -> None:
        for made in batch:
            insert_message(db, told.conversation, made, final=True)
        set_head_row(db, told.conversation, batch[-1].id)

    await store._lanes.write(work)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def floor(file: Any, number: int) -> float:
    """The least that survives a power cut: one line, one fdatasync."""
    line = message(number, None).model_dump_json().encode() + b"\n"
    sync = getattr(os, "fdatasync", os.fsync)
    began = time.perf_counter()
    file.write(line)
    file.flush()
    sync(file.fileno())
    return time.perf_counter() - began


async def one_round(store: Store, told: Told, number: int) -> float:
    """A reply kept with the round's checkpoint, as a task's journal does it: one durable end."""
    made = message(number, told.head)
    began = time.perf_counter()
    kept = store.messages.appending(told.conversation, made)
    await store.together(kept, store.tasks.checkpointing(told.conversation, "round", number), durable=True)
    took = time.perf_counter() - began
    told.head, told.size = made.id, told.size + 1
    return took


async def rounds(store: Store, sizes: list[int], folder: Path) -> dict[str, float]:
    tales = {size: await grown(store, size) for size in sizes}
    await settled(store)
    costs: dict[str, list[float]] = {}
    with (folder / "floor.jsonl").open("ab") as file:
        for number in range(TURNS):
            costs.setdefault("floor: a line of JSON, fdatasync", []).append(floor(file, number))
            for size, told in tales.items():
                costs.setdefault(f"round at {size:,} messages", []).append(await one_round(store, told, number))
    for _ in range(OPENINGS):
        for size, told in tales.items():
            costs.setdefault(f"last 50 of {size:,} messages", []).append(await opening(store, told))
    return {name: statistics.median(took) * 1e6 for name, took in costs.items()}


async def opening(store: Store, told: Told) -> float:
    began = time.perf_counter()
    shown = await store.messages.branch(told.conversation, last=50)
    took = time.perf_counter() - began
    assert len(shown) == min(50, told.size)
    assert shown[-1].id == told.head
    return took


async def settled(store: Store) -> None:
    """Until the index holds everything: it is written when nothing else is."""
    marker = f"zebra{new_id('m')[-6:]}"
    last = await store.conversations.create()
    await store.messages.append(last.id, message(0, None, marker), durable=False)
    for _ in range(3_000):
        if await store.search(marker):
            return
        await asyncio.sleep(0.1)
    sys.exit("the index was not written within 300 s")


async def searches(store: Store, size: int) -> dict[str, float]:
    await grown(store, size, rare=True)
    await settled(store)
    costs: list[float] = []
    for turn in range(6):
        for query in QUERIES:
            began = time.perf_counter()
            hits = await store.search(query)
            took = time.perf_counter() - began
            assert bool(hits) == (query != "nowhere at all"), f"{query} found {len(hits)}"
            if turn:  # the first reads the file
                costs.append(took)
    return {"search, p50": statistics.median(costs) * 1e6, "search, worst": max(costs) * 1e6}


async def sample(searched: int, sizes: list[int]) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        store = Store.open(Path(folder) / "home")
        try:
            return {**await rounds(store, sizes, Path(folder)), **await searches(store, searched)}
        finally:
            store.close()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(sample(int(sys.argv[1]), [int(size) for size in sys.argv[2:]]))))
