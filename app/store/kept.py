"""Small JSON values under a key, for what a room above wants to find again (a server's tool list, say)."""

import json
import sqlite3
from collections.abc import Callable

from pydantic import JsonValue

from app.core.messages import now_ms
from app.store.lanes import Lanes, Work


class Kept:
    """Keys are the callers': `room.noun:id`."""

    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def get(self, key: str) -> JsonValue:
        """The value, None where there is none."""

        def work(db: sqlite3.Connection) -> JsonValue:
            found = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
            return json.loads(found[0]) if found else None

        return await self._lanes.read(work)

    async def set(self, key: str, value: JsonValue) -> None:
        await self.change(key, lambda _old: value)

    async def remove(self, key: str) -> None:
        await self.change(key, lambda _old: None)

    async def change(self, key: str, how: Callable[[JsonValue], JsonValue], *, durable: bool = False) -> None:
        """From what is kept (None: nothing) to what shall be (None: nothing), as one step; two at a time both count."""
        await self._lanes.write(self.changing(key, how), durable=durable)

    @staticmethod
    def changing(key: str, how: Callable[[JsonValue], JsonValue]) -> Work[None]:
        """What `change` does, for `Store.together`."""

        def work(db: sqlite3.Connection) -> None:
            found = db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
            value = how(json.loads(found[0]) if found else None)
            if value is None:
                db.execute("DELETE FROM kept WHERE key = ?", (key,))
                return
            sql = "INSERT OR REPLACE INTO kept (key, value, at_ms) VALUES (?, ?, ?)"
            db.execute(sql, (key, json.dumps(value, ensure_ascii=False), now_ms()))

        return work
