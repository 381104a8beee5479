"""The few things of an .xlsx that are read from its own XML, because no fast library tells them."""

import posixpath
import re
import zipfile
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree import ElementTree as ET

from mcp_servers.excel.areas import Area, letters
from mcp_servers.excel.far_cells import column_number
from mcp_servers.office_zip import opened
from mcp_servers.worker import WorkError

_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_REL_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_ROW = re.compile(rb"""<(?:\w+:)?row\b[^>]*?\br=["'](\d+)["']""")
_CELL = re.compile(rb"<((?:\w+:)?)c\b([^>]*?)(?:/>|>(.*?)</\1c>)", re.DOTALL)
_WITH_FORMULA = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["'][^>]*>\s*<(?:\w+:)?f[\s/>]""")
_FORMULA = re.compile(rb"<(?:\w+:)?f\b([^>]*?)(?:/>|>(.*?)</(?:\w+:)?f>)", re.DOTALL)
_VALUE = re.compile(rb"<(?:\w+:)?(?:v|is)\b[^>]*>(.*?)</(?:\w+:)?(?:v|is)>", re.DOTALL)
_ATTRIBUTE = re.compile(rb"""\b(\w+)=["']([^"']*)["']""")
_SHAPE = re.compile(rb"<(?:\w+:)?(?:sp|grpSp|cxnSp)[\s>]")
_ERROR = re.compile(rb"""\bt=["']e["']""")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}

LOST = {
    "xl/slicers/": "slicers",
    "xl/slicercaches/": "slicers",
    "xl/timelines/": "timelines",
    "xl/ctrlprops/": "form controls",
    "xl/activex/": "ActiveX controls",
    "xl/threadedcomments/": "threaded comments (kept as plain ones)",
    "xl/diagrams/": "SmartArt",
    "xl/model/": "the data model",
    "xl/querytables/": "query tables",
    "xl/connections.xml": "data connections",
}
"""What a change of the workbook loses, by the names of its parts."""


YOUNGER = {
    b"<x14:sparklineGroup ": "sparklines",
    b"<x14:dataValidation ": "drop-down lists and rules that refer to other sheets",
    b"<x14:conditionalFormatting ": "newer details of conditional formats",
}
"""What a change loses of a sheet's extensions ([MS-XLSX] 2.2), which stand at its end."""

YOUNGER_WITHIN = 256 * 1024


@dataclass(frozen=True)
class Formula:
    """A cell's formula, and whether the file holds a result for it."""

    text: str
    calculated: bool


@dataclass
class Sheet:
    """A sheet's name, its part, and whether it is shown (visible, hidden or veryHidden)."""

    name: str
    part: str
    state: str = "visible"


