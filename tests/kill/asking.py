"""`leochat ask --json`: run, killed at a point or at an event, its lines read.

By `ask` as a program of its own; by `asking` as a fork of a process that has imported LeoChat already, many times a minute.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
PATIENCE = 150.0
PRELOADED = ["__main__", "app.chat.leochat", "app.cli.options", "app.mcp_host.opener", "mcp", "tests.kill.asking"]
Event = dict[str, Any]
Until = Callable[[Event], bool]


@dataclass
class Outcome:
    """What was said on stdout, as events, and how it ended (negative: by a signal)."""

    code: int
    frames: list[Event] = field(default_factory=list[Event])
    errors: str = ""

    @property
    def events(self) -> list[Event]:
        return [frame["event"] for frame in self.frames]

    @property
    def messages(self) -> list[Event]:
        return [event["message"] for event in self.events if event["type"] == "message_end"]


def ask(folder: Path, *arguments: str, until: Until | None = None, **environ: str) -> Outcome:
    """A program; killed without warning at the first event that `until` picks."""
    with (folder / "errors.txt").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "ask", "--json", "--home", str(folder / "home"), *arguments],
            cwd=ROOT,
            env=environment(folder, environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    assert process.stdout is not None
    limit = threading.Timer(PATIENCE, process.kill)
    limit.start()
    with process.stdout as lines:
        frames = heard(lines, until, process.kill)
    code = process.wait()
    limit.cancel()
    return Outcome(code, frames, (folder / "errors.txt").read_text("utf-8", "replace"))


def asking(folder: Path, *arguments: str, until: Until | None = None, within: float = PATIENCE, **environ: str) -> Outcome:
    """The same in a fork; killed after `within` seconds at the latest."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    reader, writer = context.Pipe(duplex=False)
    (folder / "errors.txt").touch()  # the fork may be killed before it has one
    given = ["ask", "--json", "--home", str(folder / "home"), *arguments]
    process = context.Process(target=_forked, args=(writer, folder / "errors.txt", given, environment(folder, environ)))
    process.start()
    writer.close()
    limit = threading.Timer(within, process.kill)
    limit.start()
    with os.fdopen(os.dup(reader.fileno()), "rb") as lines:
        frames = heard(lines, until, process.kill)
    reader.close()
    process.join()
    limit.cancel()
    code = process.exitcode
    process.close()
    assert code is not None
    return Outcome(code, frames, (folder / "errors.txt").read_text("utf-8", "replace"))


def environment(folder: Path, more: dict[str, str]) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LEOCHAT_", "ANTHROPIC_", "OPENAI_"))}
    return {**kept, "LEOCHAT_DOCUMENTS": str(folder / "documents"), "PYTHONUTF8": "1", **more}


def heard(lines: IO[bytes], until: Until | None, kill: Callable[[], None]) -> list[Event]:
    """The whole lines as they come, and what was still on its way when it was killed; a line cut by the kill is none."""
    frames: list[Event] = []
    for line in lines:
        if not line.endswith(b"\n"):
            break
        frames.append(json.loads(line))
        if until and until(frames[-1]["event"]):
            kill()
            until = None
    return frames


def _forked(stdout: Connection, errors: Path, arguments: list[str], environ: dict[str, str]) -> None:
    """In the fork: the command line's own entry, with output and environment as a program would have them."""
    from app.__main__ import main
    from app.store import failpoints

    os.environ.clear()
    os.environ.update(environ)
    os.chdir(ROOT)
    sys.stdout = os.fdopen(os.dup(stdout.fileno()), "w", encoding="utf-8")
    sys.stderr = errors.open("w", encoding="utf-8")
    stdout.close()
    failpoints.arm(environ.get("LEOCHAT_FAILPOINT", ""))
    sys.exit(main(arguments))
