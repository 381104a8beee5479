"""Changes of a workbook, read back with openpyxl from what would be stored."""

import base64
import io
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.book import Book
from mcp_servers.excel.edits import EDITS
from mcp_servers.excel.job import change
from mcp_servers.worker import WorkError
from tests.mcp_servers.excel.test_bombs import with_part

CELLS: dict[str, Any] = {"sheet": None, "formulas": False, "dates": True}


def stored(workbook: Workbook) -> bytes:
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def book_of(rows: list[list[Any]], title: str = "Data") -> Workbook:
    workbook = Workbook()
    sheet = sheet_of(workbook)
    sheet.title = title
    for row in rows:
        sheet.append(row)
    return workbook


def sheet_of(workbook: Workbook) -> Worksheet:
    sheet = workbook.active
    assert isinstance(sheet, Worksheet)
    return sheet


def unheard(done: float, of: float | None, words: str) -> None:
    """Progress that nobody listens to."""


def edited(workbook: Workbook, edit: str, **arguments: Any) -> Workbook:
    book = Book.opened(stored(workbook), "a.xlsx")
    EDITS[edit](book, **arguments)
    return load_workbook(io.BytesIO(book.stored()))


def values(workbook: Workbook, sheet: str | None = None) -> list[tuple[Any, ...]]:
    found = workbook[sheet] if sheet else sheet_of(workbook)
    return list(found.iter_rows(values_only=True))


def test_formulas_are_written_only_when_asked_for() -> None:
    as_text = edited(book_of([]), "set_cells", cells={"A1": "=SUM(B1:B2)", "A2": "#N/A"}, **CELLS)
    sheet = sheet_of(as_text)
    assert [(sheet[w].value, sheet[w].data_type) for w in ("A1", "A2")] == [("=SUM(B1:B2)", "s"), ("#N/A", "s")]
    real = edited(book_of([]), "set_cells", cells={"A1": "=XLOOKUP(1,B:B,C:C)"}, **{**CELLS, "formulas": True})
    assert (sheet_of(real)["A1"].value, sheet_of(real)["A1"].data_type) == ("=_xlfn.XLOOKUP(1,B:B,C:C)", "f")


@pytest.mark.parametrize("formula", ["=cmd|'/c calc'!A0", "=SUM(A1", '=A1&"x'])
def test_formulas_that_start_programs_or_do_not_close_are_refused(formula: str) -> None:
    with pytest.raises(WorkError, match="A1"):
        edited(book_of([]), "set_cells", cells={"A1": formula}, **{**CELLS, "formulas": True})


def test_long_numbers_keep_their_digits_and_control_characters_go() -> None:
    made = edited(book_of([]), "set_cells", cells={"A1": 4111111111111111, "A2": "a\x00b", "A3": "007"}, **CELLS)
    assert values(made) == [("4111111111111111",), ("ab",), ("007",)]


def test_rows_put_in_carry_formulas_merged_cells_rules_and_names_along() -> None:
    workbook = book_of([["n", "sum"], [1, "=SUM(A2:A4)"], [2, "=A3*$A$4"], [3, "=Other!A1"]])
    sheet = sheet_of(workbook)
    sheet.merge_cells("C3:D4")
    sheet.row_dimensions[4].height = 40
    other = workbook.create_sheet("Other")
    other["A1"] = "=Data!A3+A3"
    made = edited(workbook, "change_rows_columns", action="insert", what="rows", at="3", count=2, sheet="Data")
    sheet = made["Data"]
    assert [sheet[w].value for w in ("B2", "B5", "B6")] == ["=SUM(A2:A6)", "=A5*$A$6", "=Other!A1"]
    assert [str(one) for one in sheet.merged_cells.ranges] == ["C5:D6"]
    heights: Any = sheet.row_dimensions
    assert (heights[6].height, made["Other"]["A1"].value) == (40, "=Data!A5+A3")


def test_columns_taken_out_shrink_ranges_and_leave_ref_errors() -> None:
    workbook = book_of([[1, 2, 3, "=SUM(A1:C1)", "=B1"]])
    made = edited(workbook, "change_rows_columns", action="delete", what="columns", at="B", count=1, sheet=None)
    assert values(made) == [(1, 3, "=SUM(A1:B1)", "=#REF!")]


