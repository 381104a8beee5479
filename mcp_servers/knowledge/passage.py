"""A passage and what stands around it: the text of a file put together again from its passages."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from mcp_servers.knowledge.index import KnowledgeError
from mcp_servers.knowledge.search import Hit

GONE = "This passage is not in the index any more: its file was changed or removed. Search again."


@dataclass(frozen=True)
class Whole:
    """A part of a file's text: `hit` is the passage it begins in, `characters` how long all of the text is."""

    hit: Hit
    text: str
    start: int
    characters: int
    note: str


_PASSAGE = """
SELECT passages.id, folders.path, files.path, title, head, page, sheet, first, last, start, '',
  files.id, stop, (SELECT max(stop) FROM passages AS other WHERE other.file = files.id), stamp
FROM passages JOIN files ON files.id = file JOIN folders ON folders.id = folder AND removed = 0 WHERE passages.id = ?
"""


def file_named(db: sqlite3.Connection, asked: str) -> tuple[int, int]:
    """The first passage of the indexed file of that path, whole, below its folder, or its name alone; and where it begins."""
    sql = "SELECT folders.path, files.path, files.id FROM files JOIN folders ON folders.id = folder WHERE removed = 0"
    wanted = asked.strip().replace("\\", "/")
    rows = db.execute(f"{sql} AND substr(files.path, -?) = ?", (len(_name(wanted)), _name(wanted))).fetchall()
    found = [row for row in rows if wanted in (row[1], f"{row[0]}/{row[1]}".replace("\\", "/"))]
    found = found or [row for row in rows if f"/{row[1]}".endswith(f"/{wanted}")]
    if len(found) > 1:
        paths = ", ".join(str(Path(row[0], row[1])) for row in found[:5])
        raise KnowledgeError(f"Several files are called {asked!r}: {paths}. Give the whole path of one.")
    if not found:
        raise KnowledgeError(f"There is no indexed file {asked!r}. list_sources shows what is there.")
    sql = "SELECT id, start FROM passages WHERE file = ? ORDER BY number LIMIT 1"
    first = db.execute(sql, (found[0][2],)).fetchone()
    if first is None:
        raise KnowledgeError(f"{asked!r} has no text in the index. index_status says what is wrong with files.")
    return int(first[0]), int(first[1])


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def whole_of(db: sqlite3.Connection, passage: int, start: int | None, length: int | None) -> Whole:
    """The text of the passage's file from `start` (None: where it begins); `length` None: just the passage."""
    row = db.execute(_PASSAGE, (passage,)).fetchone()
    if row is None:
        raise KnowledgeError(GONE)
    file, stop, characters, stamp = row[11:]
    begin = row[9] if start is None else start
    if begin >= characters:
        raise KnowledgeError(f"The text ends at {characters:,}; there is nothing from {begin:,} on.")
    end = stop if length is None else begin + length
    if start is not None:
        sql = "SELECT id FROM passages WHERE file = ? AND start <= ? ORDER BY number DESC LIMIT 1"
        at = db.execute(sql, (file, begin)).fetchone() or (passage,)
        row = db.execute(_PASSAGE, at).fetchone()
    return Whole(Hit(*row[:11]), _text(db, file, begin, end), begin, characters, _changed(row[1], row[2], stamp))


def _text(db: sqlite3.Connection, file: int, begin: int, end: int) -> str:
    """From one character to another; passages overlap, and only blank space is between them."""
    sql = "SELECT start, stop, text FROM passages WHERE file = ? AND stop > ? AND start < ? ORDER BY number"
    made, at = "", begin
    for start, stop, text in db.execute(sql, (file, begin, end)):
        if stop <= at:
            continue
        made += "\n\n" if start > at and made else ""
        made += text[max(0, at - start) : max(0, end - start)]
        at = stop
    return made


def _changed(folder: str, path: str, stamp: str) -> str:
    """What a reader should know of the file now."""
    try:
        now = Path(folder, *path.split("/")).lstat()
    except OSError:
        return "The file is not there any more, or cannot be reached now; this is what the index knows of it."
    fresh = f"{now.st_size}.{now.st_mtime_ns}.{now.st_mode:o}" == stamp
    return "" if fresh else "The file was changed since; it is read again soon."
