"""The knowledge graph: what can be remembered, found and forgotten, safe beside other writers."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from mcp_servers.memory.schema import connect
from mcp_servers.memory.shapes import (
    AddedObservations,
    Entity,
    KnowledgeGraph,
    NewObservations,
    OldObservations,
    Relation,
)

TRIGRAM = 3
"""The shortest text the index can look up; shorter ones are looked for in every row."""


class GraphError(Exception):
    """The graph could not do what was asked; the text says why."""


class Graph:
    """The graph in the file `path`; threads may share it, processes each open their own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _opened(self, begin: str) -> Generator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = connect(self._path)
                self._connection.execute(begin)
            except (sqlite3.Error, OSError) as error:
                raise GraphError(f"The memory cannot be opened: {error}.") from error
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise GraphError(f"The memory could not be used: {error}.") from error
                raise

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection in a transaction that waits for other writers; GraphError where the file cannot be used."""
        return self._opened("BEGIN IMMEDIATE")

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection in a transaction that sees one state of the graph; GraphError where the file cannot be used."""
        return self._opened("BEGIN")

    def version(self) -> int:
        """Another number after every change that somebody else made, by another connection or in another process."""
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = connect(self._path)
                return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
            except (sqlite3.Error, OSError) as error:
                raise GraphError(f"The memory cannot be opened: {error}.") from error

    def create_entities(self, entities: Iterable[Entity]) -> list[Entity]:
        """Add those whose name is new; answers with them."""
        with self.writing() as db:
            return [entity for entity in entities if _add_entity(db, entity)]

    def create_relations(self, relations: Iterable[Relation]) -> list[Relation]:
        """Add those that are new; answers with them."""
        with self.writing() as db:
            return [relation for relation in relations if add_relation(db, relation)]

    def add_observations(self, additions: Iterable[NewObservations]) -> list[AddedObservations]:
        """Add facts to entities; GraphError, and nothing added, where an entity is missing."""
        with self.writing() as db:
            return [
                {
                    "entityName": one["entityName"],
                    "addedObservations": _add_facts(db, _id(db, one["entityName"]), one["contents"]),
                }
                for one in additions
            ]

    def delete_entities(self, names: Sequence[str]) -> None:
        """Forget entities and every relation to or from them."""
        with self.writing() as db:
            for name in names:
                forget(db, name)

    def delete_observations(self, deletions: Iterable[OldObservations]) -> None:
        """Forget single facts."""
        with self.writing() as db:
            for one in deletions:
                for content in one["observations"]:
                    db.execute(
                        "DELETE FROM observations WHERE content = ? AND entity = (SELECT id FROM entities WHERE name = ?)",
                        (content, one["entityName"]),
                    )

    def delete_relations(self, relations: Iterable[Relation]) -> None:
        """Forget single relations."""
        with self.writing() as db:
            for one in relations:
                db.execute(
                    "DELETE FROM relations WHERE source = ? AND target = ? AND kind = ?",
                    (one["from"], one["to"], one["relationType"]),
                )

    def read_graph(self) -> KnowledgeGraph:
        """Everything."""
        with self.reading() as db:
            rows = db.execute("SELECT id, name, kind FROM entities ORDER BY id").fetchall()
            relations = db.execute("SELECT source, target, kind FROM relations ORDER BY id").fetchall()
            return {
                "entities": [_entity(db, row) for row in rows],
                "relations": [_relation(row) for row in relations],
            }

    def open_nodes(self, names: Sequence[str]) -> KnowledgeGraph:
        """The named entities, with every relation to or from them."""
        with self.reading() as db:
            return _graph_of(db, [find(db, name) for name in dict.fromkeys(names)])

    def search_nodes(self, query: str) -> KnowledgeGraph:
        """Entities whose name, type or facts hold the query, small and capital letters alike.

        Where nothing holds it whole, those that hold all of its words, else any of them.
        """
        with self.reading() as db:
            return _graph_of(db, list(search(db, query.strip())))

    def lacking(self, entities: Iterable[Entity]) -> list[str]:
        """The names of those entities that are remembered without some of the given facts."""
        with self.reading() as db:
            return [entity["name"] for entity in entities if _lacks(db, entity)]

    def import_graph(self, graph: KnowledgeGraph) -> tuple[int, int, int]:
        """Add what is new in one step: how many entities, observations and relations that was."""
        with self.writing() as db:
            return add_graph(db, graph)


