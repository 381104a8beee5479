"""Copies of the store that were checked before they count: made before migrations and once a day, seven kept."""

import os
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.store.errors import StoreError, in_words
from app.store.failpoints import failpoint
from app.store.lanes import connect
from app.store.owners import Owners

KEPT: Final = 7
DAY_SECONDS: Final = 24 * 3600
PAGES_AT_A_TIME: Final = 256
STEPS_AT_A_TIME: Final = 100_000
"""Of SQLite's virtual machine: some milliseconds."""


def list_backups(home: Path) -> list[Path]:
    """The verified backups, newest first."""
    return sorted((home / "backups").glob("leochat-*.db"), reverse=True)


def made_at(backup: Path) -> datetime:
    """When a backup was made, in this computer's time; from its name, else from the file."""
    stamp = backup.stem.removeprefix("leochat-")
    try:
        return datetime.strptime(stamp, "%Y%m%d-%H%M%S-%f").replace(tzinfo=UTC).astimezone()
    except ValueError:
        return datetime.fromtimestamp(backup.stat().st_mtime, UTC).astimezone()


def way_back(home: Path) -> str:
    """What a person can do about a damaged store, in words."""
    backups = list_backups(home)
    if not backups:
        return (
            "There is no backup of it. To begin afresh, move the file elsewhere and start LeoChat again; keep it, since "
            "what it holds may still be saved with SQLite's own tools."
        )
    made = [f"{made_at(b):%Y-%m-%d %H:%M}  {b.name}" for b in backups]
    return "\n".join(
        [
            "Nothing was deleted or changed. To go on from a backup:",
            "1. Close every LeoChat that is open.",
            f'2. Run: leochat conversations restore --home "{home}"',
            "   It takes the newest; add a name to take another. The damaged file is kept beside it.",
            "3. Start LeoChat again.",
            "Backups:",
            *(f"   {line}" for line in made),
        ]
    )


def backup_is_due(home: Path) -> bool:
    """Whether none is of the last 24 hours; what a clock that was ahead has dated into the future counts for nothing."""
    return not any(-60 <= time.time() - backup.stat().st_mtime <= DAY_SECONDS for backup in list_backups(home))


def make_backup(home: Path, path: Path, stopped: Callable[[], bool] = lambda: False) -> Path:
    """Copy the store at `path`, check the copy and only then give it its name; the oldest over seven go.

    Raises StoreError `corrupt` where the copy does not pass the check, `closed` where `stopped()` became true.
    """
    folder = home / "backups"
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    part = folder / f"leochat-{stamp}.part"
    with in_words(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            _copy(path, part, stopped)
            failpoint("store.backup.copied")
            if problem := problem_of(part, stopped=stopped):
                raise StoreError("corrupt", f"The backup of {path} did not pass its check: {problem}", path)
            failpoint("store.backup.verified")
            _sync(part)
            target = part.with_suffix(".db")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        failpoint("store.backup.renamed")
        for old in _by_worth(home, target)[KEPT:]:
            old.unlink(missing_ok=True)
        _drop_leftovers(folder)
    return target


def _by_worth(home: Path, made: Path) -> list[Path]:
    """The one just made, then the newest first, last what a clock that was ahead has dated into the future."""
    ahead = [backup for backup in list_backups(home) if backup.name > made.name]
    return [backup for backup in list_backups(home) if backup not in ahead] + ahead


def _copy(path: Path, part: Path, stopped: Callable[[], bool]) -> None:
    def look(status: int, remaining: int, total: int) -> None:
        if stopped():
            raise _closed(path)

    source, target = connect(path, read_only=True), sqlite3.connect(part)
    try:
        source.backup(target, pages=PAGES_AT_A_TIME, progress=look)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
    finally:
        target.close()
        source.close()
    part.chmod(0o600)


def problem_of(path: Path, *, quick: bool = False, stopped: Callable[[], bool] = lambda: False) -> str | None:
    """What SQLite's own check finds wrong with the file at `path`, or None; StoreError `closed` once `stopped()`."""
    try:
        connection = connect(path, read_only=True)
        connection.set_progress_handler(lambda: int(stopped()), STEPS_AT_A_TIME)
        try:
            pragma = "PRAGMA quick_check(1)" if quick else "PRAGMA integrity_check(1)"
            said = str(connection.execute(pragma).fetchone()[0])
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        if stopped():
            raise _closed(path) from None
        return str(error)
    return None if said == "ok" else said


def restore_backup(home: Path, path: Path, backup: Path) -> Path:
    """Put `backup` in the store's place; returns where the file that was there is kept.

    Raises StoreError `busy` while the store is open anywhere, `corrupt` where the backup is damaged itself.
    """
    if Owners(home).anybody():
        raise StoreError("busy", f"LeoChat is open with {home}: close it first, then restore.", path)
    if problem := problem_of(backup):
        raise StoreError("corrupt", f"{backup} is damaged itself: {problem}", backup)
    aside = path.with_name(f"{path.name}.broken-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    part = _restored(path)
    with in_words(path):
        part.write_bytes(backup.read_bytes())
        part.chmod(0o600)
        _sync(part)
        failpoint("store.restore.copied")
        for end in ("-wal", "-shm", ""):  # the store itself last: it is missing only while the copy is whole
            old = path.with_name(path.name + end)
            if old.exists():
                old.replace(aside.with_name(aside.name + end))
        failpoint("store.restore.moved")
        part.replace(path)
    return aside


def finish_restore(path: Path) -> None:
    """Bring a restore to its end that was cut off after the old store was put aside."""
    part = _restored(path)
    if not path.exists() and part.exists():
        part.replace(path)


def _restored(path: Path) -> Path:
    return path.with_name(f"{path.name}.restored")


def _closed(path: Path) -> StoreError:
    return StoreError("closed", "The store was closed meanwhile.", path)


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _drop_leftovers(folder: Path) -> None:
    """Parts of backups that were cut off; younger ones may be another process's."""
    for part in folder.glob("*.part*"):
        if time.time() - part.stat().st_mtime > DAY_SECONDS:
            part.unlink(missing_ok=True)
