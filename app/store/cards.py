"""Which buttons of which cards were pressed, so that a card looks the same after a restart."""

import json
import sqlite3

from pydantic import JsonValue

from app.core.frozen import Frozen
from app.core.messages import now_ms
from app.store.lanes import Lanes


class CardPress(Frozen):
    """A pressed button; `state` "pressed" unless the caller has finer words. Times in milliseconds since 1970."""

    message_id: str
    card_id: str
    action_id: str
    state: str = "pressed"
    inputs: dict[str, JsonValue] | None = None
    at_ms: int = 0


_COLUMNS = "message_id, card_id, action_id, state, inputs, at_ms"


class CardPresses:
    """Keyed by conversation, the message that holds the card, the card and the action."""

    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def save(self, conversation_id: str, press: CardPress) -> CardPress:
        """Keep it (a later state replaces an earlier one of the same button); `at_ms` 0 becomes now."""
        kept = press if press.at_ms else press.model_copy(update={"at_ms": now_ms()})

        def work(db: sqlite3.Connection) -> CardPress:
            insert_press(db, conversation_id, kept)
            return kept

        return await self._lanes.write(work)

    async def all(self, conversation_id: str) -> list[CardPress]:
        """All presses of a conversation, oldest first."""
        return await self._lanes.read(lambda db: presses_of(db, conversation_id))


def insert_press(db: sqlite3.Connection, conversation_id: str, press: CardPress) -> None:
    inputs = None if press.inputs is None else json.dumps(press.inputs, ensure_ascii=False)
    values = (conversation_id, press.message_id, press.card_id, press.action_id, press.state, inputs, press.at_ms)
    db.execute(f"INSERT OR REPLACE INTO card_presses (conversation_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)


def presses_of(db: sqlite3.Connection, conversation_id: str) -> list[CardPress]:
    sql = f"SELECT {_COLUMNS} FROM card_presses WHERE conversation_id = ? ORDER BY at_ms, message_id, card_id, action_id"
    return [
        CardPress(
            message_id=message,
            card_id=card,
            action_id=action,
            state=state,
            inputs=None if inputs is None else json.loads(inputs),
            at_ms=at,
        )
        for message, card, action, state, inputs, at in db.execute(sql, (conversation_id,))
    ]
