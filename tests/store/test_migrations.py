"""Migrations: a backup before, each step whole or not at all, killed anywhere."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.store import Store
from app.store.backups import list_backups, problem_of
from app.store.lanes import connect
from app.store.migrations import MIGRATIONS, Migration, migrate, version_of
from tests.store.stories import told

LATER = (
    *MIGRATIONS,
    Migration(len(MIGRATIONS) + 1, lambda db: db.execute("CREATE TABLE later (a)") and None),
    Migration(len(MIGRATIONS) + 2, lambda db: db.execute("ALTER TABLE later ADD COLUMN b") and None),
)
POINTS = [
    "store.migrate.before",
    "store.backup.copied",
    "store.backup.verified",
    "store.backup.renamed",
    "store.migrate.backed_up",
    "store.migrate.applied:1",
    "store.migrate.applied:2",
    "store.migrate.applied:3",
    "store.migrate.committed:2",
    "store.migrate.committed:3",
]
PROGRAM = """
import sys
from pathlib import Path
from app.store.lanes import connect
from app.store.migrations import migrate, MIGRATIONS, Migration
home = Path(sys.argv[1])
n = len(MIGRATIONS)
later = (*MIGRATIONS, Migration(n + 1, lambda db: db.execute("CREATE TABLE later (a)") and None),
         Migration(n + 2, lambda db: db.execute("ALTER TABLE later ADD COLUMN b") and None))
migrate(connect(home / "leochat.db"), home, home / "leochat.db", later)
"""


def migrate_elsewhere(home: Path, point: str) -> subprocess.CompletedProcess[bytes]:
    """Migrate in a process of its own that dies at `point`."""
    environ = {**os.environ, "LEOCHAT_FAILPOINT": point}
    command = [sys.executable, "-c", PROGRAM, str(home)]
    return subprocess.run(command, env=environ, capture_output=True, timeout=30, check=False)


def columns(db: sqlite3.Connection) -> list[str]:
    return [row[1] for row in db.execute("PRAGMA table_info(later)")]


async def test_a_migration_makes_a_verified_backup_first_and_keeps_what_is_there(store: Store, home: Path) -> None:
    await told(store, "q", "a")
    store.close()
    db = connect(home / "leochat.db")
    migrate(db, home, home / "leochat.db", LATER)
    assert version_of(db) == len(LATER)
    assert columns(db) == ["a", "b"]
    assert db.execute("SELECT count(*) FROM messages").fetchone() == (2,)
    db.close()
    [backup] = list_backups(home)
    old = connect(backup, read_only=True)
    assert version_of(old) == len(MIGRATIONS)
    assert old.execute("SELECT count(*) FROM messages").fetchone() == (2,)
    old.close()


def test_a_new_store_needs_no_backup(home: Path) -> None:
    Store.open(home).close()
    assert list_backups(home) == []


async def test_a_migration_that_fails_leaves_the_store_as_it_was(store: Store, home: Path) -> None:
    store.close()
    broken = (*LATER, Migration(len(LATER) + 1, lambda db: db.execute("CREATE TABLE later (again)") and None))
    db = connect(home / "leochat.db")
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(db, home, home / "leochat.db", broken)
    assert version_of(db) == len(LATER)
    assert columns(db) == ["a", "b"]
    db.close()


@pytest.mark.parametrize("point", POINTS)
async def test_a_migration_killed_at_any_step_goes_on_at_the_next_start(store: Store, home: Path, point: str) -> None:
    await told(store, "q", "a")
    store.close()
    killed = await asyncio.to_thread(migrate_elsewhere, home, point)
    assert killed.returncode != 0, f"{point} was not passed"
    assert b"Traceback" not in killed.stderr
    db = connect(home / "leochat.db")
    between = version_of(db)
    assert columns(db) == [[], ["a"], ["a", "b"]][between - len(MIGRATIONS)], "a version is whole or not there"
    migrate(db, home, home / "leochat.db", LATER)
    assert (version_of(db), columns(db)) == (len(LATER), ["a", "b"])
    assert db.execute("SELECT count(*) FROM messages").fetchone() == (2,)
    db.close()
    assert problem_of(home / "leochat.db") is None
    assert all(problem_of(backup) is None for backup in list_backups(home))
