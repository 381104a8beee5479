"""The graph's tables, its full-text index, and how a connection to them is opened."""

import sqlite3
from pathlib import Path

from mcp_servers.tables import prepare

BUSY_SECONDS = 30.0
"""How long one writer waits for another: to forget 50,000 facts at once takes up to ten."""

VERSION = 1

TABLES = """
CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL
) STRICT;
CREATE TABLE observations (
  id INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  UNIQUE (entity, content)
) STRICT;
CREATE TABLE relations (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  UNIQUE (source, target, kind)
) STRICT;
CREATE INDEX relations_by_target ON relations(target);
CREATE VIRTUAL TABLE words USING fts5(entity UNINDEXED, text, tokenize = 'trigram');
CREATE TRIGGER entity_added AFTER INSERT ON entities BEGIN
  INSERT INTO words (rowid, entity, text) VALUES (new.id * 2, new.id, new.name || char(10) || new.kind);
END;
CREATE TRIGGER entity_gone AFTER DELETE ON entities BEGIN
  DELETE FROM words WHERE rowid = old.id * 2;
END;
CREATE TRIGGER observation_added AFTER INSERT ON observations BEGIN
  INSERT INTO words (rowid, entity, text) VALUES (new.id * 2 + 1, new.entity, new.content);
END;
CREATE TRIGGER observation_gone AFTER DELETE ON observations BEGIN
  DELETE FROM words WHERE rowid = old.id * 2 + 1;
END;
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection that other processes may write beside; the tables are made if missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.create_function("fold", 1, str.casefold, deterministic=True)
        prepare(connection, TABLES, VERSION, "the memory")
    except BaseException:
        connection.close()
        raise
    return connection
