"""The store: one SQLite file and a folder of blobs in LeoChat's home, opened in milliseconds, written by one thread."""

import contextlib
import sqlite3
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from app.core.messages import now_ms
from app.store.archive import Archive
from app.store.backups import backup_is_due, finish_restore, list_backups, make_backup, problem_of, restore_backup, way_back
from app.store.blobs import StoredBlobs
from app.store.cards import CardPresses
from app.store.conversations import DELETED_KEPT_DAYS, Conversations
from app.store.errors import StoreError, in_words
from app.store.failpoints import failpoint
from app.store.grants import Grants
from app.store.kept import Kept
from app.store.lanes import Lane, Lanes, Work, WriterLane, connect
from app.store.messages import Messages
from app.store.migrations import migrate
from app.store.owners import Owners
from app.store.planned import carry_out_plan
from app.store.search import Search, index_some, unindex
from app.store.tasks import Tasks
from app.store.usage import UsageSums

FILE_NAME = "leochat.db"
READERS = 2
DAY_MS = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What upkeep found and did; `problem` says in words what is wrong with the store or its backup, or None."""

    problem: str | None
    backup: Path | None
    purged: int


class Store:
    """All that is kept. Make one with `Store.open`, end it with `close`; all its parts share the threads."""

    def __init__(self, home: Path, lanes: Lanes, owners: Owners, *, unclean: bool, restored: str | None = None):
        self.home = home
        self.path = lanes.path
        self.unclean = unclean
        """The last end was no clean one (or another process has the store open): `upkeep` will check it."""
        self.restored = restored
        """What became of a restore that was planned for this start, in words; None without one."""
        self._lanes = lanes
        self._owners = owners
        self._closing = threading.Event()
        self.conversations = Conversations(lanes, owners)
        self.messages = Messages(lanes)
        self.tasks = Tasks(lanes, owners)
        self.cards = CardPresses(lanes)
        self.grants = Grants(lanes)
        self.usage = UsageSums(lanes)
        self.kept = Kept(lanes)
        self.blobs = StoredBlobs(lanes, home)
        self.search = Search(lanes)
        self.archive = Archive(lanes, self.blobs)

    @staticmethod
    def open(home: Path) -> "Store":
        """Open the store in `home`, making or migrating it where needed; blocks for milliseconds.

        Raises StoreError with words for a person: `newer`, `corrupt` (see `backups` and `restore`), `disk_full`,
        `read_only`, `busy`. Nothing is deleted or overwritten then.
        """
        path = home / FILE_NAME
        wal = path.with_name(FILE_NAME + "-wal")
        with _with_way_back(home), in_words(path):
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            finish_restore(path)
            restored = carry_out_plan(home, path)
            unclean = wal.exists() and wal.stat().st_size > 0
            connection = _open_writer(home, path)
            owners = Owners(home)
            owners.me()  # from now on nobody restores a backup under our feet
        writer = WriterLane(path, connection, index_some)
        readers = Lane("reader", path, lambda: _open_reader(path), READERS)
        lanes = Lanes(path, writer, readers, Lane("upkeep", path, lambda: _open_reader(path)))
        return Store(home, lanes, owners, unclean=unclean, restored=restored)

    def close(self) -> None:
        """Finish what was asked for, then let go of the file; a second time does nothing."""
        self._closing.set()
        self._lanes.close()
        self._owners.close()

    async def together(self, *works: Work[None], durable: bool) -> None:
        """What `appending`, `checkpointing`, `changing` and their kind give, as one transaction: all of it or nothing."""

        def work(db: sqlite3.Connection) -> None:
            for one in works:
                one(db)

        await self._lanes.write(work, durable=durable)

    async def upkeep(self) -> Upkeep:
        """Check after an unclean end, back up once a day, purge what was deleted 30 days ago.

        For the app to call after its start and every few hours; runs beside everything else.
        """
        check, self.unclean = self.unclean, False
        problem, backup = await self._lanes.upkeep.do(lambda db: self._check_and_back_up(check))
        purged = 0 if problem else await self.purge(now_ms() - DELETED_KEPT_DAYS * DAY_MS)
        return Upkeep(problem, backup, purged)

    async def back_up(self) -> Path:
        """Make a verified backup now."""
        return await self._lanes.upkeep.do(lambda db: make_backup(self.home, self.path, self._closing.is_set))

    @staticmethod
    def backups(home: Path) -> list[Path]:
        """The verified backups of the store in `home`, newest first."""
        return list_backups(home)

    @staticmethod
    def restore(home: Path, backup: Path) -> Path:
        """Put a backup in the store's place while it is closed; returns where the old file is kept."""
        return restore_backup(home, home / FILE_NAME, backup)

    async def purge(self, deleted_before_ms: int) -> int:
        """Remove conversations deleted before then, and blobs as old that nothing names; says how many conversations."""
        count, refs = await self._lanes.write(lambda db: _purge(db, deleted_before_ms))
        for ref in refs:
            with contextlib.suppress(FileNotFoundError):
                self.blobs.path(ref).unlink()
        return count

    def _check_and_back_up(self, check: bool) -> tuple[str | None, Path | None]:
        closing = self._closing.is_set
        damage = problem_of(self.path, quick=True, stopped=closing) if check else None
        if damage:
            return f"{self.path} is damaged ({damage}). {way_back(self.home)}", None
        if not backup_is_due(self.home):
            return None, None
        try:
            return None, make_backup(self.home, self.path, closing)
        except StoreError as error:
            if error.kind == "closed":
                raise
            return f"Today's backup could not be made: {error.message}", None


@contextlib.contextmanager
def _with_way_back(home: Path) -> Generator[None]:
    """A damaged store's error says what to do, and which backups there are."""
    try:
        yield
    except StoreError as error:
        if error.kind != "corrupt":
            raise
        raise StoreError("corrupt", f"{error.path or home / FILE_NAME} is damaged. {way_back(home)}", error.path) from error


def _open_writer(home: Path, path: Path) -> sqlite3.Connection:
    connection = connect(path)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, home, path)
        path.chmod(0o600)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_reader(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _purge(db: sqlite3.Connection, before_ms: int) -> tuple[int, list[str]]:
    db.execute("PRAGMA secure_delete = ON")  # what is purged is overwritten, not only let go
    sql = "SELECT id FROM conversations WHERE deleted_ms < ?"
    gone = [row[0] for row in db.execute(sql, (before_ms,)).fetchall()]
    for conversation_id in gone:
        unindex(db, conversation_id)
        db.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
    unused = "DELETE FROM blobs WHERE created_ms < ? AND ref NOT IN (SELECT ref FROM blob_uses) RETURNING ref"
    refs = [row[0] for row in db.execute(unused, (before_ms,)).fetchall()]
    failpoint("store.purge.written")
    return len(gone), refs