def test_a_copy_carries_formulas_and_formats_and_a_move_leaves_nothing() -> None:
    workbook = book_of([[1, "=A1*2"], [2, "=A2*2"]])
    sheet_of(workbook)["A1"].number_format = "0.00"
    options: dict[str, Any] = {"range": "A1:B2", "to": "D1", "sheet": None, "to_sheet": None}
    copied = sheet_of(edited(workbook, "copy_range", move=False, **options))
    assert (copied["E2"].value, copied["D1"].number_format, copied["B2"].value) == ("=D2*2", "0.00", "=A2*2")
    moved = sheet_of(edited(workbook, "copy_range", move=True, **options))
    assert (moved["E2"].value, moved["A1"].value) == ("=A2*2", None)


def test_records_become_a_table_that_grows_with_appended_rows() -> None:
    options: dict[str, Any] = {"columns": None, "start_cell": "A1", "table_name": "People list", **CELLS}
    made = edited(book_of([]), "write_table", records=[{"Name": "Ann", "Age": 31}, {"Name": "Bo"}], **options)
    assert values(made) == [("Name", "Age"), ("Ann", 31), ("Bo", None)]
    grown = edited(made, "append_rows", rows=[{"age": 5, "name": "Cy"}], **CELLS)
    assert values(grown)[3] == ("Cy", 5)
    assert [(t.displayName, t.ref) for t in sheet_of(grown).tables.values()] == [("People_list", "A1:B4")]
    with pytest.raises(WorkError, match="no header 'Town'"):
        edited(made, "append_rows", rows=[{"Town": "X"}], **CELLS)


def test_text_is_replaced_but_numbers_dates_and_formulas_stay() -> None:
    workbook = book_of([["Cost 1", 1, '="Cost 1"'], ["cost 2", None, "x"]])
    options: dict[str, Any] = {"sheet": None, "whole_cell": False, "match_case": False, "in_formulas": False}
    made = edited(workbook, "replace_text", find="cost", replace="Price", **options)
    assert values(made) == [("Price 1", 1, '="Cost 1"'), ("Price 2", None, "x")]
    with pytest.raises(WorkError, match="not found"):
        edited(workbook, "replace_text", find="zzz", replace="", **options)


def test_a_text_with_several_fonts_keeps_them_when_a_part_is_replaced() -> None:
    workbook = book_of([])
    sheet_of(workbook)["A1"] = CellRichText("cost ", TextBlock(InlineFont(b=True), "cost"))
    options: dict[str, Any] = {"sheet": None, "whole_cell": False, "match_case": False, "in_formulas": False}
    book = Book.opened(stored(workbook), "a.xlsx")
    EDITS["replace_text"](book, find="cost", replace="price", **options)
    rich = load_workbook(io.BytesIO(book.stored()), rich_text=True)
    value: Any = sheet_of(rich)["A1"].value
    assert (str(value), value[1].font.b) == ("price price", True)


def test_a_change_names_what_it_cannot_keep() -> None:
    data = with_part("xl/slicers/slicer1.xml", b"<slicers/>")
    request = {"operation": "set_cells", "name": "a.xlsx", "data": base64.b64encode(data).decode()}
    told = change({**request, "arguments": {**CELLS, "cells": {"A1": 1}}}, unheard)
    assert "Lost by this change, since they cannot be kept: slicers" in told["words"]


def test_a_renamed_sheet_is_followed_by_formulas() -> None:
    workbook = book_of([[1]])
    workbook.create_sheet("Sum")["A1"] = "=Data!A1+'Data'!A1"
    options: dict[str, Any] = {"action": "rename", "sheet": "data", "new_name": "My data", "position": None}
    made = edited(workbook, "change_sheets", **options)
    assert made["Sum"]["A1"].value == "='My data'!A1+'My data'!A1"
    with pytest.raises(WorkError, match="only sheet"):
        edited(book_of([]), "change_sheets", action="delete", sheet="Data", new_name=None, position=None)


