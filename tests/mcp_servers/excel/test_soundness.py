"""Changes that would leave a file which Excel calls damaged, or a person without what was there."""

import io
import zipfile
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel import cells, formats, structure
from mcp_servers.excel.book import Book, quiet
from mcp_servers.excel.formula_text import checked_formula
from mcp_servers.worker import WorkError
from tests.mcp_servers.calls import Tools
from tests.mcp_servers.excel.test_bombs import SHEET, sheet_with, with_part
from tests.mcp_servers.excel.test_reading import page

LOOKS: dict[str, Any] = dict.fromkeys(
    ("bold", "italic", "underline", "font_size", "font_color", "fill_color", "align", "wrap", "border", "merge")
)


def book_with_table() -> Book:
    workbook = Workbook()
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    for row in (["Name", "Age"], ["Ann", 31], ["Bo", 40]):
        sheet.append(row)
    sheet.add_table(Table(displayName="People", ref="A1:B3"))
    made = io.BytesIO()
    workbook.save(made)
    return Book.opened(made.getvalue(), "a.xlsx")


def headers(book: Book) -> list[str]:
    sheet: Any = load_workbook(io.BytesIO(book.stored())).active
    table = sheet.tables["People"]
    named = [column.name for column in table.tableColumns]
    assert named == [cell.value for cell in sheet[table.ref][0]], "Excel repairs files where these differ"
    return named


def test_a_table_keeps_headers_that_excel_accepts() -> None:
    book = book_with_table()
    structure.copy_range(book, range="A1:A3", to="D1", sheet=None, to_sheet=None, move=True)
    assert headers(book) == ["Column1", "Age"]
    assert any("A1 Column1" in note for note in book.notes)

    cells.set_cells(book, cells={"A1": 2026, "B1": "2026"}, sheet=None, formulas=False, dates=True)
    assert headers(book) == ["2026", "2026 (2)"]


def test_a_table_whose_headers_are_gone_becomes_plain_cells() -> None:
    book = book_with_table()
    cells.clear_range(book, range="A1:B1", sheet=None, what="values")
    sheet: Any = load_workbook(io.BytesIO(book.stored())).active
    assert not sheet.tables
    assert sheet["A2"].value == "Ann"


def test_a_second_table_is_not_written_over_the_first() -> None:
    book = book_with_table()
    wishes: dict[str, Any] = {"columns": None, "sheet": None, "start_cell": "A1", "table_name": None}
    with pytest.raises(WorkError, match=r"holds other cells already .*another sheet, or start_cell .* A5"):
        cells.write_table(book, records=[{"City": "Roma"}], **wishes, formulas=False, dates=True)
    done = cells.write_table(book, records=[{"Name": "Cy", "Age": 31}], **wishes, formulas=False, dates=True)
    assert done.notes == ["1 cell(s) there held something else before; undo_changes brings it back."]


def test_no_cell_is_written_so_far_away_that_the_file_is_refused_afterwards() -> None:
    book = book_with_table()
    cells.write_cells(book, rows=[["x"]], sheet=None, start_cell="XFD1048576", formulas=False, dates=True)
    with pytest.raises(WorkError, match="nearer"):
        book.stored()


@pytest.mark.parametrize(
    "formula",
    [
        "=SUM(A1;B1)", "=SUMA(A1,B1)", "=SI(A1>0,1,2)", "=A1+", "==A1", "=A1*/B1", "=(A1+)", "=1;2",
    ],
)  # fmt: skip
def test_what_excel_could_not_read_is_no_formula(formula: str) -> None:
    with pytest.raises(WorkError):
        checked_formula(formula, "A1")


@pytest.mark.parametrize(
    "formula",
    [
        '=IF(A1>0,"a;b",{1;2})', "=-A1*-1", "=SUM(-A1,+B1,,C1)", "=A1<>B1", "='My; sheet'!A1", "=VLOOKUP(A1,B:C,2,)",
        "=50%*A1", "=A1=-1", "=T[[#Headers],[a;b]]", '=A1&"=+"', "=SUM(A:A)^2",
    ],
)  # fmt: skip
def test_what_excel_reads_is_kept_as_it_is(formula: str) -> None:
    assert checked_formula(formula, "A1") == formula


