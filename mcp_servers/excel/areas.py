"""Areas of a sheet: from A1 notation to numbers and back. Rows and columns count from 1."""

import re
from dataclasses import dataclass

from mcp_servers.worker import WorkError

ROWS = 1_048_576
COLUMNS = 16_384
"""The size of a sheet since Excel 2007."""

_A1 = re.compile(r"(?:(?:'((?:[^']|'')+)'|([^'!:]+))!)?\$?([A-Za-z]{0,3})\$?(\d*)(?::\$?([A-Za-z]{0,3})\$?(\d*))?$")


def letters(column: int) -> str:
    """A for 1, AA for 27."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def number(text: str) -> int:
    """1 for A, 27 for AA."""
    total = 0
    for letter in text.upper():
        total = total * 26 + ord(letter) - 64
    return total


@dataclass(frozen=True)
class Area:
    """From the top left to the bottom right cell, both included."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        first = f"{letters(self.left)}{self.top}"
        last = f"{letters(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"

    @property
    def height(self) -> int:
        """How many rows."""
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        """How many columns."""
        return self.right - self.left + 1

    @property
    def size(self) -> int:
        """How many cells."""
        return self.height * self.width

    def around(self, other: "Area") -> "Area":
        """The smallest area that holds both."""
        top, left = min(self.top, other.top), min(self.left, other.left)
        return Area(top, left, max(self.bottom, other.bottom), max(self.right, other.right))

    def within(self, other: "Area") -> "Area | None":
        """What the two have in common."""
        top, left = max(self.top, other.top), max(self.left, other.left)
        bottom, right = min(self.bottom, other.bottom), min(self.right, other.right)
        return Area(top, left, bottom, right) if top <= bottom and left <= right else None


@dataclass(frozen=True)
class Asked:
    """An area as it was asked for, perhaps with its sheet."""

    sheet: str | None
    area: Area


def parsed(text: str) -> Asked | None:
    """`A1`, `A1:C9`, `A:C`, `2:5`, `Sheet1!A1:C9`; None where it is no such notation (a name, say)."""
    match = _A1.match(text.strip())
    if not match:
        return None
    quoted, plain, left, top, right, bottom = match.groups()
    if not (left or top) or (right is None and not (left and top)):
        return None
    if right is None:
        right, bottom = left, top
    if bool(left) != bool(right) or bool(top) != bool(bottom):
        return None
    columns = sorted((number(left), number(right))) if left else [1, COLUMNS]
    rows = sorted((int(top), int(bottom))) if top else [1, ROWS]
    if rows[0] < 1 or rows[1] > ROWS or columns[1] > COLUMNS:
        return None
    sheet = quoted.replace("''", "'") if quoted else plain
    return Asked(sheet, Area(rows[0], columns[0], rows[1], columns[1]))


def area_of(text: str) -> Asked:
    """The same, or a WorkError that shows how a range is written."""
    asked = parsed(text)
    if asked is None:
        raise WorkError(f"{text!r} is no range. Write it like A1:C10 (or A:C, 2:5, Sheet1!A1:C10).")
    return asked


def cell_of(text: str) -> tuple[int, int]:
    """Row and column of one cell such as B2 (of a range: its first)."""
    area = area_of(text).area
    return area.top, area.left
