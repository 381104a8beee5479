"""Looks of paragraphs, cells and pictures for which python-docx has no words: ground colours, lines, distances."""

from __future__ import annotations

from typing import Any

from mcp_servers.word.package import W, element

HEAD = "DDE7F3"
CODE = "F2F2F2"

# The order that the schema wants (ISO/IEC 29500-1, CT_PPrBase): what comes after, for an element put in before it.
_AFTER_BORDERS = ("shd", "tabs", "suppressAutoHyphens", "spacing", "ind", "contextualSpacing", "jc", "outlineLvl", "rPr")


def shade(properties: Any, color: str) -> None:
    """Give a paragraph (its `pPr`) or a cell (its `tcPr`) a ground of this colour, RRGGBB."""
    ground = element("w:shd")
    for key, said in (("val", "clear"), ("color", "auto"), ("fill", color)):
        ground.set(f"{W}{key}", said)
    _put(properties, ground, _AFTER_BORDERS[1:])


def line_below(properties: Any) -> None:
    """A thin line under a paragraph (its `pPr`)."""
    borders, line = element("w:pBdr"), element("w:bottom")
    for key, said in (("val", "single"), ("sz", "6"), ("space", "1"), ("color", "auto")):
        line.set(f"{W}{key}", said)
    borders.append(line)
    _put(properties, borders, _AFTER_BORDERS)


def without_distance(inline: Any) -> None:
    """A picture in the line begins where the line does; left out, some programs take an eighth of an inch."""
    for side in ("T", "B", "L", "R"):
        inline.set(f"dist{side}", "0")


def _put(properties: Any, made: Any, before: tuple[str, ...]) -> None:
    for old in properties.findall(made.tag):
        properties.remove(old)
    follower = next((one for one in properties if one.tag in {f"{W}{name}" for name in before}), None)
    if follower is None:
        properties.append(made)
    else:
        follower.addprevious(made)
