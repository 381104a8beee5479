"""What a model is shown of spreadsheets of every kind."""

import datetime as dt
import io
import zipfile
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel import reading
from mcp_servers.excel.sources import Source
from mcp_servers.worker import WorkError
from tests.mcp_servers.excel.test_bombs import SHEET, sheet_with, with_part


def stored(workbook: Workbook) -> bytes:
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def first(workbook: Workbook) -> Worksheet:
    assert isinstance(workbook.active, Worksheet)
    return workbook.active


def page(data: bytes, name: str = "a.xlsx", **options: Any) -> dict[str, Any]:
    wanted: dict[str, Any] = {"sheet": None, "range": None, "start_row": None, "rows": 100, "formulas": False}
    return reading.read_sheet(Source.of(data, name), **{**wanted, **options})


def test_values_keep_their_types_and_dates_are_iso() -> None:
    workbook = Workbook()
    day = dt.datetime.fromisoformat("2026-01-31")
    first(workbook).append(["Ünï", 1, 1.25, True, day, day.replace(hour=13, minute=5), dt.time(8, 30), dt.timedelta(hours=30)])
    told = page(stored(workbook))["data"]["values"]
    assert told == [["Ünï", 1, 1.25, True, "2026-01-31", "2026-01-31T13:05:00", "08:30:00", "30:00:00"]]


def test_dates_of_the_1904_calendar_are_right() -> None:
    workbook = Workbook()
    workbook.epoch = CALENDAR_MAC_1904
    first(workbook)["A1"] = dt.datetime.fromisoformat("2026-01-31")
    assert page(stored(workbook))["data"]["values"] == [["2026-01-31"]]


def test_a_formula_is_told_with_its_result_or_as_not_calculated() -> None:
    cells = (
        '<row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>A1*2</f><v>4</v></c><c r="C1"><f>A1&lt;3</f></c></row>'
        '<row r="2"><c r="A2"><v>3</v></c><c r="B2"><f t="shared" ref="B2:B3" si="0">A2+$A$1</f><v>5</v></c></row>'
        '<row r="3"><c r="A3"><v>4</v></c><c r="B3"><f t="shared" si="0"/><v>6</v></c></row>'
    )
    told = page(sheet_with(cells))
    assert told["data"]["values"] == [[2, 4, None], [3, 5, None], [4, 6, None]]
    assert told["data"]["formulas"] == {"B1": "=A1*2", "C1": "=A1<3", "B2": "=A2+$A$1", "B3": "=A3+$A$1"}
    assert told["data"]["not_calculated"] == ["C1"]
    assert "(not calculated)" in told["text"]
    shown = page(sheet_with(cells), formulas=True, start_row=3)
    assert "3\t4\t=A3+$A$1" in shown["text"]


def test_a_workbook_without_dimensions_or_cell_references_is_read() -> None:
    assert page(sheet_with('<row><c><v>1</v></c><c t="str"><v>x</v></c></row>'))["data"]["values"] == [[1, "x"]]
    assert page(with_part("xl/worksheets/sheet1.xml", SHEET.format("").encode()))["data"]["values"] == [[None]]


def test_large_sheets_come_in_pages() -> None:
    workbook = Workbook()
    for number in range(250):
        first(workbook).append([number, f"row {number}"])
    data = stored(workbook)
    told = page(data)
    assert (told["data"]["range"], told["data"]["next_start_row"]) == ("A1:B100", 101)
    assert "start_row=101" in told["text"]
    last = page(data, start_row=201)["data"]
    assert (last["range"], last["next_start_row"], last["values"][-1]) == ("A201:B250", None, [249, "row 249"])
    with pytest.raises(WorkError, match="ends at row 250"):
        page(data, start_row=251)


