"""Any spreadsheet as sheets of plain values, to be read only: fast, whatever its kind."""

import io
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, cast

from mcp_servers.excel.areas import Area, Asked, cell_of, letters, parsed
from mcp_servers.excel.csv_text import Csv, read_csv
from mcp_servers.excel.far_cells import check_far_cells
from mcp_servers.excel.kinds import Kind, kind_of
from mcp_servers.excel.parts import Formula, Parts
from mcp_servers.worker import WorkError

Corners = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Grid:
    """A sheet's values. `rows[0]` is row `top`, its first value column `left`; both 1 in an empty sheet."""

    rows: list[list[Any]]
    top: int = 1
    left: int = 1

    @property
    def used(self) -> Area | None:
        """From the first to the last cell with something in it."""
        if not self.rows or not self.rows[0]:
            return None
        return Area(self.top, self.left, self.top + len(self.rows) - 1, self.left + max(map(len, self.rows)) - 1)

    def cells(self, area: Area) -> list[list[Any]]:
        """The values of an area, None where there is none."""
        found: list[list[Any]] = []
        for row in range(area.top, area.bottom + 1):
            index = row - self.top
            values = self.rows[index] if 0 <= index < len(self.rows) else []
            line = [
                values[column - self.left] if 0 <= column - self.left < len(values) else None
                for column in range(area.left, area.right + 1)
            ]
            found.append([None if value == "" else value for value in line])
        return found


