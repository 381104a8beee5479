"""What a person changes by hand: one thing at a time beside other writers, each change with its way back."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from mcp_servers.memory.graph import Graph, GraphError, add_graph, add_relation, find, forget
from mcp_servers.memory.shapes import KnowledgeGraph, Relation

MAX_CHARACTERS = 10_000
"""Of a name, a type or a fact that is typed in."""

ENTITY = "INSERT INTO entities (id, name, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
FACT = "INSERT INTO observations (id, entity, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
RELATION = "INSERT INTO relations (id, source, target, kind) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

Row: TypeAlias = tuple[str, ...]
Deed: TypeAlias = Callable[[sqlite3.Connection], object]


@dataclass(frozen=True)
class Rows:
    """Rows of the graph by their number: (name, type), (entity's name, fact), (from, to, type)."""

    entities: dict[int, Row] = field(default_factory=dict[int, Row])
    facts: dict[int, Row] = field(default_factory=dict[int, Row])
    relations: dict[int, Row] = field(default_factory=dict[int, Row])


@dataclass(frozen=True)
class Change:
    """The rows that a change was about, before and after it."""

    before: Rows
    after: Rows


class Editor:
    """Changes to one graph. All raise GraphError, with nothing changed, in words for a person."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def save(self, old: str | None, name: str, kind: str) -> Change:
        """Add an entity (`old` None), or give one another name and type; its relations follow."""
        name, kind = _typed(name, "name"), _typed(kind, "type")

        def deed(db: sqlite3.Connection) -> None:
            if name != old and find(db, name) is not None:
                raise GraphError(f"There is something called {name} already.")
            if old is None:
                db.execute("INSERT INTO entities (name, kind) VALUES (?, ?)", (name, kind))
                return
            _rename(db, _here(db, old), (old, name), kind)

        return self._change({name, *([old] if old is not None else [])}, deed)

    def fact(self, entity: str, old: str | None, new: str | None) -> Change:
        """Add a fact (`old` None), forget it (`new` None), or put another in its place."""

        def deed(db: sqlite3.Connection) -> None:
            owner = _here(db, entity)
            if old is None:
                _insert_fact(db, owner, _typed(new or "", "fact"))
                return
            row = db.execute("SELECT id FROM observations WHERE entity = ? AND content = ?", (owner, old)).fetchone()
            if row is None:
                raise GraphError("This fact is not there any more; it was changed or forgotten meanwhile.")
            if new is None:
                db.execute("DELETE FROM observations WHERE id = ?", row)
            else:
                _reword(db, row[0], _typed(new, "fact"))

        return self._change({entity}, deed)

    def relation(self, relation: Relation, *, remove: bool) -> Change:
        """Add a relation, or forget it."""
        made: Relation = {
            "from": _typed(relation["from"], "name"),
            "to": _typed(relation["to"], "name"),
            "relationType": _typed(relation["relationType"], "relation"),
        }

        def deed(db: sqlite3.Connection) -> None:
            if remove:
                old = (relation["from"], relation["to"], relation["relationType"])
                db.execute("DELETE FROM relations WHERE source = ? AND target = ? AND kind = ?", old)
            elif not add_relation(db, made):
                raise GraphError("This relation is there already.")

        return self._change({relation["from"], made["from"]}, deed)

    def forget(self, name: str) -> Change:
        """Forget an entity with its facts and relations."""

        def deed(db: sqlite3.Connection) -> None:
            _here(db, name)
            forget(db, name)

        return self._change({name}, deed)

    def clear(self) -> Change:
        """Forget everything."""

        def deed(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM entities")
            db.execute("DELETE FROM relations")

        return self._change(None, deed)

    def add(self, graph: KnowledgeGraph) -> tuple[Change, tuple[int, int, int]]:
        """Add what is new of another graph, and how many entities, facts and relations that was."""
        counts = (0, 0, 0)

        def deed(db: sqlite3.Connection) -> None:
            nonlocal counts
            counts = add_graph(db, graph)

        return self._change(None, deed), counts

    def undo(self, change: Change) -> None:
        """Take a change back; what others wrote since stays."""
        with self._graph.writing() as db:
            _take_out(db, change)
            _put_back(db, change)

    def _change(self, names: set[str] | None, deed: Deed) -> Change:
        with self._graph.writing() as db:
            before = _rows(db, names)
            deed(db)
            return Change(before, _rows(db, names))


def _typed(text: str, what: str) -> str:
    text = text.strip()
    if not text:
        raise GraphError(f"A {what} needs at least one letter.")
    if len(text) > MAX_CHARACTERS:
        raise GraphError(f"A {what} has at most {MAX_CHARACTERS:,} characters.")
    return text


def _here(db: sqlite3.Connection, name: str) -> int:
    if (found := find(db, name)) is None:
        raise GraphError(f"{name} is not remembered any more; it was forgotten meanwhile.")
    return found


def _rows(db: sqlite3.Connection, names: set[str] | None) -> Rows:
    rows = Rows()
    for number, name, kind in _entities(db, names):
        rows.entities[number] = (name, kind)
        for fact, content in db.execute("SELECT id, content FROM observations WHERE entity = ?", (number,)):
            rows.facts[fact] = (name, content)
    if names is None:
        for number, *row in db.execute("SELECT id, source, target, kind FROM relations"):
            rows.relations[number] = tuple(row)
        return rows
    for name in names:
        found = db.execute("SELECT id, source, target, kind FROM relations WHERE source = ?1 OR target = ?1", (name,))
        rows.relations.update({number: tuple(row) for number, *row in found})
    return rows


def _entities(db: sqlite3.Connection, names: set[str] | None) -> list[tuple[int, str, str]]:
    if names is None:
        return db.execute("SELECT id, name, kind FROM entities").fetchall()
    one = "SELECT id, name, kind FROM entities WHERE name = ?"
    return [row for name in names for row in db.execute(one, (name,))]


def _rename(db: sqlite3.Connection, number: int, names: tuple[str, str], kind: str) -> None:
    old, new = names
    db.execute("UPDATE entities SET name = ?, kind = ? WHERE id = ?", (new, kind, number))
    db.execute("UPDATE words SET text = ? WHERE rowid = ?", (f"{new}\n{kind}", number * 2))
    if new == old:
        return
    db.execute("UPDATE OR IGNORE relations SET source = ? WHERE source = ?", (new, old))
    db.execute("UPDATE OR IGNORE relations SET target = ? WHERE target = ?", (new, old))
    db.execute("DELETE FROM relations WHERE source = ?1 OR target = ?1", (old,))


def _reword(db: sqlite3.Connection, number: int, content: str) -> None:
    try:
        db.execute("UPDATE observations SET content = ? WHERE id = ?", (content, number))
    except sqlite3.IntegrityError:
        raise GraphError("This fact is there already.") from None
    db.execute("UPDATE words SET text = ? WHERE rowid = ?", (content, number * 2 + 1))


def _insert_fact(db: sqlite3.Connection, owner: int, content: str) -> None:
    added = db.execute("INSERT INTO observations (entity, content) VALUES (?, ?) ON CONFLICT DO NOTHING", (owner, content))
    if not added.rowcount:
        raise GraphError("This fact is there already.")


def _take_out(db: sqlite3.Connection, change: Change) -> None:
    """What the change brought goes, where it still is as it was left."""
    before, after = change.before, change.after
    for number, row in after.relations.items():
        if before.relations.get(number) != row:
            db.execute("DELETE FROM relations WHERE id = ? AND source = ? AND target = ? AND kind = ?", (number, *row))
    for number, (_, content) in after.facts.items():
        old = before.facts.get(number)
        if old is None:
            db.execute("DELETE FROM observations WHERE id = ? AND content = ?", (number, content))
        elif (
            old[1] != content
            and db.execute("SELECT 1 FROM observations WHERE id = ? AND content = ?", (number, content)).fetchone()
        ):
            _reword(db, number, old[1])
    for number, row in after.entities.items():
        old = before.entities.get(number)
        if old is None:
            _take_out_entity(db, number, row[0])
        elif old != row and find(db, row[0]) == number and find(db, old[0]) in (None, number):
            _rename(db, number, (row[0], old[0]), old[1])


def _take_out_entity(db: sqlite3.Connection, number: int, name: str) -> None:
    """Unless somebody added to it since."""
    kept = db.execute("SELECT 1 FROM observations WHERE entity = ?", (number,)).fetchone()
    if kept is None and find(db, name) == number:
        forget(db, name)


def _put_back(db: sqlite3.Connection, change: Change) -> None:
    """What the change took comes back, with its old number where that is still free, and so in its old place."""
    before, after = change.before, change.after
    for number, row in before.entities.items():
        if number not in after.entities and find(db, row[0]) is None:
            _insert(db, ENTITY, number, row)
    for number, (name, content) in before.facts.items():
        if number not in after.facts and (owner := find(db, name)) is not None:
            _insert(db, FACT, number, (owner, content))
    for number, row in before.relations.items():
        if after.relations.get(number) != row:
            _insert(db, RELATION, number, row)


def _insert(db: sqlite3.Connection, statement: str, number: int, row: tuple[object, ...]) -> None:
    if not db.execute(statement, (number, *row)).rowcount:
        db.execute(statement, (None, *row))
