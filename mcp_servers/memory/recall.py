"""Which of all that is remembered belongs to what was just said: by its words, then the newest, within a limit."""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from mcp_servers.memory.graph import TRIGRAM, Graph

MAX_WORDS = 40
"""Of a message; the later ones of a long one are not looked for."""
COMMON = 200
"""A word that more rows hold than this says nothing about any of them."""
EACH = 8
"""Facts of one entity that was named, newest first."""
NEWEST = 5
ABOUT_THE_PERSON = ("user", "the user", "default_user", "me", "myself", "usuario", "yo")
"""Names under which models keep what they learn about whom they talk to."""

_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON_WORDS = frozenset(
    re.split(
        r"\s+",
        "about after also and any are because been but can could did does for from had has have her here him his how "
        "into its just like make more most not now our out please she should some tell than that the their them then "
        "there they this was were what when where which who why will with would you your "
        "algo como con cual cuando del donde ella ellos esa ese eso esta este esto hay las los mas más muy para pero por "
        "porque que qué quien quién ser sin sobre son soy sus también tiene una uno unos usted",
    )
)
ONE_FACT = "SELECT e.name, e.kind, o.content FROM observations o JOIN entities e ON e.id = o.entity WHERE o.id = ?"
FACTS_OF = (
    "SELECT e.name, e.kind, o.content FROM observations o JOIN entities e ON e.id = o.entity "
    "WHERE e.id = ? ORDER BY o.id DESC LIMIT ?"
)
NEWEST_FACTS = (
    "SELECT e.name, e.kind, o.content FROM observations o JOIN entities e ON e.id = o.entity ORDER BY o.id DESC LIMIT ?"
)
RELATIONS_OF = (
    "SELECT r.source, r.kind, r.target FROM relations r, entities e "
    "WHERE e.id = ? AND (r.source = e.name OR r.target = e.name) ORDER BY r.id DESC LIMIT ?"
)
NAMED = "SELECT id FROM entities WHERE fold(name) = ?"


def recalled(graph: Graph, text: str, most: int, known: Collection[str] = ()) -> list[str]:
    """Lines of at most `most` characters in all that fit `text`, the best first; those in `known` are left out.

    A line is "Ana (person): Lives in Madrid" or "Ana works at Acme". Raises GraphError.
    """
    lines: list[str] = []
    room = most
    with graph.reading() as db:
        for line in dict.fromkeys(_candidates(db, words_of(text))):
            if line in known or len(line) >= room:
                continue
            room -= len(line) + 1
            lines.append(line)
    return lines


def words_of(text: str) -> list[str]:
    """What is looked for: words that may mean something, and threes of characters where words have no spaces."""
    found: list[str] = []
    for word in _WORDS.findall(text.casefold()):
        if _CJK.search(word):
            found += [word[at : at + TRIGRAM] for at in range(max(1, len(word) - TRIGRAM + 1))]
        elif len(word) >= TRIGRAM and word not in _COMMON_WORDS:
            found.append(word)
    return list(islice(dict.fromkeys(found), MAX_WORDS))


def _candidates(db: sqlite3.Connection, words: list[str]) -> Iterator[str]:
    facts, entities = _scores(db, words)
    for number in sorted(entities, key=lambda one: -entities[one]):
        yield from _entity(db, number)
    for number in sorted(facts, key=lambda one: -facts[one]):
        yield from _lines(db, ONE_FACT, (number,))
    for (number,) in [row for name in ABOUT_THE_PERSON for row in db.execute(NAMED, (name,))]:
        yield from _entity(db, number)
    yield from _lines(db, NEWEST_FACTS, (NEWEST,))


def _scores(db: sqlite3.Connection, words: Iterable[str]) -> tuple[dict[int, float], dict[int, float]]:
    """Facts and entities by how well they fit: rare words count more, and only whole ones."""
    facts: dict[int, float] = defaultdict(float)
    entities: dict[int, float] = defaultdict(float)
    for word in words:
        rows = _holding(db, word)
        if len(rows) > COMMON:
            continue
        for rowid in rows:
            (facts if rowid % 2 else entities)[rowid // 2] += 1 / len(rows)
    return facts, entities


def _holding(db: sqlite3.Connection, word: str) -> list[int]:
    if len(word) < TRIGRAM:
        found = db.execute("SELECT rowid, text FROM words WHERE instr(text, ?) LIMIT ?", (word, COMMON + 1))
        return [rowid for rowid, _ in found]
    found = db.execute("SELECT rowid, text FROM words WHERE words MATCH ? LIMIT ?", (f'"{word}"', 4 * COMMON))
    if _CJK.search(word):
        return [rowid for rowid, _ in found]
    return [rowid for rowid, text in found if word in _WORDS.findall(text.casefold())]


def _entity(db: sqlite3.Connection, number: int) -> Iterator[str]:
    yield from _lines(db, FACTS_OF, (number, EACH))
    for row in db.execute(RELATIONS_OF, (number, EACH)).fetchall():
        yield " ".join(_plain(part) for part in row)


def _lines(db: sqlite3.Connection, statement: str, given: tuple[int, ...]) -> Iterator[str]:
    for name, kind, content in db.execute(statement, given).fetchall():
        yield f"{_plain(name)} ({_plain(kind)}): {_plain(content)}"


def _plain(text: str) -> str:
    """On one line."""
    return " ".join(text.split())
