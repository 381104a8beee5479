"""Single rows of the index: a file's passages stored, moved and forgotten together with their words and vectors."""

from __future__ import annotations

import sqlite3
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from mcp_servers.knowledge.words import tokens

if TYPE_CHECKING:
    from mcp_servers.knowledge.index import Read
    from mcp_servers.knowledge.scan import Seen

_FOLDERS = """
SELECT folders.id, folders.path,
  CASE WHEN scanned_ms IS NULL OR again = 1 THEN 'scanning' WHEN there = 0 THEN 'missing'
    WHEN coalesce(sum(state = 'waiting'), 0) > 0 THEN 'reading' ELSE 'ready' END,
  folders.problem, count(files.id), coalesce(sum(state = 'indexed'), 0), coalesce(sum(state = 'waiting'), 0),
  coalesce(sum(state = 'failed'), 0), coalesce(sum(passages), 0), others, scanned_ms, max(indexed_ms)
FROM folders LEFT JOIN files ON files.folder = folders.id WHERE removed = 0 GROUP BY folders.id ORDER BY folders.id
"""


def folder_rows(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """The fields of FolderState, in order."""
    return db.execute(_FOLDERS).fetchall()


def noted(db: sqlite3.Connection, name: str) -> str:
    found = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(found[0]) if found else ""


def put(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value))


def signs_changed(db: sqlite3.Connection) -> None:
    """Whoever keeps the bits of all vectors in memory reads them again."""
    put(db, "signs", str(int(noted(db, "signs") or 0) + 1))


def is_there(db: sqlite3.Connection, folder: int) -> bool:
    return db.execute("SELECT 1 FROM folders WHERE id = ? AND removed = 0", (folder,)).fetchone() is not None


def head_tokens(path: str, title: str, sheet: str | None, head: str) -> str:
    """What stands above a passage: the file's name, its title, the sheet, the headings."""
    return tokens("\n".join([PurePosixPath(path).stem, title, sheet or "", head]))


def store(db: sqlite3.Connection, read: Read, at_ms: int) -> None:
    """A file as it was read just now. What its folder's removal or another look has made moot is passed over."""
    found = db.execute(
        "SELECT files.path, hash FROM files JOIN folders ON folders.id = folder WHERE files.id = ? AND removed = 0",
        (read.file,),
    ).fetchone()
    if found is None:
        return
    if read.same:
        db.execute("UPDATE files SET state = 'indexed' WHERE id = ?", (read.file,))
        return
    _forget_passages(db, read.file)
    state = "failed" if read.kind else "indexed"
    problem, kind = read.problem, read.kind
    if state == "indexed" and not read.whole:
        kind, problem = "cut", f"It is very long: only its first {read.characters:,} characters are indexed."
    elif state == "indexed" and not read.passages:
        kind, problem = "empty", "It holds no text."
    digest = read.hash if state == "indexed" else ""  # so that another try reads it again
    db.execute(
        "UPDATE files SET state = ?, hash = ?, title = ?, kind = ?, problem = ?, characters = ?, passages = ?, indexed_ms = ? "
        "WHERE id = ?",
        (state, digest, read.title, kind, problem, read.characters, len(read.passages), at_ms, read.file),
    )
    for number, start, stop, page, sheet, head, first, last, text, words in read.passages:
        made = db.execute(
            "INSERT INTO passages (file, number, start, stop, page, sheet, head, first, last, text) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (read.file, number, start, stop, page, sheet, head, first, last, text),
        )
        above = head_tokens(found[0], read.title, sheet, head)
        db.execute("INSERT INTO words (rowid, text, head) VALUES (?, ?, ?)", (made.lastrowid, words, above))


def look_again(db: sqlite3.Connection, file: int, seen: Seen) -> None:
    """The file may have changed: it is read again, or known now not to be readable."""
    state = "failed" if seen.kind else "waiting"
    if seen.kind:
        _forget_passages(db, file)
        db.execute("UPDATE files SET hash = '', passages = 0 WHERE id = ?", (file,))
    sql = "UPDATE files SET size = ?, stamp = ?, state = ?, kind = ?, problem = ? WHERE id = ?"
    db.execute(sql, (seen.size, seen.stamp, state, seen.kind, seen.problem, file))


def move(db: sqlite3.Connection, file: int, seen: Seen) -> None:
    """The same file under another name: its passages stay as they are."""
    path, title = db.execute("SELECT path, title FROM files WHERE id = ?", (file,)).fetchone()
    for passage, sheet, head, text in db.execute(
        "SELECT id, sheet, head, text FROM passages WHERE file = ?", (file,)
    ).fetchall():
        words = tokens(text)
        _unindex(db, passage, words, head_tokens(path, title, sheet, head))
        above = head_tokens(seen.path, title, sheet, head)
        db.execute("INSERT INTO words (rowid, text, head) VALUES (?, ?, ?)", (passage, words, above))
    db.execute("UPDATE files SET path = ?, stamp = ? WHERE id = ?", (seen.path, seen.stamp, file))


def forget(db: sqlite3.Connection, file: int) -> None:
    """All of a file."""
    _forget_passages(db, file)
    db.execute("DELETE FROM files WHERE id = ?", (file,))


def forget_all(db: sqlite3.Connection) -> None:
    """All files of all folders, at once."""
    db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    for table in ("vectors", "signs", "passages", "files"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608
    signs_changed(db)


def _forget_passages(db: sqlite3.Connection, file: int) -> None:
    path, title = db.execute("SELECT path, title FROM files WHERE id = ?", (file,)).fetchone()
    for passage, sheet, head, text in db.execute(
        "SELECT id, sheet, head, text FROM passages WHERE file = ?", (file,)
    ).fetchall():
        _unindex(db, passage, tokens(text), head_tokens(path, title, sheet, head))
    for table in ("vectors", "signs"):
        db.execute(f"DELETE FROM {table} WHERE passage IN (SELECT id FROM passages WHERE file = ?)", (file,))  # noqa: S608
    if db.execute("SELECT changes()").fetchone()[0]:
        signs_changed(db)
    db.execute("DELETE FROM passages WHERE file = ?", (file,))


def _unindex(db: sqlite3.Connection, passage: int, words: str, above: str) -> None:
    """The index holds no text, so it has to be told what to take out."""
    db.execute("INSERT INTO words (words, rowid, text, head) VALUES ('delete', ?, ?, ?)", (passage, words, above))
