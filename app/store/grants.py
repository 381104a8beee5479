"""What the person allowed for good (or for one conversation): tool calls, and UI commands of a server."""

import sqlite3
from typing import Literal, TypeAlias

from app.core.frozen import Frozen
from app.core.messages import new_id, now_ms
from app.store.lanes import Lanes

GrantKind: TypeAlias = Literal["approval", "ui_command", "folder"]


class Grant(Frozen):
    """`tool` None: every tool of the server. `pattern` narrows it (a path or host, as the approvals read it); of a
    `folder` it is the folder, for all bundled servers, and `server` is empty.

    `conversation_id` None: in every conversation.
    """

    id: str
    kind: GrantKind
    server: str
    tool: str | None = None
    pattern: str | None = None
    conversation_id: str | None = None
    created_ms: int


_COLUMNS = "id, kind, server, tool, pattern, conversation_id, created_ms"


class Grants:
    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def add(
        self,
        kind: GrantKind,
        server: str,
        *,
        tool: str | None = None,
        pattern: str | None = None,
        conversation_id: str | None = None,
    ) -> Grant:
        """Keep a grant, durably; an equal one is there already: that one is returned."""
        grant = Grant(
            id=new_id("grant"),
            kind=kind,
            server=server,
            tool=tool,
            pattern=pattern,
            conversation_id=conversation_id,
            created_ms=now_ms(),
        )

        def work(db: sqlite3.Connection) -> Grant:
            equal = (
                f"SELECT {_COLUMNS} FROM grants "
                "WHERE kind = ? AND server = ? AND tool IS ? AND pattern IS ? AND conversation_id IS ?"
            )
            found = db.execute(equal, (kind, server, tool, pattern, conversation_id)).fetchone()
            if found:
                return _grant(found)
            values = tuple(getattr(grant, name) for name in _COLUMNS.split(", "))
            db.execute(f"INSERT INTO grants ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
            return grant

        return await self._lanes.write(work, durable=True)

    async def all(self, server: str | None = None) -> list[Grant]:
        """All grants, or one server's, oldest first."""
        sql = f"SELECT {_COLUMNS} FROM grants WHERE ? IS NULL OR server = ? ORDER BY created_ms, id"
        return await self._lanes.read(lambda db: [_grant(row) for row in db.execute(sql, (server, server))])

    async def remove(self, grant_id: str) -> bool:
        """Take it back; says whether it was there."""
        work = "DELETE FROM grants WHERE id = ?"
        return await self._lanes.write(lambda db: db.execute(work, (grant_id,)).rowcount > 0, durable=True)

    async def remove_server(self, server: str) -> int:
        """Take back all of a server's grants; says how many there were."""
        work = "DELETE FROM grants WHERE server = ?"
        return await self._lanes.write(lambda db: db.execute(work, (server,)).rowcount, durable=True)


def _grant(values: tuple[object, ...]) -> Grant:
    return Grant.model_validate(dict(zip(_COLUMNS.split(", "), values, strict=True)))
