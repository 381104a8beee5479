"""Files made to hurt are refused in words, before anything is opened."""

import io
import struct
import time
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from mcp_servers.excel import far_cells
from mcp_servers.excel.areas import Area
from mcp_servers.excel.parts import Parts
from mcp_servers.excel.sources import Source
from mcp_servers.worker import WorkError
from tests.mcp_servers.calls import Tools

SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'


def plain() -> bytes:
    workbook = Workbook()
    assert workbook.active is not None
    workbook.active["A1"] = "x"
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def with_part(part: str, content: bytes, base: bytes | None = None) -> bytes:
    """A workbook with one part replaced or added."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(base or plain())) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
        new.writestr(part, content)
    return made.getvalue()


def sheet_with(cells: str) -> bytes:
    return with_part("xl/worksheets/sheet1.xml", SHEET.format(cells).encode())


def far_cell() -> bytes:
    return sheet_with('<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')


def far_cell_in_a_near_row() -> bytes:
    return sheet_with('<row r="1"><c r="A1"><v>1</v></c><c r="XFD1048576"><v>1</v></c></row>')


def steep() -> bytes:
    return with_part("xl/worksheets/sheet1.xml", SHEET.format(" " * 50_000_000).encode())


def entities() -> bytes:
    start = '<!DOCTYPE lol [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    return with_part("xl/workbook.xml", f"{start}<workbook>&b;</workbook>".encode())


def hidden_entities() -> bytes:
    start = f"<?xml version='1.0' encoding='utf-16'?><!-- {'x' * 1000} --><!DOCTYPE a SYSTEM 'file:///etc/passwd'>"
    return with_part("xl/sharedStrings.xml", f"{start}<sst/>".encode("utf-16"))


def overlapping() -> bytes:
    """Two names for the same bytes, as in bombs that need no nesting."""
    data = bytearray(with_part("xl/media/a.bin", b"x" * 1000))
    second = data.rindex(b"PK\x01\x02")
    first_offset = struct.unpack_from("<I", data, data.index(b"PK\x01\x02") + 42)[0]
    struct.pack_into("<I", data, second + 42, first_offset)
    return bytes(data)


def many_parts() -> bytes:
    made = io.BytesIO(plain())
    with zipfile.ZipFile(made, "a") as archive:
        for index in range(10_001):
            archive.writestr(f"xl/media/{index}", b"")
    return made.getvalue()


def repeated_cells() -> bytes:
    row = '<table:table-row table:number-rows-repeated="1048576">'
    cell = '<table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"/>'
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", f"<office:document-content>{row}{cell}</table:table-row></office:document-content>")
    return made.getvalue()


BOMBS = {
    "far cell": (far_cell, "far apart"),
    "far cell in a near row": (far_cell_in_a_near_row, "far apart"),
    "zip bomb": (steep, "zip bomb"),
    "entity bomb": (entities, "entities"),
    "entity in UTF-16": (hidden_entities, "document type"),
    "overlapping parts": (overlapping, "overlap"),
    "too many parts": (many_parts, "parts"),
    "repeated cells": (repeated_cells, "repeated cells"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_it_is_refused_quickly_and_in_words(name: str) -> None:
    make, words = BOMBS[name]
    data = make()
    start = time.process_time()
    with pytest.raises(WorkError, match=words):
        Source.of(data, "b.xlsx")
    assert time.process_time() - start < 2


async def test_a_small_file_with_a_far_cell_is_refused_by_the_tools_and_not_touched(folder: Path, tools: Tools) -> None:
    data = far_cell()
    assert len(data) < 8192
    (folder / "far.xlsx").write_bytes(data)
    assert "XFD1048576" in await tools.refused("read_sheet", path="far.xlsx")
    assert "XFD1048576" in await tools.refused("set_cells", path="far.xlsx", cells={"A1": 1})
    assert (folder / "far.xlsx").read_bytes() == data


async def test_what_gets_past_the_look_ends_with_its_process_and_in_words(folder: Path, tools: Tools) -> None:
    cells = '<row><c r = "A1"><v>1</v></c><c r="&#88;FD1048576"><v>1</v></c></row>'
    (folder / "sly.xlsx").write_bytes(sheet_with(cells))
    words = await tools.refused("read_sheet", path="sly.xlsx")
    assert "sly.xlsx" in words or "memory" in words or "processed" in words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<html><table><tr><td>1</td></tr></table></html>", "web page"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "not a workbook"),
        (b"%PDF-1.7", "PDF"),
        (b"", "empty"),
        (b"PK\x03\x04 cut off", "damaged"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x01\x02\x03", "no workbook"),
        (plain()[:-400], "damaged"),
        (with_part("word/document.xml", b"<w/>"), "Word"),
    ],
)
def test_what_is_no_workbook_is_told_what_it_is(data: bytes, words: str) -> None:
    with pytest.raises(WorkError, match=words):
        Source.of(data, "a.xls")


def test_a_long_sheet_is_known_to_be_near_in_one_look_wherever_its_pieces_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f'<row r="{n}" spans="1:2" ht="15"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, 60))
    archive = zipfile.ZipFile(io.BytesIO(sheet_with(rows)))
    for size in range(40, 120):
        monkeypatch.setattr(far_cells, "CHUNK", size)
        assert far_cells._surely_near(archive, "xl/worksheets/sheet1.xml", "a.xlsx"), size  # pyright: ignore[reportPrivateUsage]


def test_a_page_at_the_end_of_a_sheet_is_found_beside_texts_that_look_like_its_row() -> None:
    text = '<is><t>&lt;row r="3" r="4"</t></is>'
    rows = "".join(
        f'<row spans="1:2" r="{n}"><c r="A{n}" t="inlineStr">{text}</c><c r="B{n}"><f>A{n}+1</f></c></row>' for n in range(1, 5)
    )
    parts = Parts(sheet_with(rows), "a.xlsx")
    assert list(parts.formulas("Sheet", Area(3, 1, 3, 2))) == ["B3"]
    assert list(parts.formulas("Sheet", Area(4, 1, 9, 2))) == ["B4"]
