"""Charts, pictures, comments, rules and summaries, read back with openpyxl."""

import base64
import io
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image

from mcp_servers.excel.book import Book
from mcp_servers.excel.edits import EDITS
from mcp_servers.excel.sheet_facts import describe_sheet
from mcp_servers.excel.sources import Source
from mcp_servers.excel.summaries import summary
from mcp_servers.worker import WorkError

SALES: list[list[Any]] = [
    ["Region", "Year", "Amount", "Client"],
    ["North", 2025, 10, "a"],
    ["South", 2025, 5.5, "b"],
    ["North", 2026, 20, "a"],
    [None, 2026, 1, "c"],
    ["South", 2026, "n/a", "b"],
]


def stored(rows: list[list[Any]]) -> bytes:
    workbook = Workbook()
    assert isinstance(workbook.active, Worksheet)
    for row in rows:
        workbook.active.append(row)
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def edited(data: bytes, edit: str, **arguments: Any) -> bytes:
    book = Book.opened(data, "a.xlsx")
    EDITS[edit](book, **arguments)
    return book.stored()


def first(data: bytes) -> Any:
    return load_workbook(io.BytesIO(data)).active


@pytest.mark.parametrize("kind", ["column", "bar", "line", "area", "pie", "doughnut", "scatter"])
def test_a_chart_shows_its_range_and_survives_later_changes(kind: str) -> None:
    options: dict[str, Any] = {"sheet": None, "at": None, "x_title": "x", "y_title": None, "stacked": False}
    data = edited(stored([["m", "v"], ["a", 1], ["b", 2]]), "add_chart", range="A1:B3", kind=kind, title="T", **options)
    moved = edited(data, "change_rows_columns", action="insert", what="rows", at="1", count=1, sheet=None)
    chart = first(moved)._charts[0]
    values = chart.series[0].yVal if kind == "scatter" else chart.series[0].val
    assert values.numRef.f == "'Sheet'!$B$3:$B$4"


def test_charts_cover_neither_the_data_nor_each_other() -> None:
    options: dict[str, Any] = {"sheet": None, "at": None, "title": None, "x_title": None, "y_title": None, "stacked": False}
    data = stored([["m", "v", "", "", "note"], ["a", 1, "", "", "x"], ["b", 2]])
    for _ in range(2):
        data = edited(data, "add_chart", range="A1:B3", kind="column", **options)
    columns = [chart.anchor._from.col + 1 for chart in first(data)._charts]
    assert columns[0] > 5
    assert columns[1] >= columns[0] + 8


def test_a_picture_is_put_in_with_its_shape_and_what_is_none_is_refused() -> None:
    made = io.BytesIO()
    Image.new("RGB", (200, 100), "red").save(made, "PNG")
    picture = base64.b64encode(made.getvalue()).decode()
    data = edited(stored([["x"]]), "add_image", image=picture, at="C3", sheet=None, width=50)
    image = first(data)._images[0]
    assert (image.anchor._from.row, image.anchor._from.col) == (2, 2)
    with pytest.raises(WorkError, match="no picture"):
        edited(data, "add_image", image=base64.b64encode(b"text").decode(), at="A1", sheet=None, width=None)


def test_a_comment_is_set_and_taken_away() -> None:
    data = edited(stored([["x"]]), "set_comment", cell="A1", text="Look\nhere", sheet=None, author="Ann")
    assert (first(data)["A1"].comment.text, first(data)["A1"].comment.author) == ("Look\nhere", "Ann")
    assert first(edited(data, "set_comment", cell="A1", text=None, sheet=None, author="Ann"))["A1"].comment is None


@pytest.mark.parametrize(
    ("condition", "value", "value2", "formula"),
    [
        ("less", 0, None, ["0"]),
        ("between", 1, "=C1", ["1", "C1"]),
        ("equal", 'a"b', None, ['"a""b"']),
        ("contains", "x", None, ['ISNUMBER(SEARCH("x",A2))']),
        ("duplicate", None, None, ["COUNTIF($A$2:$A$9,A2)>1"]),
        ("formula", "=$B2>1", None, ["$B2>1"]),
        ("color_scale", None, None, []),
        ("data_bar", None, None, []),
        ("icons", None, None, []),
    ],
)
def test_a_conditional_format_holds_its_condition(condition: str, value: Any, value2: Any, formula: list[str]) -> None:
    options: dict[str, Any] = {"value": value, "value2": value2, "fill_color": "lightred", "font_color": None}
    data = edited(stored([["x"]]), "add_conditional_format", range="A2:A9", sheet=None, condition=condition, **options)
    (rule,) = (rule for one in first(data).conditional_formatting for rule in one.rules)
    assert list(rule.formula) == formula


