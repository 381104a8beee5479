"""Messages as a tree: one row each, its JSON whole; a branch is the path from the root to a leaf."""

import json
import sqlite3
from collections.abc import Iterable

from app.core.cards import CardImage, CardImages
from app.core.messages import Block, CardBlock, FileBlock, ImageBlock, Message, ToolResultBlock, now_ms
from app.store import usage
from app.store.conversations import missing, require
from app.store.errors import StoreError
from app.store.failpoints import failpoint
from app.store.lanes import Lanes, Work
from app.store.search import index_later

BLOB_SCHEME = "leochat-blob:"

_PATH = """
WITH RECURSIVE path(n, parent_id, k) AS (
  SELECT n, parent_id, 1 FROM messages WHERE conversation_id = :conversation AND id = :leaf
  UNION ALL
  SELECT m.n, m.parent_id, path.k + 1 FROM path JOIN messages AS m
  ON m.conversation_id = :conversation AND m.id = path.parent_id WHERE path.k < :last
)
SELECT messages.body FROM path JOIN messages ON messages.n = path.n ORDER BY path.k DESC
"""
_LEAF = """
WITH RECURSIVE down(id, k) AS (
  SELECT :message, 0
  UNION ALL
  SELECT (SELECT id FROM messages WHERE conversation_id = :conversation AND parent_id = down.id ORDER BY n DESC LIMIT 1), k + 1
  FROM down WHERE down.id IS NOT NULL AND k < (SELECT message_count FROM conversations WHERE id = :conversation)
)
SELECT id FROM down WHERE id IS NOT NULL ORDER BY k DESC LIMIT 1
"""
_INSERT = "INSERT INTO messages (parent_id, final, body, conversation_id, id, created_ms) VALUES (?, ?, ?, ?, ?, ?)"
_REPLACE = """
UPDATE messages SET parent_id = ?, final = ?, body = ? WHERE conversation_id = ? AND id = ? AND (final = 0 OR ?) RETURNING n
"""
_COUNT = "UPDATE conversations SET message_count = message_count + ? WHERE id = ?"
_COUNT_AND_SHOW = (
    "UPDATE conversations SET message_count = message_count + ?, head_id = ?, updated_ms = max(updated_ms, ?) WHERE id = ?"
)