def add_graph(db: sqlite3.Connection, graph: KnowledgeGraph) -> tuple[int, int, int]:
    """Add what is new: how many entities, observations and relations that was."""
    entities = facts = relations = 0
    for entity in graph["entities"]:
        bare: Entity = {**entity, "observations": []}
        entities += _add_entity(db, bare)
        facts += len(_add_facts(db, _id(db, entity["name"]), entity["observations"]))
    for relation in graph["relations"]:
        relations += add_relation(db, relation)
    return entities, facts, relations


def forget(db: sqlite3.Connection, name: str) -> None:
    """Forget an entity and every relation to or from it."""
    db.execute("DELETE FROM entities WHERE name = ?", (name,))
    db.execute("DELETE FROM relations WHERE source = ?1 OR target = ?1", (name,))


def _add_entity(db: sqlite3.Connection, entity: Entity) -> bool:
    added = db.execute(
        "INSERT INTO entities (name, kind) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (entity["name"], entity["entityType"]),
    )
    if not added.rowcount:
        return False
    _add_facts(db, _id(db, entity["name"]), entity["observations"])
    return True


def _lacks(db: sqlite3.Connection, entity: Entity) -> bool:
    known = "SELECT 1 FROM observations WHERE content = ? AND entity = ?"
    owner = find(db, entity["name"])
    return owner is not None and any(db.execute(known, (fact, owner)).fetchone() is None for fact in entity["observations"])


def _add_facts(db: sqlite3.Connection, entity: int, facts: Iterable[str]) -> list[str]:
    statement = "INSERT INTO observations (entity, content) VALUES (?, ?) ON CONFLICT DO NOTHING"
    return [fact for fact in facts if db.execute(statement, (entity, fact)).rowcount]


def add_relation(db: sqlite3.Connection, relation: Relation) -> bool:
    """Whether it was new."""
    added = db.execute(
        "INSERT INTO relations (source, target, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (relation["from"], relation["to"], relation["relationType"]),
    )
    return bool(added.rowcount)


def _id(db: sqlite3.Connection, name: str) -> int:
    found = db.execute("SELECT id FROM entities WHERE name = ?", (name,)).fetchone()
    if found is None:
        raise GraphError(f"Entity with name {name} not found. Make it first with create_entities.")
    return int(found[0])


def find(db: sqlite3.Connection, name: str) -> int | None:
    """The number of the entity of this name."""
    found = db.execute("SELECT id FROM entities WHERE name = ?", (name,)).fetchone()
    return None if found is None else int(found[0])


def search(db: sqlite3.Connection, query: str) -> set[int]:
    """The numbers of the entities that hold the query whole, else all of its words, else any of them."""
    query = query.replace("\0", " ").strip()  # the index ends a query there
    whole = _holding(db, query)
    if whole or not query:
        return whole
    each = [_holding(db, word) for word in query.split()]
    return each[0].intersection(*each[1:]) or each[0].union(*each[1:])


def _holding(db: sqlite3.Connection, text: str) -> set[int]:
    if len(text) >= TRIGRAM:
        quoted = '"' + text.replace('"', '""') + '"'
        rows = db.execute("SELECT entity FROM words WHERE words MATCH ?", (quoted,))
    else:
        rows = db.execute("SELECT entity FROM words WHERE instr(fold(text), fold(?))", (text,))
    return {int(row[0]) for row in rows}


def _graph_of(db: sqlite3.Connection, ids: Iterable[int | None]) -> KnowledgeGraph:
    wanted = sorted(one for one in ids if one is not None)
    select = "SELECT id, name, kind FROM entities WHERE id = ?"
    entities = [_entity(db, db.execute(select, (one,)).fetchone()) for one in wanted]
    rows: dict[int, Relation] = {}
    for entity in entities:
        found = db.execute(
            "SELECT source, target, kind, id FROM relations WHERE source = ?1 OR target = ?1",
            (entity["name"],),
        )
        rows.update({row[3]: _relation(row) for row in found})
    return {"entities": entities, "relations": [rows[key] for key in sorted(rows)]}


def _entity(db: sqlite3.Connection, row: Sequence[Any]) -> Entity:
    facts = db.execute("SELECT content FROM observations WHERE entity = ? ORDER BY id", (row[0],))
    return {"name": row[1], "entityType": row[2], "observations": [fact for (fact,) in facts]}


def _relation(row: Sequence[Any]) -> Relation:
    return {"from": row[0], "to": row[1], "relationType": row[2]}
