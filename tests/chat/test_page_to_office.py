"""“Get this page, put its tables into Excel and a summary into Word, save both on my desktop”: the whole of it, for real."""

import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from openpyxl import load_workbook

from app.chat.leochat import LeoChat, Run
from app.core.events import ApprovalRequest, TaskEnd
from app.core.messages import CardBlock
from mcp_servers.word.pdf import as_pdf, office
from tests.chat.conftest import results, script, watched
from tests.mcp_servers.fetch.site import Site, served

ROWS = [["Bird", "Height (cm)", "Seen"], ["Heron", "98", "2026-03-14"], ["Egret", "65", "2026-04-02"]]
PAGE = (
    "<html><head><title>Birds of the lake</title></head><body><main><h1>Birds of the lake</h1>"
    "<p>Two birds wade here.</p><table>"
    + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    + "</table></main></body></html>"
)
SUMMARY = "## What was seen\n\nThe **heron** is taller than the egret.\n\n- Heron: 98 cm\n- Egret: 65 cm"


def replies(site: Site) -> tuple[dict[str, Any], ...]:
    """What the scripted model says: it reads the page and its tables, writes both files, and says so."""
    url = site.page("/birds", PAGE)

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        return {"type": "tool_call", "name": name, "arguments": arguments}

    records = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
    table = call("excel__write_table", path="~/Desktop/birds.xlsx", sheet="Birds", records=records)
    text = call("word__write_document", path="~/Desktop/birds.docx", title="Birds of the lake", markdown=SUMMARY)
    return (
        {"blocks": [call("fetch__fetch", url=url), call("fetch__fetch_tables", url=url)]},
        {"blocks": [table, text]},
        {"blocks": [{"type": "text", "text": "Both files are on your desktop."}]},
    )


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's desktop, which nobody has allowed yet."""
    made = tmp_path / "person" / "Desktop"
    made.mkdir(parents=True)
    for name in ("XDG_CONFIG_HOME", "XDG_DESKTOP_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made.parent))
    monkeypatch.setattr("platformdirs.user_desktop_dir", lambda: str(made))
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    return made


@asynccontextmanager
async def opened(home: Path) -> AsyncGenerator[LeoChat]:
    leo = LeoChat(home, Run(servers=(), bundled=("fetch", "excel", "word")), environ={})
    try:
        leo.start()
        assert await leo.host.ready(timeout=90)
        yield leo
    finally:
        await leo.close()


@pytest.fixture
async def files(desktop: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The wish fulfilled, with every question answered “once”."""
    async with served() as site, opened(tmp_path / "home") as leo:
        await leo.set_setting("network.open_hosts", [site.host])
        session, watcher = await watched(leo, answer="once")
        await session.send(script(tmp_path / "replies.jsonl", *replies(site)))
        await session.tasks.wait()
        told = results(session)
        assert [r.text for r in told if r.is_error] == []
        assert "| Heron | 98 | 2026-03-14 |" in told[1].text
        assert str(desktop) in {event.folder for event in watcher.of(ApprovalRequest)}
        assert watcher.of(TaskEnd)[-1].reason == "done"
        assert session.messages[-1].text == "Both files are on your desktop."
        cards = [block.server for m in session.messages for block in m.blocks if isinstance(block, CardBlock)]
        assert cards == ["excel", "word"]
    return desktop / "birds.xlsx", desktop / "birds.docx"


def test_other_programs_read_what_was_written(files: tuple[Path, Path]) -> None:
    workbook, document = files
    sheet = load_workbook(workbook)["Birds"]
    values = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert values[0] == ROWS[0]
    assert [[str(value)[:10] for value in row] for row in values[1:]] == ROWS[1:]
    assert [row[1] for row in values[1:]] == [98, 65]  # the page's texts, as numbers that can be summed
    assert len(sheet.tables) == 1
    paragraphs = Document(str(document)).paragraphs
    assert [p.text for p in paragraphs if p.text] == [
        "Birds of the lake", "What was seen", "The heron is taller than the egret.", "Heron: 98 cm", "Egret: 65 cm",
    ]  # fmt: skip
    assert [run.text for p in paragraphs for run in p.runs if run.bold and p.style and p.style.name == "Normal"] == ["heron"]


async def test_libreoffice_opens_both(files: tuple[Path, Path]) -> None:
    if office() is None:
        pytest.skip("no LibreOffice here: apt-get install libreoffice-calc libreoffice-writer")
    from pypdf import PdfReader

    for file in files:
        pdf = PdfReader(io.BytesIO(await as_pdf(file.read_bytes(), file.suffix)))  # as convert_to_pdf makes it
        text = " ".join(page.extract_text() for page in pdf.pages)
        assert len(pdf.pages) == 1
        assert "Heron" in text
        assert "98" in text
