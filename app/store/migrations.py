"""The schema as a list of steps; each runs once, in one transaction, after a verified backup."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.store.backups import make_backup
from app.store.errors import StoreError
from app.store.failpoints import failpoint

APPLICATION_ID: Final = 0x4C656F43  # "LeoC"


@dataclass(frozen=True, slots=True)
class Migration:
    """Brings a store from the version before it to `version`. `apply` must not commit."""

    version: int
    apply: Callable[[sqlite3.Connection], None]


_FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  titled_by TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  pinned INTEGER NOT NULL DEFAULT 0,
  folder TEXT,
  head_id TEXT,
  seq INTEGER NOT NULL DEFAULT 0,
  message_count INTEGER NOT NULL DEFAULT 0,
  last_reason TEXT,
  options TEXT NOT NULL DEFAULT '{}',
  deleted_ms INTEGER
) WITHOUT ROWID;
CREATE TABLE messages (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  parent_id TEXT,
  final INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX messages_by_id ON messages(conversation_id, id);
CREATE INDEX messages_by_parent ON messages(conversation_id, parent_id);
CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  started_ms INTEGER NOT NULL,
  ended_ms INTEGER,
  reason TEXT,
  error TEXT,
  options TEXT NOT NULL DEFAULT '{}'
) WITHOUT ROWID;
CREATE INDEX tasks_open ON tasks(conversation_id) WHERE ended_ms IS NULL;
CREATE TABLE checkpoints (
  conversation_id TEXT PRIMARY KEY REFERENCES conversations(id) ON DELETE CASCADE,
  head_id TEXT,
  reason TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE card_presses (
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  card_id TEXT NOT NULL,
  action_id TEXT NOT NULL,
  state TEXT NOT NULL,
  inputs TEXT,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (conversation_id, message_id, card_id, action_id)
) WITHOUT ROWID;
CREATE TABLE grants (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  server TEXT NOT NULL,
  tool TEXT,
  pattern TEXT,
  conversation_id TEXT REFERENCES conversations(id) ON DELETE CASCADE,
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE usage (
  conversation_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  day TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_input_tokens INTEGER,
  cache_write_tokens INTEGER,
  thinking_tokens INTEGER,
  cost REAL,
  PRIMARY KEY (conversation_id, message_id)
) WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage(day);
CREATE TABLE blobs (
  ref TEXT PRIMARY KEY,
  media_type TEXT NOT NULL,
  name TEXT,
  size INTEGER NOT NULL,
  chars INTEGER,
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE blob_uses (
  ref TEXT NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
  PRIMARY KEY (ref, conversation_id)
) WITHOUT ROWID;
CREATE INDEX blob_uses_by_conversation ON blob_uses(conversation_id);
CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE to_index (n INTEGER PRIMARY KEY);
CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'trigram');
CREATE VIRTUAL TABLE pairs USING fts5(text, content = '', detail = 'none', tokenize = 'ascii');
"""


def _first(connection: sqlite3.Connection) -> None:
    for statement in _FIRST.split(";\n"):
        if statement.strip():
            connection.execute(statement)


MIGRATIONS: Final = (Migration(1, _first),)


def version_of(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, home: Path, path: Path, steps: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Bring the store to the newest schema.

    A kill at any moment leaves the version before or after a step, never between. Raises StoreError `newer` where a
    newer LeoChat wrote the file, and leaves it untouched.
    """
    version = version_of(connection)
    newest = steps[-1].version
    if version > newest:
        words = f"{path} was written by a newer LeoChat (schema {version}, this one knows {newest}): update LeoChat."
        raise StoreError("newer", words, path)
    if version == newest:
        return
    if version:
        failpoint("store.migrate.before")
        make_backup(home, path)
        failpoint("store.migrate.backed_up")
    for step in steps:
        _apply(connection, step)


def _apply(connection: sqlite3.Connection, step: Migration) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection) < step.version:  # another process may have been faster
            step.apply(connection)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {step.version}")
        failpoint("store.migrate.applied")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    failpoint("store.migrate.committed")
