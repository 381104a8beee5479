"""Lists that count for themselves: each numbered list begins anew, whatever template the document has."""

from __future__ import annotations

from typing import Any

from mcp_servers.word.package import Doc, W, element

DEPTHS = 9
MARKS = ("•", "◦", "▪")
FORMATS = ("decimal", "lowerLetter", "lowerRoman")
NAMES = {True: "LeoChatNumbers", False: "LeoChatBullets"}
STEP = 360
"""Twentieths of a point that each level is indented (a quarter of an inch)."""


def new_list(document: Doc, *, ordered: bool, start: int = 1) -> int:
    """The number of a new list, for `join`."""
    numbering = _numbering(document)
    abstract = _abstract(numbering, ordered)
    number = 1 + max((_id(one, "numId") for one in numbering.iterchildren(f"{W}num")), default=0)
    made = _sub(numbering, "num", numId=number)
    _sub(made, "abstractNumId", val=abstract)
    if ordered:
        _sub(_sub(made, "lvlOverride", ilvl=0), "startOverride", val=start)
    return number


def join(paragraph: Any, number: int, depth: int) -> None:
    """Make a python-docx paragraph an item of a list, at a depth from 0."""
    properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # noqa: SLF001
    properties.get_or_add_ilvl().val = min(depth, DEPTHS - 1)
    properties.get_or_add_numId().val = number


def _abstract(numbering: Any, ordered: bool) -> int:
    there = list(numbering.iterchildren(f"{W}abstractNum"))
    for one in there:
        name = one.find(f"{W}name")
        if name is not None and name.get(f"{W}val") == NAMES[ordered]:
            return _id(one, "abstractNumId")
    number = 1 + max((_id(one, "abstractNumId") for one in there), default=-1)
    made = numbering.makeelement(f"{W}abstractNum")
    made.set(f"{W}abstractNumId", str(number))
    _sub(made, "multiLevelType", val="hybridMultilevel")
    _sub(made, "name", val=NAMES[ordered])
    for depth in range(DEPTHS):
        _level(made, depth, ordered)
    place = len(there)  # the schema wants all of these before the first `num`
    if there:
        there[-1].addnext(made)
    else:
        numbering.insert(place, made)
    return number


def _level(abstract: Any, depth: int, ordered: bool) -> None:
    level = _sub(abstract, "lvl", ilvl=depth)
    _sub(level, "start", val=1)
    _sub(level, "numFmt", val=FORMATS[depth % 3] if ordered else "bullet")
    _sub(level, "lvlText", val=f"%{depth + 1}." if ordered else MARKS[depth % 3])
    _sub(level, "lvlJc", val="left")
    _sub(_sub(level, "pPr"), "ind", left=STEP * 2 + STEP * depth, hanging=STEP)


def _sub(parent: Any, tag: str, **values: object) -> Any:
    made = parent.makeelement(f"{W}{tag}")
    for key, said in values.items():
        made.set(f"{W}{key}", str(said))
    parent.append(made)
    return made


def _id(element: Any, name: str) -> int:
    text = element.get(f"{W}{name}") or ""
    return int(text) if text.lstrip("-").isdecimal() else 0


def _numbering(document: Doc) -> Any:
    """The root of the numbering part, which is made if the document has none."""
    from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.parts.numbering import NumberingPart

    for relation in document.part.rels.values():
        if relation.reltype == RELATIONSHIP_TYPE.NUMBERING and not relation.is_external:
            return relation.target_part.element
    package: Any = document.part.package
    part = NumberingPart(PackURI("/word/numbering.xml"), CONTENT_TYPE.WML_NUMBERING, element("w:numbering"), package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.NUMBERING)
    return part.element
