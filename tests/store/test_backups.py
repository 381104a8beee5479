"""Backups: verified before they count, once a day, seven kept, and a restore that can be cut off."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.store import Store, StoreError
from app.store.backups import make_backup, problem_of
from tests.store.stories import told, user


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


async def test_a_clock_that_was_ahead_for_a_while_keeps_no_backup_from_being_made_or_kept(store: Store, home: Path) -> None:
    await told(store, "q")
    ahead: list[Path] = []
    for day in range(7):
        backup = await store.back_up()
        ahead.append(backup.replace(backup.with_name(f"leochat-2099010{day + 1}-000000-000000.db")))
        then = 4_070_908_800 + day * 86_400
        os.utime(ahead[-1], (then, then))
    made = (await store.upkeep()).backup
    assert made in Store.backups(home)
    assert len(Store.backups(home)) == 7
    assert (await store.upkeep()).backup is None, "today's is there"


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


@pytest.mark.parametrize("point", ["store.restore.copied", "store.restore.moved"])
async def test_a_restore_killed_at_any_step_loses_neither_store_nor_backup(store: Store, home: Path, point: str) -> None:
    conversation, messages = await told(store, "q", "a")
    backup = await store.back_up()
    later = user("after the backup", messages[-1].id)
    await store.messages.append(conversation, later, durable=True)
    store.close()
    killed = await asyncio.to_thread(restore_elsewhere, home, backup, point)
    assert killed.returncode != 0
    assert b"Traceback" not in killed.stderr
    again = Store.open(home)
    moved = point == "store.restore.moved"
    assert await again.messages.branch(conversation) == [*messages, *([] if moved else [later])]
    again.close()
    Store.restore(home, backup)
    again = Store.open(home)
    assert await again.messages.branch(conversation) == messages
    again.close()


def restore_elsewhere(home: Path, backup: Path, point: str) -> subprocess.CompletedProcess[bytes]:
    """Restore in a process of its own that dies at `point`."""
    code = "import sys; from pathlib import Path; from app.store import Store; Store.restore(*map(Path, sys.argv[1:]))"
    command = [sys.executable, "-c", code, str(home), str(backup)]
    environ = {**os.environ, "LEOCHAT_FAILPOINT": point}
    return subprocess.run(command, env=environ, capture_output=True, timeout=30, check=False)


async def test_a_backup_that_cannot_be_made_is_said_and_nothing_else_stops(store: Store, home: Path) -> None:
    conversation, messages = await told(store, "q")
    (home / "backups").write_text("in the way", encoding="utf-8")
    upkeep = await store.upkeep()
    assert upkeep.backup is None
    assert "backup could not be made" in (upkeep.problem or "")
    assert await store.messages.branch(conversation) == messages


def test_a_check_ends_when_the_store_is_closed(home: Path) -> None:
    Store.open(home).close()
    assert problem_of(home / "leochat.db", stopped=lambda: False) is None
    with pytest.raises(StoreError, match="closed"):
        make_backup(home, home / "leochat.db", stopped=lambda: True)


async def test_a_backup_that_is_stopped_leaves_nothing(store: Store, home: Path) -> None:
    await told(store, "q")
    with pytest.raises(StoreError) as caught:
        make_backup(home, store.path, stopped=lambda: True)
    assert caught.value.kind == "closed"
    assert list((home / "backups").iterdir()) == []