class Messages:
    """The messages of all conversations; ids are unique within a conversation."""

    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def append(self, conversation_id: str, message: Message, *, durable: bool) -> None:
        """Keep a whole message and make it the head. The same id again replaces it (a partial becomes final so).

        `durable` also survives a power cut (one fsync); without it, any end of the process. Its usage is counted and
        the blobs it names are kept as long as the conversation. Raises StoreError `missing` for an unknown
        conversation or parent.
        """

        await self._lanes.write(self.appending(conversation_id, message), durable=durable)

    @staticmethod
    def appending(conversation_id: str, message: Message) -> Work[None]:
        """What `append` does, for `Store.together`."""

        def work(db: sqlite3.Connection) -> None:
            insert_message(db, conversation_id, message, final=True, head=True)
            failpoint("store.append.written")

        return work

    async def save_partial(self, conversation_id: str, message: Message) -> None:
        """Keep what a running message holds so far; never replaces a final one. Meant to be called every 250 ms."""

        def work(db: sqlite3.Connection) -> None:
            insert_message(db, conversation_id, message, final=False, head=True)
            failpoint("store.partial.written")

        await self._lanes.write(work)

    async def branch(self, conversation_id: str, leaf: str | None = None, *, last: int | None = None) -> list[Message]:
        """The path from the root to `leaf` (None: the head), oldest first; with `last` only its last so many.

        To page back, ask again with the first message's `parent_id` as leaf.
        """

        def work(db: sqlite3.Connection) -> list[Message]:
            start = leaf if leaf is not None else head_of(db, conversation_id)
            return branch_rows(db, conversation_id, start, last)

        return await self._lanes.read(work)

    async def get(self, conversation_id: str, message_id: str) -> Message | None:
        sql = "SELECT body FROM messages WHERE conversation_id = ? AND id = ?"

        def work(db: sqlite3.Connection) -> Message | None:
            found = db.execute(sql, (conversation_id, message_id)).fetchone()
            return Message.model_validate_json(found[0]) if found else None

        return await self._lanes.read(work)

    async def partials(self, conversation_id: str) -> set[str]:
        """The ids of messages that were being written and never ended."""
        sql = "SELECT id FROM messages WHERE conversation_id = ? AND NOT final"
        return await self._lanes.read(lambda db: {row[0] for row in db.execute(sql, (conversation_id,))})

    async def siblings(self, conversation_id: str) -> dict[str, tuple[str, ...]]:
        """For each message that has siblings: all of them with itself, oldest first."""
        sql = """
        SELECT json_group_array(id) FROM (SELECT id, parent_id FROM messages WHERE conversation_id = ? ORDER BY n)
        GROUP BY parent_id HAVING count(*) > 1
        """

        def work(db: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
            groups: list[tuple[str, ...]] = [tuple(json.loads(row[0])) for row in db.execute(sql, (conversation_id,))]
            return {member: group for group in groups for member in group}

        return await self._lanes.read(work)

    async def set_head(self, conversation_id: str, message_id: str | None, *, deepest: bool = False) -> str | None:
        """Make a message the end of the shown branch (None: before the first); returns the new head.

        `deepest` follows the newest replies below it to their end, as walking between siblings wants it.
        """

        def work(db: sqlite3.Connection) -> str | None:
            head = message_id
            if message_id is not None:
                require_message(db, conversation_id, message_id)
                if deepest:
                    head = db.execute(_LEAF, {"conversation": conversation_id, "message": message_id}).fetchone()[0]
            set_head_row(db, conversation_id, head)
            return head

        return await self._lanes.write(work)

    async def copy_branch(self, source_id: str, leaf: str, target_id: str) -> None:
        """Copy the path to `leaf`, with its card presses, into another conversation (same message ids) and make it its head."""

        def work(db: sqlite3.Connection) -> None:
            require(db, target_id)
            for message in branch_rows(db, source_id, leaf, None):
                insert_message(db, target_id, message, final=True, count_usage=False)
            db.execute(
                "INSERT INTO card_presses SELECT ?, message_id, card_id, action_id, state, inputs, at_ms FROM card_presses "
                "WHERE conversation_id = ? AND message_id IN (SELECT id FROM messages WHERE conversation_id = ?)",
                (target_id, source_id, target_id),
            )
            set_head_row(db, target_id, leaf)

        await self._lanes.write(work, durable=True)


def branch_rows(db: sqlite3.Connection, conversation_id: str, leaf: str | None, last: int | None) -> list[Message]:
    if leaf is None:
        return []
    if last is None:  # never more than there are: a ring of parents would have no end
        last = db.execute("SELECT message_count FROM conversations WHERE id = ?", (conversation_id,)).fetchone()[0]
    values = {"conversation": conversation_id, "leaf": leaf, "last": last}
    return [Message.model_validate_json(row[0]) for row in db.execute(_PATH, values)]


def head_of(db: sqlite3.Connection, conversation_id: str) -> str | None:
    found = db.execute("SELECT head_id FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    if found is None:
        raise missing(conversation_id)
    head: str | None = found[0]
    return head


def set_head_row(db: sqlite3.Connection, conversation_id: str, head: str | None) -> None:
    sql = "UPDATE conversations SET head_id = ?, updated_ms = max(updated_ms, ?) WHERE id = ?"
    if not db.execute(sql, (head, now_ms(), conversation_id)).rowcount:
        raise missing(conversation_id)


def require_message(db: sqlite3.Connection, conversation_id: str, message_id: str) -> None:
    sql = "SELECT 1 FROM messages WHERE conversation_id = ? AND id = ?"
    if not db.execute(sql, (conversation_id, message_id)).fetchone():
        raise no_message(conversation_id, message_id)


def no_message(conversation_id: str, message_id: str) -> StoreError:
    return StoreError("missing", f"There is no message {message_id} in conversation {conversation_id}.")


def insert_message(
    db: sqlite3.Connection,
    conversation_id: str,
    message: Message,
    *,
    final: bool,
    count_usage: bool = True,
    head: bool = False,
) -> bool:
    """Write the row and what hangs on it; says whether it was written (a partial never replaces a final one).

    `head`: what was written is the end of the shown branch from now on.
    """
    if message.parent_id is not None:
        require_message(db, conversation_id, message.parent_id)
    values = (message.parent_id, int(final), message.model_dump_json(), conversation_id, message.id)
    row, new = _written(db, values, message.created_ms)
    if row is None:
        return False
    if head or new:
        _count_in(db, conversation_id, message.id, new=new, head=head)
    if final:
        index_later(db, row)
    for ref in refs_of(message.blocks):
        db.execute("INSERT OR IGNORE INTO blob_uses (ref, conversation_id) VALUES (?, ?)", (ref, conversation_id))
    if final and count_usage:
        usage.count_usage(db, conversation_id, message)
    return True


def _written(db: sqlite3.Connection, values: tuple[str | None, int, str, str, str], created_ms: int) -> tuple[int | None, bool]:
    """The row's number and whether it is new; no number where a final message stays as it is.

    Nearly every message is new: to look first would cost more than the message that was there.
    """
    try:
        return db.execute(_INSERT, (*values, created_ms)).lastrowid, True
    except sqlite3.IntegrityError:
        require(db, values[3])
    found: list[tuple[int]] = db.execute(_REPLACE, (*values, values[1])).fetchall()
    return (found[0][0] if found else None), False


def _count_in(db: sqlite3.Connection, conversation_id: str, message_id: str, *, new: bool, head: bool) -> None:
    values: tuple[object, ...] = (int(new), message_id, now_ms(), conversation_id) if head else (int(new), conversation_id)
    if not db.execute(_COUNT_AND_SHOW if head else _COUNT, values).rowcount:
        raise missing(conversation_id)


def refs_of(blocks: Iterable[Block]) -> set[str]:
    """The blobs that these blocks name."""
    refs: set[str] = set()
    for block in blocks:
        if isinstance(block, ImageBlock | FileBlock):
            refs.add(block.ref)
        elif isinstance(block, ToolResultBlock) and block.truncated is not None:
            refs.add(block.truncated.ref)
        elif isinstance(block, CardBlock):
            refs |= _card_refs(block)
    return refs


def _card_refs(block: CardBlock) -> set[str]:
    pictures = [
        picture
        for part in block.card.body
        if isinstance(part, CardImage | CardImages)
        for picture in ((part.image,) if isinstance(part, CardImage) else part.images)
    ]
    return {p.url.removeprefix(BLOB_SCHEME) for p in pictures if p.url.startswith(BLOB_SCHEME)}
