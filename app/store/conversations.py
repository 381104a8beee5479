"""Conversations as rows: what the list shows, what a session needs to open one."""

import sqlite3
from typing import Any, Literal

from pydantic import JsonValue

from app.core.frozen import Frozen
from app.core.messages import new_id, now_ms
from app.core.provider import Thinking
from app.store.errors import StoreError
from app.store.lanes import Lanes
from app.store.owners import Owners

DELETED_KEPT_DAYS = 30


class ConversationOptions(Frozen):
    """What a conversation sets for itself; None leaves it to the settings. `extra` is the callers' own."""

    system: str | None = None
    provider: str | None = None
    model: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    thinking: Thinking | None = None
    max_rounds: int | None = None
    extra: dict[str, JsonValue] = {}


class ConversationRow(Frozen):
    """One conversation without its messages. Times in milliseconds since 1970.

    `titled_by` "nobody" means the title may still be set by itself; `last_reason` is how the last task ended (None: none
    yet, or one is open); `interrupted`: an open task's process is dead, Resume is due; `running`: it lives.
    """

    id: str
    title: str
    titled_by: Literal["nobody", "model", "person"]
    created_ms: int
    updated_ms: int
    pinned: bool
    folder: str | None
    head_id: str | None
    seq: int
    message_count: int
    last_reason: str | None
    options: ConversationOptions
    deleted_ms: int | None
    interrupted: bool = False
    running: bool = False


_NAMES = tuple(name for name in ConversationRow.model_fields if name not in ("interrupted", "running"))
COLUMNS = ", ".join(_NAMES)
OPEN_OWNERS = "SELECT conversation_id, owner FROM tasks WHERE ended_ms IS NULL"


class Conversations:
    """All conversations of one store."""

    def __init__(self, lanes: Lanes, owners: Owners):
        self._lanes = lanes
        self._owners = owners

    async def create(
        self, options: ConversationOptions | None = None, *, title: str = "", conversation_id: str | None = None
    ) -> ConversationRow:
        row = new_row(conversation_id or new_id("conv"), title, options or ConversationOptions())
        await self._lanes.write(lambda db: insert_row(db, row))
        return row

    async def get(self, conversation_id: str, *, settled: bool = False) -> ConversationRow | None:
        """The conversation, deleted or not; None where there is none. `settled`: after all that is being written now."""

        def work(db: sqlite3.Connection) -> ConversationRow | None:
            found = db.execute(f"SELECT {COLUMNS} FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
            return self._rows(db, [found])[0] if found else None

        return await (self._lanes.write(work) if settled else self._lanes.read(work))

    async def all(self, *, deleted: bool = False) -> list[ConversationRow]:
        """Pinned first, then the latest used; with `deleted` those that wait to be purged instead."""
        state = "NOT NULL" if deleted else "NULL"
        sql = f"SELECT {COLUMNS} FROM conversations WHERE deleted_ms IS {state} ORDER BY pinned DESC, updated_ms DESC, id DESC"
        return await self._lanes.read(lambda db: self._rows(db, db.execute(sql).fetchall()))

    async def rename(self, conversation_id: str, title: str, *, by: Literal["model", "person"] = "person") -> bool:
        """Set the title. A title by the model never replaces one by a person; says whether it was set."""
        sql = "UPDATE conversations SET title = ?, titled_by = ? WHERE id = ? AND (? = 'person' OR titled_by <> 'person')"
        return await self._update(conversation_id, sql, (title, by, conversation_id, by)) > 0

    async def set_options(self, conversation_id: str, options: ConversationOptions) -> None:
        sql = "UPDATE conversations SET options = ? WHERE id = ?"
        await self._update(conversation_id, sql, (options.model_dump_json(), conversation_id))

    async def set_pinned(self, conversation_id: str, pinned: bool) -> None:
        await self._update(conversation_id, "UPDATE conversations SET pinned = ? WHERE id = ?", (int(pinned), conversation_id))

    async def set_folder(self, conversation_id: str, folder: str | None) -> None:
        await self._update(conversation_id, "UPDATE conversations SET folder = ? WHERE id = ?", (folder, conversation_id))

    async def delete(self, conversation_id: str) -> None:
        """Take it out of the list; `undelete` brings it back within 30 days, then `Store.upkeep` purges it."""
        sql = "UPDATE conversations SET deleted_ms = ? WHERE id = ?"
        await self._update(conversation_id, sql, (now_ms(), conversation_id))

    async def undelete(self, conversation_id: str) -> None:
        await self._update(conversation_id, "UPDATE conversations SET deleted_ms = NULL WHERE id = ?", (conversation_id,))

    async def reserve_seq(self, conversation_id: str, count: int = 1000) -> int:
        """Take `count` sequence numbers, for ever: the caller's are those after the returned one.

        Whatever was said before a crash had a smaller number, though nothing is written for each.
        """

        def work(db: sqlite3.Connection) -> int:
            sql = "UPDATE conversations SET seq = seq + ? WHERE id = ? RETURNING seq"
            found = db.execute(sql, (count, conversation_id)).fetchone()
            if found is None:
                raise missing(conversation_id)
            return int(found[0]) - count

        return await self._lanes.write(work)

    async def _update(self, conversation_id: str, sql: str, values: tuple[Any, ...]) -> int:
        def work(db: sqlite3.Connection) -> int:
            require(db, conversation_id)
            return db.execute(sql, values).rowcount

        return await self._lanes.write(work)

    def _rows(self, db: sqlite3.Connection, found: list[Any]) -> list[ConversationRow]:
        open_tasks: list[tuple[str, str]] = db.execute(OPEN_OWNERS).fetchall()
        alive = {conversation: self._owners.is_alive(owner) for conversation, owner in open_tasks}
        return [row_of(values, alive.get(values[0])) for values in found]


def row_of(values: tuple[Any, ...], task_alive: bool | None = None) -> ConversationRow:
    """The row from the columns `COLUMNS`; `task_alive` None: no task is open."""
    fields = dict(zip(_NAMES, values, strict=True))
    fields["options"] = ConversationOptions.model_validate_json(fields["options"])
    fields["pinned"] = bool(fields["pinned"])
    # what we wrote ourselves need not be checked again for each of a thousand rows
    return ConversationRow.model_construct(**fields, interrupted=task_alive is False, running=task_alive is True)


def new_row(conversation_id: str, title: str, options: ConversationOptions) -> ConversationRow:
    now = now_ms()
    return ConversationRow(
        id=conversation_id,
        title=title,
        titled_by="person" if title else "nobody",
        created_ms=now,
        updated_ms=now,
        pinned=False,
        folder=None,
        head_id=None,
        seq=0,
        message_count=0,
        last_reason=None,
        options=options,
        deleted_ms=None,
    )


def insert_row(db: sqlite3.Connection, row: ConversationRow) -> None:
    values = [getattr(row, name) for name in _NAMES]
    values[_NAMES.index("options")] = row.options.model_dump_json()
    db.execute(f"INSERT INTO conversations ({COLUMNS}) VALUES ({', '.join('?' * len(values))})", values)


def require(db: sqlite3.Connection, conversation_id: str) -> None:
    if not db.execute("SELECT 1 FROM conversations WHERE id = ?", (conversation_id,)).fetchone():
        raise missing(conversation_id)


def missing(conversation_id: str) -> StoreError:
    return StoreError("missing", f"There is no conversation {conversation_id}.")