def test_looks_are_changed_one_by_one() -> None:
    workbook = book_of([["a", 1.5], ["b", 2]])
    names = ("italic", "underline", "font_size", "font_color", "align", "wrap", "merge")
    wishes: dict[str, Any] = {**dict.fromkeys(names), "bold": True, "fill_color": "lightyellow", "border": "all"}
    made = edited(workbook, "format_range", range="A1:B1", sheet=None, number_format="percent", **wishes)
    cell = sheet_of(made)["B1"]
    assert (cell.font.b, cell.fill.start_color.rgb, cell.number_format) == (True, "00FFF2CC", "0.0%")
    assert cell.border.left.style == "thin"
    assert sheet_of(made)["B2"].font.b is False
    with pytest.raises(WorkError, match="no colour"):
        edited(workbook, "format_range", range="A1", sheet=None, number_format=None, **{**wishes, "fill_color": "puce?"})


def test_a_sheet_is_laid_out() -> None:
    names = ("row_heights", "show")
    wishes: dict[str, Any] = {**dict.fromkeys(names), "column_widths": {"A:B": 22}, "freeze": "A2", "filter": "A1:B2"}
    made = edited(book_of([["a", 1], ["b", 2]]), "set_layout", sheet=None, fit_columns_of=None, hide=["B", "2"], **wishes)
    sheet = sheet_of(made)
    assert (sheet.column_dimensions["A"].width, sheet.freeze_panes, sheet.auto_filter.ref) == (22, "A2", "A1:B2")
    assert sheet.row_dimensions[2].hidden


def test_writing_inside_a_merged_range_says_where_to_write() -> None:
    workbook = book_of([["a"]])
    sheet_of(workbook).merge_cells("A1:B2")
    with pytest.raises(WorkError, match=r"B2 is inside the merged range A1:B2"):
        edited(workbook, "set_cells", cells={"B2": 1}, **CELLS)


@pytest.mark.parametrize(
    ("texts", "values", "shown"),
    [
        (["98", "65"], [98, 65], "General"),
        (["12.50", "9.90", ""], [12.5, 9.9, None], "0.00"),
        (["1.5", 2, "3"], [1.5, 2, 3], "General"),
        (["007", "12"], ["007", "12"], "General"),
        (["1.10", "1.9"], ["1.10", "1.9"], "General"),
        (["1,000", "2"], ["1,000", "2"], "General"),
        (["5", "five"], ["5", "five"], "General"),
        (["1234567890123456", "1"], ["1234567890123456", "1"], "General"),
    ],
)
def test_a_column_of_numbers_in_texts_can_be_summed_and_one_of_codes_stays(texts: list[Any], values: list[Any], shown: str):
    records = [{"N": text, "T": "x"} for text in texts]
    more: dict[str, Any] = {"columns": None, "start_cell": "A1", "table_name": None}
    sheet = sheet_of(edited(Workbook(), "write_table", records=records, **more, **CELLS))
    assert [sheet.cell(row, 1).value for row in range(2, len(texts) + 2)] == values
    assert sheet["A2"].number_format == shown
    rows = [["N"], *([text] for text in texts)]
    sheet = sheet_of(edited(Workbook(), "write_cells", rows=rows, start_cell="A1", **CELLS))
    assert [sheet.cell(row, 1).value for row in range(1, len(texts) + 2)] == ["N", *values]
    sheet = sheet_of(edited(Workbook(), "write_cells", rows=rows, start_cell="A1", numbers=False, **CELLS))
    assert [sheet.cell(row, 1).value for row in range(2, len(texts) + 2)] == [text or None for text in texts]


def test_rows_below_a_column_of_codes_stay_texts():
    there = book_of([["Code", "N"], ["0012", 1]])
    sheet = sheet_of(edited(there, "append_rows", rows=[["4711", "2"]], **CELLS))
    assert [cell.value for cell in sheet[3]] == ["4711", 2]


def test_a_table_in_a_new_sheet_prints_on_pages_of_its_width():
    records = [{f"C{n}": n for n in range(9)}]
    more: dict[str, Any] = {"columns": None, "start_cell": "A1", "table_name": None}
    sheet = sheet_of(edited(Workbook(), "write_table", records=records, **more, **CELLS))
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == ("landscape", 1, 0)
    assert sheet.sheet_properties.pageSetUpPr is not None
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    there = book_of([["mine"]])
    kept = sheet_of(edited(there, "write_table", records=records, **{**more, "start_cell": "C5"}, **CELLS))
    assert kept.page_setup.orientation != "landscape"
