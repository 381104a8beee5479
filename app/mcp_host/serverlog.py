"""A server's log: what it wrote to stderr and what the host saw, in a file of bounded size."""

import re
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

LINES_KEPT = 500
FILE_LIMIT = 1024 * 1024
LINE_LIMIT = 4000
BYTES_A_SECOND = 256 * 1024


class ServerLog:
    """The last lines in memory, all of them in `path` until it is 1 MiB, then in `path.1` too.

    More than 256 KiB a second are counted, not written: a flood must not fill the disk.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._window = 0.0
        self._spent = 0
        self._dropped = 0

    def add(self, source: str, text: str) -> None:
        """`source`: stderr, stdout, server (its log messages) or host."""
        now = time.monotonic()
        if now - self._window >= 1.0:
            self._window, self._spent = now, 0
        if self._spent >= BYTES_A_SECOND:
            self._dropped += 1
            return
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            self._write(f"{_stamp()} host: {dropped} lines were left out, too many in a second")
        for line in text.splitlines() or [""]:
            shown = line if len(line) <= LINE_LIMIT else line[:LINE_LIMIT] + "…"
            self._write(f"{_stamp()} {source}: {shown}")

    def tail(self, source: str, count: int = 5) -> tuple[str, ...]:
        """The last `count` lines of one source, without time and source."""
        mark = f" {source}: "
        found = [line.split(mark, 1)[1] for line in self.lines if mark in line[:40]]
        return tuple(found[-count:])

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._spent += len(line)
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and self.path.stat().st_size > FILE_LIMIT:
                self.path.replace(self.path.with_name(self.path.name + ".1"))
            with self.path.open("a", encoding="utf-8", errors="replace") as out:
                out.write(line + "\n")
        except OSError:
            self.path = None  # a full or read-only disk must not cost the server


def log_path(folder: Path, server: str) -> Path:
    """The log file of a server, whatever its name is made of."""
    return folder / f"mcp-{re.sub(r'[^a-zA-Z0-9_.-]', '_', server)[:80]}.log"


def _stamp() -> str:
    return datetime.now(tz=UTC).strftime("%H:%M:%S.%f")[:-3]
