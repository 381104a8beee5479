"""The changes a document can be given, one function each; every one says in a sentence what it did."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcp_servers.word import looks
from mcp_servers.word.building import Builder, add_picture, head, new_table
from mcp_servers.word.looks import Format
from mcp_servers.word.package import Doc
from mcp_servers.word.places import Place, heading, headings, inserting, is_title, section
from mcp_servers.word.text import found_line, lines, pattern
from mcp_servers.worker import WorkError

Runs = Sequence[Mapping[str, Any]]


_WRITTEN_OUT = re.compile(r"\\n(?:\\n|[-*>|#]|\d+\.)")


@dataclass
class Done:
    """What was done, in words; `shown` is Markdown of the new text for the card; `notes` the reader should know."""

    words: str
    shown: str = ""
    notes: list[str] = field(default_factory=list[str])


def write_document(document: Doc, markdown: str, title: str | None, pictures: Mapping[str, str]) -> Done:
    """Put the whole text in place of what was there; page set-up, styles, headers and footers stay."""
    body = document.element.body
    for element in [one for one in body.iterchildren() if not one.tag.endswith("}sectPr")]:
        body.remove(element)
    if title:
        document.core_properties.title = title[:255]
        looks.styled(document.add_paragraph(title), "Title")
    builder = Builder(document, pictures)
    markdown = with_lines(markdown)
    builder.markdown(markdown)
    count = len(document.paragraphs) + len(document.tables)
    return Done(f"Wrote the document: {count} paragraphs and tables.", markdown, builder.notes)


def add_content(document: Doc, markdown: str, under: str | None, place: Place, pictures: Mapping[str, str]) -> Done:
    """Add Markdown."""
    builder = Builder(document, pictures)
    notes = _several(document, under)
    markdown = with_lines(markdown)
    with inserting(document, under, place) as new:
        builder.markdown(markdown)
    words = f"Added {len(new)} paragraphs and tables {_where(under, place)}."
    return Done(words, markdown, [*notes, *builder.notes])


def with_lines(markdown: str) -> str:
    """Small models often write the two characters \\n where a line ends; a text that has no line but those is meant so."""
    return markdown if "\n" in markdown or not _WRITTEN_OUT.search(markdown) else markdown.replace("\\n", "\n")


def _several(document: Doc, wanted: str | None) -> list[str]:
    """A note where a heading is there more than once: the first one is taken."""
    if not wanted:
        return []
    words = heading(document, wanted).text.casefold()
    count = sum(one.text.casefold() == words for one in headings(document))
    return [f"There were {count} headings {wanted!r}; this was the first of them."] if count > 1 else []


def add_paragraph(document: Doc, runs: Runs, style: str | None, align: str | None, under: str | None, place: Place) -> Done:
    """Add one paragraph of runs, each with its own looks."""
    with inserting(document, under, place):
        made = document.add_paragraph()
        if style:
            made.style = looks.style_of(document, style)
        if align:
            looks.align(made, align)
        for run in runs:
            words, address = str(run.get("text", "")), str(run.get("link") or "")
            looks.dress(looks.link(made, words, address) if address else made.add_run(words), Format.of(run))
    return Done(f"Added a paragraph {_where(under, place)}.", made.text)


def add_table(
    document: Doc, rows: Sequence[Sequence[Any]], style: str | None, header: bool, under: str | None, place: Place
) -> Done:
    """Add a table of texts."""
    width = max(len(row) for row in rows)
    if not width:
        raise WorkError("The rows are empty. Give at least one cell.")
    with inserting(document, under, place):
        table = new_table(document, len(rows), width, style)
        for row, made in zip(rows, table.rows, strict=True):
            for said, cell in zip(row, made.cells, strict=False):
                cell.text = "" if said is None else str(said)
        if header:
            head(table)
    return Done(f"Added a table of {len(rows)} rows and {width} columns {_where(under, place)}.")


def add_picture_file(
    document: Doc, picture: str, alt: str, width_cm: float | None, caption: str | None, under: str | None, place: Place
) -> Done:
    """Add a picture (base64) in a paragraph of its own."""
    with inserting(document, under, place):
        add_picture(document, document.add_paragraph(), base64.b64decode(picture), alt, width_cm)
        if caption:
            looks.styled(document.add_paragraph(caption), "Caption")
    return Done(f"Added the picture {_where(under, place)}.", caption or alt)


def add_page_break(document: Doc, under: str | None, place: Place) -> Done:
    """Begin a new page."""
    with inserting(document, under, place):
        document.add_page_break()
    return Done(f"Added a page break {_where(under, place)}.")


def add_contents(document: Doc, levels: int, title: str | None, under: str | None, place: Place) -> Done:
    """Add a table of contents: a field that Word brings up to date, filled with the headings there are."""
    there = [one for one in headings(document) if one.level <= levels and not is_title(document, one.element)]
    with inserting(document, under, place):
        if title:
            looks.styled(document.add_paragraph(title), "TOC Heading")
        shown = "\n".join(f"{'    ' * (one.level - 1)}{one.text}" for one in there) or "No headings yet."
        looks.field(document.add_paragraph(), rf'TOC \o "1-{levels}" \h \z \u', shown, dirty=True)
    note = "Word fills in the page numbers when the document is opened, or with F9."
    return Done(f"Added a table of contents with {len(there)} headings {_where(under, place)}.", shown, [note])


def set_header_footer(document: Doc, header: str | None, footer: str | None, page_numbers: bool) -> Done:
    """Write headers and footers of all sections; None leaves one alone, "" empties it."""
    for number, part in enumerate(document.sections):
        for edge, words in ((part.header, header), (part.footer, footer)):
            if words is None or (edge.is_linked_to_previous and number):
                continue
            edge.is_linked_to_previous = False
            first, *rest = edge.paragraphs
            first.text = words
            for more in rest:
                more._p.getparent().remove(more._p)  # noqa: SLF001
        if page_numbers and not (part.footer.is_linked_to_previous and number):
            made = part.footer.paragraphs[-1]
            if made.text:
                made.add_run(" · ")
            looks.field(made, "PAGE", "1")
            made.add_run(" / ")
            looks.field(made, "NUMPAGES", "1")
    own = any(part.different_first_page_header_footer for part in document.sections)
    notes = ["A first page has a header and footer of its own, which stay."] if own else []
    return Done("Wrote the header and footer.", "\n\n".join(words for words in (header, footer) if words), notes)


def replace_text(document: Doc, find: str, replace: str, match_case: bool, whole_word: bool) -> Done:
    """Replace a text everywhere, over run borders, with formats kept."""
    expression = pattern(find, match_case=match_case, whole_word=whole_word)
    count = sum(0 if repeated else line.replace(expression, replace) for line, repeated in lines(document))
    for line, repeated in lines(document):
        if repeated:
            line.replace(expression, replace)
    if not count:
        raise WorkError(f"The text {find!r} is not in the document. Nothing was changed; read_document shows what is there.")
    return Done(f"Replaced {find!r} {count} times.", replace)


def format_text(
    document: Doc, find: str, occurrence: int, style: str | None, align: str | None, looking: dict[str, Any]
) -> Done:
    """Give a text other looks, and its paragraph a style or an alignment."""
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

    line, match = found_line(document, find, occurrence)
    paragraph = Paragraph(line.paragraph, document._body)  # noqa: SLF001
    if style:
        paragraph.style = looks.style_of(document, style)
    if align:
        looks.align(paragraph, align)
    wanted = Format.of(looking)
    if wanted != Format():
        for run in line.runs(match.start(), match.end()):
            looks.dress(Run(run, paragraph), wanted)
    return Done(f"Formatted {match.group()!r}.", match.group())


def set_style(document: Doc, style: str, looking: dict[str, Any]) -> Done:
    """Change a style itself, and with it all text that has it."""
    chosen = looks.style_of(document, style)
    wanted = Format.of(looking)
    if not hasattr(chosen, "font"):
        raise WorkError(f"The style {chosen.name!r} is one of lists, which has no font.")
    for name in ("bold", "italic", "underline"):
        if (said := getattr(wanted, name)) is not None:
            setattr(chosen.font, name, said)
    looks.dress_font(chosen.font, wanted)
    return Done(f"Changed the style {chosen.name!r}.")


def add_comment(document: Doc, find: str, comment: str, author: str, occurrence: int) -> Done:
    """Comment on a text."""
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

    line, match = found_line(document, find, occurrence)
    paragraph = Paragraph(line.paragraph, document._body)  # noqa: SLF001
    runs = [Run(run, paragraph) for run in line.runs(match.start(), match.end())]
    if not runs:
        raise WorkError(f"The text {find!r} cannot carry a comment.")
    document.add_comment(runs, text=comment, author=author, initials=author[:1])
    return Done(f"Commented on {match.group()!r}.", comment)


def delete_section(document: Doc, of: str) -> Done:
    """Take away a heading and what is under it."""
    found = heading(document, of)
    notes = _several(document, of)
    inside = section(document, found)
    for element in (*inside, found.element):
        element.getparent().remove(element)
    return Done(f"Deleted the section {found.text!r}: {len(inside) + 1} paragraphs and tables.", notes=notes)


def _where(under: str | None, place: Place) -> str:
    if under is None:
        return f"at the {place} of the document"
    return f"at the {place} of the section {under!r}"


EDITS: dict[str, Callable[..., Done]] = {
    one.__name__: one
    for one in (
        write_document, add_content, add_paragraph, add_table, add_picture_file, add_page_break, add_contents,
        set_header_footer, replace_text, format_text, set_style, add_comment, delete_section,
    )
}  # fmt: skip
