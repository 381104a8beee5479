"""PDFs by a LibreOffice; where none is installed, by a stand-in that is started just like one."""

import io
import os
import sys
import zipfile
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


LOOKS = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = --outdir ] && out="$2"; shift; done
cat "$out/profile/user/registrymodifications.xcu" > "{seen}/settings"; env > "{seen}/env"
cp "$1" "{seen}/document.docx"; printf '%%PDF-1.7' > "$out/document.pdf"
"""


async def test_nothing_is_fetched_for_a_pdf_and_no_key_is_handed_on(
    tools: Tools, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, LOOKS.format(seen=tmp_path), monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    drawn = "<w:r><w:pict><v:shape><v:imagedata src='http://127.0.0.1/drawn.png'/></v:shape></w:pict></w:r>"
    related = {
        "image": "http://127.0.0.1/pixel.png",
        "attachedTemplate": "file:///etc/passwd",
        "hyperlink": "https://example.org",
    }
    (folder / "a.docx").write_bytes(pointing_outside(document(p(drawn) + p("kept words")), related))
    assert "Left out" in await tools.ok("convert_to_pdf", path="a.docx")
    with zipfile.ZipFile(tmp_path / "document.docx") as archive:
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert b"127.0.0.1" not in text
    assert b"/etc/passwd" not in text
    assert b"https://example.org" in text
    assert b"kept words" in text
    assert "BlockUntrustedRefererLinks" in (tmp_path / "settings").read_text(encoding="utf-8")
    assert "canary" not in (tmp_path / "env").read_text(encoding="utf-8")


def pointing_outside(data: bytes, related: dict[str, str]) -> bytes:
    """The document with relations to what lies elsewhere."""
    made = io.BytesIO()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    more = "".join(
        f'<Relationship Id="out{number}" Type="{kind}/{name}" Target="{target}" TargetMode="External"/>'
        for number, (name, target) in enumerate(related.items())
    )
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w") as copy:
        for name in archive.namelist():
            held = archive.read(name)
            if name == "word/_rels/document.xml.rels":
                held = held.replace(b"</Relationships>", f"{more}</Relationships>".encode())
            copy.writestr(name, held)
    return made.getvalue()
