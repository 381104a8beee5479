"""The search by meaning: a vector for each passage, made in the background, and the nearest ones to a question."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Callable, Mapping
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, cast

from mcp_servers.knowledge import rows
from mcp_servers.knowledge.embedding import EmbeddingError, Model, Vector, dot, embed, sign_of
from mcp_servers.knowledge.index import KnowledgeError

if TYPE_CHECKING:
    from mcp_servers.knowledge.index import Index

BATCH = 32
CHARACTERS = 2000
EXACT = 76_800
"""So many numbers of the passages whose bits are nearest are compared exactly: 100 vectors of 768, more of shorter ones."""

QUESTION_SECONDS = 10.0
REST_SECONDS = 30.0
"""After a failure nobody waits for the endpoint again before so long; the background work doubles it up to half an hour."""

MODEL, TROUBLE = "embedding", "embedding trouble"
"""The notes with the model of the vectors that are there, and with what is wrong with it."""


def model_from(given: Any) -> Model | None:
    """The model of a configuration (a mapping, or a callable that gives one); None where there is none."""
    told: Any = given() if callable(given) else given
    if not isinstance(told, Mapping):
        return None
    facts = cast("Mapping[str, Any]", told)
    address, model = str(facts.get("address") or "").strip(), str(facts.get("model") or "").strip()
    if not address or not model:
        return None
    protocol = "ollama" if facts.get("protocol") == "ollama" else "openai"
    return Model(protocol, address, model, str(facts.get("key") or ""))


class Meaning:
    """The vectors of one index. `model` is asked at every use, since the person may change it; it may block for a while."""

    def __init__(self, index: Index, model: Callable[[], Model | None]) -> None:
        self._index = index
        self._model = model
        self._kept: tuple[str, list[tuple[int, int]]] = ("none yet", [])
        self._rests_until = 0.0
        self._said = ""
        self._wait = REST_SECONDS
        self._after = 0
        self._full_at = -1

    async def fill(self) -> bool:
        """Make some vectors that are missing; says whether there may be more to make."""
        import anyio.to_thread

        model = await anyio.to_thread.run_sync(self._model)
        if model is None or time.monotonic() < self._rests_until:
            return False
        todo = await anyio.to_thread.run_sync(self._lacking, model)
        if not todo:
            return False
        try:
            vectors = await self._vectors(model, [text for _, text in todo])
        except EmbeddingError as error:
            self._rests_until = time.monotonic() + self._wait
            self._wait = min(self._wait * 2, 1800.0)
            await anyio.to_thread.run_sync(self._index.note, TROUBLE, str(error))
            return False
        self._wait = REST_SECONDS
        await anyio.to_thread.run_sync(
            self._keep, model, [(key, vector) for (key, _), vector in zip(todo, vectors, strict=True)]
        )
        return True

    async def _vectors(self, model: Model, texts: list[str]) -> list[Vector]:
        """One for each text; a text that the endpoint will not take even when it is cut gets an empty one."""
        try:
            return await embed(model, texts)
        except EmbeddingError as error:
            if not error.refused:
                raise
            if len(texts) == 1:
                return [await self._shorter(model, texts[0], error)]
        return [(await self._vectors(model, [text]))[0] for text in texts]

    async def _shorter(self, model: Model, text: str, error: EmbeddingError) -> Vector:
        for length in (len(text) // 2, len(text) // 6):
            try:
                return (await embed(model, [text[:length]]))[0]
            except EmbeddingError as again:
                if not again.refused:
                    raise
        if "input" in str(error) or "length" in str(error) or "token" in str(error):
            return array("f")
        raise error

    def _lacking(self, model: Model) -> list[tuple[int, str]]:
        """The next passages without a vector; the index is asked only when it has changed."""
        with self._index.reading() as db:
            version = int(db.execute("PRAGMA data_version").fetchone()[0])
            ours = rows.noted(db, MODEL) == model.name
            if ours and version == self._full_at:
                return []
        if not ours:
            self._begin_anew(model)
        sql = (
            "SELECT passages.id, head, text FROM passages LEFT JOIN signs ON passage = passages.id "
            "WHERE passages.id > ? AND passage IS NULL ORDER BY passages.id LIMIT ?"
        )
        with self._index.reading() as db:
            found = db.execute(sql, (self._after, BATCH)).fetchall()
            if not found and self._after:
                found = db.execute(sql, (0, BATCH)).fetchall()
        self._after = found[-1][0] if found else 0
        self._full_at = -1 if found else version
        return [(row[0], f"{row[1]}\n{row[2]}".strip()[:CHARACTERS]) for row in found]

    def _begin_anew(self, model: Model) -> None:
        """Vectors of another model mean nothing beside those of this one."""
        self._after = 0
        with self._index.writing() as db:
            db.execute("DELETE FROM vectors")
            db.execute("DELETE FROM signs")
            rows.signs_changed(db)
            rows.put(db, MODEL, model.name)
            rows.put(db, TROUBLE, "")

    def _keep(self, model: Model, made: list[tuple[int, Vector]]) -> None:
        with self._index.writing() as db:
            if rows.noted(db, MODEL) != model.name:
                return
            known = "SELECT 1 FROM passages WHERE id = ?"
            there = [(key, vector) for key, vector in made if db.execute(known, (key,)).fetchone()]
            signs = [(key, sign_of(vector) if vector else b"") for key, vector in there]
            db.executemany("INSERT OR REPLACE INTO signs VALUES (?, ?)", signs)
            vectors = [(key, vector.tobytes()) for key, vector in there if vector]
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", vectors)
            rows.signs_changed(db)
            rows.put(db, TROUBLE, "")

    def progress(self) -> tuple[int, int, str]:
        """How many passages have a vector, how many there are, and what is wrong."""
        if not self._index.exists:
            return 0, 0, ""
        with self._index.reading() as db:
            done = db.execute("SELECT count(*) FROM signs").fetchone()[0]
            return int(done), int(db.execute("SELECT count(*) FROM passages").fetchone()[0]), rows.noted(db, TROUBLE)

    async def question(self, text: str) -> tuple[Vector | None, str]:
        """The vector of a question, or None with why there is none ("": no model was added)."""
        import anyio.to_thread

        model = await anyio.to_thread.run_sync(self._model)
        if model is None:
            return None, ""
        noted = await anyio.to_thread.run_sync(self._index.noted, MODEL)
        if noted != model.name:
            return None, "the passages are not compared with the embedding model yet"
        if time.monotonic() < self._rests_until and self._said:
            return None, self._said
        try:
            return (await embed(model, [text[:CHARACTERS]], QUESTION_SECONDS))[0], ""
        except EmbeddingError as error:
            self._rests_until, self._said = time.monotonic() + REST_SECONDS, str(error)
            return None, str(error)

    def nearest(self, db: sqlite3.Connection, vector: Vector, limit: int) -> list[int]:
        """The passages whose vectors are nearest, the best first."""
        asked = int.from_bytes(sign_of(vector), "big")
        size = len(vector) * vector.itemsize
        signs = self._signs(db)
        exact = max(100, min(1000, EXACT // len(vector)))
        some = signs if len(signs) <= exact else nsmallest(exact, signs, key=lambda one: (one[1] ^ asked).bit_count())
        scored: list[tuple[float, int]] = []
        for passage, _ in some:
            found = db.execute(
                "SELECT vector FROM vectors WHERE passage = ? AND length(vector) = ?", (passage, size)
            ).fetchone()
            if found:
                scored.append((dot(vector, array("f", found[0])), passage))
        return [passage for _, passage in sorted(scored, reverse=True)[:limit]]

    def _signs(self, db: sqlite3.Connection) -> list[tuple[int, int]]:
        """All passages with their bits, kept until a vector comes or goes."""
        key = rows.noted(db, "signs")
        if key != self._kept[0]:
            found = db.execute("SELECT passage, sign FROM signs WHERE length(sign) > 0").fetchall()
            self._kept = (key, [(passage, int.from_bytes(sign, "big")) for passage, sign in found])
        return self._kept[1]


async def tried(model: Model) -> str:
    """What a trial with one text says of a model, in words. Raises EmbeddingError or KnowledgeError."""
    if not model.address.startswith(("http://", "https://")):
        raise KnowledgeError("The address begins with http:// or https://.")
    vector = (await embed(model, ["LeoChat"], 30.0))[0]
    return f"{len(vector)} dimensions"
