"""Edits that give cells rules: conditional formats and what may be typed in."""

# ruff: noqa: A002 - the argument names are the tools'

from typing import Any, Literal, cast

from openpyxl.formatting import rule as _untyped
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from mcp_servers.excel.areas import Area, letters
from mcp_servers.excel.book import Book, Done
from mcp_servers.excel.conditions import Condition
from mcp_servers.excel.formats import colour
from mcp_servers.excel.formula_text import checked_formula
from mcp_servers.worker import WorkError

LIST_LENGTH = 255
"""The most characters of a list of choices inside a rule (Excel's limit)."""

_rules: Any = _untyped
_OPERATORS = {"greater": "greaterThan", "less": "lessThan", "equal": "equal", "not_equal": "notEqual", "between": "between"}


def add_conditional_format(
    book: Book,
    *,
    range: str,
    sheet: str | None,
    condition: Condition,
    value: Any,
    value2: Any,
    fill_color: str,
    font_color: str | None,
) -> Done:
    """Cells that look different while a condition holds."""
    found, area = book.place(sheet, range)
    fill = PatternFill("solid", start_color=colour(fill_color), end_color=colour(fill_color))
    font = Font(color=colour(font_color)) if font_color else None
    cast("Any", found.conditional_formatting).add(
        str(area), _rule(condition, value, value2, area, fill, font, colour(fill_color))
    )
    return Done(f"Cells of {found.title}!{area} are marked: {condition} {_words(value, value2)}".rstrip() + ".", found, area)


def _rule(condition: str, value: Any, value2: Any, area: Area, fill: PatternFill, font: Font | None, ink: str) -> Any:
    first = f"{letters(area.left)}{area.top}"
    if condition in _OPERATORS:
        if value is None or (condition == "between" and value2 is None):
            raise WorkError("Give value, and value2 too for between.")
        formula = [_operand(value)] if condition != "between" else [_operand(value), _operand(value2)]
        return _rules.CellIsRule(operator=cast("Any", _OPERATORS[condition]), formula=formula, fill=fill, font=font)
    if condition == "color_scale":
        ends = {"start_type": "min", "start_color": "F8696B", "end_type": "max", "end_color": "63BE7B"}
        return _rules.ColorScaleRule(mid_type="percentile", mid_value=50, mid_color="FFEB84", **cast("Any", ends))
    if condition == "data_bar":
        return _rules.DataBarRule("min", None, "max", None, color=ink)
    if condition == "icons":
        return _rules.IconSetRule("3TrafficLights1", "percent", [0, 33, 67])
    if condition in ("contains", "formula") and not value:
        raise WorkError("Give value: the text to look for, or the formula.")
    whole = f"${letters(area.left)}${area.top}:${letters(area.right)}${area.bottom}"
    formulas = {
        "contains": f"ISNUMBER(SEARCH({_quoted(str(value))},{first}))",
        "duplicate": f"COUNTIF({whole},{first})>1",
        "empty": f"LEN(TRIM({first}))=0",
        "formula": checked_formula(str(value), "the condition").lstrip("="),
    }
    return _rules.FormulaRule(formula=[formulas[condition]], fill=fill, font=font)


def _operand(value: Any) -> str:
    if isinstance(value, str) and value.startswith("="):
        return checked_formula(value, "the condition")[1:]
    if isinstance(value, bool):
        return str(value).upper()
    return _quoted(value) if isinstance(value, str) else str(value)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _words(value: Any, value2: Any) -> str:
    return " and ".join(str(one) for one in (value, value2) if one is not None)


def set_validation(
    book: Book,
    *,
    range: str,
    sheet: str | None,
    allow: Literal["list", "whole", "decimal", "date", "text_length", "formula", "anything"],
    choices: list[str] | None,
    choices_range: str | None,
    minimum: Any,
    maximum: Any,
    formula: str | None,
    message: str | None,
) -> Done:
    """What may be typed into cells; `anything` takes the rule away."""
    found, area = book.place(sheet, range)
    for old in list(found.data_validations.dataValidation):
        if str(old.sqref) == str(area):
            found.data_validations.dataValidation.remove(old)
    if allow == "anything":
        return Done(f"Anything may be typed into {found.title}!{area}.", found, area)
    rule = _validation(book, allow, choices, choices_range, minimum, maximum, formula)
    rule.showErrorMessage = True
    rule.error = (message or "This value is not allowed here.")[:255]
    cast("Any", rule).add(str(area))
    found.add_data_validation(rule)
    return Done(f"Only {allow} may be typed into {found.title}!{area}.", found, area)


def _validation(
    book: Book,
    allow: str,
    choices: list[str] | None,
    choices_range: str | None,
    minimum: Any,
    maximum: Any,
    formula: str | None,
) -> DataValidation:
    if allow == "list":
        return DataValidation(type="list", formula1=_choices(book, choices, choices_range), allow_blank=True)
    if allow == "formula":
        if not formula:
            raise WorkError("Give formula, such as =LEN(A1)=5.")
        text = checked_formula(formula, "the rule").lstrip("=")
        return DataValidation(type="custom", formula1=text, allow_blank=True)
    kind = {"text_length": "textLength"}.get(allow, allow)
    if minimum is None and maximum is None:
        raise WorkError("Give minimum, maximum, or both.")
    first, last = _bound(minimum, allow), _bound(maximum, allow)
    if last is None:
        return DataValidation(type=cast("Any", kind), operator="greaterThanOrEqual", formula1=first, allow_blank=True)
    if first is None:
        return DataValidation(type=cast("Any", kind), operator="lessThanOrEqual", formula1=last, allow_blank=True)
    return DataValidation(type=cast("Any", kind), operator="between", formula1=first, formula2=last, allow_blank=True)


def _choices(book: Book, choices: list[str] | None, choices_range: str | None) -> str:
    if choices_range:
        sheet, area = book.place(None, choices_range)
        title = sheet.title.replace("'", "''")
        return f"'{title}'!${letters(area.left)}${area.top}:${letters(area.right)}${area.bottom}"
    joined = ",".join(choices or [])
    if not choices or len(joined) > LIST_LENGTH or any("," in choice for choice in choices):
        raise WorkError(
            f"Give choices, together at most {LIST_LENGTH} characters and none with a comma; "
            "or write them into cells and give choices_range, such as Lists!A1:A20."
        )
    return _quoted(joined)


def _bound(value: Any, allow: str) -> str | None:
    if value is None:
        return None
    if allow == "date":
        parts = str(value).split("-")
        if len(parts) != 3 or not all(part.isdigit() for part in parts):
            raise WorkError(f"{value!r} is no date. Write it like 2026-01-31.")
        return f"DATE({','.join(str(int(part)) for part in parts)})"
    try:
        return f"{float(value):g}" if float(value) < 1e6 else str(value)
    except (TypeError, ValueError) as error:
        raise WorkError(f"{value!r} is no number.") from error
