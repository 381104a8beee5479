"""A workbook being changed: opened, its sheets and cells found, and written again."""

import contextlib
import io
import re
import warnings
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, cast

from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel import sparklines
from mcp_servers.excel.areas import COLUMNS, ROWS, Area, area_of
from mcp_servers.excel.csv_text import written_csv
from mcp_servers.excel.formula_text import checked_formula
from mcp_servers.excel.kinds import TEXT_ENDINGS, WRITABLE
from mcp_servers.excel.parts import cell_name
from mcp_servers.excel.soundness import check_reach, mend_tables
from mcp_servers.excel.sources import Source
from mcp_servers.excel.values import stored
from mcp_servers.worker import WorkError

LOOKS_LIKE_FORMULA = re.compile(r"[=+\-@\t\r]")
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")


@dataclass
class Done:
    """What an edit did: words, and the area to show."""

    words: str
    sheet: Worksheet | None = None
    area: Area | None = None
    notes: list[str] = field(default_factory=list[str])


@dataclass
class Book:
    """An open workbook and how it is stored."""

    workbook: Workbook
    kind: str
    encoding: str = "utf-8-sig"
    delimiter: str = ","
    hinted: bool = False
    decimal_comma: bool = False
    lost: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    fresh: bool = False
    source: Source | None = None
    moves: bool = False
    """Whether cells are moved or sheets renamed, so that what points to them from outside openpyxl's reach would mislead."""

    @classmethod
    def opened(cls, data: bytes, name: str) -> "Book":
        """WorkError for what cannot be changed."""
        source = Source.of(data, name)
        if source.kind not in WRITABLE:
            raise WorkError(
                f"{name} is an .{source.kind} file, which is only read here. Make a copy that can be changed with "
                f'convert_workbook, such as {{"path": "{name}", "target": "{PurePath(name).stem}.xlsx"}}.'
            )
        if source.parts is None:
            _check_table_text(source)
            workbook = Workbook()
            sheet = cast("Worksheet", workbook.active)
            sheet.title = source.sheets[0][0] if not _FORBIDDEN.search(source.sheets[0][0]) else "Sheet1"
            for row, values in enumerate(read_texts(source), start=1):
                for column, value in enumerate(values, start=1):
                    if value:
                        put_text(cell_at(sheet, row, column), value)
            told = source.csv
            return cls(
                workbook, "csv", told.encoding, told.delimiter, told.hinted, told.decimal_comma, fresh=False, source=source
            )
        try:
            with quiet():
                workbook = load_workbook(io.BytesIO(data), keep_vba=source.kind == "xlsm", rich_text=True)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, SyntaxError) as error:
            raise WorkError(
                f"{name} has something in it that cannot be changed safely ({type(error).__name__}: {error}). "
                "It can still be read; convert_workbook makes a plain copy of its values."
            ) from error
        return cls(workbook, source.kind, lost=source.parts.lost, source=source)

    @classmethod
    def new(cls, name: str) -> "Book":
        """An empty workbook (one sheet) of the kind that the name's ending says."""
        ending = PurePath(name).suffix.lower()
        if ending in TEXT_ENDINGS:
            return cls(Workbook(), "csv", delimiter="\t" if ending in (".tsv", ".tab") else ",", fresh=True)
        if ending != ".xlsx":
            raise WorkError(f"A new workbook is an .xlsx (or .csv) file. Name it like {PurePath(name).stem or 'table'}.xlsx.")
        return cls(Workbook(), "xlsx", fresh=True)

    def sheet(self, name: str | None, *, make: bool = False) -> Worksheet:
        """The sheet of that name in any case, the active one without a name; `make` adds a missing one."""
        if not name:
            active = self.workbook.active
            return active if isinstance(active, Worksheet) else self._worksheets()[0]
        for sheet in self.workbook.worksheets:
            if sheet.title.casefold() == name.strip().casefold():
                return sheet
        if not make:
            raise WorkError(f"There is no sheet {name!r}. The sheets: {', '.join(self.workbook.sheetnames)}.")
        title = checked_title(name, self.workbook)
        first = self._worksheets()[0]
        if self.fresh and len(self.workbook.sheetnames) == 1 and first.max_row == 1 and first["A1"].value is None:
            first.title = title
            return first
        return self.workbook.create_sheet(title)

    def _worksheets(self) -> list[Worksheet]:
        if not self.workbook.worksheets:
            raise WorkError("This workbook has no sheet with cells.")
        return cast("list[Worksheet]", self.workbook.worksheets)

    def place(self, sheet: str | None, text: str, *, make: bool = False) -> tuple[Worksheet, Area]:
        """The sheet and the area of a range such as A1:C9 or Sheet1!A1; whole rows and columns end where the sheet does."""
        asked = area_of(text)
        found = self.sheet(asked.sheet or sheet, make=make)
        area = asked.area
        bottom = max(found.max_row, area.top) if area.bottom == ROWS else area.bottom
        right = max(found.max_column, area.left) if area.right == COLUMNS else area.right
        return found, Area(area.top, area.left, bottom, right)

    def stored(self) -> bytes:
        """The file's new content; `notes` say what had to be done for it."""
        if self.kind == "csv":
            return self._as_csv()
        check_reach(self.workbook)
        self.notes += mend_tables(self.workbook)
        if not any(sheet.sheet_state == "visible" for sheet in self.workbook.worksheets + self.workbook.chartsheets):
            raise WorkError("At least one sheet must stay visible.")
        made = io.BytesIO()
        if self.workbook.calculation is not None:
            self.workbook.calculation.fullCalcOnLoad = True  # results of formulas are not kept by a change
        with quiet():
            self.workbook.save(made)
        return self._with_sparklines(made.getvalue())

    def _with_sparklines(self, made: bytes) -> bytes:
        if sparklines.WORDS not in self.lost or self.moves or not self.source or not self.source.parts:
            return made
        whole = sparklines.kept(self.source.parts, made)
        if whole is None:
            return made
        self.lost = [words for words in self.lost if words != sparklines.WORDS]
        return whole

    def _as_csv(self) -> bytes:
        if len(self.workbook.sheetnames) > 1:
            raise WorkError("A .csv file has one sheet. Convert it to .xlsx first (convert_workbook).")
        rows = [[_csv_value(cell) for cell in row] for row in self.sheet(None).iter_rows()]
        while rows and not any(value not in (None, "") for value in rows[-1]):
            rows.pop()
        looks: dict[str, Any] = {"formulas": True, "decimal_comma": self.decimal_comma, "hinted": self.hinted}
        try:
            return written_csv(rows, self.encoding, self.delimiter, **looks)
        except UnicodeEncodeError:
            self.notes.append(f"The file is in UTF-8 now: its old encoding, {self.encoding}, lacks characters of the new text.")
            return written_csv(rows, "utf-8-sig", self.delimiter, **looks)


