"""The index of the person's folders: what is in it, what waits to be read, and what goes; safe beside other processes."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp_servers.knowledge import rows
from mcp_servers.knowledge.reading import LARGEST
from mcp_servers.knowledge.scan import Scan, Seen
from mcp_servers.knowledge.schema import FILE, connect

FORGOTTEN = 200
"""How many files go in one change of the index, so that nobody waits long for it."""


class KnowledgeError(Exception):
    """The index could not do what was asked; the text says why and what to do."""


@dataclass(frozen=True)
class FolderState:
    """One folder with its counts. `state`: scanning, reading, ready, missing. Times are ms since 1970."""

    id: int
    path: str
    state: str
    problem: str
    files: int
    indexed: int
    waiting: int
    failed: int
    passages: int
    others: int
    scanned_ms: int | None
    indexed_ms: int | None


@dataclass(frozen=True)
class Brief:
    """One folder: whether it was ever looked through, and how many of its files wait."""

    id: int
    path: str
    scanned: bool
    waiting: int


@dataclass(frozen=True)
class FileState:
    """One file: `state` waiting, indexed or failed; `kind` and `problem` say why it could not be read, or not whole."""

    path: str
    state: str
    size: int
    title: str
    kind: str
    problem: str
    passages: int


@dataclass
class Read:
    """What came of one file."""

    file: int
    hash: str = ""
    title: str = ""
    characters: int = 0
    kind: str = ""
    problem: str = ""
    same: bool = False
    whole: bool = True
    passages: list[list[Any]] = field(default_factory=list[list[Any]])


@dataclass(frozen=True)
class Waiting:
    """A file to be read."""

    id: int
    path: str
    size: int
    hash: str


class Index:
    """The index in a folder; threads may share it, processes each open their own. All methods may wait for the disk."""

    def __init__(self, folder: Path) -> None:
        self.path = folder.absolute() / FILE
        self._locks = {True: threading.RLock(), False: threading.RLock()}
        self._open: dict[bool, sqlite3.Connection] = {}

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        for write, lock in self._locks.items():
            with lock:
                if found := self._open.pop(write, None):
                    found.close()

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """One steady view of it. Raises KnowledgeError."""
        with self._begun(False, "BEGIN") as db:
            yield db

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """One change, whole or not at all. Raises KnowledgeError."""
        with self._begun(True, "BEGIN IMMEDIATE") as db:
            yield db

    @contextmanager
    def _begun(self, write: bool, begin: str) -> Generator[sqlite3.Connection]:
        with self._locks[write]:
            try:
                if write not in self._open:
                    self._open[write] = connect(self.path, write=write)
                db = self._open[write]
                db.execute(begin)
            except (sqlite3.Error, OSError) as error:
                raise KnowledgeError(f"The knowledge index {self.path} cannot be opened: {error}.") from error
            try:
                yield db
                db.execute("COMMIT")
            except BaseException as error:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise KnowledgeError(f"The knowledge index {self.path} could not be used: {error}.") from error
                raise

    # Folders

    def add(self, path: str) -> int:
        """Have a folder indexed from now on; the one that is there already stays. Gives its id. Raises KnowledgeError."""
        real = real_folder(path)
        with self.writing() as db:
            known = db.execute("SELECT id, path FROM folders WHERE removed = 0").fetchall()
            for number, other in known:
                if other == real:
                    return int(number)
                if _inside(real, other):
                    raise KnowledgeError(f"{real} is in {other}, which is indexed with all that is in it.")
                if _inside(other, real):
                    raise KnowledgeError(f"{real} holds {other}, which is indexed already. Remove that one first.")
            made = db.execute("INSERT INTO folders (path, added_ms) VALUES (?, ?)", (real, now_ms()))
            return int(made.lastrowid or 0)

    def remove(self, folder: int) -> str:
        """Nothing of it is found from now on; `sweep` then takes it out. Gives its path. Raises KnowledgeError."""
        with self.writing() as db:
            found = db.execute("SELECT path FROM folders WHERE id = ? AND removed = 0", (folder,)).fetchone()
            if found is None:
                raise KnowledgeError("This folder is not in the index any more.")
            db.execute("UPDATE folders SET removed = 1 WHERE id = ?", (folder,))
            rows.put(db, "purge", "1")
            return str(found[0])

    def again(self, folder: int) -> None:
        """Look through a folder at once, and try what failed once more."""
        with self.writing() as db:
            db.execute("UPDATE folders SET again = 1 WHERE id = ? AND removed = 0", (folder,))

    def folders(self) -> list[FolderState]:
        """All folders in the order in which they were added; none where there is no index yet."""
        if not self.exists:
            return []
        with self.reading() as db:
            return [FolderState(*row) for row in rows.folder_rows(db)]

    def brief(self) -> list[Brief]:
        """The same without counting all files."""
        if not self.exists:
            return []
        sql = (
            "SELECT id, path, scanned_ms IS NOT NULL, "
            "(SELECT count(*) FROM files WHERE folder = folders.id AND state = 'waiting') "
            "FROM folders WHERE removed = 0 ORDER BY id"
        )
        with self.reading() as db:
            return [Brief(number, path, bool(scanned), waiting) for number, path, scanned, waiting in db.execute(sql)]

    def files(self, folder: int, *, failed: bool = False, start: int = 0, limit: int = 100) -> list[FileState]:
        """Files of a folder by name; with `failed` those only that could not be read, or not whole."""
        sql = (
            "SELECT path, state, size, title, kind, problem, passages FROM files WHERE folder = ? AND (problem <> '' OR NOT ?) "
            "ORDER BY path LIMIT ? OFFSET ?"
        )
        with self.reading() as db:
            found = db.execute(sql, (folder, failed, limit, start)).fetchall()
            return [FileState(*row) for row in found]

    def noted(self, name: str) -> str:
        """A note that processes leave for each other; "" where there is none."""
        if not self.exists:
            return ""
        with self.reading() as db:
            return rows.noted(db, name)

    def note(self, name: str, value: str) -> None:
        if self.noted(name) != value:
            with self.writing() as db:
                rows.put(db, name, value)

    # The indexer's side

    def due(self) -> tuple[bool, list[tuple[int, str, int | None, bool]]]:
        """Whether something was removed, and the folders as (id, path, when it was looked through, whether again at once)."""
        with self.reading() as db:
            found = db.execute("SELECT id, path, scanned_ms, again, removed FROM folders ORDER BY id").fetchall()
            removed = any(row[4] for row in found) or bool(rows.noted(db, "purge"))
            return removed, [(row[0], row[1], row[2], bool(row[3])) for row in found if not row[4]]

    def missing(self, folder: int) -> None:
        """The folder itself is not there: what is known of it stays."""
        words = "The folder is not there, or cannot be opened. What was indexed can still be found."
        with self.writing() as db:
            sql = "UPDATE folders SET there = 0, problem = ?, scanned_ms = ?, again = 0 WHERE id = ?"
            db.execute(sql, (words, now_ms(), folder))

    def reconcile(self, folder: int, scan: Scan, moved: dict[str, str], *, again: bool) -> bool:
        """Bring the list of files in line with what was seen; says whether more files have to go than go at once.

        `moved`: new paths of files that went elsewhere, by old ones. `again`: failed ones wait once more.
        """
        with self.writing() as db:
            if not rows.is_there(db, folder):
                return False
            known = {row[0]: row for row in db.execute("SELECT path, id, stamp FROM files WHERE folder = ?", (folder,))}
            for old, new in moved.items():
                if old in known and new not in known:
                    rows.move(db, known[old][1], scan.files[new])
                    known[new] = (new, known.pop(old)[1], scan.files[new].stamp)
            fresh = [seen for path, seen in scan.files.items() if path not in known]
            db.executemany(
                "INSERT INTO files (folder, path, size, stamp, state, kind, problem) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(folder, one.path, one.size, one.stamp, _state(one), one.kind, one.problem) for one in fresh],
            )
            for path, (_, file, stamp) in known.items():
                if (seen := scan.files.get(path)) is not None and seen.stamp != stamp:
                    rows.look_again(db, file, seen)
            gone = [file for path, (_, file, _) in known.items() if path not in scan.files and scan.knows(path)]
            for file in gone[:FORGOTTEN]:
                rows.forget(db, file)
            if again:
                sql = (
                    "UPDATE files SET state = 'waiting' WHERE folder = ? AND state = 'failed' AND kind <> 'name' AND size <= ?"
                )
                db.execute(sql, (folder, LARGEST))
            sql = "UPDATE folders SET there = 1, problem = ?, scanned_ms = ?, others = ?, again = 0 WHERE id = ?"
            db.execute(sql, (_problem(scan), now_ms(), scan.others, folder))
            return len(gone) > FORGOTTEN

    def lost(self, folder: int, scan: Scan) -> tuple[dict[str, tuple[int, str]], list[Seen]]:
        """Files that went, as (size, hash) by path, and new ones that may be they, since they are as large."""
        with self.reading() as db:
            sql = "SELECT path, size, hash FROM files WHERE folder = ? AND hash <> ''"
            known = {path: (size, digest) for path, size, digest in db.execute(sql, (folder,))}
        gone = {path: fact for path, fact in known.items() if path not in scan.files and scan.knows(path)}
        sizes = {size for size, _ in gone.values()}
        return gone, [seen for path, seen in scan.files.items() if path not in known and not seen.kind and seen.size in sizes]

    def waiting(self, limit: int) -> tuple[int, str, list[Waiting]] | None:
        """The next files to read, all of one folder: its id, its path, the files. None: nothing waits."""
        with self.reading() as db:
            sql = (
                "SELECT folder, folders.path FROM files JOIN folders ON folders.id = folder "
                "WHERE state = 'waiting' AND removed = 0 ORDER BY folder LIMIT 1"
            )
            found = db.execute(sql).fetchone()
            if found is None:
                return None
            sql = "SELECT id, path, size, hash FROM files WHERE folder = ? AND state = 'waiting' ORDER BY id LIMIT ?"
            return found[0], found[1], [Waiting(*row) for row in db.execute(sql, (found[0], limit))]

    def store(self, read: Sequence[Read]) -> None:
        """Keep what was read, in place of what was known of these files."""
        with self.writing() as db:
            for one in read:
                rows.store(db, one, now_ms())

    def sweep(self, batch: int = 50) -> bool:
        """Take some files of removed folders out; says whether more is left. In the end nothing of them is on the disk."""
        with self.writing() as db:
            if db.execute("SELECT 1 FROM folders WHERE removed = 0").fetchone() is None:
                rows.forget_all(db)
            sql = "SELECT files.id FROM files JOIN folders ON folders.id = folder WHERE removed = 1 LIMIT ?"
            gone = [row[0] for row in db.execute(sql, (batch,))]
            for file in gone:
                rows.forget(db, file)
            if gone:
                return True
            db.execute("DELETE FROM folders WHERE removed = 1")
            if not rows.noted(db, "purge"):
                return False
        self._purge()
        return False

    def _purge(self) -> None:
        """The full-text index merged (until then its segments keep what was deleted), the file made anew, the log emptied."""
        with self.writing() as db:
            db.execute("INSERT INTO words (words) VALUES ('optimize')")
        with self._locks[True]:
            db = self._open[True]
            try:
                db.execute("VACUUM")
                busy = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            except sqlite3.Error as error:
                raise KnowledgeError(f"What was removed cannot be wiped from the disk yet: {error}.") from error
            if busy:  # another process reads just now: the next sweep does it
                raise KnowledgeError("What was removed cannot be wiped from the disk yet: another program reads the index.")
        with self.writing() as db:
            rows.put(db, "purge", "")


def now_ms() -> int:
    return int(time.time() * 1000)


def real_folder(path: str) -> str:
    """The real path of a folder that may be indexed. Raises KnowledgeError with what is wrong."""
    text = path.strip()
    whole = os.path.realpath(Path(text).expanduser()) if text and "\0" not in text else ""
    if not whole or not Path(whole).is_dir():
        raise KnowledgeError(f"There is no folder {text or '(empty)'!r}. Give the whole path of one that exists.")
    if Path(whole).parent == Path(whole):
        raise KnowledgeError("A whole disk is too much. Give a folder in it.")
    try:
        whole.encode("utf-8")
        os.scandir(whole).close()
    except UnicodeEncodeError:
        raise KnowledgeError("The folder's name is not valid Unicode. Rename it.") from None
    except OSError as error:
        raise KnowledgeError(f"{whole} cannot be opened: {error.strerror or error}.") from error
    return whole


def _inside(path: str, folder: str) -> bool:
    return Path(folder) in Path(path).parents


def _state(seen: Seen) -> str:
    return "failed" if seen.kind else "waiting"


def _problem(scan: Scan) -> str:
    said: list[str] = []
    if scan.cut:
        said.append(f"There are more files than are indexed: only {len(scan.files):,} of them are.")
    if scan.unread:
        said.append(f"Not permitted to look into: {', '.join(sorted(scan.unread)[:5])}.")
    return " ".join(said)