@pytest.mark.parametrize("code", ["zzz[[", "0 kg", '0 "kg', "0;0;0;0;0"])
def test_a_number_format_that_damages_the_file_is_refused(code: str) -> None:
    with pytest.raises(WorkError, match="in quotes"):
        formats.format_range(book_with_table(), range="B2", sheet=None, number_format=code, **LOOKS)


@pytest.mark.parametrize(
    "code",
    ['0.0 "kg"', "#,##0.00 [$€-407]", "[Red]-0;[Blue]0;;@", "dd/mm/yyyy hh:mm AM/PM", "_-* #,##0_-", "0.00E+00", "€ #,##0"],
)
def test_number_formats_of_excel_are_taken(code: str) -> None:
    book = book_with_table()
    formats.format_range(book, range="B2", sheet=None, number_format=code, **LOOKS)
    assert book.sheet(None)["B2"].number_format == code


def test_errors_in_cells_are_told_and_numbers_without_binary_noise() -> None:
    errors = '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1" t="e"><v>#N/A</v></c>'
    told = page(sheet_with(f'<row r="1">{errors}<c r="C1"><v>6.614999999999999</v></c></row>'))
    assert told["data"]["values"] == [["#DIV/0!", "#N/A", 6.615]]


def test_what_a_change_loses_of_newer_excels_is_said() -> None:
    lines = '<x14:sparklineGroups xmlns:x14="x"><x14:sparklineGroup type="line"/></x14:sparklineGroups>'
    young = f"<extLst><ext uri='x'>{lines}</ext></extLst>"
    sheet = SHEET.format('<row r="1"><c r="A1"><v>1</v></c></row>').replace("</worksheet>", f"{young}</worksheet>")
    made = with_part("xl/worksheets/sheet1.xml", sheet.encode())
    assert Book.opened(made, "a.xlsx").lost == ["sparklines"]


SPARKLINES = (
    '<x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main">'
    '<x14:sparklineGroup displayEmptyCellsAs="gap" xr2:uid="{1}"><x14:sparklines><x14:sparkline><xm:f>Sheet!A1:B1</xm:f>'
    "<xm:sqref>D1</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups>"
)


@pytest.mark.parametrize(
    ("tool", "arguments", "kept"),
    [
        ("set_cells", {"cells": {"C1": "new"}}, True),
        ("write_table", {"sheet": "Other", "records": [{"Name": "Ann"}]}, True),
        ("change_rows_columns", {"action": "insert", "at": "1"}, False),
    ],
)
async def test_sparklines_stay_unless_cells_move(tools: Tools, folder: Any, tool: str, arguments: Any, kept: bool) -> None:
    ours = 'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" xmlns:xr2="urn:uids"'
    young = f'<extLst><ext uri="{{05C60535-1F16-4fd2-B633-F4F36F0B64E0}}">{SPARKLINES}</ext></extLst>'
    sheet = SHEET.format('<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>')
    sheet = sheet.replace("<worksheet ", f"<worksheet {ours} ").replace("</worksheet>", f"{young}</worksheet>")
    (folder / "a.xlsx").write_bytes(with_part("xl/worksheets/sheet1.xml", sheet.encode()))
    told = await tools.ok(tool, path="a.xlsx", **arguments)
    assert ("Lost by this change, since they cannot be kept: sparklines" in told) is not kept
    with zipfile.ZipFile(folder / "a.xlsx") as archive:
        written = archive.read("xl/worksheets/sheet1.xml").decode()
    assert (SPARKLINES in written) is kept
    ET.fromstring(written)  # every prefix is declared
    with quiet():
        assert load_workbook(folder / "a.xlsx").worksheets[0]["B1" if kept else "B2"].value == 2
    again = await tools.ok("set_cells", path="a.xlsx", cells={"C1": 5})
    assert "Lost by this change" not in again


async def test_a_missing_file_is_answered_with_those_that_are_there(tools: Tools, folder: Any) -> None:
    for name in ("sales.xlsx", "costs.csv", "letter.docx", ".hidden.xlsx"):
        (folder / name).write_bytes(b"x")
    told = await tools.refused("read_sheet", path="sale.xlsx")
    assert told == f"sale.xlsx does not exist. In {folder} there are: sales.xlsx, costs.csv."
    assert "sales.xlsx" in await tools.refused("replace_text", path="sale.xlsx", find="a", replace="b")
    assert not (folder / "sale.xlsx").exists()
    assert "nor does its folder" in await tools.refused("read_sheet", path="no/sale.xlsx")
