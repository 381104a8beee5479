"""Conversations as our own JSON, without loss: a shape that is written piece by piece and read one by one."""

import base64
import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import JsonValue

from app.core.frozen import Frozen
from app.core.messages import now_ms
from app.store.blobs import StoredBlobs
from app.store.cards import CardPress, presses_of
from app.store.conversations import COLUMNS, ConversationRow, missing, row_of

FORMAT: Literal["leochat"] = "leochat"
VERSION = 1
RUNTIME = frozenset(("interrupted", "running", "message_count"))


class KeptBlob(Frozen):
    """A blob inside an export; `data` in base64."""

    media_type: str
    name: str | None = None
    data: str


class Exported(Frozen):
    """One conversation inside an export. Messages are read one by one, so that a broken one spoils no other."""

    conversation: dict[str, JsonValue]
    messages: list[JsonValue]
    partials: list[str] = []
    presses: list[CardPress] = []
    blobs: dict[str, KeptBlob] = {}


def export_pieces(db: sqlite3.Connection, blobs: StoredBlobs, conversation_ids: Sequence[str] | None) -> Iterator[str]:
    """The JSON document in pieces, one conversation each; ids None: all that are not deleted."""
    db.execute("BEGIN")  # one state of the store for the whole export
    try:
        ids = conversation_ids if conversation_ids is not None else _listed(db)
        yield f'{{"format": "{FORMAT}", "version": {VERSION}, "exported_ms": {now_ms()}, "conversations": ['
        for number, conversation_id in enumerate(ids):
            yield (",\n" if number else "\n") + json.dumps(_exported(db, blobs, conversation_id), ensure_ascii=False)
        yield "\n]}\n"
    finally:
        db.execute("COMMIT")


def _exported(db: sqlite3.Connection, blobs: StoredBlobs, conversation_id: str) -> dict[str, Any]:
    sql = "SELECT id, final, body FROM messages WHERE conversation_id = ? ORDER BY n"
    rows: list[tuple[str, int, str]] = db.execute(sql, (conversation_id,)).fetchall()
    return {
        "conversation": stored_row(db, conversation_id).model_dump(mode="json", exclude=set(RUNTIME)),
        "messages": [json.loads(body) for _, _, body in rows],
        "partials": [message_id for message_id, final, _ in rows if not final],
        "presses": [press.model_dump(mode="json") for press in presses_of(db, conversation_id)],
        "blobs": dict(_exported_blobs(db, blobs, conversation_id)),
    }


def _exported_blobs(db: sqlite3.Connection, blobs: StoredBlobs, conversation_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    sql = "SELECT ref, media_type, name FROM blobs JOIN blob_uses USING (ref) WHERE conversation_id = ? ORDER BY ref"
    for ref, media_type, name in db.execute(sql, (conversation_id,)).fetchall():
        path = blobs.path(ref)
        if path.exists():
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            yield ref, {"media_type": media_type, "name": name, "data": data}


def _listed(db: sqlite3.Connection) -> list[str]:
    sql = "SELECT id FROM conversations WHERE deleted_ms IS NULL ORDER BY created_ms, id"
    return [row[0] for row in db.execute(sql).fetchall()]


def stored_row(db: sqlite3.Connection, conversation_id: str) -> ConversationRow:
    found = db.execute(f"SELECT {COLUMNS} FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    if found is None:
        raise missing(conversation_id)
    return row_of(found)
