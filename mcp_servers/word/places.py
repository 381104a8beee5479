"""Where new content goes: the top or end of the document, or of the section under a heading."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from mcp_servers.word.inline import Walker
from mcp_servers.word.package import Doc, W
from mcp_servers.word.styles import Styles
from mcp_servers.worker import WorkError

Place = Literal["top", "end"]


@dataclass(frozen=True)
class Heading:
    """A heading of the body: its paragraph, level from 1, and words."""

    element: Any
    level: int
    text: str


def headings(document: Doc) -> list[Heading]:
    """All headings that stand directly in the body or in content controls of it, in order."""
    styles, walker = Styles(document), Walker({}, marked=False)
    found: list[Heading] = []
    for paragraph in _paragraphs(document.element.body):
        if level := styles.level(paragraph):
            words = " ".join(walker.paragraph(paragraph).text().split())
            if words:
                found.append(Heading(paragraph, level, words))
    return found


def _paragraphs(holder: Any) -> Iterator[Any]:
    for child in holder.iterchildren(f"{W}p", f"{W}sdt", f"{W}sdtContent"):
        if child.tag == f"{W}p":
            yield child
        else:
            yield from _paragraphs(child)


def heading(document: Doc, wanted: str) -> Heading:
    """The heading with these words, or the only one that holds them. Raises WorkError with those there are."""
    all_of_them = headings(document)
    words = " ".join(wanted.lstrip("# ").split()).casefold()
    same = [one for one in all_of_them if one.text.casefold() == words]
    near = same or [one for one in all_of_them if words and words in one.text.casefold()]
    if len(near) == 1 or same:
        return near[0]
    there = "; ".join(one.text for one in all_of_them[:40]) or "none"
    raise WorkError(f"{'More than one' if near else 'No'} heading fits {wanted!r}. The headings are: {there}.")


def section(document: Doc, of: Heading) -> list[Any]:
    """The elements under a heading, up to the next one of its level or above; its own is not among them."""
    stops = {one.element for one in headings(document) if one.level <= of.level and one.element is not of.element}
    found: list[Any] = []
    for element in of.element.itersiblings():
        if element in stops or element.tag == f"{W}sectPr":
            break
        found.append(element)
    return found


@contextmanager
def inserting(document: Doc, under: str | None, place: Place) -> Generator[list[Any]]:
    """What is added to the document's end inside this goes where it is wanted; the list holds the new elements."""
    body = document.element.body
    target = _target(document, under, place)
    before = set(body.iterchildren())
    new: list[Any] = []
    yield new
    new += [one for one in body.iterchildren() if one not in before and one.tag != f"{W}sectPr"]
    at = target
    for element in new:
        if at is None:
            body.insert(0, element)
        elif at is not body:
            at.addnext(element)
        else:
            continue
        at = element


def _target(document: Doc, under: str | None, place: Place) -> Any:
    """The element to put the new ones after; the body itself: at its end; None: at its top, where there is no title."""
    body = document.element.body
    if under is None:
        return body if place == "end" else _title(document)
    found = heading(document, under)
    if place == "top":
        return found.element
    inside = section(document, found)
    return inside[-1] if inside else found.element


def is_title(document: Doc, element: Any) -> bool:
    """Whether it is a paragraph of the document's own title."""
    from docx.text.paragraph import Paragraph

    if element.tag != f"{W}p":
        return False
    style = Paragraph(element, document._body).style  # noqa: SLF001
    return style is not None and style.name in ("Title", "Subtitle")


def _title(document: Doc) -> Any:
    """The last element of the title that the document begins with; None where it has none."""
    last = None
    for element in document.element.body.iterchildren():
        if not is_title(document, element):
            break
        last = element
    return last
