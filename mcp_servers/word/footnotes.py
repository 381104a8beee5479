"""Footnotes written from Markdown: `[^label]` in the text, `[^label]: the note` in a paragraph of its own."""

from __future__ import annotations

import re
from typing import Any

from mcp_servers.word.looks import Format, dress
from mcp_servers.word.package import Doc, W, element

MENTION = re.compile(r"\[\^([^\]\s]{1,80})\]")
_DEFINED = re.compile(r" {0,3}\[\^([^\]\s]{1,80})\]:[ \t]*(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"


def taken_out(lines: list[str]) -> tuple[list[str], dict[str, str]]:
    """The lines without the notes' own, and each note's Markdown by label. Indented lines go on with a note."""
    kept: list[str] = []
    notes: dict[str, str] = {}
    label = fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
            label = ""
        defined = None if fence else _DEFINED.match(line)
        if defined:
            label = defined[1]
            notes.setdefault(label, defined[2].strip())
        elif label and line.startswith(("  ", "\t")) and line.strip():
            notes[label] = f"{notes[label]} {line.strip()}".strip()
        else:
            label = ""
            kept.append(line)
    return kept, notes


class Footnotes:
    """Adds notes to a document; each label's note is made once and may be named again."""

    def __init__(self, document: Doc, notes: dict[str, str]) -> None:
        self._document = document
        self._notes = notes
        self._numbers: dict[str, int] = {}

    def holds(self, label: str) -> bool:
        """Whether there is such a note."""
        return label in self._notes

    def mention(self, paragraph: Any, label: str) -> None:
        """Put the note's mark at the end of the paragraph."""
        if label not in self._numbers:
            self._numbers[label] = self._made(self._notes[label])
        mark = element("w:footnoteReference")
        mark.set(f"{W}id", str(self._numbers[label]))
        run: Any = paragraph.add_run()
        run.font.superscript = True
        run._r.append(mark)  # noqa: SLF001

    def _made(self, markdown: str) -> int:
        from docx.text.paragraph import Paragraph

        root = _root(self._document)
        number = max([0, *(int(one.get(f"{W}id") or 0) for one in root.iterchildren(f"{W}footnote"))]) + 1
        note = element("w:footnote")
        note.set(f"{W}id", str(number))
        holder = element("w:p")
        note.append(holder)
        root.append(note)
        paragraph = Paragraph(holder, self._document._body)  # noqa: SLF001
        sign: Any = paragraph.add_run()
        sign.font.superscript = True
        sign._r.append(element("w:footnoteRef"))  # noqa: SLF001
        paragraph.add_run(" ")
        _write(paragraph, markdown)
        return number


def _write(paragraph: Any, markdown: str) -> None:
    """The note's words with their looks; an address stands after its words, since links belong to the main part."""
    from markdown_it import MarkdownIt

    bold = italic = strike = False
    address = ""
    for token in MarkdownIt("commonmark").enable("strikethrough").parseInline(markdown)[0].children or []:
        match token.type:
            case "strong_open" | "strong_close":
                bold = token.nesting == 1
            case "em_open" | "em_close":
                italic = token.nesting == 1
            case "s_open" | "s_close":
                strike = token.nesting == 1
            case "link_open":
                address = str(token.attrGet("href") or "")
            case "link_close":
                paragraph.add_run(f" ({address})" if address and address not in paragraph.text else "")
            case _:
                words = " " if token.type in ("softbreak", "hardbreak") else token.content
                dress(paragraph.add_run(words), Format(bold=bold or None, italic=italic or None, strike=strike or None))


def _root(document: Doc) -> Any:
    """The root of the document's footnotes, made where there is none."""
    for relation in document.part.rels.values():
        if relation.reltype == _RELATION and not relation.is_external:
            return relation.target_part.element
    from docx.opc.packuri import PackURI
    from docx.opc.part import XmlPart

    root = element("w:footnotes")
    for number, kind in ((-1, "separator"), (0, "continuationSeparator")):
        note, holder, run = element("w:footnote"), element("w:p"), element("w:r")
        note.set(f"{W}type", kind)
        note.set(f"{W}id", str(number))
        run.append(element(f"w:{kind}"))
        holder.append(run)
        note.append(holder)
        root.append(note)
    part = XmlPart(PackURI("/word/footnotes.xml"), _KIND, root, document.part.package)
    document.part.relate_to(part, _RELATION)
    return root