@pytest.mark.parametrize(
    ("allow", "wishes", "kind", "formula"),
    [
        ("list", {"choices": ["yes", "no"]}, "list", '"yes,no"'),
        ("list", {"choices_range": "A1:A3"}, "list", "'Sheet'!$A$1:$A$3"),
        ("whole", {"minimum": 1, "maximum": 10}, "whole", "1"),
        ("date", {"minimum": "2026-01-31"}, "date", "DATE(2026,1,31)"),
        ("formula", {"formula": "=LEN(B1)=5"}, "custom", "LEN(B1)=5"),
    ],
)
def test_what_may_be_typed_in_is_set_and_taken_away(allow: str, wishes: dict[str, Any], kind: str, formula: str) -> None:
    names = ("choices", "choices_range", "minimum", "maximum", "formula", "message")
    options: dict[str, Any] = {**dict.fromkeys(names), "range": "B1:B9", "sheet": None}
    data = edited(stored([["x"]]), "set_validation", allow=allow, **{**options, **wishes})
    (rule,) = first(data).data_validations.dataValidation
    assert (rule.type, rule.formula1, str(rule.sqref)) == (kind, formula, "B1:B9")
    bare = edited(data, "set_validation", allow="anything", **options)
    assert first(bare).data_validations.dataValidation == []


def test_a_sheet_tells_its_comments_rules_and_charts() -> None:
    data = edited(stored(SALES), "set_comment", cell="A1", text="Look\nhere", sheet=None, author="Ann")
    names = ("choices_range", "minimum", "maximum", "formula", "message")
    data = edited(data, "set_validation", allow="list", choices=["a"], range="B1", sheet=None, **dict.fromkeys(names))
    options: dict[str, Any] = {"value": 5, "value2": None, "fill_color": "red", "font_color": None, "sheet": None}
    data = edited(data, "add_conditional_format", range="C2:C6", condition="less", **options)
    names = ("sheet", "title", "at", "x_title", "y_title")
    data = edited(data, "add_chart", range="B1:C3", kind="line", stacked=False, **dict.fromkeys(names))
    names = ("sheet", "column_widths", "row_heights", "fit_columns_of", "filter", "show")
    data = edited(data, "set_layout", freeze="A2", hide=["D", "3"], **dict.fromkeys(names))
    told = describe_sheet(Source.of(data, "a.xlsx"), sheet=None)
    facts = told["data"]
    assert facts["comments"] == [{"cell": "A1", "author": "Ann", "text": "Look\nhere"}]
    assert facts["validations"] == [{"range": "B1", "allow": "list", "formulas": ['"a"']}]
    assert facts["conditional_formats"] == [{"range": "C2:C6", "rules": ["cellIs"], "formulas": ["5"]}]
    assert (facts["charts"], facts["frozen_at"]) == (1, "A2")
    assert (facts["hidden_columns"], facts["hidden_rows"]) == (["D"], [3])
    assert "- cell A1, author Ann, text Look" in told["text"]


def test_a_table_is_summed_up_by_groups_and_across() -> None:
    source = Source.of(stored(SALES), "a.xlsx")
    options: dict[str, Any] = {"sheet": None, "range": None, "where": None}
    values: Any = {"amount": "sum", "Client": "distinct"}
    assert summary(source, group_by=["region"], values=values, across=None, **options) == [
        ["Region", "sum of Amount", "distinct of Client"],
        ["(empty)", 1, 1],
        ["North", 30, 1],
        ["South", 5.5, 1],
        ["Total", 36.5, 3],
    ]
    assert summary(source, group_by=["Region"], values=values, across="Year", **options) == [
        ["Region", 2025, 2026, "sum of Amount"],
        ["(empty)", None, 1, 1],
        ["North", 10, 20, 30],
        ["South", 5.5, None, 5.5],
        ["Total", 15.5, 21, 36.5],
    ]
    options["where"] = {"year": 2025}
    only = summary(source, group_by=[], values={"Amount": "average"}, across=None, **options)
    assert only == [["average of Amount"], [7.75]]
    with pytest.raises(WorkError, match="Region, Year, Amount, Client"):
        summary(source, group_by=["Town"], values=values, across=None, **options)


def test_a_summary_is_written_to_a_sheet_of_its_own_again_and_again() -> None:
    names = ("sheet", "range", "across", "where")
    options: dict[str, Any] = {**dict.fromkeys(names), "group_by": ["Year"], "values": {"Amount": "max"}, "to_sheet": "Sum"}
    data = edited(edited(stored(SALES), "add_summary", **options), "add_summary", **options)
    made = load_workbook(io.BytesIO(data))
    assert made.sheetnames == ["Sheet", "Sum"]
    assert list(made["Sum"].iter_rows(values_only=True)) == [("Year", "max of Amount"), (2025, 10), (2026, 20), ("Total", 20)]
