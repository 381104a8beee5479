"""Columns of texts that are all numbers, as pages and models give them: written as numbers, so that they can be summed."""

import re
from dataclasses import dataclass
from typing import Any

_NUMERAL = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.(\d{1,10}))?$")
"""No leading zeros (codes), no separators of thousands (they mean different things in different places)."""


@dataclass(frozen=True)
class Numerals:
    """Rows with their numbers in place of texts; `formats` by column (from 0), where decimals are to be kept as written."""

    rows: list[list[Any]]
    formats: dict[int, str]


def with_numbers(rows: list[list[Any]], *, headers: bool = False, texts: frozenset[int] = frozenset()) -> Numerals:
    """A column changes as a whole or not at all: one code with a leading zero, and all of it stays text.

    `headers`: a first row that is no number is passed over. `texts`: columns (from 0) that stay as they are.
    """
    made, formats = [list(row) for row in rows], dict[int, str]()
    for column in range(max(map(len, rows), default=0)):
        if column in texts:
            continue
        first = 1 if headers and len(rows) > 1 and not _is_number(_at(rows[0], column)) else 0
        held = [row for row in made[first:] if column < len(row) and row[column] not in (None, "")]
        said = [value for row in held if isinstance(value := row[column], str)]
        if not said or (places := _decimals(said)) is None:
            continue
        for row in held:
            if isinstance(row[column], str):
                row[column] = float(row[column]) if "." in row[column] else int(row[column])
        if places:
            formats[column] = f"0.{'0' * places}"
    return Numerals(made, formats)


def _at(row: list[Any], column: int) -> Any:
    return row[column] if column < len(row) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and _NUMERAL.match(value) is not None)


def _decimals(texts: list[str]) -> int | None:
    """How many decimals all have, 0 where they differ; None where one is no number, or would lose a zero at its end."""
    found = [_NUMERAL.match(text) for text in texts]
    if not all(found):
        return None
    ends = {len(one[1] or "") for one in found if one}
    if len(ends) == 1:
        return ends.pop()
    return None if any("." in text and text.endswith("0") for text in texts) else 0
