"""Where a text says what comes next: Markdown headings, and the headings of laws and manuals in plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 120
"""A plain line with more characters than this is no heading, only its first words are."""

MARKDOWN = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")

_ROMAN = r"(?=[ivxlcdm])m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})"
_ORDINAL = r"primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|únic[oa]|preliminar|first|second|third"
_NUMBER = rf"(?:\d+(?:\.\d+)*|{_ROMAN}|{_ORDINAL})\b"
_PLAIN = tuple(
    (level, re.compile(rf"(?:{words})\s*{_NUMBER}[º°ªo]?(?:\s*(?:bis|ter|quater)\b)?", re.IGNORECASE))
    for level, words in (
        (1, r"libro|book|part|parte|título|titulo|title|teil|anexo|annex|appendix|apéndice"),
        (2, r"capítulo|capitulo|chapter|kapitel|chapitre"),
        (3, r"sección|seccion|section|abschnitt|disposición\s+(?:adicional|transitoria|final|derogatoria)"),
        (4, r"artículo|articulo|article|artikel|art\.|§+|cláusula|clause"),
    )
)
_NUMERAL = r"第\s*[0-9０-９一二三四五六七八九十百千零〇]+"
_HAN = tuple(
    (level, re.compile(rf"{_NUMERAL}\s*[{signs}](?:\s*之\s*[0-9一二三四五六七八九十]+|の[0-9一二三四五六七八九十]+)?"))
    for level, signs in ((1, "编編部篇"), (2, "章"), (3, "节節款"), (4, "条條"))
)

_AFTER = " \t\u3000:：（(【「"
"""What stands between the number of an article and its text."""


@dataclass(frozen=True)
class Heading:
    """A heading and how deep it stands, 1 the highest."""

    level: int
    text: str


def heading_of(line: str, *, markdown: bool) -> Heading | None:
    """The heading that a line is, or begins with; None for ordinary text."""
    stripped = line.strip()
    if markdown:
        if found := MARKDOWN.match(stripped):
            return Heading(len(found[1]), _plain(found[2]))
        stripped = stripped.strip("*_")
    for level, pattern in _PLAIN:
        if found := pattern.match(stripped):
            return _named(level, stripped, found.end())
    for level, pattern in _HAN:
        if found := pattern.match(stripped):
            return _numbered(level, stripped, found.end())
    return None


def _named(level: int, line: str, end: int) -> Heading | None:
    """The whole line where it is a title, else what was recognised; a mention at the start of a sentence is none."""
    rest = line[end:].strip()
    short = len(line) <= LONGEST and not re.search(r"[.;:,]$", rest)
    if not rest or rest[0] in ".:—–-)":
        return Heading(level, (line if short or len(line) <= LONGEST // 2 else line[:end]).rstrip(" .:"))
    return Heading(level, line) if short and rest[0].isupper() else None


def _numbered(level: int, line: str, end: int) -> Heading | None:
    rest = line[end:]
    title = len(rest) <= LONGEST // 4 and not rest.endswith(("。", "；", "，"))
    if title and (level < 4 or not rest or rest[0] in _AFTER):
        return Heading(level, line)
    return Heading(level, line[:end]) if rest[0] in _AFTER else None


def _plain(text: str) -> str:
    """A Markdown heading without its signs."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_`]+", lambda found: found[1] or "", text).strip()


class Way:
    """The headings above the place where a reader stands."""

    def __init__(self) -> None:
        self._above: list[Heading] = []

    def enter(self, heading: Heading) -> None:
        """What is as deep or deeper is left."""
        self._above = [one for one in self._above if one.level < heading.level]
        self._above.append(heading)

    def __str__(self) -> str:
        return " › ".join(one.text[:LONGEST] for one in self._above)[-300:]
