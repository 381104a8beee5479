"""Comma-separated text: its encoding, delimiter and kinds of values are found out, and written safely."""

import csv
import io
import re
from dataclasses import dataclass
from typing import Any

from mcp_servers.excel.values import shown
from mcp_servers.worker import MIB, WorkError

DELIMITERS = ",;\t|"
SAMPLE = 64 * 1024
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?([eE][+-]?\d{1,3})?$")
_FORMULA = re.compile(r"[=+\-@\t\r]")


@dataclass(frozen=True)
class Csv:
    """The cells, and how they were written."""

    rows: list[list[Any]]
    encoding: str
    delimiter: str


def read_csv(data: bytes, name: str, *, typed: bool = True) -> Csv:
    """All rows; plain numbers become numbers, all else stays text (007 keeps its zeros)."""
    text, encoding = decoded(data)
    if any(mark in text[:200] for mark in ("\x00",)):
        raise WorkError(f"{name} is no text that can be read as a table.")
    hint = re.match(r"sep=(.)\r?\n", text)  # Excel's own line for the delimiter
    delimiter = hint.group(1) if hint else delimiter_of(text[:SAMPLE])
    body = text[hint.end() :] if hint else text
    csv.field_size_limit(MIB)
    try:
        reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter)
        rows: list[list[Any]] = [[_typed(cell) if typed else cell for cell in row] for row in reader]
    except csv.Error as error:
        raise WorkError(f"{name} cannot be read as a table: {error}.") from error
    return Csv(rows, encoding, delimiter)


def decoded(data: bytes) -> tuple[str, str]:
    """The text and its encoding: by its mark, else UTF-8 if it is, else by detection."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace"), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes

        best = from_bytes(data[: 4 * SAMPLE]).best()
        encoding = best.encoding if best else "cp1252"
        return data.decode(encoding, "replace"), encoding


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


def written_csv(rows: list[list[Any]], encoding: str = "utf-8-sig", delimiter: str = ",", *, formulas: bool = False) -> bytes:
    """The rows as CSV for Excel: UTF-8 with its mark. Texts that Excel would run as formulas get an apostrophe."""
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([[_safe(shown(cell), formulas) for cell in row] for row in rows])
    return made.getvalue().encode(encoding, "replace")


def _safe(value: Any, formulas: bool) -> Any:
    if isinstance(value, str) and not formulas and _FORMULA.match(value) and not _NUMBER.match(value):
        return f"'{value}"
    return value


def _typed(text: str) -> Any:
    if not _NUMBER.match(text):
        return text
    return float(text) if any(mark in text for mark in ".eE") else int(text)
