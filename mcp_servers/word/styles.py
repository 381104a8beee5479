"""What a paragraph is by its style: a heading of a level, a list item, a quotation, or plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mcp_servers.word.package import Doc, W, element

HEADING = re.compile(r"heading ([1-9])$", re.IGNORECASE)
CHAIN = 12
"""How many styles are followed from one to the one it is based on."""


@dataclass(frozen=True)
class ListPlace:
    """Where a list item stands: its list, how deep (from 0), whether it has numbers, and where they begin."""

    number: str
    depth: int
    ordered: bool
    start: int


class Styles:
    """The document's styles and lists, as far as reading needs them."""

    def __init__(self, document: Doc) -> None:
        self._styles = {style.get(f"{W}styleId"): style for style in document.styles.element.iterchildren(f"{W}style")}
        self._default = next(
            (key for key, style in self._styles.items() if style.get(f"{W}default") and style.get(f"{W}type") == "paragraph"),
            None,
        )
        numbering = _numbering(document)
        self._abstracts = {one.get(f"{W}abstractNumId"): one for one in numbering.iterchildren(f"{W}abstractNum")}
        self._numbers = {one.get(f"{W}numId"): one for one in numbering.iterchildren(f"{W}num")}

    def name(self, paragraph: Any) -> str:
        """The name of a paragraph's style."""
        for style in self._chain(paragraph):
            return value(style, "name") or ""
        return ""

    def level(self, paragraph: Any) -> int:
        """The level of a heading from 1 (a title too), 0 for other text."""
        own = value(paragraph.find(f"{W}pPr"), "outlineLvl")
        if own is not None and own.isdecimal():
            return int(own) + 1 if int(own) < 9 else 0
        for style in self._chain(paragraph):
            name = value(style, "name") or ""
            if found := HEADING.match(name):
                return int(found.group(1))
            if name.lower() == "title":
                return 1
            level = value(style.find(f"{W}pPr"), "outlineLvl")
            if level is not None and level.isdecimal():
                return int(level) + 1 if int(level) < 9 else 0
        return 0

    def place(self, paragraph: Any) -> ListPlace | None:
        """The paragraph's place in a list; None where it is no list item."""
        number, depth = None, None
        for source in (paragraph, *self._chain(paragraph)):
            given = source.find(f"{W}pPr/{W}numPr")
            if given is not None:
                number = number or value(given, "numId")
                depth = depth or value(given, "ilvl")
        if not number or number == "0" or number not in self._numbers:
            return None
        deep = min(int(depth), 8) if depth and depth.isdecimal() else 0
        level = self._level_of(number, str(deep))
        kind = value(level, "numFmt") if level is not None else "bullet"
        start = value(level, "start") or "1"
        return ListPlace(number, deep, kind not in ("bullet", "none", None), int(start) if start.isdecimal() else 1)

    def _level_of(self, number: str, depth: str) -> Any:
        chosen = self._numbers[number]
        for override in chosen.iterchildren(f"{W}lvlOverride"):
            level = override.find(f"{W}lvl")
            if override.get(f"{W}ilvl") == depth and level is not None:
                return level
        abstract = self._abstracts.get(value(chosen, "abstractNumId"))
        if abstract is None:
            return None
        return next((level for level in abstract.iterchildren(f"{W}lvl") if level.get(f"{W}ilvl") == depth), None)

    def _chain(self, paragraph: Any) -> list[Any]:
        key = value(paragraph.find(f"{W}pPr"), "pStyle") or self._default
        found: list[Any] = []
        while key in self._styles and len(found) < CHAIN:
            found.append(self._styles[key])
            key = value(found[-1], "basedOn")
        return found


def value(holder: Any, tag: str) -> str | None:
    """The `w:val` of a child."""
    child = holder.find(f"{W}{tag}") if holder is not None else None
    return None if child is None else child.get(f"{W}val")


def _numbering(document: Doc) -> Any:
    from docx.opc.constants import RELATIONSHIP_TYPE

    for relation in document.part.rels.values():
        if relation.reltype == RELATIONSHIP_TYPE.NUMBERING and not relation.is_external:
            found: Any = getattr(relation.target_part, "element", None)
            if found is not None:
                return found
    return element("w:numbering")
