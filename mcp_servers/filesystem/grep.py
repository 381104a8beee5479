"""Searching files for a regular expression, through a worker process with a time limit."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.grep_worker import Request
from mcp_servers.filesystem.roots import Roots

SECONDS = 10.0
"""How long one search may take; then its process is killed and the answer is what was found."""

LINE = 64 * 1024
ANSWER = 1_000_000
"""The most characters one answer holds."""

Show = Literal["lines", "files", "counts"]


@dataclass
class Results:
    """What the worker said so far."""

    at: str = ""
    lines: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    done: dict[str, Any] | None = None
    size: int = 0

    def take(self, raw: bytes) -> None:
        """One line of the worker's output."""
        said = cast("dict[str, Any]", json.loads(raw))
        self.at = said.get("at", self.at)
        self.done = said.get("done", self.done)
        if "path" in said:
            self.lines.append(said)
            self.size += len(said["text"]) + 20


async def grep(
    roots: Roots,
    pattern: str,
    path: str | None,
    *,
    glob: str | None = None,
    fixed: bool = False,
    any_case: bool = False,
    everything: bool = False,
    context: int = 0,
    most: int = 100,
    show: Show = "lines",
    seconds: float = SECONDS,
) -> str:
    """The lines that fit, as `path:line: text`; context lines have `-` in place of the colons."""
    _check(pattern, fixed)
    real = roots.real()
    places = [roots.resolve(path).path] if path else real
    if not places:
        raise FilesError("No folder is allowed yet. Ask the user to add one in the settings.")
    request = Request(
        roots=real,
        protected=list(roots.protected),
        paths=places,
        pattern=pattern,
        fixed=fixed,
        any_case=any_case,
        glob=glob,
        everything=everything,
        context=context if show == "lines" else 0,
        most=most if show == "lines" else 50_000,
        seconds=seconds,
    )
    results = await _run(request, seconds)
    return _answer(results, show, most, seconds)


def _check(pattern: str, fixed: bool) -> None:
    if not pattern:
        raise FilesError("The pattern is empty. Give a regular expression or a text.")
    if fixed:
        return
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise FilesError(
            f"The pattern is not a valid regular expression: {error}. Set fixed to true to search for it as plain text."
        ) from error


async def _run(request: Request, seconds: float) -> Results:
    results = Results()
    with anyio.CancelScope(shield=True) as starting:
        process = await anyio.open_process(
            worker_command(),
            env=_environment(),
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        starting.shield = False  # cancelled before this, the process would be nobody's
        try:
            with anyio.move_on_after(seconds + 0.5):
                await _talk(process, json.dumps(request).encode("utf-8"), results)
                if results.done is not None:
                    await process.wait()
        finally:
            await _ended(process)
    return results


async def _ended(process: Process) -> None:
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.aclose()


async def _talk(process: Process, request: bytes, results: Results) -> None:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    await process.stdin.send(request)
    await process.stdin.aclose()
    output = BufferedByteReceiveStream(process.stdout)
    with contextlib.suppress(anyio.IncompleteRead, anyio.EndOfStream):
        while results.size < ANSWER:
            results.take(await output.receive_until(b"\n", LINE))
    if results.done is None and results.size < ANSWER:
        said = b"".join([part async for part in process.stderr]).decode("utf-8", "replace").strip()
        raise FilesError(f"The search ended early: {said.splitlines()[-1] if said else 'no reason given'}.")


def worker_command() -> list[str]:
    """How the worker starts: the packaged app serves it through its own command line."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "mcp", "filesystem", "--grep-worker"]
    return [sys.executable, "-m", "mcp_servers.filesystem.grep_worker"]


def _environment() -> dict[str, str]:
    home = str(Path(__file__).resolve().parents[2])
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": home, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def _answer(results: Results, show: Show, most: int, seconds: float) -> str:
    lines = _lines(results.lines) if show == "lines" else _by_file(results.lines, show, most)
    notes: list[str] = []
    done = results.done
    if done is None and results.size >= ANSWER:
        notes.append("[cut: too many matches; narrow the pattern, the path or the glob]")
    elif done is None or done["late"]:
        notes.append(
            f"[stopped after {seconds:g} s while searching {results.at or 'the folders'}: narrow the path or "
            "glob, or use a simpler pattern]"
        )
    elif show == "lines" and done["hits"] >= most:
        notes.append(f"[cut after {most} matches]")
    if done and done["skipped"]:
        notes.append(f"[{done['skipped']} binary files were skipped]")
    return "\n".join((lines or ["No matches found"]) + notes)


def _lines(found: Sequence[dict[str, Any]]) -> list[str]:
    shown: list[str] = []
    for line in found:
        mark = ":" if line["hit"] else "-"
        shown.append(f"{line['path']}{mark}{line['line']}{mark} {line['text']}")
    return shown


def _by_file(found: Sequence[dict[str, Any]], show: Show, most: int) -> list[str]:
    counts: dict[str, int] = {}
    for line in found:
        counts[line["path"]] = counts.get(line["path"], 0) + 1
    shown = [f"{path}: {count}" if show == "counts" else path for path, count in counts.items()]
    return shown[:most] + ([f"[cut: {len(shown) - most} more files]"] if len(shown) > most else [])