def test_ranges_tables_and_names_are_understood_and_unknown_ones_list_what_there_is() -> None:
    workbook = Workbook()
    first(workbook).title = "My data"
    for row in (["a", "b", "c"], [1, 2, 3], [4, 5, 6]):
        first(workbook).append(row)
    first(workbook).add_table(Table(displayName="Numbers", ref="A1:B3"))
    workbook.defined_names["corner"] = DefinedName("corner", attr_text="'My data'!$C$3")
    workbook.create_sheet("Empty").sheet_state = "hidden"
    data = stored(workbook)
    assert page(data, range="numbers")["data"]["values"] == [["a", "b"], [1, 2], [4, 5]]
    assert page(data, range="corner")["data"]["values"] == [[6]]
    assert page(data, range="B:B")["data"]["values"] == [["b"], [2], [5]]
    assert page(data, sheet="empty", range="'My data'!B2:C2")["data"]["values"] == [[2, 3]]
    with pytest.raises(WorkError, match="Numbers, corner"):
        page(data, range="nowhere")
    with pytest.raises(WorkError, match="My data, Empty"):
        page(data, sheet="Nope")
    described = reading.describe_workbook(Source.of(data, "a.xlsx"))
    assert [(one["name"], one["state"]) for one in described["data"]["sheets"]] == [
        ("My data", "visible"),
        ("Empty", "hidden"),
    ]
    assert "Table Numbers: My data!A1:B3" in described["text"]


def test_merged_ranges_and_line_ends_in_cells_are_shown_plainly() -> None:
    workbook = Workbook()
    first(workbook)["A1"] = "two\nlines\tand a tab"
    first(workbook).merge_cells("A1:B2")
    told = page(stored(workbook))
    assert "1\ttwo\\nlines\\tand a tab" in told["text"]
    assert told["data"]["merged"] == ["A1:B2"]


@pytest.mark.parametrize(
    ("data", "encoding", "delimiter"),
    [
        ("name;city\nÁngel;Málaga\n".encode("cp1252"), None, ";"),
        ("name,city\nÁngel,Málaga\n".encode("utf-8-sig"), "utf-8-sig", ","),
        ("name\tcity\nÁngel\tMálaga\n".encode("utf-16"), "utf-16", "\t"),
        ("sep=|\nname|city\nÁngel|Málaga\n".encode(), "utf-8", "|"),
    ],
)
def test_a_csv_is_read_whatever_its_encoding_and_delimiter(data: bytes, encoding: str | None, delimiter: str) -> None:
    source = Source.of(data, "a.csv")
    assert source.grid("a").rows == [["name", "city"], ["Ángel", "Málaga"]]
    assert source.csv.delimiter == delimiter
    assert encoding in (None, source.csv.encoding)


def test_numbers_of_a_csv_are_numbers_and_codes_stay_texts() -> None:
    assert page(b'n,code,x\n1.5,007,"a,b"\n', "a.csv")["data"]["values"][1] == [1.5, "007", "a,b"]


def test_cells_are_found_in_all_sheets() -> None:
    workbook = Workbook()
    first(workbook)["B2"] = "Total cost"
    workbook.create_sheet("Two")["A1"] = "total"
    source = Source.of(stored(workbook), "a.xlsx")
    options: dict[str, Any] = {"sheet": None, "match_case": False, "most": 10}
    found = reading.find_cells(source, text="TOTAL", whole_cell=False, **options)["data"]["found"]
    assert [(one["sheet"], one["cell"]) for one in found] == [("Sheet", "B2"), ("Two", "A1")]
    assert len(reading.find_cells(source, text="total", whole_cell=True, **options)["data"]["found"]) == 1


def test_a_workbook_that_cannot_be_read_says_the_true_cause() -> None:
    workbook = Workbook()
    with zipfile.ZipFile(io.BytesIO(stored(workbook))) as old:
        parts = {name: old.read(name).replace(b"worksheets/", b"macrosheets/") for name in old.namelist()}
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    rels = parts["xl/_rels/workbook.xml.rels"]
    parts["xl/_rels/workbook.xml.rels"] = rels.replace(
        kind, b"http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet"
    )
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as new:
        for name, body in parts.items():
            new.writestr(name.replace("worksheets/", "macrosheets/"), body)
    with pytest.raises(WorkError, match="has sheets of Excel 4 macros"):
        page(data.getvalue())
