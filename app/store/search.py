"""Search over titles and messages: trigrams for words of three characters and more, pairs for shorter ones.

Messages are indexed by the writer when it is idle, and before a search; nothing is added to a checkpoint's cost.
"""

import re
import sqlite3
import time

from app.core.frozen import Frozen
from app.core.messages import Message
from app.store.fold_text import fold_text, pairs, searchable, token
from app.store.lanes import Lanes

BATCH = 50
"""Messages indexed in one transaction: a few milliseconds."""
FLUSH_SECONDS = 0.3
BEFORE, SNIPPET = 40, 160


class SearchHit(Frozen):
    """A conversation by its title (`message_id` None) or one of its messages.

    `marks` are the places in `snippet` that match, as (start, end) in characters.
    """

    conversation_id: str
    title: str
    message_id: str | None
    role: str | None
    snippet: str
    marks: tuple[tuple[int, int], ...]
    at_ms: int


class Search:
    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def __call__(self, text: str, limit: int = 50) -> list[SearchHit]:
        """Every word of `text` must be in the title or the message; titles first, then the newest messages."""
        words = fold_text(text).split()
        if not words:
            return []
        until = time.monotonic() + FLUSH_SECONDS
        while await self._lanes.write(index_some) and time.monotonic() < until:
            pass  # after a large import the rest is indexed, and found, a little later
        return await self._lanes.read(lambda db: [*_titles(db, words, limit), *_messages(db, words, limit)][:limit])


def index_later(db: sqlite3.Connection, n: int) -> None:
    """Have the message in row `n` indexed soon (again, if it was)."""
    db.execute("INSERT OR IGNORE INTO to_index (n) VALUES (?)", (n,))


def index_some(db: sqlite3.Connection) -> bool:
    """Index the next messages; says whether more wait."""
    sql = "SELECT to_index.n, body FROM to_index LEFT JOIN messages ON messages.n = to_index.n ORDER BY to_index.n LIMIT ?"
    rows: list[tuple[int, str | None]] = db.execute(sql, (BATCH,)).fetchall()
    for n, body in rows:
        _forget(db, n)
        if body is not None:
            _index(db, n, body)
        db.execute("DELETE FROM to_index WHERE n = ?", (n,))
    return len(rows) == BATCH


def unindex(db: sqlite3.Connection, conversation_id: str) -> None:
    """Take a conversation's messages out of the index, before its rows go."""
    for (n,) in db.execute("SELECT n FROM messages WHERE conversation_id = ?", (conversation_id,)).fetchall():
        _forget(db, n)
        db.execute("DELETE FROM to_index WHERE n = ?", (n,))


def _forget(db: sqlite3.Connection, n: int) -> None:
    if found := db.execute("SELECT text FROM words WHERE rowid = ?", (n,)).fetchone():
        db.execute("INSERT INTO pairs (pairs, rowid, text) VALUES ('delete', ?, ?)", (n, pairs(found[0])))
        db.execute("DELETE FROM words WHERE rowid = ?", (n,))


def _index(db: sqlite3.Connection, n: int, body: str) -> None:
    folded = fold_text(searchable(Message.model_validate_json(body)))
    if folded.strip():
        db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (n, folded))
        db.execute("INSERT INTO pairs (rowid, text) VALUES (?, ?)", (n, pairs(folded)))


def _titles(db: sqlite3.Connection, words: list[str], limit: int) -> list[SearchHit]:
    sql = "SELECT id, title, updated_ms FROM conversations WHERE deleted_ms IS NULL AND title <> '' ORDER BY updated_ms DESC"
    hits: list[SearchHit] = []
    for conversation_id, title, at in db.execute(sql):
        folded = fold_text(title)
        if len(hits) < limit and all(word in folded for word in words):
            marks = _marks(folded, words)
            hit = SearchHit(
                conversation_id=conversation_id,
                title=title,
                message_id=None,
                role=None,
                snippet=title,
                marks=marks,
                at_ms=at,
            )
            hits.append(hit)
    return hits


_HITS = """
SELECT m.conversation_id, c.title, m.body FROM {source} JOIN messages AS m ON m.n = {table}.rowid
JOIN conversations AS c ON c.id = m.conversation_id AND c.deleted_ms IS NULL
WHERE {where} ORDER BY {table}.rowid DESC LIMIT ?
"""


def _messages(db: sqlite3.Connection, words: list[str], limit: int) -> list[SearchHit]:
    sql, values = _query(words)
    return [_hit(row, words) for row in db.execute(sql, (*values, limit))]


def _query(words: list[str]) -> tuple[str, list[str]]:
    """The statement for these words: the trigrams where one is long enough, else the pairs, else the plain text."""
    long = [word for word in words if len(word) >= 3]
    paired = [word for word in words if len(word) == 2 or (len(word) == 1 and not word.isascii())]
    if not long and paired:
        rest = [word for word in words if word not in paired]
        source = "pairs JOIN words ON words.rowid = pairs.rowid" if rest else "pairs"
        tests, values = ["pairs MATCH ?"], [" ".join(map(token, paired))]
        return _statement(source, "pairs", tests, values, rest)
    rare = [word for word in paired if not word.isascii()]
    rest = [word for word in words if word not in long and word not in rare]
    tests: list[str] = []
    values: list[str] = []
    if long:
        tests.append("words MATCH ?")
        values.append(" ".join('"' + word.replace('"', '""') + '"' for word in long))
    if rare:  # `+` keeps SQLite from asking the trigrams once for each row of the pairs
        tests.append("+words.rowid IN (SELECT rowid FROM pairs WHERE pairs MATCH ?)")
        values.append(" ".join(map(token, rare)))
    return _statement("words", "words", tests, values, rest)


def _statement(source: str, table: str, tests: list[str], values: list[str], rest: list[str]) -> tuple[str, list[str]]:
    """`rest` are looked for in the texts that pass the other tests."""
    where = " AND ".join([*tests, *(["instr(words.text, ?)"] * len(rest))])
    return _HITS.format(source=source, table=table, where=where), [*values, *rest]


def _hit(row: tuple[str, str, str], words: list[str]) -> SearchHit:
    conversation_id, title, body = row
    message = Message.model_validate_json(body)
    text = searchable(message)
    folded = fold_text(text)
    first = min((at for word in words if (at := folded.find(word)) >= 0), default=0)
    start = max(first - BEFORE, 0)
    piece = slice(start, start + SNIPPET)
    return SearchHit(
        conversation_id=conversation_id,
        title=title,
        message_id=message.id,
        role=message.role,
        snippet=text[piece],
        marks=_marks(folded[piece], words),
        at_ms=message.created_ms,
    )


def _marks(folded: str, words: list[str]) -> tuple[tuple[int, int], ...]:
    """Where the words stand, in order, without overlaps."""
    pattern = "|".join(re.escape(word) for word in sorted(set(words), key=len, reverse=True))
    return tuple(match.span() for match in re.finditer(pattern, folded))