@dataclass
class Parts:
    """An .xlsx or .xlsm, opened as an archive."""

    data: bytes
    name: str
    _read: dict[str, bytes] = field(default_factory=dict[str, bytes])

    @cached_property
    def archive(self) -> zipfile.ZipFile:
        return opened(self.data, self.name)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """All sheets in order."""
        book = self._tree("xl/workbook.xml")
        targets = {
            rel.get("Id"): rel.get("Target", "") for rel in self._tree("xl/_rels/workbook.xml.rels") if rel.get("Target")
        }
        found: list[Sheet] = []
        for element in book.iter():
            if local(element) == "sheet":
                target = targets.get(element.get(_REL) or element.get(_REL_STRICT), "")
                part = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
                found.append(Sheet(element.get("name", ""), part, element.get("state", "visible")))
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """The workbook's named ranges and what they stand for; not Excel's own, such as the rows it prints on each page."""
        found = (e for e in self._tree("xl/workbook.xml").iter() if local(e) == "definedName")
        told = {e.get("name", ""): (e.text or "").strip() for e in found if not e.get("hidden") and e.text}
        return {name: target for name, target in told.items() if not name.startswith("_xlnm.")}

    @cached_property
    def lost(self) -> list[str]:
        """What a change would lose, in words."""
        there = {part.lower(): part for part in self.archive.namelist()}
        found = {words for start, words in LOST.items() if any(part.startswith(start) for part in there)}
        sheets = [part for low, part in there.items() if low.startswith("xl/worksheets/sheet")]
        found |= {words for part in sheets for mark, words in YOUNGER.items() if mark in self.bytes_of(part)[-YOUNGER_WITHIN:]}
        drawings = [part for low, part in there.items() if low.startswith("xl/drawings/drawing")]
        if any(_SHAPE.search(self.bytes_of(part)) for part in drawings):
            found.add("shapes and text boxes")
        if any(part.startswith("xl/media/") and part.endswith((".emf", ".wmf", ".svg")) for part in there):
            found.add("drawn pictures (EMF, WMF, SVG)")
        return sorted(found)

    def formulas(self, sheet: str, area: Area) -> dict[str, Formula]:
        """The formulas of the area by cell, such as {"C2": ...}."""
        text = self._sheet(sheet)
        found: dict[str, Formula] = {}
        for match in _CELL.finditer(_rows(text, area.top, area.bottom)):
            inner = match.group(3)
            if not inner or b"<" not in inner or (formula := _FORMULA.search(inner)) is None:
                continue
            attributes = _attributes(match.group(2))
            where = attributes.get("r", "")
            column, row = _split(where)
            if not (area.left <= column <= area.right and area.top <= row <= area.bottom):
                continue
            value = _VALUE.search(inner)
            written = self._formula(text, formula, where)
            found[where] = Formula(f"={written}", value is not None and bool(value.group(1).strip()))
        return found

    def errors(self, sheet: str, area: Area) -> dict[str, str]:
        """The cells of the area that hold an error, such as {"C2": "#DIV/0!"}."""
        text = _rows(self._sheet(sheet), area.top, area.bottom)
        found: dict[str, str] = {}
        for match in _CELL.finditer(text) if _ERROR.search(text) else ():
            attributes = _attributes(match.group(2))
            column, row = _split(where := attributes.get("r", ""))
            inside = area.left <= column <= area.right and area.top <= row <= area.bottom
            if attributes.get("t") == "e" and inside and (value := _VALUE.search(match.group(3) or b"")):
                found[where] = _plain(value.group(1)).strip()
        return found

    def formula_area(self, sheet: str) -> Area | None:
        """Around all formulas: those without a result are no values, but are there."""
        found = _WITH_FORMULA.findall(self._sheet(sheet))
        if not found:
            return None
        columns = {column_number(column) for column in {column for column, _ in found}}
        rows = {int(row) for _, row in found}
        return Area(min(rows), min(columns), max(rows), max(columns))

    def _formula(self, text: bytes, formula: re.Match[bytes], where: str) -> str:
        own = _plain(formula.group(2) or b"")
        attributes = _attributes(formula.group(1))
        if own or attributes.get("t") != "shared":
            return own
        from mcp_servers.excel.shifting import carried

        master = _master(text, attributes.get("si", ""))
        if master is None:
            return ""
        origin, source = master
        return carried(f"={source}", origin, where)[1:]

    def part_of(self, name: str) -> str:
        """The part that holds a sheet."""
        return next((sheet.part for sheet in self.sheets if sheet.name == name), "")

    def related(self, part: str) -> list[tuple[str, str]]:
        """The kind (comments, drawing, chart, ...) and the part or address of everything that a part points to."""
        folder, name = posixpath.split(part)
        found: list[tuple[str, str]] = []
        for rel in self._tree(f"{folder}/_rels/{name}.rels"):
            kind, target = rel.get("Type", "").rpartition("/")[2], rel.get("Target", "")
            if rel.get("TargetMode") != "External":
                target = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            found.append((kind, target))
        return found

    def _sheet(self, name: str) -> bytes:
        part = self.part_of(name)
        if part not in self._read:
            self._read[part] = self.bytes_of(part)
        return self._read[part]

    def bytes_of(self, part: str) -> bytes:
        """A part unpacked; empty where there is none."""
        try:
            return self.archive.read(part)
        except KeyError:
            return b""
        except (zipfile.BadZipFile, OSError, EOFError) as error:
            raise WorkError(f"{self.name} is damaged: {part} cannot be unpacked ({error}).") from error

    def _tree(self, part: str) -> ET.Element:
        try:
            return ET.fromstring(self.bytes_of(part) or b"<none/>")  # noqa: S314 - entities were refused before
        except ET.ParseError as error:
            raise WorkError(f"{self.name} is damaged: {part} is no XML ({error}).") from error


def _rows(text: bytes, first: int, last: int) -> bytes:
    """The part of a sheet's XML that holds these rows."""
    start = end = None
    for match in _ROW.finditer(text, max(0, _place(text, first))):
        row = int(match.group(1))
        if start is None and row >= first:
            start = match.start()
        if row > last:
            end = match.start()
            break
    return b"" if start is None else text[start:end]


def _place(text: bytes, row: int) -> int:
    """Where the row begins, found without looking at those before it; -1 where it is not there, or written unusually."""
    mark = b' r="%d"' % row
    at = text.find(mark)
    while at >= 0:
        begin = text.rfind(b"<", 0, at)
        if begin >= 0 and _ROW.match(text, begin, at + len(mark)):
            return begin
        at = text.find(mark, at + 1)
    return -1


def _master(text: bytes, index: str) -> tuple[str, str] | None:
    """Where a shared formula is written out, and its text."""
    written = re.compile(rb"""<(?:\w+:)?f\b[^>]*\bsi=["']%s["'][^>]*(?<!/)>(.*?)</""" % re.escape(index.encode()), re.DOTALL)
    match = written.search(text)
    if match is None:
        return None
    before = text[max(0, match.start() - 4096) : match.start()]
    cells = list(re.finditer(rb"""<(?:\w+:)?c\b[^>]*?\br=["']([A-Z]+\d+)["']""", before))
    return (cells[-1].group(1).decode(), _plain(match.group(1))) if cells else None


def _attributes(text: bytes) -> dict[str, str]:
    return {key.decode(): value.decode("utf-8", "replace") for key, value in _ATTRIBUTE.findall(text)}


def _plain(text: bytes) -> str:
    words = text.decode("utf-8", "replace")
    for entity, letter in _ENTITIES.items():
        words = words.replace(entity, letter)
    return words


def _split(where: str) -> tuple[int, int]:
    column = where.rstrip("0123456789")
    row = where[len(column) :]
    return (column_number(column), int(row)) if column and row and column.isalpha() else (0, 0)


def local(element: ET.Element) -> str:
    """An element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def cell_name(row: int, column: int) -> str:
    """B2 for row 2, column 2."""
    return f"{letters(column)}{row}"
