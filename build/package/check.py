"""`build package --check`: what was made is started, by itself and on a PATH without Python or Node, and has to work."""

import json
import os
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from node_side import REFERENCE_SERVERS, set_up_reference_servers
from package import installed
from package.archive import tar_name
from package.edition import Edition
from package.packaged import PATIENCE, FailedError, Packaged, entry_of, fresh, program_of
from places import CACHE, LINUX, ROOT, script
from python_side import set_up_python
from say import SetupError, say

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
EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js"
SHOTS = CACHE / "package" / "shots"
"""Pictures of what was clicked, to be looked at."""
DRIVERS = ("xvfb-run", "openbox", "xdotool", "xprop")

Step = tuple[str, Callable[[], str | None]]
"""Its title, and what it does; it may give words to show beside its time."""


def main(made: Path, edition: Edition) -> int:
    """Every step with its time; 1 where one failed."""
    program = program_of(made, edition)
    if not program.exists():
        raise SetupError(f"{program} is not there: make it with `build package` first.")
    failed = 0
    for title, step in [*_steps(program), *_windows(made, edition)]:
        start = time.monotonic()
        try:
            verdict = step() or "ok"
        except (FailedError, OSError, ValueError, subprocess.TimeoutExpired) as error:
            verdict, failed = f"FAILED: {error}", failed + 1
        say(f"  {title:<34} {time.monotonic() - start:6.1f} s  {verdict}")
    return 1 if failed else 0


def _steps(program: Path) -> list[Step]:
    """What needs no window: on every platform."""

    def alone(step: Callable[[Packaged], None]) -> Callable[[], str | None]:
        def run() -> None:
            with fresh(program) as packaged:
                step(packaged)

        return run

    return [
        ("it says its version", alone(_version)),
        ("a demo runs", alone(_demo)),
        ("bundled servers over stdio", alone(_servers)),
        ("Excel and Word by their workers", alone(_offices)),
        ("the page is served", alone(_served)),
    ]


def _windows(made: Path, edition: Edition) -> list[Step]:
    """What a person clicks, where this platform has what drives a window."""
    if not LINUX:
        return []
    if lacking := [name for name in DRIVERS if shutil.which(name) is None]:
        say(f"  The window is not tried: that needs {', '.join(lacking)}.")
        return []
    packed, package = made.parent / tar_name(edition), installed.deb_file(made.parent, edition)
    entry = entry_of(made, edition)
    assert entry

    def handed_on(how: Callable[[Path, Edition, installed.Use], None], file: Path, name: str) -> Callable[[], str | None]:
        def run() -> str:
            told: list[str] = []
            how(file, edition, lambda program, entry: told.append(_window(program, entry, name, "--short")))
            return told[-1]

        return run

    steps: list[Step] = [
        ("the window, by clicking", lambda: _window(program_of(made, edition), entry, "window", *_wishes(edition)))
    ]
    if packed.exists():
        steps.append(("the tar.gz, unpacked elsewhere", handed_on(installed.archive, packed, "tar")))
    if package.exists():
        steps.append(("the .deb: in, started, out", handed_on(installed.deb, package, "deb")))
    return steps


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


def _window(program: Path, entry: Path, name: str, *wishes: str) -> str:
    """Start it by its entry and click through it; how long its start took."""
    set_up_python("qt")
    shots = SHOTS / name
    shutil.rmtree(shots, ignore_errors=True)
    with fresh(program, entry) as packaged:
        driver = [script("python"), "-m", "package.window_check", entry, packaged.place, "--shots", shots, *wishes]
        display = ["xvfb-run", "-a", "-s", "-screen 0 1280x900x24"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "build")}
        done = subprocess.run(
            [*display, *driver], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=8 * PATIENCE, check=False
        )
    if done.returncode:
        raise FailedError("\n".join([f"(pictures: {shots})", *done.stdout.splitlines()[-5:], *done.stderr.splitlines()[-15:]]))
    return f"ok: {done.stdout.splitlines()[-1]}"


def _wishes(edition: Edition) -> list[str]:
    """What else the window is to be asked: the edition's own, and a server that others wrote, by its whole path."""
    set_up_reference_servers()
    node = shutil.which("node")
    assert node
    server = [str(Path(node).resolve()), str(REFERENCE_SERVERS / EVERYTHING)]
    return ["--server", json.dumps(server), *(["--edition", str(edition.file)] if edition.file else [])]
