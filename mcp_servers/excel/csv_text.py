"""Comma-separated text: its encoding, delimiter and kinds of values are found out, and written safely."""

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

from mcp_servers.excel.encodings import decoded
from mcp_servers.excel.values import shown
from mcp_servers.worker import MIB, WorkError

DELIMITERS = ",;\t|"
SAMPLE = 64 * 1024
SAMPLED_ROWS = 1000
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?([eE][+-]?\d{1,3})?$")
_COMMA = re.compile(r"-?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:\.\d{3})+),\d+$")
_POINT = re.compile(r"-?\d+\.\d+$")
_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?:\.\d{3})+$")
_FORMULA = re.compile(r"[=+\-@\t\r]")


@dataclass(frozen=True)
class Csv:
    """The cells, and how they were written.

    `hinted`: its first line names the delimiter. `decimal_comma`: 1.234,50 is a number in it. `damaged`: some bytes
    were no text.
    """

    rows: list[list[Any]]
    encoding: str
    delimiter: str
    hinted: bool = False
    decimal_comma: bool = False
    damaged: bool = False


def read_csv(data: bytes, name: str, *, typed: bool = True) -> Csv:
    """All rows; plain numbers become numbers, all else stays text (007 keeps its zeros)."""
    found = decoded(data)
    text = found.text
    if "\x00" in text[:200]:
        raise WorkError(f"{name} is no text that can be read as a table.")
    hint = re.match(r"\ufeff?sep=(.)(?:\r\n?|\n)", text)  # Excel's own line for the delimiter
    delimiter = hint.group(1) if hint else delimiter_of(text[:SAMPLE])
    body = text[hint.end() :] if hint else text
    csv.field_size_limit(MIB)
    try:
        rows: list[list[Any]] = list(csv.reader(io.StringIO(body, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise WorkError(f"{name} cannot be read as a table: {error}.") from error
    comma = delimiter != "," and _decimal_comma(rows)
    if typed:
        rows = [[_typed(cell, comma) for cell in row] for row in rows]
    return Csv(rows, found.encoding, delimiter, hint is not None, comma, found.damaged)


def _decimal_comma(rows: list[list[str]]) -> bool:
    """Whether the numbers have their decimals after a comma: some surely do, and none surely has them after a point."""
    seen = False
    for cell in (cell for row in rows[:SAMPLED_ROWS] for cell in row):
        if _POINT.match(cell) and not _THOUSANDS.match(cell):
            return False
        seen = seen or _COMMA.match(cell) is not None
    return seen


def delimiter_of(sample: str) -> str:
    """The delimiter that splits the most lines into the same number of cells, a comma in doubt."""
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        widths = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row][:200]
        if len(widths) > 1:
            widths.pop()  # the sample may end in the middle of a line
        usual = max(set(widths), key=widths.count, default=1)
        score = widths.count(usual) / max(1, len(widths)) * min(usual - 1, 3)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def written_csv(
    rows: list[list[Any]],
    encoding: str = "utf-8-sig",
    delimiter: str = ",",
    *,
    formulas: bool = False,
    decimal_comma: bool = False,
    hinted: bool = False,
) -> bytes:
    """The rows as CSV for Excel: UTF-8 with its mark. Texts that Excel would run as formulas get an apostrophe.

    Raises UnicodeEncodeError where the encoding lacks a character.
    """
    made = io.StringIO(newline="")
    if hinted:
        made.write(f"sep={delimiter}\r\n")
    writer = csv.writer(made, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([[_written(shown(cell), formulas, decimal_comma) for cell in row] for row in rows])
    return made.getvalue().encode(encoding)


def _written(value: Any, formulas: bool, decimal_comma: bool) -> Any:
    if isinstance(value, float) and decimal_comma:
        return str(value).replace(".", ",")
    if isinstance(value, str) and not formulas and _FORMULA.match(value) and not _NUMBER.match(value):
        return f"'{value}"
    return value


def _typed(text: str, comma: bool) -> Any:
    if comma and (_COMMA.match(text) or _THOUSANDS.match(text)):
        plain = text.replace(".", "").replace(",", ".")
        return float(plain) if "." in plain else int(plain)
    if not _NUMBER.match(text):
        return text
    return float(text) if any(mark in text for mark in ".eE") else int(text)
