"""Edits of whole sheets: made, renamed, removed, copied, moved, hidden."""

import re
from typing import Any, Literal, cast

from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.book import Book, Done, checked_title
from mcp_servers.worker import WorkError

Action = Literal["add", "rename", "delete", "copy", "move", "hide", "show"]


def create_workbook(book: Book, *, sheets: list[str] | None) -> Done:
    """A new workbook with these empty sheets."""
    if not book.fresh:
        raise WorkError("This file exists already. Change it with the other tools, or choose another name.")
    for index, name in enumerate(sheets or []):
        if index == 0:
            book.workbook.worksheets[0].title = "\u200b"  # frees its name for the check
            book.workbook.worksheets[0].title = checked_title(name, book.workbook)
        else:
            book.workbook.create_sheet(checked_title(name, book.workbook))
    return Done(f"Made a workbook with the sheet(s) {', '.join(book.workbook.sheetnames)}.")


def change_sheets(book: Book, *, action: Action, sheet: str, new_name: str | None, position: int | None) -> Done:
    """One change of the list of sheets; `position` counts from 1."""
    workbook = book.workbook
    if action == "add":
        place = len(workbook.sheetnames) if position is None else max(0, position - 1)
        made = workbook.create_sheet(checked_title(sheet, workbook), place)
        return Done(f"Added the sheet {made.title}. Now there are: {', '.join(workbook.sheetnames)}.")
    found: Any = _any_sheet(book, sheet)
    words = _ACTIONS[action](book, found, new_name, position)
    return Done(f"{words} Now there are: {', '.join(workbook.sheetnames)}.")


def _any_sheet(book: Book, name: str) -> Any:
    for title in book.workbook.sheetnames:
        if title.casefold() == name.strip().casefold():
            return book.workbook[title]
    raise WorkError(f"There is no sheet {name!r}. The sheets: {', '.join(book.workbook.sheetnames)}.")


def _needs_name(new_name: str | None) -> str:
    if not new_name:
        raise WorkError("Give new_name, the sheet's new name.")
    return new_name


def _rename(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    old, wanted = sheet.title, _needs_name(new_name)
    if old.casefold() != wanted.strip().casefold():
        checked_title(wanted, book.workbook)
    sheet.title = wanted.strip()
    changed = _follow(book, old, sheet.title)
    return f"Renamed {old} to {sheet.title}{f', also in {changed} formula(s)' if changed else ''}."


def _follow(book: Book, old: str, new: str) -> int:
    """Formulas, names and charts name the sheet; they get its new name."""
    quoted = "'" + new.replace("'", "''") + "'!"
    pattern = re.compile(rf"(?:'{re.escape(old.replace(chr(39), chr(39) * 2))}'|(?<![\w'.]){re.escape(old)})!", re.IGNORECASE)
    count = 0
    for sheet in book.workbook.worksheets:
        for row in cast("Any", sheet).iter_rows():
            for cell in row:
                if cell.data_type == "f" and isinstance(cell.value, str) and pattern.search(cell.value):
                    cell.value = pattern.sub(lambda _: quoted, cell.value)
                    count += 1
        for chart in getattr(sheet, "_charts", []):
            for series in chart.series:
                _follow_series(series, pattern, quoted)
    for name in book.workbook.defined_names.values():
        name.value = pattern.sub(lambda _: quoted, name.value)
    return count


def _follow_series(series: Any, pattern: re.Pattern[str], quoted: str) -> None:
    for part in ("tx", "cat", "val", "xVal", "yVal", "bubbleSize"):
        for kind in ("numRef", "strRef", "multiLvlStrRef"):
            reference = getattr(getattr(series, part, None), kind, None)
            if reference is not None and reference.f:
                reference.f = pattern.sub(lambda _: quoted, reference.f)


def _delete(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    if len(book.workbook.sheetnames) == 1:
        raise WorkError("It is the only sheet; a workbook needs one.")
    book.workbook.remove(sheet)
    return f"Deleted the sheet {sheet.title}."


def _copy(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    if not isinstance(sheet, Worksheet):
        raise WorkError("A chart sheet cannot be copied.")
    title = checked_title(new_name, book.workbook) if new_name else None
    made = book.workbook.copy_worksheet(sheet)
    if title:
        made.title = title
    if position is not None:
        _move(book, made, None, position)
    lost = " Its pictures and charts were not copied." if getattr(sheet, "_charts", []) or getattr(sheet, "_images", []) else ""
    return f"Copied the sheet {sheet.title} to {made.title}.{lost}"


def _move(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    if position is None or not 1 <= position <= len(book.workbook.sheetnames):
        raise WorkError(f"Give position, from 1 to {len(book.workbook.sheetnames)}.")
    book.workbook.move_sheet(sheet, position - 1 - book.workbook.sheetnames.index(sheet.title))
    return f"Moved the sheet {sheet.title} to position {position}."


def _hide(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    sheet.sheet_state = "hidden"
    shown = [one for one in book.workbook.worksheets if one.sheet_state == "visible"]
    if not shown:
        raise WorkError("It is the only sheet that is shown; one must stay visible.")
    if book.workbook.active is sheet:
        book.workbook.active = shown[0]
    return f"Hid the sheet {sheet.title}."


def _show(book: Book, sheet: Any, new_name: str | None, position: int | None) -> str:
    sheet.sheet_state = "visible"
    return f"The sheet {sheet.title} is shown."


_ACTIONS = {"rename": _rename, "delete": _delete, "copy": _copy, "move": _move, "hide": _hide, "show": _show}
