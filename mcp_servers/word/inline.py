"""What stands inside one paragraph, in order: text with its looks, notes, pictures, text boxes, tracked changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from mcp_servers.word.package import MC, R, W

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

THROUGH = {f"{W}{tag}" for tag in ("smartTag", "customXml", "fldSimple", "sdt", "sdtContent", "dir", "bdo", "rubyBase")} | {
    f"{M}{tag}" for tag in ("oMathPara", "oMath")
}
"""Elements that only hold what matters."""

PLAIN = {
    f"{W}tab": "\t",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}softHyphen": "",
}
REFERENCES = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}


@dataclass(frozen=True)
class Looks:
    """How a piece of text looks, where it leads, and what a tracked change did with it (`ins`, `del`)."""

    bold: bool = False
    italic: bool = False
    struck: bool = False
    link: str = ""
    change: str = ""


@dataclass
class Inline:
    """The pieces of one paragraph, and the text boxes that hang on it."""

    pieces: list[tuple[str, Looks]] = field(default_factory=list[tuple[str, Looks]])
    boxes: list[Any] = field(default_factory=list[Any])
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def text(self) -> str:
        """The words alone."""
        return "".join(words for words, _ in self.pieces)

    def markdown(self) -> str:
        """The words with their looks, tracked changes as {++new++} and {--old--}."""
        merged: list[tuple[str, Looks]] = []
        for words, looks in self.pieces:
            if merged and merged[-1][1] == looks:
                merged[-1] = (merged[-1][0] + words, looks)
            elif words:
                merged.append((words, looks))
        return "".join(_dressed(words, looks) for words, looks in merged)


def _dressed(words: str, looks: Looks) -> str:
    start, core, end = _edges(words)
    if not core:
        return words
    for wanted, mark in ((looks.bold, "**"), (looks.italic, "*"), (looks.struck, "~~")):
        core = f"{mark}{core}{mark}" if wanted else core
    if looks.link:
        core = f"[{core}]({looks.link})"
    if looks.change:
        mark = "++" if looks.change == "ins" else "--"
        core = f"{{{mark}{core}{mark}}}"
    return f"{start}{core}{end}"


def _edges(words: str) -> tuple[str, str, str]:
    """The spaces at both ends stand outside the marks, or they would be no marks."""
    core = words.strip()
    if not core:
        return words, "", ""
    start = words.index(core[0])
    return words[:start], core, words[start + len(core) :]


class Walker:
    """Reads paragraphs of one part, whose relations give the links. `marked`: tracked changes are shown."""

    def __init__(self, links: dict[str, str], *, marked: bool) -> None:
        self._links = links
        self._marked = marked

    def paragraph(self, paragraph: Any) -> Inline:
        """What is in it."""
        found = Inline()
        self._children(paragraph, Looks(), found)
        return found

    def _children(self, element: Any, looks: Looks, found: Inline) -> None:
        for child in element.iterchildren():
            self._one(child, looks, found)

    def _one(self, child: Any, looks: Looks, found: Inline) -> None:
        tag = child.tag
        if tag == f"{W}r":
            self._run(child, looks, found)
        elif tag in THROUGH:
            self._children(child, looks, found)
        elif tag in (f"{W}ins", f"{W}moveTo"):
            self._children(child, replace(looks, change="ins") if self._marked else looks, found)
        elif tag in (f"{W}del", f"{W}moveFrom"):
            if self._marked:
                self._children(child, replace(looks, change="del"), found)
        elif tag == f"{W}hyperlink":
            link = self._links.get(child.get(f"{R}id") or "", "")
            self._children(child, replace(looks, link=link), found)
        elif tag == f"{MC}AlternateContent":
            self._alternate(child, looks, found)
        elif tag.__class__ is str and tag.startswith(M):
            found.pieces.append(("".join(child.itertext(f"{M}t")), looks))

    def _alternate(self, element: Any, looks: Looks, found: Inline) -> None:
        """The first of several forms of the same thing."""
        for form in element.iterchildren(f"{MC}Choice", f"{MC}Fallback"):
            self._children(form, looks, found)
            self._held(form, looks, found)
            return

    def _run(self, run: Any, looks: Looks, found: Inline) -> None:
        properties = run.find(f"{W}rPr")
        if properties is not None:
            if _on(properties, "vanish"):
                return
            looks = replace(
                looks,
                bold=_on(properties, "b"),
                italic=_on(properties, "i"),
                struck=_on(properties, "strike") or _on(properties, "dstrike"),
            )
        for child in run.iterchildren():
            self._in_run(child, looks, found)

    def _in_run(self, child: Any, looks: Looks, found: Inline) -> None:
        tag = child.tag
        if tag in (f"{W}t", f"{W}delText"):
            if tag == f"{W}t" or self._marked:
                found.pieces.append((child.text or "", looks))
        elif tag in PLAIN:
            found.pieces.append((PLAIN[tag], looks))
        elif tag == f"{W}br":
            found.pieces.append(("\n" if child.get(f"{W}type") in (None, "textWrapping") else "", looks))
        elif tag == f"{W}sym":
            found.pieces.append((_symbol(child), looks))
        elif tag in REFERENCES:
            kind, number = REFERENCES[tag], child.get(f"{W}id") or ""
            found.notes.append((kind, number))
            found.pieces.append((f"[^{'' if kind == 'footnote' else 'e'}{number}]", Looks()))
        elif tag == f"{MC}AlternateContent":
            self._alternate(child, looks, found)
        elif tag == f"{W}ruby":
            self._children(child, looks, found)
        elif tag in (f"{W}drawing", f"{W}pict", f"{W}object"):
            self._drawing(child, looks, found)

    def _held(self, form: Any, looks: Looks, found: Inline) -> None:
        """The drawings that stand directly in one form of alternate content."""
        for child in form.iterchildren(f"{W}drawing", f"{W}pict", f"{W}object"):
            self._drawing(child, looks, found)

    def _drawing(self, drawing: Any, looks: Looks, found: Inline) -> None:
        boxes = [box for box in drawing.iter(f"{W}txbxContent") if not _nested(box, drawing)]
        found.boxes += boxes
        if boxes:
            return
        words = next((_alt(one) for one in drawing.iter(f"{WP}docPr")), "")
        if words or next(drawing.iter(f"{A}blip"), None) is not None or drawing.tag == f"{W}pict":
            found.pieces.append((f"![{words}](picture)", replace(looks, bold=False, italic=False)))


def _alt(properties: Any) -> str:
    words = properties.get("descr") or properties.get("title") or properties.get("name") or ""
    return re.sub(r"[\[\]\s]+", " ", words).strip()[:200]


def _nested(box: Any, drawing: Any) -> bool:
    """A box inside another box, or the second form of one that was seen."""
    for above in box.iterancestors():
        if above is drawing:
            return False
        if above.tag == f"{W}txbxContent":
            return True
        if above.tag == f"{MC}Fallback" and above.getparent().find(f"{MC}Choice") is not None:
            return True
    return False


def _on(properties: Any, tag: str) -> bool:
    found = properties.find(f"{W}{tag}")
    return found is not None and found.get(f"{W}val") not in ("0", "false", "off")


def _symbol(element: Any) -> str:
    """A character of a symbol font; the private ones mean the font's own letter, which no reader has."""
    code = element.get(f"{W}char") or ""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= number <= 0xF8FF or number > 0x10FFFF else chr(number)
