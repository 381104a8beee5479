"""Passages for a question: by words ranked with BM25, and where there are vectors, by meaning too, both ranks fused."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_servers.knowledge.words import KANA, composed, fold, pairs, pieces

if TYPE_CHECKING:
    from mcp_servers.knowledge.embedding import Vector
    from mcp_servers.knowledge.index import Index
    from mcp_servers.knowledge.meaning import Meaning

DEEP = 60
"""How far down either list is looked."""

FUSE = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009)."""

COMMON = 0.3
"""A word in more than this share of the passages says nothing, unless there are no others."""

FEW = 200
"""With fewer passages than this no word counts as common."""

LEAST = 0.15
"""The share of the question's weight that a passage must hold at least, besides half of what the best one holds."""

MOST_TERMS = 40
EXCERPT = 420
_QUOTED = re.compile(r'["“”„«»「『](.+?)["“”„«»」』]')


@dataclass(frozen=True)
class Hit:
    """One passage. `path` is that of the file below `folder`."""

    id: int
    folder: str
    path: str
    title: str
    head: str
    page: int | None
    sheet: str | None
    first: int | None
    last: int | None
    start: int
    excerpt: str


@dataclass(frozen=True)
class Term:
    """Something asked for: its query, the tokens that weigh it, and what to look for in a text."""

    match: str
    token: str
    seen: str
    prefix: bool = False
    loose: bool = True
    """May be left out where the others are there."""


def terms_of(question: str) -> tuple[list[Term], list[Term]]:
    """What all should be in a passage, and the smaller pieces of which many should."""
    text = fold(composed(question))
    strict: list[Term] = []
    small: list[Term] = []
    for quoted in _QUOTED.findall(text):
        tokens = [one for piece, run in pieces(quoted) for one in (pairs(piece) if run else [piece])]
        if tokens:
            strict.append(Term(_phrase(tokens), tokens[0], quoted.strip(), loose=False))
    for piece, run in pieces(_QUOTED.sub(" ", text)):
        if not run:
            strict.append(_word(piece))
            small.append(strict[-1])
        elif len(piece) == 1:
            strict.append(Term(f"{_phrase([piece])}*", piece, piece, prefix=True))
            small.append(strict[-1])
        else:
            strict.append(Term(_phrase(pairs(piece)), pairs(piece)[0], piece))
            rare = [pair for pair in pairs(piece) if len(piece) < 4 or not KANA.fullmatch(pair)]
            small += [Term(_phrase([pair]), pair, pair) for pair in rare]
    return list(dict.fromkeys(strict)), list(dict.fromkeys(small))


def _word(word: str) -> Term:
    """A word also finds longer ones that begin alike; a plural also its singular."""
    if len(word) < 3 or not word.isalpha():
        return Term(_phrase([word]), word, word)
    stem = word[:-1] if len(word) > 4 and word.endswith("s") else word
    return Term(f"{_phrase([stem])}*", stem, stem, prefix=True)


def _phrase(tokens: Sequence[str]) -> str:
    return '"' + " ".join(tokens).replace('"', '""') + '"'


def search(
    index: Index, meaning: Meaning, question: str, vector: Vector | None, folders: Collection[int] | None, limit: int
) -> list[Hit]:
    """The best passages, best first; `folders`: of these alone. Raises KnowledgeError."""
    with index.reading() as db:
        allowed = _allowed(db, folders)
        by_words = _by_words(db, question, allowed)
        ranked = by_words
        if vector is not None:
            near = [one for one in meaning.nearest(db, vector, 4 * DEEP) if allowed is None or _folder(db, one) in allowed][
                :DEEP
            ]
            ranked = fused(by_words, near)
        seen = [term.seen for part in terms_of(question) for term in part]
        hits = (_hit(db, passage, seen) for passage in ranked[: limit + 10])
        return [hit for hit in hits if hit is not None][:limit]


