"""A document as a PDF, by the LibreOffice of this computer."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from mcp_servers.worker import WorkError

if TYPE_CHECKING:
    from anyio.abc import Process

SECONDS = 120.0
PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.com",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.com",
    "/usr/lib/libreoffice/program/soffice",
    "/snap/bin/libreoffice",
)
KEPT = (
    "PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR",
    "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
)  # fmt: skip
"""What it gets of our environment: no keys, and none of the libraries of a packaged LeoChat."""

_SCRIPTING = "/org.openoffice.Office.Common/Security/Scripting"
_ITEM = '<item oor:path="{}"><prop oor:name="{}" oor:op="fuse"><value>true</value></prop></item>'
SETTINGS = "".join(
    (
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">',
        *(_ITEM.format(_SCRIPTING, name) for name in ("BlockUntrustedRefererLinks", "DisableMacrosExecution")),
        "</oor:items>",
    )
)
"""Its profile's settings (LibreOffice's officecfg): no document is trusted, so nothing it links to is loaded, no macro runs."""

MISSING = (
    "LibreOffice is not installed on this computer, and it is what makes PDFs here. The user can install it from "
    "https://www.libreoffice.org, or open the document and save it as PDF."
)


def office() -> str | None:
    """The program, where it is installed."""
    named = os.environ.get("LEOCHAT_SOFFICE")
    found = [named] if named else [shutil.which("soffice"), shutil.which("libreoffice"), *PLACES]
    return next((one for one in found if one and Path(one).is_file()), None)


async def as_pdf(data: bytes, ending: str) -> bytes:
    """The PDF of a document's bytes. Raises WorkError where LibreOffice is missing, fails or takes too long."""
    program = office()
    if program is None:
        raise WorkError(MISSING)
    with tempfile.TemporaryDirectory(prefix="leochat-pdf-", ignore_cleanup_errors=True) as held:
        folder = Path(held)
        source = folder / f"document{ending}"
        await anyio.Path(source).write_bytes(data)
        await anyio.Path(folder / "profile" / "user").mkdir(parents=True)
        await anyio.Path(folder / "profile" / "user" / "registrymodifications.xcu").write_text(SETTINGS, "utf-8")
        said = await _run([program, *_options(folder), str(source)])
        made = anyio.Path(source.with_suffix(".pdf"))
        if not await made.exists():
            raise WorkError(f"LibreOffice made no PDF of this document. It said: {said[-300:] or 'nothing'}.")
        return await made.read_bytes()


def _options(folder: Path) -> list[str]:
    """A profile of its own: it works while the person's LibreOffice is open, and runs none of their macros."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    return [profile, "--headless", "--norestore", "--nolockcheck", "--convert-to", "pdf", "--outdir", str(folder)]


async def _run(command: list[str]) -> str:
    with anyio.CancelScope(shield=True) as starting:
        process = await anyio.open_process(
            command,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name.upper() in KEPT},
        )
        starting.shield = False  # cancelled before this, the process would be nobody's
        try:
            with anyio.fail_after(SECONDS):
                assert process.stdout
                said = b"".join([part async for part in process.stdout])
                await process.wait()
                return said.decode("utf-8", "replace").strip()
        except TimeoutError as error:
            raise WorkError(f"LibreOffice took longer than {SECONDS:g} s for this document and was stopped.") from error
        finally:
            await _ended(process)
    raise WorkError("LibreOffice was stopped.")


async def _ended(process: Process) -> None:
    """End it with its children: the program that is started is a shell around the one that works."""
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            if sys.platform == "win32":
                import psutil

                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
        await process.aclose()
