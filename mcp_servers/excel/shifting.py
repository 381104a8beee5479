"""How references follow when rows or columns are put in or taken out."""

import re
from dataclasses import dataclass
from typing import Any

from mcp_servers.excel.areas import Area, letters, number

_REFERENCE = re.compile(
    r"(?P<sheet>(?:'(?:[^']|'')+'|[^'!:\s]+)!)?(?P<first>\$?[A-Za-z]{0,3}\$?\d*)(?::(?P<last>\$?[A-Za-z]{0,3}\$?\d*))?$"
)
_POINT = re.compile(r"(\$?)([A-Za-z]{0,3})(\$?)(\d*)$")
GONE = "#REF!"


@dataclass(frozen=True)
class Shift:
    """`count` rows (or columns) put in before `at`, or, where it is negative, taken out from `at` on."""

    sheet: str
    rows: bool
    at: int
    count: int

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """Where a stretch of rows (or columns) is afterwards; None if all of it is gone."""
        if self.count > 0:
            return self._pushed(first), self._pushed(last)
        end = self.at - self.count - 1
        start = self.at if self.at <= first <= end else self._pulled(first, end)
        stop = self.at - 1 if self.at <= last <= end else self._pulled(last, end)
        return (start, stop) if start <= stop else None

    def _pushed(self, line: int) -> int:
        return line + self.count if line >= self.at else line

    def _pulled(self, line: int, end: int) -> int:
        return line + self.count if line > end else line

    def area(self, area: Area) -> Area | None:
        """Where an area of the sheet is afterwards."""
        if self.rows:
            found = self.span(area.top, area.bottom)
            return Area(found[0], area.left, found[1], area.right) if found else None
        found = self.span(area.left, area.right)
        return Area(area.top, found[0], area.bottom, found[1]) if found else None

    def formula(self, text: str, home: str) -> str:
        """A formula of the sheet `home`, with its references moved along."""
        from openpyxl.formula import Tokenizer

        tokens = Tokenizer(text).items
        parts = [self.reference(t.value, home) if t.type == "OPERAND" and t.subtype == "RANGE" else t.value for t in tokens]
        return "=" + "".join(parts)

    def reference(self, text: str, home: str) -> str:
        """One reference, such as `Sheet1!$A$1:B9`; names and references to other sheets stay."""
        match = _REFERENCE.match(text)
        if not match:
            return text
        prefix = match["sheet"] or ""
        named = prefix[:-1].strip("'").replace("''", "'") if prefix else home
        first, last = _POINT.match(match["first"]), _POINT.match(match["last"] or match["first"])
        if named.casefold() != self.sheet.casefold() or not first or not last:
            return text
        if not _is_cell(first) and match["last"] is None:
            return text  # a name, such as TAX
        group = 4 if self.rows else 2
        if not first[group] or not last[group]:
            return text  # whole columns do not care about rows
        lines = (int(first[4]), int(last[4])) if self.rows else (number(first[2]), number(last[2]))
        found = self.span(min(lines), max(lines))
        if found is None:
            return prefix + GONE
        made = self._point(first, found[0])
        return prefix + (made if match["last"] is None else f"{made}:{self._point(last, found[1])}")

    def _point(self, point: re.Match[str], line: int) -> str:
        column = point[2] if self.rows else letters(line)
        row = str(line) if self.rows else point[4]
        return f"{point[1]}{column}{point[3]}{row}"


def _is_cell(point: re.Match[str]) -> bool:
    return bool(point[2] and point[4])


def carried(formula: str, origin: str, to: str) -> str:
    """A formula of the cell `origin` as it is after a copy to the cell `to`."""
    from openpyxl.formula import translate

    translator: Any = translate.Translator(formula, origin=origin)
    return str(translator.translate_formula(to))
