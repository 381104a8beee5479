"""The games under way, in SQLite: they survive a restart, and of two steps at once only one is taken."""

import json
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from demos.pokemon_quiz.game import Game, from_state, to_json

KEPT_SECONDS = 30 * 24 * 3600
SCHEMA = """CREATE TABLE IF NOT EXISTS games (
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, touched REAL NOT NULL)"""


class Games:
    """One file in `folder`; safe for several processes. Each call is short and opens its own connection."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "games.sqlite3"
        with self._open() as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(SCHEMA)

    def add(self, game: Game) -> None:
        with self._open() as db:
            db.execute("DELETE FROM games WHERE touched < ?", (time.time() - KEPT_SECONDS,))
            db.execute("INSERT INTO games VALUES (?, 1, ?, ?)", (game.id, _state(game), time.time()))

    def find(self, session_id: str) -> tuple[Game, int] | None:
        """The game and its version, which `replace` needs."""
        with self._open() as db:
            row = db.execute("SELECT state, version FROM games WHERE id = ?", (session_id,)).fetchone()
        return (from_state(json.loads(row[0])), int(row[1])) if row else None

    def replace(self, game: Game, version: int) -> bool:
        """Stores the game's next state; False where another step was taken since `version` was read."""
        with self._open() as db:
            changed = db.execute(
                "UPDATE games SET state = ?, version = version + 1, touched = ? WHERE id = ? AND version = ?",
                (_state(game), time.time(), game.id, version),
            )
        return changed.rowcount == 1

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        db = sqlite3.connect(self._path, timeout=5)
        db.execute("PRAGMA synchronous=NORMAL")
        try:
            with db:
                yield db
        finally:
            db.close()


def _state(game: Game) -> str:
    return json.dumps(to_json(game), ensure_ascii=False)
