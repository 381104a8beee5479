"""The text of a paragraph as one line over its runs: found, replaced and cut out with every format kept."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcp_servers.word.package import MC, Doc, W
from mcp_servers.worker import WorkError

SPACE = "{http://www.w3.org/XML/1998/namespace}space"
BREAKS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
PARTS = ("header", "footer", "footnotes", "endnotes")
"""The ends of the relation types whose parts hold text of the document too."""


@dataclass(frozen=True)
class Piece:
    """One text element (or tab, or break), and where its text begins in the paragraph."""

    node: Any
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class Line:
    """One paragraph's text; deleted text is not in it."""

    def __init__(self, paragraph: Any) -> None:
        self.paragraph = paragraph
        self.pieces: list[Piece] = []
        at = 0
        for node in paragraph.iter(f"{W}t", *BREAKS):
            if _belongs(node, paragraph):
                words = BREAKS.get(node.tag, node.text or "")
                self.pieces.append(Piece(node, at, words))
                at += len(words)
        self.text = "".join(piece.text for piece in self.pieces)

    def replace(self, pattern: re.Pattern[str], new: str) -> int:
        """Put `new` in the place of each match, in the format of its first character; how many."""
        matches = [match for match in pattern.finditer(self.text) if match.group()]
        for match in reversed(matches):
            self._put(match.start(), match.end(), new)
        return len(matches)

    def _put(self, start: int, end: int, new: str) -> None:
        first = True
        for index, piece in enumerate(self.pieces):
            if piece.end <= start or piece.start >= end or not piece.text:
                continue
            kept = piece.text[: max(0, start - piece.start)] + (new if first else "") + piece.text[max(0, end - piece.start) :]
            if piece.node.tag == f"{W}t":
                write(piece.node, kept)
            elif not kept:
                piece.node.getparent().remove(piece.node)
            else:
                self._instead(piece.node, kept)
            self.pieces[index] = Piece(piece.node, piece.start, kept)
            first = False

    def _instead(self, node: Any, words: str) -> None:
        made = node.makeelement(f"{W}t")
        write(made, words)
        node.getparent().replace(node, made)

    def runs(self, start: int, end: int) -> list[Any]:
        """The runs that hold just the text from `start` to `end`, split off their neighbours."""
        for place in (start, end):
            self._split(place)
        found = [p.node.getparent() for p in Line(self.paragraph).pieces if p.start >= start and p.end <= end and p.text]
        return list(dict.fromkeys(found))

    def _split(self, place: int) -> None:
        for piece in Line(self.paragraph).pieces:
            if piece.start < place < piece.end or (piece.start == place and piece.text):
                run = piece.node.getparent()
                if piece.start < place:
                    rest = copy.copy(piece.node)
                    write(rest, piece.text[place - piece.start :])
                    write(piece.node, piece.text[: place - piece.start])
                    piece.node.addnext(rest)
                    _cut_before(run, rest)
                else:
                    _cut_before(run, piece.node)
                return


def _cut_before(run: Any, node: Any) -> None:
    """Move `node` and what follows it in the run into a run of its own with the same looks."""
    before = [one for one in run.iterchildren() if one.tag != f"{W}rPr"]
    if not before or before[0] is node:
        return
    made = run.makeelement(run.tag, run.attrib)
    if (looks := run.find(f"{W}rPr")) is not None:
        made.append(copy.deepcopy(looks))
    for one in before[before.index(node) :]:
        made.append(one)
    run.addnext(made)


def write(node: Any, words: str) -> None:
    """Set a text element's words; spaces at its ends count."""
    node.text = words
    if words != words.strip():
        node.set(SPACE, "preserve")


def _belongs(node: Any, paragraph: Any) -> bool:
    """Whether a text is the paragraph's own, not that of a box inside it, nor a field's instruction, nor a style's tab."""
    parent = node.getparent()
    if parent.tag != f"{W}r":
        return False
    for above in node.iterancestors():
        if above is paragraph:
            return True
        if above.tag in (f"{W}p", f"{W}del", f"{W}moveFrom"):
            return False
    return False


def pattern(find: str, *, match_case: bool, whole_word: bool) -> re.Pattern[str]:
    """A plain text as an expression; any spaces fit any, since Word mixes several kinds."""
    words = r"\s+".join(re.escape(part) for part in re.split(r"\s+", find)) if find.strip() else re.escape(find)
    if whole_word:
        words = rf"(?<!\w){words}(?!\w)"
    return re.compile(words, re.NOFLAG if match_case else re.IGNORECASE)


def lines(document: Doc) -> Iterator[tuple[Line, bool]]:
    """All paragraphs of body, headers, footers and notes; True for those that repeat another form of a drawing."""
    for root in roots(document):
        for paragraph in list(root.iter(f"{W}p")):
            yield Line(paragraph), any(above.tag == f"{MC}Fallback" for above in paragraph.iterancestors())


def roots(document: Doc) -> list[Any]:
    """The roots of the parts that hold text: body, headers, footers, notes."""
    found = [document.element.body]
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.rpartition("/")[2] in PARTS:
            root: Any = getattr(relation.target_part, "element", None)
            if root is not None:
                found.append(root)
    return found


def found_line(document: Doc, find: str, occurrence: int) -> tuple[Line, re.Match[str]]:
    """The paragraph of the body that holds the n-th occurrence (from 1), and the match. Raises WorkError."""
    expression, seen = pattern(find, match_case=False, whole_word=False), 0
    for paragraph in list(document.element.body.iter(f"{W}p")):
        line = Line(paragraph)
        for match in expression.finditer(line.text):
            seen += 1
            if seen == occurrence:
                return line, match
    if seen:
        raise WorkError(f"The text {find!r} is there {seen} times only.")
    raise WorkError(f"The text {find!r} is not in the document, or goes over more than one paragraph. read_document shows it.")
