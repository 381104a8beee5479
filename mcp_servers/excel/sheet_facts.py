"""What a sheet of an .xlsx has beside its values: comments, rules, links, widths, frozen panes, charts, pictures."""

import re
from typing import Any
from xml.etree import ElementTree as ET

from mcp_servers.excel.parts import Parts, local
from mcp_servers.excel.sources import Source
from mcp_servers.worker import WorkError

MOST = 500
"""The most comments, links or rules that are told."""

_CELLS = re.compile(rb"<(\w+:)?sheetData\b.*</(?:\w+:)?sheetData\s*>", re.DOTALL)
_HIDDEN_ROW = re.compile(rb"""<(?:\w+:)?row\b(?=[^>]*\bhidden=["'](?:1|true)["'])[^>]*?\br=["'](\d+)["']""")


def describe_sheet(source: Source, *, sheet: str | None) -> dict[str, Any]:
    """The facts as text and data; only what is there is told."""
    if source.parts is None:
        raise WorkError(f"{source.name} is an .{source.kind} file; only .xlsx and .xlsm files tell this. read_sheet reads it.")
    name = source.sheet_name(sheet)
    part = source.parts.part_of(name)
    facts: dict[str, Any] = {"sheet": name, "range": str(source.used(name) or ""), "state": dict(source.sheets)[name]}
    facts |= _facts_of_sheet(source.parts, part)
    facts |= _facts_beside(source.parts, part)
    facts["merged"] = [str(area) for area in source.merged(name)][:MOST]
    facts["tables"] = [{"name": n, "range": str(a.area)} for n, a in source.tables.items() if a.sheet == name]
    told = {key: value for key, value in facts.items() if value not in (None, "", [], {})}
    return {"text": "\n".join(_line(key, value) for key, value in told.items()), "data": told}


def _line(key: str, value: Any) -> str:
    if isinstance(value, list):
        return "\n".join([f"{key}:", *(f"- {_words(one)}" for one in value)])  # pyright: ignore[reportUnknownVariableType]
    return f"{key}: {_words(value)}"


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {one}" for key, one in value.items())  # pyright: ignore[reportUnknownVariableType]
    return str(value)


def _facts_of_sheet(parts: Parts, part: str) -> dict[str, Any]:
    text = parts.bytes_of(part)
    tree = _tree(_CELLS.sub(b"", text), parts.name)
    found: dict[str, list[ET.Element]] = {}
    for element in tree.iter():
        found.setdefault(local(element), []).append(element)
    panes = found.get("pane", [])
    filters = found.get("autoFilter", [])
    hidden = [element for element in found.get("col", []) if element.get("hidden") in ("1", "true")]
    return {
        "frozen_at": panes[0].get("topLeftCell") if panes and "rozen" in panes[0].get("state", "") else None,
        "filter": filters[0].get("ref") if filters else None,
        "protected": bool(found.get("sheetProtection")) or None,
        "hidden_columns": [_columns(element) for element in hidden][:MOST],
        "hidden_rows": [int(row) for row in _HIDDEN_ROW.findall(text)][:MOST],
        "conditional_formats": [_conditional(one) for one in found.get("conditionalFormatting", [])][:MOST],
        "validations": [_validation(one) for one in found.get("dataValidation", [])][:MOST],
    }


def _columns(element: ET.Element) -> str:
    from mcp_servers.excel.areas import letters

    first, last = int(element.get("min", "1")), int(element.get("max", "1"))
    return letters(first) if first == last else f"{letters(first)}:{letters(last)}"


def _conditional(element: ET.Element) -> dict[str, Any]:
    rules = [one for one in element if local(one) == "cfRule"]
    formulas = ["".join(one.itertext()) for rule in rules for one in rule if local(one) == "formula"]
    return {"range": element.get("sqref", ""), "rules": [one.get("type", "") for one in rules], "formulas": formulas}


def _validation(element: ET.Element) -> dict[str, Any]:
    formulas = ["".join(one.itertext()) for one in element if local(one).startswith("formula")]
    return {"range": element.get("sqref", ""), "allow": element.get("type", "anything"), "formulas": formulas}


def _facts_beside(parts: Parts, part: str) -> dict[str, Any]:
    comments: list[dict[str, Any]] = []
    links: list[str] = []
    charts = pictures = 0
    for kind, target in parts.related(part):
        if kind == "comments":
            comments += _comments(_tree(parts.bytes_of(target), parts.name))
        elif kind == "hyperlink":
            links.append(target)
        elif kind == "drawing":
            kinds = [kind for kind, _ in parts.related(target)]
            charts, pictures = charts + kinds.count("chart"), pictures + kinds.count("image")
    return {"comments": comments[:MOST], "links": links[:MOST], "charts": charts or None, "pictures": pictures or None}


def _comments(tree: ET.Element) -> list[dict[str, Any]]:
    authors = ["".join(one.itertext()) for one in tree.iter() if local(one) == "author"]
    found: list[dict[str, Any]] = []
    for one in tree.iter():
        if local(one) != "comment":
            continue
        texts = ["".join(run.itertext()) for run in one.iter() if local(run) == "t"]
        index = int(one.get("authorId", "0") or 0)
        author = authors[index] if index < len(authors) else ""
        found.append({"cell": one.get("ref", ""), "author": author, "text": "".join(texts)})
    return found


def _tree(text: bytes, name: str) -> ET.Element:
    try:
        return ET.fromstring(text or b"<none/>")  # noqa: S314 - entities were refused before
    except ET.ParseError as error:
        raise WorkError(f"{name} is damaged: a part of it is no XML ({error}).") from error
