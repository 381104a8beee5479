"""The threads: the event loop never waits for SQLite, cancelled writes are done, errors come in words."""

import asyncio
import shutil
import sqlite3
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.store import Store, StoreError
from app.store.errors import translate
from tests.store.stories import told, user


async def test_the_event_loop_runs_on_while_another_process_holds_the_file(store: Store) -> None:
    conversation, messages = await told(store, "q")
    lock = sqlite3.connect(store.path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(store.messages.append(conversation, user("q2", messages[0].id), durable=True))
    longest, before = 0.0, time.perf_counter()
    for _ in range(100):
        await asyncio.sleep(0)
        longest, before = max(longest, time.perf_counter() - before), time.perf_counter()
    assert await store.messages.branch(conversation) == messages, "readers do not wait for a writer"
    assert not waiting.done()
    lock.execute("COMMIT")
    lock.close()
    await asyncio.wait_for(waiting, 20)
    assert longest < 1
    assert len(await store.messages.branch(conversation)) == 2


async def test_a_write_whose_caller_was_cancelled_is_done_all_the_same(store: Store) -> None:
    conversation, messages = await told(store, "q")
    gate, entered = threading.Event(), threading.Event()
    blocker = asyncio.create_task(store._lanes.writer.do(lambda db: entered.set() or gate.wait(20)))
    await asyncio.sleep(0)
    task = asyncio.create_task(store.messages.append(conversation, user("q2", messages[0].id), durable=True))
    await asyncio.to_thread(entered.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gate.set()
    await blocker
    store.close()
    again = Store.open(store.home)
    assert [m.text for m in await again.messages.branch(conversation)] == ["q", "q2"]
    again.close()


async def test_many_tasks_and_two_processes_write_at_once_and_nothing_is_lost(store: Store, home: Path) -> None:
    other = Store.open(home)

    async def talk(process: Store) -> str:
        row = await process.conversations.create()
        parent: str | None = None
        for number in range(20):
            message = user(str(number), parent)
            await process.messages.append(row.id, message, durable=number % 5 == 0)
            parent = message.id
        return row.id

    made = await asyncio.gather(*(talk(process) for process in (store, other) for _ in range(4)))
    for conversation in made:
        assert [m.text for m in await store.messages.branch(conversation)] == [str(n) for n in range(20)]
    assert {row.id for row in await other.conversations.all()} == set(made)
    other.close()


async def test_a_full_disk_is_said_in_words_and_what_was_saved_stays(store: Store) -> None:
    conversation, messages = await told(store, "q")
    pages = await store._lanes.write(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    limit = store._lanes.writer._connection
    await store._lanes.write(lambda db: limit.execute(f"PRAGMA max_page_count = {pages + 2}").fetchone())
    with pytest.raises(StoreError, match="disk is full") as caught:
        await store.messages.append(conversation, user("x" * 100_000, messages[0].id), durable=True)
    assert caught.value.kind == "disk_full"
    assert await store.messages.branch(conversation) == messages
    await store._lanes.write(lambda db: limit.execute("PRAGMA max_page_count = 1000000").fetchone())
    await store.messages.append(conversation, user("x" * 100_000, messages[0].id), durable=True)
    assert len(await store.messages.branch(conversation)) == 2


@pytest.mark.parametrize(("free", "kind"), [(0, "disk_full"), (1 << 30, "failed")])
def test_no_room_for_sqlites_shared_memory_is_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, kind: str
) -> None:
    def usage(_path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    assert translate(sqlite3.OperationalError("disk I/O error"), tmp_path / "leochat.db").kind == kind


async def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed") as caught:
        await store.conversations.all()
    assert caught.value.kind == "closed"
