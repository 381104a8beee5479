"""From Markdown to the paragraphs, lists, tables and pictures of a document."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp_servers.word.footnotes import MENTION, Footnotes, taken_out
from mcp_servers.word.lists import join, new_list
from mcp_servers.word.looks import Format, align, dress, link, styled
from mcp_servers.word.package import Doc
from mcp_servers.word.shading import CODE, HEAD, line_below, shade, without_distance
from mcp_servers.worker import WorkError

if TYPE_CHECKING:
    from markdown_it.token import Token

PAGE_BREAK = re.compile(r"^\s*(<!--\s*page\s*-?break\s*-->|\\pagebreak|\\newpage)\s*$", re.IGNORECASE)
EMU_PER_CM = 360_000
CODE_FONT = "Consolas"
COLUMNS = 63
"""The most columns of a table in Word (its specifications and limits)."""

ROOM = 8
"""Points between a table and the text that follows, which Word itself would put right under it."""


class Builder:
    """Adds to the end of a document. `pictures` holds base64 by the address that the text names."""

    def __init__(self, document: Doc, pictures: Mapping[str, str]) -> None:
        self._document = document
        self._pictures = pictures
        self._lists: list[int] = []  # the numbers of the lists that are open, the innermost last
        self._quoted = 0
        self._item_begins = False
        self._after_table = False
        self._footnotes = Footnotes(document, {})
        self.notes: list[str] = []

    def markdown(self, text: str) -> None:
        """Add what the Markdown says."""
        from markdown_it import MarkdownIt

        parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        kept, notes = taken_out(text.splitlines())
        self._footnotes = Footnotes(self._document, notes)
        lines = ["<!-- pagebreak -->" if PAGE_BREAK.match(line) else line for line in kept]
        tokens = parser.parse("\n".join(lines))
        at = 0
        while at < len(tokens):
            at = self._block(tokens, at)

    def _block(self, tokens: Sequence[Token], at: int) -> int:
        token = tokens[at]
        if token.type == "heading_open":
            self._inline(self._paragraph(f"Heading {token.tag[1]}"), tokens[at + 1])
            return at + 3
        if token.type == "table_open":
            end = next(index for index in range(at, len(tokens)) if tokens[index].type == "table_close")
            self._table(tokens[at : end + 1])
            return end + 1
        if token.type == "inline":
            self._inline(self._paragraph(None), token)
        elif token.type in ("fence", "code_block"):
            self._code(token.content)
        elif token.type == "hr":
            self._rule()
        elif token.type == "html_block":
            self._html(token.content)
        else:
            self._container(token)
        return at + 1

    def _container(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            ordered = token.type.startswith("ordered")
            start = int(token.attrGet("start") or 1)
            self._lists.append(new_list(self._document, ordered=ordered, start=start))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif token.type == "list_item_open":
            self._item_begins = True
        elif token.type == "blockquote_open":
            self._quoted += 1
        elif token.type == "blockquote_close":
            self._quoted -= 1

    def _paragraph(self, style: str | None) -> Any:
        made = self._document.add_paragraph()
        depth = len(self._lists) - 1
        if style:
            styled(made, style)
        elif self._lists:
            styled(made, "List Paragraph")
        elif self._quoted:
            styled(made, "Quote")
        if self._after_table and not style:
            _room_above(made)
        self._after_table = False
        if self._lists and self._item_begins:
            join(made, self._lists[-1], depth)
        elif self._lists:
            from docx.shared import Twips

            made.paragraph_format.left_indent = Twips(720 + 360 * depth)
        self._item_begins = False
        return made

    def _inline(self, paragraph: Any, token: Token) -> None:
        looks, address = Format(), ""
        for child in token.children or []:
            if child.type in ("strong_open", "strong_close"):
                looks = replace(looks, bold=True if child.nesting == 1 else None)
            elif child.type in ("em_open", "em_close"):
                looks = replace(looks, italic=True if child.nesting == 1 else None)
            elif child.type in ("s_open", "s_close"):
                looks = replace(looks, strike=True if child.nesting == 1 else None)
            elif child.type in ("link_open", "link_close"):
                address = str(child.attrGet("href") or "") if child.nesting == 1 else ""
            elif child.type == "image":
                self._picture(paragraph, str(child.attrGet("src") or ""), child.content)
            elif child.type == "text" and not address:
                self._text(paragraph, child, looks)
            else:
                self._words(paragraph, child, looks, address)

    def _text(self, paragraph: Any, token: Token, looks: Format) -> None:
        """Words, with the marks of footnotes between them."""
        at = 0
        for named in MENTION.finditer(token.content):
            if self._footnotes.holds(named[1]):
                self._plain(paragraph, token.content[at : named.start()], looks)
                self._footnotes.mention(paragraph, named[1])
                at = named.end()
        self._plain(paragraph, token.content[at:], looks)

    def _plain(self, paragraph: Any, words: str, looks: Format) -> None:
        if words:
            dress(paragraph.add_run(words), looks)

    def _words(self, paragraph: Any, token: Token, looks: Format, address: str) -> None:
        words = {"softbreak": " ", "hardbreak": "\n"}.get(token.type, token.content)
        if token.type == "html_inline":
            if not re.match(r"<br\s*/?>", words, re.IGNORECASE):
                return
            words = "\n"
        if token.type == "code_inline":
            looks = replace(looks, font=CODE_FONT)
        if not words:
            return
        run = link(paragraph, words, address) if address else paragraph.add_run(words)
        dress(run, looks)

    def _picture(self, paragraph: Any, address: str, alt: str) -> None:
        held = self._pictures.get(address)
        if held is None:
            link(paragraph, alt or address, address)
            self.notes.append(f"The picture {address} was not found in the allowed folders; its address stands there instead.")
            return
        add_picture(self._document, paragraph, base64.b64decode(held), alt, None)

    def _code(self, words: str) -> None:
        made = self._paragraph(None)
        dress(made.add_run(words.rstrip("\n")), Format(font=CODE_FONT, size=9.5))
        shade(made._p.get_or_add_pPr(), CODE)  # noqa: SLF001

    def _rule(self) -> None:
        made = self._document.add_paragraph()
        line_below(made._p.get_or_add_pPr())  # noqa: SLF001

    def _html(self, content: str) -> None:
        if re.search(r"<!--\s*page\s*-?break\s*-->", content, re.IGNORECASE):
            self._document.add_page_break()
            return
        words = re.sub(r"<!--.*?-->|<[^>]*>", "", content, flags=re.DOTALL).strip()
        if words:
            self._document.add_paragraph(words)

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[Token]] = []
        sides: list[str] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                sides.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
            elif token.type == "inline":
                rows[-1].append(token)
        table = new_table(self._document, len(rows), max(len(row) for row in rows), None)
        for row, made in zip(rows, table.rows, strict=True):
            for token, cell, side in zip(row, made.cells, sides, strict=False):
                self._inline(cell.paragraphs[0], token)
                if side:
                    align(cell.paragraphs[0], side)
        head(table)
        self._after_table = True


def _room_above(paragraph: Any) -> None:
    from docx.shared import Pt

    paragraph.paragraph_format.space_before = Pt(ROOM)


def new_table(document: Doc, rows: int, columns: int, style: str | None) -> Any:
    """An empty table with lines, of a style that the document has."""
    if columns > COLUMNS:
        raise WorkError(
            f"A table of Word has at most {COLUMNS} columns; this one has {columns:,}. Split it, or use a spreadsheet."
        )
    table = document.add_table(rows, columns)
    names = {one.name for one in document.styles}
    if style and style not in names:
        raise WorkError(f"The document has no table style {style!r}. It has: {', '.join(_table_styles(document)) or 'none'}.")
    for wanted in (style, "Table Grid", "Light Grid Accent 1"):
        if wanted and wanted in names:
            table.style = wanted
            return table
    return table


def _table_styles(document: Doc) -> list[str]:
    from docx.enum.style import WD_STYLE_TYPE

    return [str(one.name) for one in document.styles if one.type == WD_STYLE_TYPE.TABLE][:30]


def head(table: Any) -> None:
    """The first row is bold, and repeated on every page."""
    row = table.rows[0]
    plain = table.style is None or table.style.name == "Table Grid"  # another style has a head of its own
    for cell in row.cells:
        if plain:
            shade(cell._tc.get_or_add_tcPr(), HEAD)  # noqa: SLF001
        for paragraph in cell.paragraphs:
            for run in paragraph.runs:
                run.bold = True
    properties = row._tr.get_or_add_trPr()  # noqa: SLF001
    properties.append(properties.makeelement(properties.tag.replace("trPr", "tblHeader")))


def add_picture(document: Doc, paragraph: Any, data: bytes, alt: str, width_cm: float | None) -> None:
    """A picture in a paragraph, never wider than the page's text. Raises WorkError."""
    from docx.image.exceptions import InvalidImageStreamError, UnexpectedEndOfFileError, UnrecognizedImageError

    try:
        shape: Any = paragraph.add_run().add_picture(io.BytesIO(data))
    except (InvalidImageStreamError, UnexpectedEndOfFileError, UnrecognizedImageError, ValueError) as error:
        raise WorkError(
            "This picture's format cannot be put into a document. Use a PNG, JPEG, GIF, BMP or TIFF file."
        ) from error
    page = document.sections[-1]
    room = int(page.page_width or 0) - int(page.left_margin or 0) - int(page.right_margin or 0)
    wanted = int(width_cm * EMU_PER_CM) if width_cm else shape.width
    width = min(wanted, room) if room > 0 else wanted
    shape.height = max(1, round(shape.height * width / shape.width))
    shape.width = width
    without_distance(shape._inline)  # noqa: SLF001
    if alt:
        shape._inline.docPr.set("descr", alt)  # noqa: SLF001
