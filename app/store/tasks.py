"""Tasks and checkpoints: what was running, how it ended, and which ones a crash cut off."""

import json
import sqlite3
from typing import Any, Literal, TypeAlias

from pydantic import JsonValue

from app.core.events import TaskEndReason
from app.core.frozen import Frozen
from app.core.messages import ErrorInfo, now_ms
from app.store.conversations import missing, require
from app.store.errors import StoreError
from app.store.failpoints import failpoint
from app.store.lanes import Lanes, Work
from app.store.owners import Owners

EndReason: TypeAlias = TaskEndReason | Literal["interrupted"]
CheckpointReason: TypeAlias = Literal["round", "stop", "error", "approval"]


class TaskRow(Frozen):
    """One task; `ended_ms` None while it is open. `options` is what its beginner gave, for a resume."""

    id: str
    conversation_id: str
    started_ms: int
    ended_ms: int | None = None
    reason: str | None = None
    error: ErrorInfo | None = None
    options: dict[str, JsonValue] = {}


class CheckpointRow(Frozen):
    conversation_id: str
    head_id: str | None
    reason: CheckpointReason
    seq: int
    at_ms: int


_COLUMNS = "id, conversation_id, started_ms, ended_ms, reason, error, options"
_OPEN = f"SELECT {_COLUMNS}, owner FROM tasks WHERE conversation_id = ? AND ended_ms IS NULL"
_REACHED = "UPDATE conversations SET seq = max(seq, ?) WHERE id = ? RETURNING head_id"
# Changed in its place: to replace it whole is to delete it first.
_CHECKPOINT = """
INSERT INTO checkpoints (conversation_id, head_id, reason, seq, at_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
SET head_id = excluded.head_id, reason = excluded.reason, seq = excluded.seq, at_ms = excluded.at_ms
"""


