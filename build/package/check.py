"""`build package --check`: what was made is started, by itself and on a PATH without Python or Node, and has to work."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from package.edition import Edition
from places import LINUX, ROOT, WINDOWS, script
from python_side import set_up_python
from say import SetupError, say

PATIENCE = 120.0
"""Seconds for one step; the machine may be slow, and a first start reads everything from the disk."""
STRANGERS = re.compile(r"^(python|pip|uv|node|npm|npx|pyenv)", re.IGNORECASE)
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
SHEET = '[excel__create_workbook path="sums.xlsx"]'
LETTER = '[word__write_document path="letter.docx" markdown="Dear all"]'


class FailedError(Exception):
    """What did not work, in words."""


@dataclass(frozen=True)
class Packaged:
    """The program under test with a home, documents and a PATH of its own."""

    program: Path
    place: Path

    @property
    def console(self) -> Path:
        """The one that has streams."""
        beside = self.program.with_name(f"{self.program.stem}-cli.exe")
        return beside if beside.exists() else self.program

    @property
    def environment(self) -> dict[str, str]:
        kept = ("DISPLAY", "XAUTHORITY", "SYSTEMROOT", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA", "USERPROFILE", "COMSPEC")
        return {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "PATH": str(Path(os.environ["SYSTEMROOT"]) / "System32" if WINDOWS else self.place / "bin"),
            "HOME": str(self.place),
            "LANG": "C.UTF-8",
            "LEOCHAT_HOME": str(self.place / "home"),
            "LEOCHAT_DOCUMENTS": str(self.place / "documents"),
        }

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """The program with these arguments, to its end."""
        return subprocess.run(
            [self.console, *arguments],
            cwd=self.place,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )


@contextmanager
def fresh(program: Path) -> Generator[Packaged]:
    """The program with an empty home, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="leochat-check-", ignore_cleanup_errors=True) as made:
        place = Path(made)
        (place / "documents").mkdir()
        if not WINDOWS:
            bare_path(place / "bin")
        yield Packaged(program, place)


def bare_path(folder: Path) -> None:
    """Links to the system's programs, but no Python, no Node, nor what installs them."""
    folder.mkdir()
    for system in ("/bin", "/usr/bin"):
        for program in Path(system).iterdir():
            link = folder / program.name
            if not STRANGERS.match(program.name) and not link.is_symlink():
                link.symlink_to(program)


def program_of(made: Path, edition: Edition) -> Path:
    """What is double-clicked, in what `build package` left."""
    if WINDOWS:
        return made / f"{edition.id}.exe"
    if sys.platform == "darwin":
        return made.with_name(f"{edition.name}.app") / "Contents" / "MacOS" / edition.id
    return made / edition.id


def main(made: Path, edition: Edition) -> int:
    """Every step with its time; 1 where one failed."""
    program = program_of(made, edition)
    if not program.exists():
        raise SetupError(f"{program} is not there: make it with `build package` first.")
    steps: list[tuple[str, Callable[[Packaged], None]]] = [
        ("it says its version", _version),
        ("a demo runs", _demo),
        ("bundled servers over stdio", _servers),
        ("Excel and Word by their workers", _offices),
        ("the page is served", _served),
    ]
    if LINUX and shutil.which("xvfb-run"):
        steps.append(("the window, by clicking", _window))
    failed = 0
    for title, step in steps:
        start = time.monotonic()
        try:
            with fresh(program) as packaged:
                step(packaged)
            verdict = "ok"
        except (FailedError, OSError, ValueError, subprocess.TimeoutExpired) as error:
            verdict, failed = f"FAILED: {error}", failed + 1
        say(f"  {title:<34} {time.monotonic() - start:6.1f} s  {verdict}")
    return 1 if failed else 0


def _version(packaged: Packaged) -> None:
    said = packaged.run("--version")
    if said.returncode or not re.search(r"\d+\.\d+", said.stdout):
        raise FailedError(said.stdout + said.stderr)


def _demo(packaged: Packaged) -> None:
    said = packaged.run("ask", "start the Pokémon quiz", "--json")
    types = [json.loads(line)["event"]["type"] for line in said.stdout.splitlines()]
    if said.returncode or "tool_end" not in types or types[-1] != "task_end":
        raise FailedError(said.stderr or str(types))


def server_names(packaged: Packaged) -> list[str]:
    """The servers that it says it can serve."""
    listed = re.search(r"Serve one of (.+?)\.", " ".join(packaged.run("mcp", "--help").stdout.split()))
    if listed is None:
        raise FailedError("`mcp --help` names no servers")
    return listed[1].split(", ")


def _servers(packaged: Packaged) -> None:
    asked = "".join(json.dumps(line) + "\n" for line in (HELLO, READY))
    for name in server_names(packaged):
        with subprocess.Popen(
            [packaged.console, "mcp", name],
            cwd=packaged.place,
            env=packaged.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as server:
            assert server.stdin
            assert server.stdout
            assert server.stderr
            try:
                server.stdin.write(asked)
                server.stdin.flush()
                hello = server.stdout.readline()
                server.stdin.write(json.dumps(LIST) + "\n")
                server.stdin.flush()
                tools: list[object] = json.loads(server.stdout.readline())["result"]["tools"] if hello else []
                server.stdin.close()
                server.wait(20)
            finally:
                server.kill()
            if not tools:
                raise FailedError(f"{name} offers no tools: {server.stderr.read()[-300:]}")


def _offices(packaged: Packaged) -> None:
    for wish in (SHEET, LETTER):
        said = packaged.run("ask", wish, "--approve", "all", "--json")
        ended = [e["event"]["result"] for e in map(json.loads, said.stdout.splitlines()) if e["event"]["type"] == "tool_end"]
        if not ended or ended[0]["is_error"]:
            raise FailedError(f"{wish}: {ended[0]['text'] if ended else said.stderr}")
    written = {path.name for path in (packaged.place / "documents").rglob("*") if path.is_file()}
    if not {"sums.xlsx", "letter.docx"} <= written:
        raise FailedError(f"written were {sorted(written)}")


def _served(packaged: Packaged) -> None:
    with subprocess.Popen(
        [packaged.console, "serve"], cwd=packaged.place, env=packaged.environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().rpartition(" at ")[2].partition("#")[0].strip()
            with urllib.request.urlopen(address, timeout=PATIENCE) as page:  # noqa: S310 (our own server, on this computer)
                if b"<script" not in page.read():
                    raise FailedError("the page has no script")
        finally:
            server.terminate()
            server.wait(20)


def _window(packaged: Packaged) -> None:
    set_up_python("tests", "qt")
    driver = [script("python"), ROOT / "build" / "package" / "window_check.py", packaged.program, packaged.place]
    display = ["xvfb-run", "-a", "-s", "-screen 0 1280x900x24"]
    done = subprocess.run([*display, *driver], cwd=ROOT, capture_output=True, text=True, timeout=8 * PATIENCE, check=False)
    if done.returncode:
        raise FailedError("\n".join([*done.stdout.splitlines()[-5:], *done.stderr.splitlines()[-15:]]))
