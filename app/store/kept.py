"""Small JSON values under a key, for what a room above wants to find again (a server's tool list, say)."""

import json
import sqlite3

from pydantic import JsonValue

from app.core.messages import now_ms
from app.store.lanes import Lanes


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
        text = json.dumps(value, ensure_ascii=False)
        sql = "INSERT OR REPLACE INTO kept (key, value, at_ms) VALUES (?, ?, ?)"
        await self._lanes.write(lambda db: db.execute(sql, (key, text, now_ms())).rowcount)

    async def remove(self, key: str) -> None:
        await self._lanes.write(lambda db: db.execute("DELETE FROM kept WHERE key = ?", (key,)).rowcount)