class Tasks:
    """A conversation has at most one open task, in one process."""

    def __init__(self, lanes: Lanes, owners: Owners):
        self._lanes = lanes
        self._owners = owners

    async def begin(self, task_id: str, conversation_id: str, options: dict[str, JsonValue] | None = None) -> None:
        """Open a task, durably. An open one of a dead process ends as `interrupted`.

        Raises StoreError `busy` while a living process (this one too) has a task open in the conversation.
        """
        await self._lanes.write(self.beginning(task_id, conversation_id, options), durable=True)

    def beginning(self, task_id: str, conversation_id: str, options: dict[str, JsonValue] | None = None) -> Work[None]:
        """What `begin` does, for `Store.together`."""

        def work(db: sqlite3.Connection) -> None:
            require(db, conversation_id)
            me = self._owners.me()
            sql = "SELECT id, owner FROM tasks WHERE conversation_id = ? AND ended_ms IS NULL"
            for other, owner in db.execute(sql, (conversation_id,)).fetchall():
                if self._owners.is_alive(owner):
                    raise StoreError("busy", "A task is already running in this conversation.")
                _end(db, other, "interrupted", None)
            values = (task_id, conversation_id, me, now_ms(), json.dumps(options or {}))
            db.execute("INSERT INTO tasks (id, conversation_id, owner, started_ms, options) VALUES (?, ?, ?, ?, ?)", values)
            db.execute("UPDATE conversations SET last_reason = NULL WHERE id = ?", (conversation_id,))
            failpoint("store.task.begun")

        return work

    async def rested(self, conversation_id: str) -> None:
        """Whatever the last task was, the conversation has nothing to go on with."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE conversations SET last_reason = 'done' WHERE id = ?", (conversation_id,))

        await self._lanes.write(work)

    async def end(self, task_id: str, reason: EndReason, error: ErrorInfo | None = None) -> None:
        """Close a task, durably; ending it twice changes nothing."""
        await self._lanes.write(self.ending(task_id, reason, error), durable=True)

    @staticmethod
    def ending(task_id: str, reason: EndReason, error: ErrorInfo | None = None) -> Work[None]:
        """What `end` does, for `Store.together`."""

        def work(db: sqlite3.Connection) -> None:
            _end(db, task_id, reason, error)
            failpoint("store.task.ended")

        return work

    async def interrupted(self) -> list[TaskRow]:
        """Open tasks whose process is dead, oldest first: each is offered for Resume (or ended by `end`)."""

        def work(db: sqlite3.Connection) -> list[TaskRow]:
            sql = (
                f"SELECT {_COLUMNS}, owner FROM tasks WHERE ended_ms IS NULL AND conversation_id IN "
                "(SELECT id FROM conversations WHERE deleted_ms IS NULL) ORDER BY started_ms"
            )
            return [_row(row[:-1]) for row in db.execute(sql).fetchall() if not self._owners.is_alive(row[-1])]

        return await self._lanes.read(work)

    async def elsewhere(self, conversation_id: str) -> TaskRow | None:
        """The conversation's open task that another living process runs."""

        def work(db: sqlite3.Connection) -> TaskRow | None:
            found: list[Any] = db.execute(_OPEN, (conversation_id,)).fetchall()
            return next((_row(row[:-1]) for row in found if self._is_anothers(row[-1])), None)

        return await self._lanes.read(work)

    async def let_go(self, conversation_id: str) -> bool:
        """End what is open here under this process's name and runs no more, since its end could not be kept; says whether."""

        def work(db: sqlite3.Connection) -> bool:
            mine = [row[0] for row in db.execute(_OPEN, (conversation_id,)).fetchall() if row[-1] == self._owners.me()]
            for task_id in mine:
                _end(db, task_id, "error", None)
            return bool(mine)

        return await self._lanes.write(work)

    async def ask_stop(self, task_id: str) -> None:
        """Ask the process that runs this task to stop it; forgotten when the task ends."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT OR REPLACE INTO kept (key, value, at_ms) VALUES (?, 'true', ?)", (_stop_key(task_id), now_ms()))

        await self._lanes.write(work)

    async def stop_asked(self, task_id: str) -> bool:
        """Whether another process asked for it."""
        sql = "SELECT 1 FROM kept WHERE key = ?"
        return await self._lanes.read(lambda db: db.execute(sql, (_stop_key(task_id),)).fetchone() is not None)

    def _is_anothers(self, owner: str) -> bool:
        return owner != self._owners.me() and self._owners.is_alive(owner)

    async def last(self, conversation_id: str) -> TaskRow | None:
        """The conversation's latest task, open or not."""
        sql = f"SELECT {_COLUMNS} FROM tasks WHERE conversation_id = ? ORDER BY started_ms DESC, id DESC LIMIT 1"

        def work(db: sqlite3.Connection) -> TaskRow | None:
            found = db.execute(sql, (conversation_id,)).fetchone()
            return _row(found) if found else None

        return await self._lanes.read(work)

    async def checkpoint(self, conversation_id: str, reason: CheckpointReason, seq: int) -> None:
        """Mark that all up to `seq` is on disk; when this returns it is, appends made without `durable` included."""
        await self._lanes.write(self.checkpointing(conversation_id, reason, seq), durable=True)

    @staticmethod
    def checkpointing(conversation_id: str, reason: CheckpointReason, seq: int) -> Work[None]:
        """What `checkpoint` does, for `Store.together`."""

        def work(db: sqlite3.Connection) -> None:
            found: list[tuple[str | None]] = db.execute(_REACHED, (seq, conversation_id)).fetchall()
            if not found:
                raise missing(conversation_id)
            db.execute(_CHECKPOINT, (conversation_id, found[0][0], reason, seq, now_ms()))
            failpoint("store.checkpoint.written")

        return work

    async def last_checkpoint(self, conversation_id: str) -> CheckpointRow | None:
        sql = "SELECT conversation_id, head_id, reason, seq, at_ms FROM checkpoints WHERE conversation_id = ?"

        def work(db: sqlite3.Connection) -> CheckpointRow | None:
            found = db.execute(sql, (conversation_id,)).fetchone()
            names = tuple(CheckpointRow.model_fields)
            return CheckpointRow.model_validate(dict(zip(names, found, strict=True))) if found else None

        return await self._lanes.read(work)


def _row(values: tuple[Any, ...]) -> TaskRow:
    task_id, conversation_id, started, ended, reason, error, options = values
    return TaskRow(
        id=task_id,
        conversation_id=conversation_id,
        started_ms=started,
        ended_ms=ended,
        reason=reason,
        error=ErrorInfo.model_validate_json(error) if error else None,
        options=json.loads(options),
    )


def _end(db: sqlite3.Connection, task_id: str, reason: EndReason, error: ErrorInfo | None) -> None:
    sql = "UPDATE tasks SET ended_ms = ?, reason = ?, error = ? WHERE id = ? AND ended_ms IS NULL RETURNING conversation_id"
    found = db.execute(sql, (now_ms(), reason, error.model_dump_json() if error else None, task_id)).fetchone()
    if found is not None:
        db.execute("UPDATE conversations SET last_reason = ? WHERE id = ?", (reason, found[0]))
        db.execute("DELETE FROM kept WHERE key = ?", (_stop_key(task_id),))


def _stop_key(task_id: str) -> str:
    return f"stop.{task_id}"
