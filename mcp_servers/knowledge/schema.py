"""The index's tables, and how a connection to them is opened."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from mcp_servers.tables import prepare, version_of

FILE = "knowledge.sqlite3"
BUSY_SECONDS = 20.0
"""How long one writer waits for another."""

VERSION = 1

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  added_ms INTEGER NOT NULL,
  scanned_ms INTEGER,
  there INTEGER NOT NULL DEFAULT 1,
  problem TEXT NOT NULL DEFAULT '',
  others INTEGER NOT NULL DEFAULT 0,
  again INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX folders_by_path ON folders(path) WHERE removed = 0;
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder INTEGER NOT NULL REFERENCES folders(id),
  path TEXT NOT NULL,
  size INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  state TEXT NOT NULL,
  hash TEXT NOT NULL DEFAULT '',
  title TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT '',
  problem TEXT NOT NULL DEFAULT '',
  characters INTEGER NOT NULL DEFAULT 0,
  passages INTEGER NOT NULL DEFAULT 0,
  indexed_ms INTEGER,
  UNIQUE (folder, path)
) STRICT;
CREATE INDEX files_by_state ON files(folder, state);
CREATE TABLE passages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  file INTEGER NOT NULL REFERENCES files(id),
  number INTEGER NOT NULL,
  start INTEGER NOT NULL,
  stop INTEGER NOT NULL,
  page INTEGER,
  sheet TEXT,
  head TEXT NOT NULL,
  first INTEGER,
  last INTEGER,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX passages_by_file ON passages(file, number);
CREATE TABLE signs (passage INTEGER PRIMARY KEY, sign BLOB NOT NULL) STRICT;
CREATE TABLE vectors (passage INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
  text, head, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
"""
# `state` of a file: waiting, indexed, failed. A failed one is tried again only when it changes or a person asks.


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A connection that other processes may write beside; a writing one makes the tables if they are missing.

    What is deleted is overwritten with zeros (`secure_delete`).
    """
    if write:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    target = path if write else f"{path.as_uri()}?mode=rw"
    connection = sqlite3.connect(target, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=not write)
    try:
        if write:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")
            prepare(connection, TABLES, VERSION, "the index")
        elif version_of(connection) != VERSION:
            connect(path, write=True).close()
    except BaseException:
        connection.close()
        raise
    return connection
