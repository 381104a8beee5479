"""Backups: verified before they count, once a day, seven kept, and a restore that can be cut off."""

import os
import time
from pathlib import Path

import pytest

from app.store import Store, StoreError
from app.store.backups import make_backup, problem_of
from tests.store.stories import told


async def test_a_backup_made_while_writing_goes_on_is_whole(store: Store, home: Path) -> None:
    conversation, messages = await told(store, "q", "a")
    backup = await store.back_up()
    assert problem_of(backup) is None
    elsewhere = home.parent / "elsewhere"
    elsewhere.mkdir()
    Store.restore(elsewhere, backup)
    copy = Store.open(elsewhere)
    assert await copy.messages.branch(conversation) == messages
    copy.close()


async def test_upkeep_backs_up_once_a_day_and_keeps_seven(store: Store, home: Path) -> None:
    await told(store, "q")
    assert (await store.upkeep()).backup is not None
    assert (await store.upkeep()).backup is None
    for day in range(1, 12):
        for backup in Store.backups(home):
            then = time.time() - day * 90_000
            os.utime(backup, (then, then))
        assert (await store.upkeep()).backup is not None
    assert len(Store.backups(home)) == 7
    assert list((home / "backups").glob("*.part*")) == []


async def test_a_damaged_backup_is_never_put_in_the_store_s_place(store: Store, home: Path) -> None:
    conversation, messages = await told(store, "q")
    backup = await store.back_up()
    store.close()
    backup.write_bytes(backup.read_bytes()[:5000])
    with pytest.raises(StoreError, match="damaged itself"):
        Store.restore(home, backup)
    again = Store.open(home)
    assert await again.messages.branch(conversation) == messages
    again.close()


async def test_a_backup_that_is_stopped_leaves_nothing(store: Store, home: Path) -> None:
    await told(store, "q")
    with pytest.raises(StoreError) as caught:
        make_backup(home, store.path, stopped=lambda: True)
    assert caught.value.kind == "closed"
    assert list((home / "backups").iterdir()) == []