def _check_table_text(source: Source) -> None:
    """WorkError for a text file that is no table, and for one that a change would harm."""
    if not source.name.lower().endswith(TEXT_ENDINGS):
        raise WorkError(
            f"{source.name} is a text file without the name of a table ({', '.join(TEXT_ENDINGS)}); it was not changed. "
            "convert_workbook makes an .xlsx or .csv file of it, if it is a table."
        )
    if source.csv.damaged:
        raise WorkError(
            f"{source.name} has bytes that are no text in {source.csv.encoding}, and a change would lose them. "
            "Make a copy with convert_workbook and change that."
        )


def _csv_value(cell: Any) -> Any:
    guarded = isinstance(cell.value, str) and cell.number_format == "@" and LOOKS_LIKE_FORMULA.match(cell.value)
    return f"'{cell.value}" if guarded else cell.value


def read_texts(source: Source) -> list[list[Any]]:
    """The cells of a CSV as they are written, so that a change leaves the others as they were."""
    from mcp_servers.excel.csv_text import read_csv

    return read_csv(source.data, source.name, typed=False).rows


@contextlib.contextmanager
def quiet() -> Generator[None]:
    """openpyxl warns about what it does not know; nobody reads it here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def checked_title(name: str, workbook: Workbook) -> str:
    """A name that Excel accepts for a sheet and that is not taken."""
    title = name.strip()
    if not title or len(title) > 31 or _FORBIDDEN.search(title) or title.startswith("'") or title.endswith("'"):
        raise WorkError(
            f"{name!r} cannot be a sheet's name: it needs 1 to 31 characters, none of [ ] : * ? / \\ and no ' at its ends."
        )
    if title.casefold() in (other.casefold() for other in workbook.sheetnames):
        raise WorkError(f"There is a sheet {title!r} already. Choose another name.")
    return title


def cell_at(sheet: Worksheet, row: int, column: int) -> Cell:
    """The cell, to be written. WorkError past the sheet's end or inside a merged range."""
    if row > ROWS or column > COLUMNS:
        raise WorkError(f"A sheet ends at row {ROWS:,} and column XFD; this would be row {row:,}, column {column:,}.")
    cell = sheet.cell(row, column)
    if isinstance(cell, MergedCell):
        merged = next((str(area) for area in sheet.merged_cells.ranges if cell.coordinate in area), "a merged range")
        raise WorkError(f"{cell.coordinate} is inside the merged range {merged}. Write to its first cell, or unmerge it.")
    return cell


def put(cell: Cell, value: Any, *, formulas: bool = False, dates: bool = True) -> None:
    """Write a JSON value. A text that begins with = is a formula only with `formulas`, else it stays text."""
    if formulas and isinstance(value, str) and value.startswith("=") and len(value) > 1:
        cell.value = checked_formula(value, cell.coordinate)
        return
    ready = stored(value, cell.coordinate, dates=dates)
    if isinstance(ready, str):
        put_text(cell, ready)
        if LOOKS_LIKE_FORMULA.match(ready):
            cell.number_format = "@"  # stays a text when somebody edits it in Excel
    else:
        cell.value = ready


def put_text(cell: Cell, text: str) -> None:
    """Write a text as it is, even one that openpyxl would take for a formula or an error."""
    cell.value = text
    cell.data_type = "s"


def put_rows(sheet: Worksheet, top: int, left: int, rows: list[list[Any]], *, formulas: bool, dates: bool) -> Area:
    """Write rows of values; the area they fill."""
    for index, row in enumerate(rows):
        for offset, value in enumerate(row):
            put(cell_at(sheet, top + index, left + offset), value, formulas=formulas, dates=dates)
    width = max((len(row) for row in rows), default=1)
    return Area(top, left, top + max(1, len(rows)) - 1, left + max(1, width) - 1)


def used_area(sheet: Worksheet) -> Area | None:
    """From A1 to the last cell with a value; None for an empty sheet."""
    bottom = right = 0
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value is not None:
                bottom, right = max(bottom, cell.row), max(right, cell.column)
    return Area(1, 1, bottom, right) if bottom else None


def where(sheet: Worksheet, row: int, column: int) -> str:
    """`Sheet1!B2`, for messages."""
    return f"{sheet.title}!{cell_name(row, column)}"