@dataclass
class Source:
    """One file, checked, with its sheets read when they are asked for."""

    data: bytes
    name: str
    kind: Kind
    _grids: dict[str, Grid] = field(default_factory=dict[str, Grid])
    _opened: dict[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, data: bytes, name: str) -> "Source":
        """Raises WorkError for what is no spreadsheet, or a dangerous one."""
        kind = kind_of(data, name)
        check_far_cells(data, kind, name)
        return cls(data, name, kind)

    @cached_property
    def csv(self) -> Csv:
        return read_csv(self.data, self.name)

    @cached_property
    def parts(self) -> Parts | None:
        """The XML of an .xlsx or .xlsm."""
        return Parts(self.data, self.name) if self.kind in ("xlsx", "xlsm") else None

    @cached_property
    def _book(self) -> Any:
        import python_calamine as calamine

        try:
            return calamine.CalamineWorkbook.from_filelike(io.BytesIO(self.data), load_tables=self.kind in ("xlsx", "xlsm"))
        except calamine.CalamineError as error:
            raise WorkError(self._why_not(error)) from error

    def _why_not(self, error: Exception) -> str:
        """Bytes that fit no format are only called unknown; a file whose name says its format gets the cause told."""
        import python_calamine as calamine

        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"file.{self.kind}"
            file.write_bytes(self.data)
            try:
                cast("Any", calamine.CalamineWorkbook).from_path(file)
            except calamine.CalamineError as cause:
                error = cause
        if isinstance(error, calamine.PasswordError):
            return f"{self.name} is protected by a password. Ask the user to save it without one."
        if "macrosheets" in str(error):
            return f"{self.name} has sheets of Excel 4 macros, which cannot be read here. Ask the user to save it without them."
        return f"{self.name} cannot be read: it is damaged or of an unusual kind ({error})."

    @cached_property
    def sheets(self) -> list[tuple[str, str]]:
        """Name and state (visible, hidden, veryHidden, chart) of every sheet."""
        if self.kind == "csv":
            return [(PurePath(self.name).stem[:31] or "Sheet1", "visible")]
        found: list[tuple[str, str]] = []
        for sheet in self._book.sheets_metadata:
            visible = str(sheet.visible).rpartition(".")[2]
            chart = "Chart" in str(sheet.typ)
            found.append((sheet.name, "chart" if chart else visible[:1].lower() + visible[1:]))
        return found

    def sheet_name(self, asked: str | None) -> str:
        """The sheet of that name (in any case), or the first one that is shown. WorkError lists the names."""
        if not asked:
            shown = [name for name, state in self.sheets if state == "visible"]
            return (shown or [name for name, _ in self.sheets] or [""])[0]
        for name, _ in self.sheets:
            if name.casefold() == asked.strip().casefold():
                return name
        names = ", ".join(name for name, _ in self.sheets)
        raise WorkError(f"{self.name} has no sheet {asked!r}. Its sheets: {names}.")

    def grid(self, sheet: str) -> Grid:
        """All values of a sheet."""
        if sheet not in self._grids:
            self._grids[sheet] = Grid(self.csv.rows) if self.kind == "csv" else self._read(sheet)
        return self._grids[sheet]

    def used(self, sheet: str) -> Area | None:
        """From the first to the last cell with a value or a formula."""
        values = self.grid(sheet).used
        formulas = self.parts.formula_area(sheet) if self.parts else None
        if values is None or formulas is None:
            return values or formulas
        return values.around(formulas)

    def _read(self, sheet: str) -> Grid:
        import python_calamine as calamine

        try:
            found = self._sheet(sheet)
            start: tuple[int, int] | None = found.start
            return Grid(found.to_python(), *(part + 1 for part in start)) if start else Grid([])
        except calamine.WorksheetNotFound:
            return Grid([])  # a sheet that is one chart
        except calamine.CalamineError as error:
            raise WorkError(f"The sheet {sheet!r} of {self.name} cannot be read: {error}.") from error

    def _sheet(self, sheet: str) -> Any:
        """The library's sheet; it parses a sheet anew each time it is asked for one."""
        if sheet not in self._opened:
            self._opened[sheet] = self._book.get_sheet_by_name(sheet)
        return self._opened[sheet]

    def merged(self, sheet: str) -> list[Area]:
        """The merged ranges of a sheet; empty where the kind of file does not tell."""
        if self.kind == "csv":
            return []
        found = cast("list[Corners]", self._sheet(sheet).merged_cell_ranges or [])
        return [Area(a + 1, b + 1, c + 1, d + 1) for (a, b), (c, d) in found]

    def cells(self, sheet: str, area: Area) -> list[list[Any]]:
        """The values of an area; errors (of .xlsx and .xlsm) as the texts that Excel shows, such as #N/A."""
        found = self.grid(sheet).cells(area)
        for where, error in (self.parts.errors(sheet, area) if self.parts else {}).items():
            row, column = cell_of(where)
            found[row - area.top][column - area.left] = error
        return found

    def formulas(self, sheet: str, area: Area) -> dict[str, Formula]:
        """The formulas of an area by cell; empty for kinds other than .xlsx and .xlsm."""
        return self.parts.formulas(sheet, area) if self.parts else {}

    @cached_property
    def tables(self) -> dict[str, Asked]:
        """The named tables, with their header row."""
        found: dict[str, Asked] = {}
        names = cast("list[str]", self._book.table_names or []) if self.parts else []
        for name in names:
            table = self._book.get_table_by_name(name)
            if table.start and table.end:
                area = Area(table.start[0], table.start[1] + 1, table.end[0] + 1, table.end[1] + 1)
                found[name] = Asked(table.sheet, area)
        return found

    def asked(self, sheet: str | None, text: str | None) -> tuple[str, Area]:
        """The sheet and area meant by a range, a table's name or a name of the workbook; no text: all that is used."""
        if not text or not text.strip():
            name = self.sheet_name(sheet)
            return name, self.used(name) or Area(1, 1, 1, 1)
        found = parsed(text) or self._named(text.strip())
        name = self.sheet_name(found.sheet or sheet)
        used = self.used(name) or Area(1, 1, 1, 1)
        reach = Area(1, 1, max(used.bottom, 1), max(used.right, 1))
        return name, found.area.within(reach) or Area(found.area.top, found.area.left, found.area.top, found.area.left)

    def _named(self, text: str) -> Asked:
        for name, asked in self.tables.items():
            if name.casefold() == text.casefold():
                return asked
        names = self.parts.names if self.parts else {}
        for name, target in names.items():
            if name.casefold() == text.casefold() and (asked := parsed(target)):
                return asked
        known = ", ".join([*self.tables, *names][:20])
        hint = f" Tables and names here: {known}." if known else ""
        raise WorkError(f"{text!r} is no range, table or name of {self.name}. Write a range like A1:C10.{hint}")


def column_names(area: Area) -> list[str]:
    """The letters of the area's columns."""
    return [letters(column) for column in range(area.left, area.right + 1)]
