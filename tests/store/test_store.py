"""Opening the store: new, again, after an unclean end, damaged, from the future, where it may not be written."""

import os
import sqlite3
import stat
import sys
import time
from pathlib import Path

import pytest

from app.store import Store, StoreError
from tests.store.stories import told


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_store_opens_in_milliseconds_and_belongs_to_its_owner_alone(home: Path) -> None:
    Store.open(home).close()
    spans: list[float] = []
    while len(spans) < 5 or (min(spans) >= 0.02 and len(spans) < 50):
        start = time.perf_counter()
        store = Store.open(home)
        spans.append(time.perf_counter() - start)
        store.close()
    assert min(spans) < 0.02
    if sys.platform != "win32":
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        assert stat.S_IMODE((home / "leochat.db").stat().st_mode) == 0o600


async def test_a_clean_end_leaves_one_file_and_the_next_start_knows(home: Path) -> None:
    store = Store.open(home)
    await told(store, "q")
    store.close()
    assert names_in(home) == ["leochat.db", "owners"]
    assert names_in(home / "owners") == []
    again = Store.open(home)
    assert not again.unclean
    again.close()


async def test_a_store_of_a_newer_leochat_is_left_alone(store: Store, home: Path) -> None:
    await told(store, "q")
    store.close()
    with sqlite3.connect(home / "leochat.db") as db:
        db.execute("PRAGMA user_version = 9999")
    db.close()
    before = (home / "leochat.db").read_bytes()
    with pytest.raises(StoreError, match=r"newer LeoChat \(schema 9999") as caught:
        Store.open(home)
    assert caught.value.kind == "newer"
    assert (home / "leochat.db").read_bytes() == before


def test_a_file_that_is_no_store_is_said_to_be_damaged_and_is_left_alone(home: Path) -> None:
    home.mkdir()
    (home / "leochat.db").write_bytes(b"this is no database at all" * 1000)
    with pytest.raises(StoreError, match="damaged") as caught:
        Store.open(home)
    assert caught.value.kind == "corrupt"
    assert (home / "leochat.db").read_bytes().startswith(b"this is no database")


async def test_overwritten_pages_are_found_after_an_unclean_end_and_a_backup_brings_all_back(store: Store, home: Path) -> None:
    conversation, messages = await told(store, *[f"message {n} " * 100 for n in range(100)])
    backup = await store.back_up()
    store.close()
    path = home / "leochat.db"
    size = path.stat().st_size
    with path.open("rb+") as file:
        file.seek(size // 2)
        file.write(os.urandom(size // 4))
    (home / "leochat.db-wal").write_bytes(b"cut off")
    damaged = Store.open(home)
    assert damaged.unclean
    upkeep = await damaged.upkeep()
    assert upkeep.problem
    assert upkeep.backup is None, "a damaged store must not push the good backups out"
    with pytest.raises(StoreError, match="damaged"):
        await damaged.messages.branch(conversation)
    damaged.close()
    assert Store.backups(home) == [backup]
    aside = Store.restore(home, backup)
    assert aside.stat().st_size == size
    mended = Store.open(home)
    assert await mended.messages.branch(conversation) == messages
    mended.close()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="this user may write everywhere")
def test_a_folder_that_cannot_be_written_is_said_in_words(home: Path) -> None:
    home.mkdir(mode=0o500)
    with pytest.raises(StoreError, match="permissions") as caught:
        Store.open(home)
    assert caught.value.kind == "read_only"
    home.chmod(0o700)


def test_a_home_that_is_a_file_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="file"):
        Store.open(tmp_path / "file" / "home")
