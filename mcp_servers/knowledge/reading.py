"""From a file's bytes to its text with places: the readers of the other servers, in a killable child."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from mcp_servers.knowledge.passages import Part
from mcp_servers.knowledge.words import composed
from mcp_servers.worker import MIB, WorkError

LARGEST = 64 * MIB
"""The most bytes of a file that is read."""

MOST_TEXT = 4_000_000
"""Characters of one file that are indexed; a thick code of law has two million."""

TEXT = (".txt", ".text", ".rst", ".adoc", ".org", ".tex", ".log")
MARKDOWN = (".md", ".markdown", ".mdx")
HTML = (".html", ".htm", ".xhtml")
WORD = (".docx", ".docm", ".dotx", ".dotm")
SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".csv", ".tsv")
PDF = (".pdf",)
LIGHT = (*TEXT, *MARKDOWN)
"""Read so fast that many go into one child."""

ENDINGS = frozenset((*TEXT, *MARKDOWN, *HTML, *WORD, *SHEETS, *PDF))

Tell = Callable[[float, float | None, str], None]


@dataclass(frozen=True)
class Document:
    """A file's title ("" where it has none), its parts in order, and whether all of it is there."""

    title: str
    parts: Sequence[Part]
    whole: bool = True


def ending_of(path: str) -> str:
    """The ending that says how a file is read, in small letters with its dot."""
    return PurePath(path).suffix.lower()


def read(data: bytes, name: str) -> Document:
    """The document. Raises WorkError in words where it cannot be read."""
    ending = ending_of(name)
    if not data:
        return Document("", ())
    if ending in PDF:
        return _shortened(*_pdf(data))
    if ending in SHEETS:
        return _shortened("", _sheets(data, name))
    if ending in WORD:
        return _shortened("", _word(data, name))
    if ending in HTML:
        return _shortened(*_html(data))
    return _shortened("", _text(data, markdown=ending in MARKDOWN))


def _shortened(title: str, parts: Iterator[Part]) -> Document:
    """At most `MOST_TEXT` characters, and text that every database takes."""
    kept: list[Part] = []
    left, whole = MOST_TEXT, True
    for part in parts:
        text = composed(part.text.replace("\0", "").encode("utf-8", "replace").decode("utf-8"))
        whole = len(text) <= left
        kept.append(_with(part, text[:left]))
        left -= len(text)
        if left <= 0:
            break
    return Document(" ".join((title or _first_title(kept)).split())[:200], kept, whole)


def _with(part: Part, text: str) -> Part:
    return Part(text, part.page, part.sheet, composed(part.columns), part.rows, part.lines, part.markdown)


def _first_title(parts: Sequence[Part]) -> str:
    """The first heading of a Markdown text."""
    for part in parts:
        if part.markdown:
            for line in part.text[:2000].splitlines():
                if line.startswith("# "):
                    return line[2:].strip(" #*_")
    return ""


def _text(data: bytes, *, markdown: bool) -> Iterator[Part]:
    from mcp_servers.filesystem.errors import FilesError
    from mcp_servers.filesystem.text import read_text

    try:
        text = read_text(data, "it").plain
    except FilesError as error:
        raise WorkError("It is not a text file, whatever its name says.") from error
    yield Part(text, lines=True, markdown=markdown)


def _html(data: bytes) -> tuple[str, Iterator[Part]]:
    from mcp_servers.fetch.reading import read_html

    found = read_html({"body": base64.b64encode(data).decode("ascii"), "charset": None, "url": ""})
    return found["title"], iter([Part(found["text"], markdown=True)])


def _word(data: bytes, name: str) -> Iterator[Part]:
    from mcp_servers.word.package import loaded
    from mcp_servers.word.reading import markdown

    yield Part(markdown(loaded(data, name)), markdown=True)


def _pdf(data: bytes) -> tuple[str, Iterator[Part]]:
    from mcp_servers.fetch.reading import pdf_pages

    def quiet(done: float, of: float | None, words: str) -> None:
        del done, of, words

    title, _, texts = pdf_pages(data, quiet)
    return title, (Part(text, page=number) for number, text in enumerate(texts, start=1))


def _sheets(data: bytes, name: str) -> Iterator[Part]:
    from mcp_servers.excel.sources import Source

    given = name if ending_of(name) != ".tsv" else f"{PurePath(name).stem}.csv"
    source = Source.of(data, given)
    for sheet, state in source.sheets:
        if state != "chart":
            grid = source.grid(sheet)
            lines, rows = _lines(grid.rows, grid.top)
            if lines:
                yield Part("\n".join(lines), sheet=sheet, columns=lines[0][:200], rows=rows)


def _lines(rows: Sequence[Sequence[Any]], top: int) -> tuple[list[str], list[int]]:
    """Each row that holds something as one line, and its number in the sheet."""
    from mcp_servers.excel.values import shown

    lines: list[str] = []
    numbers: list[int] = []
    for number, row in enumerate(rows, start=top):
        cells = ["" if value is None else " ".join(str(shown(value)).split()) for value in row]
        if any(cells):
            lines.append(" | ".join(cells).rstrip(" |"))
            numbers.append(number)
    return lines, numbers
