"""`leochat ask` as a program: run, killed at a point or at an event, its lines read."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PATIENCE = 90.0
Event = dict[str, Any]


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
    def conversation(self) -> str | None:
        return next((frame["conversation_id"] for frame in self.frames if frame["conversation_id"]), None)

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def messages(self) -> list[Event]:
        return [event["message"] for event in self.of("message_end")]


def ask(folder: Path, *arguments: str, until: Callable[[Event], bool] | None = None, **environ: str) -> Outcome:
    """One run; killed without warning at the first event that `until` picks."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LEOCHAT_", "ANTHROPIC_", "OPENAI_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "ask", "--json", "--home", str(folder / "home"), *arguments],
        cwd=ROOT,
        env={**kept, "LEOCHAT_DOCUMENTS": str(folder / "documents"), "PYTHONUTF8": "1", **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    errors: list[bytes] = []
    assert process.stderr is not None
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read() if process.stderr else b""), daemon=True)
    reader.start()
    frames: list[Event] = []
    try:
        for frame in _frames(process):
            frames.append(frame)
            if until and until(frame["event"]):
                process.kill()
                until = None
        code = process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        reader.join(10)
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()
    return Outcome(code, frames, b"".join(errors).decode("utf-8", "replace"))


def _frames(process: "subprocess.Popen[bytes]") -> Iterator[Event]:
    """Whole lines as they come; a line cut by the kill is none."""
    lines: queue.Queue[bytes | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := lines.get(timeout=PATIENCE)) is not None:
        if line.endswith(b"\n"):
            yield json.loads(line)
