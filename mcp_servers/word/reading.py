"""A document as Markdown, everything in the order in which it stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mcp_servers.word.inline import Inline, Walker
from mcp_servers.word.package import Doc, W
from mcp_servers.word.parts import Notes, links_of
from mcp_servers.word.styles import ListPlace, Styles, value

THROUGH = {f"{W}{tag}" for tag in ("sdtContent", "customXml", "smartTag", "ins", "moveTo", "body")}
LIST_INDENT = "    "


@dataclass
class _Counts:
    """The numbers of ordered lists so far."""

    at: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])

    def next(self, place: ListPlace) -> int:
        for number, depth in list(self.at):
            if number == place.number and depth > place.depth:
                del self.at[number, depth]
        self.at[place.number, place.depth] += 1
        return place.start - 1 + self.at[place.number, place.depth]


class Reader:
    """Reads one part of a document; `marked` shows tracked changes, else the text is as if all were accepted."""

    def __init__(self, styles: Styles, part: Any, notes: Notes, *, marked: bool) -> None:
        self._styles = styles
        self._walker = Walker(links_of(part), marked=marked)
        self._notes = notes
        self._marked = marked
        self._counts = _Counts()

    def blocks(self, holder: Any) -> list[str]:
        """The blocks inside an element, as Markdown."""
        found: list[str] = []
        waiting: Inline | None = None
        for element in self._flat(holder):
            if element.tag == f"{W}tbl":
                found += self._table(element)
                continue
            inline = self._walker.paragraph(element)
            if waiting is not None:
                inline = Inline(waiting.pieces + inline.pieces, waiting.boxes + inline.boxes, waiting.notes + inline.notes)
                waiting = None
            if not self._marked and _mark_deleted(element):
                waiting = inline  # without its mark the paragraph goes on in the next one
                continue
            found += self._paragraph(element, inline)
        if waiting is not None and waiting.text().strip():
            found.append(waiting.markdown())
        return found

    def _flat(self, holder: Any) -> list[Any]:
        """The paragraphs and tables, also those inside content controls and the like."""
        found: list[Any] = []
        for child in holder.iterchildren():
            if child.tag in (f"{W}p", f"{W}tbl"):
                found.append(child)
            elif child.tag == f"{W}sdt":
                found += [one for content in child.iterchildren(f"{W}sdtContent") for one in self._flat(content)]
            elif child.tag in THROUGH or (self._marked and child.tag in (f"{W}del", f"{W}moveFrom")):
                found += self._flat(child)
        return found

    def _paragraph(self, element: Any, inline: Inline) -> list[str]:
        self._notes.seen(inline)
        text = inline.markdown().strip()
        found = [self._dressed(element, inline, text)] if text else []
        for box in inline.boxes:
            held = "\n\n".join(self.blocks(box))
            if held:
                found.append("\n".join(f"> {line}".rstrip() for line in f"[Text box]\n{held}".splitlines()))
        return found

    def _dressed(self, element: Any, inline: Inline, text: str) -> str:
        if level := self._styles.level(element):
            words = " ".join(inline.text().split()) if not self._marked else " ".join(text.split())
            return f"{'#' * min(level, 6)} {words}"
        if place := self._styles.place(element):
            mark = f"{self._counts.next(place)}." if place.ordered else "-"
            return f"{LIST_INDENT * place.depth}{mark} {text}".replace("\n", "\n" + LIST_INDENT * (place.depth + 1))
        if "quote" in self._styles.name(element).lower():
            return "\n".join(f"> {line}" for line in text.splitlines())
        return text

    def _table(self, table: Any) -> list[str]:
        rows = [row for row in self._rows(table) if self._marked or row.find(f"{W}trPr/{W}del") is None]
        cells = [self._cells(row) for row in rows]
        if len(cells) == 1 and len(cells[0]) == 1 and cells[0][0] is not None:
            return self.blocks(cells[0][0])  # a frame around text
        grid = [["" if cell is None else self._cell(cell) for cell in row] for row in cells]
        width = max((len(row) for row in grid), default=0)
        if not width:
            return []
        lines = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in grid]
        return ["\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])]

    def _rows(self, table: Any) -> list[Any]:
        return _within(table, f"{W}tr", {f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins"})

    def _cells(self, row: Any) -> list[Any]:
        """The cells by column; None for those that another one covers."""
        properties = row.find(f"{W}trPr")
        found: list[Any] = [None] * _number(value(properties, "gridBefore"), 0)
        for cell in _within(row, f"{W}tc", {f"{W}sdt", f"{W}sdtContent", f"{W}customXml"}):
            about = cell.find(f"{W}tcPr")
            merged = about.find(f"{W}vMerge") if about is not None else None
            below = merged is not None and merged.get(f"{W}val") != "restart"
            found.append(None if below else cell)
            found += [None] * (_number(value(about, "gridSpan"), 1) - 1)
        return found

    def _cell(self, cell: Any) -> str:
        parts: list[str] = []
        for block in self.blocks(cell):
            lines = block.splitlines()
            if block.startswith("| ") and len(lines) > 1:  # a table in a table
                lines = [line.strip("| ").replace(" | ", " ¦ ") for number, line in enumerate(lines) if number != 1]
            parts += [line.strip() for line in lines]
        return "<br>".join(parts).replace("\\|", "|").replace("|", "\\|")


def _within(holder: Any, tag: str, through: set[str]) -> list[Any]:
    found: list[Any] = []
    for child in holder.iterchildren():
        if child.tag == tag:
            found.append(child)
        elif child.tag in through:
            found += _within(child, tag, through)
    return found


def _number(text: str | None, default: int) -> int:
    return max(default, min(int(text), 63)) if text and text.isdecimal() else default


def _mark_deleted(paragraph: Any) -> bool:
    marks = paragraph.find(f"{W}pPr/{W}rPr")
    return marks is not None and (marks.find(f"{W}del") is not None or marks.find(f"{W}moveFrom") is not None)


def markdown(document: Doc, *, marked: bool = False) -> str:
    """All of it: headers once, the body, footers once, then notes, and with `marked` the comments."""
    styles, notes = Styles(document), Notes(document)
    headers, footers = _edges(document, styles, notes, marked=marked)
    body = Reader(styles, document.part, notes, marked=marked).blocks(document.element.body)
    blocks = [*(f"[Header] {text}" for text in headers), *body, *(f"[Footer] {text}" for text in footers)]
    for label, element, part in notes.wanted():
        text = "\n".join(Reader(styles, part, notes, marked=marked).blocks(element)).replace("\n", "\n    ")
        blocks.append(f"[^{label}]: {text}")
    if marked:
        blocks += [f"[Comment by {who}] {said}" for who, said in notes.comments()]
    return _joined(blocks)


def _joined(blocks: list[str]) -> str:
    """An empty line between blocks, none between the items of a list."""
    text = ""
    for number, block in enumerate(blocks):
        if number:
            text += "\n" if _is_item(block) and _is_item(blocks[number - 1]) else "\n\n"
        text += block
    return text


def _is_item(block: str) -> bool:
    first = block.lstrip().split(" ", 1)[0]
    return first == "-" or (first.endswith(".") and first[:-1].isdecimal())


def _edges(document: Doc, styles: Styles, notes: Notes, *, marked: bool) -> tuple[list[str], list[str]]:
    """The different texts of headers and of footers, each once however many sections repeat it."""
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for section in document.sections:
        heads = (section.first_page_header, section.header, section.even_page_header)
        feet = (section.first_page_footer, section.footer, section.even_page_footer)
        for texts, edges in zip(found, (heads, feet), strict=True):
            for edge in edges:
                if not edge.is_linked_to_previous:
                    reader = Reader(styles, edge.part, notes, marked=marked)
                    text = " / ".join(" ".join(block.split()) for block in reader.blocks(edge._element))  # noqa: SLF001
                    if text:
                        texts[text] = None
    return list(found[0]), list(found[1])
