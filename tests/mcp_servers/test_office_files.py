"""Workbooks and documents that nobody here wrote: each is read, or refused with a sentence that says why."""

import base64
import hashlib
import re
import tarfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mcp_servers import excel, word
from mcp_servers.excel import job as excel_job
from mcp_servers.word import job as word_job
from mcp_servers.worker import WorkError
from tests.mcp_servers.calls import ROOT, Tools

PACKAGES = ROOT / ".cache" / "office-files"
MAMMOTH = ROOT / ".cache" / "mcp-everything" / "node_modules" / "mammoth" / "test" / "test-data"
NOT_THERE = "the source packages are not there: python3 build test fetches them where the registry can be reached"
WORKBOOKS = ("xlsx", "xlsm", "xls", "xlsb", "ods", "xltx")
DOCUMENTS = ("docx", "docm", "dotx")
REFUSED = re.compile(
    r"is protected by a password\. Ask the user"
    r"|is no .{3,40} (file|document|workbook|spreadsheet)"
    r"|cannot be read: it is damaged"
    r"|has sheets of Excel 4 macros"
    r"|is in the rare format Strict Open XML\. Ask the user"
)
"""What a refusal says; anything else that keeps a file from being read is a fault of ours."""
THROUGH_THE_SERVER = 25
"""Of so many files one goes through a server and its worker process too."""


class Found(NamedTuple):
    """A file by its package and its path there."""

    name: str
    data: bytes


def packed() -> Iterator[Found]:
    for package in sorted(PACKAGES.glob("*.tar.gz")):
        with tarfile.open(package) as files:
            for member in files:
                suffix = member.name.rpartition(".")[2].lower()
                if member.isfile() and suffix in WORKBOOKS + DOCUMENTS and (opened := files.extractfile(member)):
                    yield Found(member.name, opened.read())
    for path in sorted(MAMMOTH.glob("**/*.docx")):
        yield Found(f"mammoth/{path.name}", path.read_bytes())


@cache
def files(kinds: tuple[str, ...]) -> tuple[Found, ...]:
    """Those of these kinds, each content once."""
    once = {hashlib.sha256(one.data).digest(): one for one in packed() if one.name.rpartition(".")[2].lower() in kinds}
    return tuple(sorted(once.values()))


@pytest.fixture(autouse=True)
def _there() -> None:
    if len(list(PACKAGES.glob("*.tar.gz"))) < 7 or not MAMMOTH.is_dir():
        pytest.skip(NOT_THERE)


def read(run: Callable[[dict[str, Any]], dict[str, Any]], one: Found, **request: Any) -> "dict[str, Any] | str":
    """What a worker would answer, or the words with which it refuses; whatever else is raised is a fault."""
    data = base64.b64encode(one.data).decode("ascii")
    try:
        return run({"name": Path(one.name).name, "data": data, **request})
    except WorkError as error:
        return str(error)


def fair(found: tuple[Found, ...], refused: dict[str, str]) -> None:
    """Few are refused, and each in a sentence."""
    assert len(refused) <= len(found) // 10, refused
    assert [f"{name}: {words}" for name, words in refused.items() if not REFUSED.search(words)] == []


def test_every_workbook_is_read_or_refused_in_words() -> None:
    found = files(WORKBOOKS)
    assert len(found) >= 60
    refused: dict[str, str] = {}
    cells = 0
    for one in found:
        told = read(excel_job.read, one, operation="describe_workbook", arguments={})
        if isinstance(told, str):
            refused[one.name] = told
            continue
        for sheet in told["data"]["sheets"]:
            wanted = {"sheet": sheet["name"], "range": None, "start_row": None, "rows": 100, "formulas": False}
            page = read(excel_job.read, one, operation="read_sheet", arguments=wanted)
            assert not isinstance(page, str) or "chart" in page, f"{one.name}: {page}"
            cells += sum(len(row) for row in page["data"]["values"]) if isinstance(page, dict) else 0
    assert cells > 5000
    fair(found, refused)


def test_every_document_is_read_or_refused_in_words() -> None:
    found = files(DOCUMENTS)
    assert len(found) >= 40
    refused: dict[str, str] = {}
    letters = 0
    for one in found:
        told = read(word_job.read, one, marked=False)
        if isinstance(told, str):
            refused[one.name] = told
            continue
        letters += len(told["text"])
        assert "headings" in read(word_job.outline, one)
    assert letters > 5000
    fair(found, refused)


@pytest.mark.parametrize("kinds", [WORKBOOKS, DOCUMENTS], ids=["workbooks", "documents"])
async def test_some_of_them_go_through_the_server_as_a_person_would_have_it(kinds: tuple[str, ...], tmp_path: Path) -> None:
    package, tool = (excel, "describe_workbook") if kinds is WORKBOOKS else (word, "read_document")
    tools = Tools(server=package.create({"roots": [str(tmp_path)], "data_dir": str(tmp_path / "data"), "language": "en"}))
    for number, one in enumerate(files(kinds)[::THROUGH_THE_SERVER]):
        file = tmp_path / f"{number}.{one.name.rpartition('.')[2]}"
        file.write_bytes(one.data)
        assert await tools.ok(tool, path=file.name), one.name
