"""Refuses small files that claim enormous sheets, before a library would make room for them."""

import re
import zipfile
from collections.abc import Iterator

from mcp_servers.office_zip import opened
from mcp_servers.worker import MIB, WorkError

MOST_AREA = 16_000_000
"""The most cells between a sheet's first and last one; a full old .xls sheet has 16.8 million, mostly empty."""

CHUNK = MIB
LONGEST_TAG = 64 * 1024
"""Bytes of a tag that is kept whole where the text is taken in chunks."""

_CELL = re.compile(rb"""\br\s*=\s*["']\$?([A-Z]{1,3})\$?([0-9]{1,7})["']""")
_ROW = re.compile(rb"""<row\b[^>]*?\br=["']([0-9]{1,7})["']""")
_WIDE = re.compile(rb"""\br=["']([A-Z]{2,3})([0-9]{1,7})""")
_REPEATS = re.compile(rb"<table:(?:covered-)?table-cell\b[^>]*>|<table:table-row\b[^>]*>")
_COUNT = re.compile(rb"""number-(?:columns|rows)-repeated\s*=\s*["']([0-9]+)["']""")


def check_far_cells(data: bytes, kind: str, name: str) -> None:
    """WorkError where a sheet of an .xlsx, .xlsm or .ods file spans more than `MOST_AREA` cells."""
    if kind in ("xlsx", "xlsm"):
        archive = opened(data, name)
        for part in archive.namelist():
            if part.lower().startswith("xl/worksheets/") and part.lower().endswith(".xml"):
                _check_sheet(archive, part, name)
    elif kind == "ods":
        _check_repeats(opened(data, name), name)


def column_number(letters: bytes | str) -> int:
    """1 for A, 27 for AA."""
    number = 0
    for letter in letters.encode() if isinstance(letters, str) else letters:
        number = number * 26 + letter - 64
    return number


def _check_sheet(archive: zipfile.ZipFile, part: str, name: str) -> None:
    if _surely_near(archive, part, name):
        return
    columns: set[bytes] = set()
    first = last = 0
    for chunk in _chunks(archive, part, name):
        found: list[tuple[bytes, bytes]] = _CELL.findall(chunk)
        if not found:
            continue
        columns.update(column for column, _ in found)
        rows = {int(row) for _, row in found}
        first = min(first or min(rows), *rows)
        last = max(last, *rows)
    if not columns:
        return
    numbers = sorted((column_number(column), column) for column in columns)
    area = (numbers[-1][0] - numbers[0][0] + 1) * (last - first + 1)
    if area > MOST_AREA:
        where = f"{numbers[-1][1].decode()}{last}"
        raise WorkError(
            f"{name} was refused: its cells are so far apart (as far as {where}) that a sheet spans {area:,} cells; "
            f"at most {MOST_AREA:,} are read. Ask the user to delete the far cells in Excel."
        )


def _surely_near(archive: zipfile.ZipFile, part: str, name: str) -> bool:
    """A quick look at rows and wide columns alone, which settles it for nearly every sheet."""
    first = last = unnumbered = 0
    width = 26
    for chunk in _chunks(archive, part, name):
        rows = {int(row) for row in _ROW.findall(chunk)}
        unnumbered += chunk.count(b"<row") - len(rows)
        wide: list[tuple[bytes, bytes]] = _WIDE.findall(chunk)
        width = max([width, *(column_number(column) for column in {column for column, _ in wide})])
        rows |= {int(row) for _, row in wide}
        if rows:
            first, last = min(first or min(rows), *rows), max(last, *rows)
    return unnumbered <= 0 and last > 0 and (last - first + 1) * width <= MOST_AREA


def _chunks(archive: zipfile.ZipFile, part: str, name: str) -> Iterator[bytes]:
    """The part's text in pieces that end between two tags."""
    tail = b""
    try:
        with archive.open(part) as file:
            while read := file.read(CHUNK):
                chunk = tail + read
                cut = chunk.rfind(b"<")
                if 0 <= len(chunk) - cut <= LONGEST_TAG and cut > 0:
                    yield chunk[:cut]
                    tail = chunk[cut:]
                else:
                    yield chunk
                    tail = chunk[-32:]  # a reference may be cut; the overlap only repeats what is counted by its extremes
            yield tail
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise WorkError(f"{name} is damaged: {part} cannot be unpacked ({error}).") from error


def _check_repeats(archive: zipfile.ZipFile, name: str) -> None:
    """An .ods file says how often a cell and a row repeat; only those with something in them take room."""
    text = archive.read("content.xml")
    rows = area = 0
    for match in _REPEATS.finditer(text):
        tag = match.group()
        times = int(count.group(1)) if (count := _COUNT.search(tag)) else 1
        if tag.startswith(b"<table:table-row"):
            rows = times
        elif b"office:value" in tag or b"formula" in tag or not tag.endswith(b"/>"):
            area += times * rows
        if area > MOST_AREA:
            raise WorkError(f"{name} was refused: its repeated cells would fill more than {MOST_AREA:,} cells.")
