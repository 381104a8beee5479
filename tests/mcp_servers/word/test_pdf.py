"""PDFs by a LibreOffice; where none is installed, by a stand-in that is started just like one."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from mcp_servers.word import pdf
from mcp_servers.worker import WorkError
from tests.mcp_servers.calls import Tools
from tests.mcp_servers.word.documents import document, p

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")

SPEAKS = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out="$2"; shift; done
[ -f "$1" ] && printf '%%PDF-1.7 of %s' "$(basename "$1")" > "$out/document.pdf"
"""
SULKS = "#!/bin/sh\necho 'source file could not be loaded'\n"
HANGS = "#!/bin/sh\necho $$ > '{pid}'\nsleep 300 & wait\n"


def program(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = folder / "soffice"
    made.write_text(script, encoding="utf-8")
    made.chmod(0o755)
    monkeypatch.setenv("LEOCHAT_SOFFICE", str(made))


async def test_a_pdf_is_made_beside_the_document(
    tools: Tools, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, SPEAKS, monkeypatch)
    (folder / "a.docx").write_bytes(document(p("x")))
    await tools.ok("convert_to_pdf", path="a.docx")
    assert (folder / "a.pdf").read_bytes() == b"%PDF-1.7 of document.docx"
    assert "exists already" in await tools.refused("convert_to_pdf", path="a.docx")


async def test_a_failure_is_told_in_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, SULKS, monkeypatch)
    with pytest.raises(WorkError, match="could not be loaded"):
        await pdf.as_pdf(b"x", ".docx")


async def test_one_that_hangs_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, HANGS.format(pid=tmp_path / "pid"), monkeypatch)
    monkeypatch.setattr(pdf, "SECONDS", 2.0)
    with pytest.raises(WorkError, match="was stopped"):
        await pdf.as_pdf(b"x", ".docx")
    group = int((tmp_path / "pid").read_text(encoding="utf-8"))
    alive = [one for one in psutil.process_iter() if one.pid != os.getpid() and _group(one.pid) == group]
    assert all(one.status() == psutil.STATUS_ZOMBIE for one in alive)


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0