def fused(*lists: Sequence[int]) -> list[int]:
    """One list out of several: what stands high in any is high, what stands high in all is higher."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for place, one in enumerate(ranked, start=1):
            scores[one] = scores.get(one, 0.0) + 1 / (FUSE + place)
    return sorted(scores, key=lambda one: -scores[one])


def _allowed(db: sqlite3.Connection, folders: Collection[int] | None) -> set[int] | None:
    """The folders a passage may be of; None: any."""
    found = db.execute("SELECT id, removed FROM folders").fetchall()
    if folders is None and not any(removed for _, removed in found):
        return None
    return {number for number, removed in found if not removed and (folders is None or number in folders)}


def _folder(db: sqlite3.Connection, passage: int) -> int:
    sql = "SELECT folder FROM files WHERE id = (SELECT file FROM passages WHERE id = ?)"
    found = db.execute(sql, (passage,)).fetchone()
    return found[0] if found else -1


def _by_words(db: sqlite3.Connection, question: str, allowed: set[int] | None) -> list[int]:
    strict, small = terms_of(question)
    if not strict:
        return []
    total = int(db.execute("SELECT count(*) FROM passages").fetchone()[0])
    weights = {term: _weight(db, term, total) for term in dict.fromkeys((*strict, *small))}
    strict, small = _fewest(strict, weights), _fewest(small, weights)
    telling = [term for term in strict if not term.loose or weights[term] > 0] or strict
    found = _matching(db, " AND ".join(term.match for term in telling), allowed)
    if len(found) < DEEP // 4 and (len(telling) > 1 or small != strict):
        needed = [term.match for term in strict if not term.loose]
        some = [term for term in small if weights[term] > 0] or small
        if some:
            either = " OR ".join(term.match for term in dict.fromkeys((*telling, *some)))
            expression = " AND ".join([*needed, f"({either})"])
            more = [one for one in _matching(db, expression, allowed) if one not in found]
            shares = {one: _share(db, one, some, weights) for one in more}
            best = 1.0 if found else max(shares.values(), default=0.0)
            found += [one for one in more if shares[one] >= max(best / 2, LEAST)]
    return found


def _fewest(terms: list[Term], weights: dict[Term, float]) -> list[Term]:
    """A long question by the words that tell most."""
    kept = set(sorted(terms, key=lambda term: -weights[term])[:MOST_TERMS])
    return [term for term in terms if term in kept]


def _weight(db: sqlite3.Connection, term: Term, total: int) -> float:
    """How much a word tells: more the fewer passages have it, 0 where it is common or nowhere."""
    found = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (term.token,)).fetchone()
    if found is None and term.prefix:
        sql = "SELECT sum(doc) FROM (SELECT doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT 4)"
        found = db.execute(sql, (term.token, term.token + "\U0010ffff")).fetchone()
    count = min(int((found or (0,))[0] or 0), total)
    if not count or (term.loose and total >= FEW and count > COMMON * total):
        return 0.0
    return math.log(1 + (total + 1) / (count + 1))


def _matching(db: sqlite3.Connection, expression: str, allowed: set[int] | None) -> list[int]:
    sql = "SELECT rowid FROM words WHERE words MATCH ? AND rank MATCH 'bm25(1.0, 2.0)' ORDER BY rank"
    found: list[int] = []
    for (passage,) in db.execute(sql, (expression,)):
        if allowed is None or _folder(db, passage) in allowed:
            found.append(passage)
            if len(found) == DEEP:
                break
    return found


def _share(db: sqlite3.Connection, passage: int, terms: Sequence[Term], weights: dict[Term, float]) -> float:
    """How much of the question's weight a passage holds, 0..1; words that no passage has do not count."""
    sql = "SELECT path || char(10) || title || char(10) || head || char(10) || text FROM passages JOIN files ON files.id = file"
    row = db.execute(f"{sql} WHERE passages.id = ?", (passage,)).fetchone()
    text = fold(row[0]) if row else ""
    whole = sum(weights[term] for term in terms)
    return sum(weights[term] for term in terms if term.seen in text) / whole if whole else 0.0


_HIT = """
SELECT passages.id, folders.path, files.path, title, head, page, sheet, first, last, start, text
FROM passages JOIN files ON files.id = file JOIN folders ON folders.id = folder WHERE passages.id = ?
"""


def _hit(db: sqlite3.Connection, passage: int, seen: Sequence[str]) -> Hit | None:
    row = db.execute(_HIT, (passage,)).fetchone()
    return None if row is None else Hit(*row[:10], excerpt=excerpt(row[10], seen))


def excerpt(text: str, seen: Sequence[str], most: int = EXCERPT) -> str:
    """The part of a text where most of what was asked for stands, on word ends, with "…" where it was cut."""
    if len(text) <= most:
        return text
    folded = fold(text)
    best = _densest(sorted({at.start() for word in seen if word for at in re.finditer(re.escape(word), folded)}), most - 60)
    start = max(0, min(best - 60, len(text) - most))
    end = start + most
    if start:
        blank = re.search(r"\s|[。！？；]", text[start : start + 60])
        start += blank.end() if blank else 0
    if end < len(text):
        blanks = [match.start() for match in re.finditer(r"\s|(?<=[。！？；])", text[end - 60 : end])]
        end = end - 60 + blanks[-1] if blanks else end
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


def _densest(places: Sequence[int], width: int) -> int:
    """The place from which on most of them are within `width`."""
    best = most = end = 0
    for number, place in enumerate(places):
        while end < len(places) and places[end] < place + width:
            end += 1
        if end - number > most:
            best, most = place, end - number
    return best
