"""A document's text in passages of about 1,200 characters, cut at headings, paragraphs and sentences, overlapping a little."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcp_servers.knowledge.headings import Way, heading_of

AIM = 1200
MOST = 1500
OVERLAP = 160

_ENDS = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？；])|\n+")


@dataclass(frozen=True)
class Part:
    """One page, one sheet, or the whole of a document.

    `rows`: the number of each line's row, for sheets. `lines`: whether line numbers mean something to a person.
    """

    text: str
    page: int | None = None
    sheet: str | None = None
    columns: str = ""
    rows: Sequence[int] = ()
    lines: bool = False
    markdown: bool = False


@dataclass(frozen=True)
class Passage:
    """`start` and `end` count characters of the whole text; `first` and `last` are lines, or rows of the sheet."""

    text: str
    start: int
    end: int
    head: str = ""
    page: int | None = None
    sheet: str | None = None
    first: int | None = None
    last: int | None = None


@dataclass
class _Span:
    start: int
    end: int
    head: str
    fresh: bool
    """Begins a section, so that nothing of the one before belongs to it."""


@dataclass
class _Lines:
    """Where the lines of a part begin."""

    text: str
    starts: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def at(self, place: int) -> int:
        """The line of a character, from 0."""
        return bisect_right(self.starts, place) - 1


def whole_text(parts: Sequence[Part]) -> str:
    """What the places of passages count in."""
    return "\n\n".join(part.text for part in parts)


def passages_of(parts: Sequence[Part]) -> Iterator[Passage]:
    """All passages in order."""
    way = Way()
    base = 0
    for part in parts:
        lines = _Lines(part.text)
        spans = _rows(part, lines) if part.sheet is not None else _spans(part, lines, way)
        for span in spans:
            text = part.text[span.start : span.end]
            kept = text.strip()
            if not kept:
                continue
            start = span.start + len(text) - len(text.lstrip())
            first, last = _numbers(part, lines, start, start + len(kept) - 1)
            yield Passage(kept, base + start, base + start + len(kept), span.head, part.page, part.sheet, first, last)
        base += len(part.text) + 2


def _numbers(part: Part, lines: _Lines, start: int, end: int) -> tuple[int | None, int | None]:
    if part.rows:
        return part.rows[lines.at(start)], part.rows[lines.at(end)]
    if part.lines:
        return lines.at(start) + 1, lines.at(end) + 1
    return None, None


def _rows(part: Part, lines: _Lines) -> Iterator[_Span]:
    """Whole rows together; a row that is too long for a passage is cut."""
    start = 0
    for line in range(len(lines.starts)):
        end = lines.starts[line + 1] if line + 1 < len(lines.starts) else len(part.text)
        if end - start > AIM and lines.starts[line] > start:
            yield _Span(start, lines.starts[line], part.columns, fresh=True)
            start = lines.starts[line]
        while end - start > MOST:
            yield _Span(start, start + MOST, part.columns, fresh=True)
            start += MOST
    yield _Span(start, len(part.text), part.columns, fresh=True)


def _spans(part: Part, lines: _Lines, way: Way) -> Iterator[_Span]:
    for section in _sections(part, lines, way):
        if section.end - section.start <= MOST:
            yield section
        else:
            yield from _cut(part.text, section)


def _sections(part: Part, lines: _Lines, way: Way) -> Iterator[_Span]:
    """From heading to heading; a heading without text of its own goes on with the next one."""
    start, head, fenced, body = 0, str(way), False, False
    for number, begin in enumerate(lines.starts):
        end = lines.starts[number + 1] if number + 1 < len(lines.starts) else len(part.text)
        line = part.text[begin:end].strip()
        if part.markdown and line.startswith(("```", "~~~")):
            fenced = not fenced
        heading = None if fenced or not line else heading_of(line[:1000], markdown=part.markdown)
        if heading is None:
            body = body or bool(line)
            continue
        if body:
            yield _Span(start, begin, head, fresh=True)
            start = begin
        way.enter(heading)
        head, body = str(way), len(line) > len(heading.text) + 5
    yield _Span(start, len(part.text), head, fresh=True)


def _cut(text: str, section: _Span) -> Iterator[_Span]:
    """A long section in pieces that end where a paragraph or a sentence does, each with a little of the one before."""
    start = section.start
    while section.end - start > MOST:
        end = _end(text, start, section.end)
        yield _Span(start, end, section.head, fresh=start == section.start)
        start = max(_begin(text, end), start + 1)
    yield _Span(start, section.end, section.head, fresh=False)


def _end(text: str, start: int, limit: int) -> int:
    """The last end of a paragraph before `MOST`, else of a sentence, else of a word, else just there."""
    most = min(start + MOST, limit)
    paragraph = text.rfind("\n\n", start + AIM // 2, most)
    if paragraph > 0:
        return paragraph
    ends = [match.end() for match in _ENDS.finditer(text, start + AIM // 2, most)]
    if ends:
        return ends[-1]
    blank = text.rfind(" ", start + AIM // 2, most)
    return blank if blank > 0 else most


def _begin(text: str, end: int) -> int:
    """Where the next piece begins: `OVERLAP` before the end of this one, at a sentence or a word."""
    least = max(0, end - OVERLAP)
    for match in _ENDS.finditer(text, least, end):
        if match.end() < end:
            return match.end()
    blank = text.find(" ", least, end)
    return blank + 1 if blank > 0 else least
