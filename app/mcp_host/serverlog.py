"""A server's log: what it wrote to stderr and what the host saw, in a file of bounded size."""

import re
import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

LINES_KEPT = 500
STAMP = len("00:00:00.000")
FILE_LIMIT = 1024 * 1024
LINE_LIMIT = 4000
BYTES_A_SECOND = 256 * 1024
LINES_A_SECOND = 500


class ServerLog:
    """The last 500 lines in memory; in `path` too, until it is 1 MiB, then in `path.1`.

    Of more than 500 lines or 256 KiB in a second the rest is counted, not written to the file: a
    flood must neither fill the disk nor hold up everybody.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._window = 0.0
        self._spent = 0
        self._written = 0
        self._dropped = 0

    def add(self, source: str, text: str) -> None:
        """`source`: stderr, stdout, server (its log messages) or host."""
        for line in text.splitlines() or [""]:
            shown = line if len(line) <= LINE_LIMIT else line[:LINE_LIMIT] + "…"
            stamped = f"{_stamp()} {source}: {shown}"
            self.lines.append(stamped)
            self._keep(stamped)

    def _keep(self, line: str) -> None:
        now = time.monotonic()
        if now - self._window >= 1.0:
            self._window, self._spent, self._written = now, 0, 0
        if self._spent >= BYTES_A_SECOND or self._written >= LINES_A_SECOND:
            self._dropped += 1
            return
        if self._dropped:
            line = f"{_stamp()} host: {self._dropped} lines were left out here, too many in a second\n{line}"
            self._dropped = 0
        self._written += 1
        self._spent += len(line)
        self._write(line)

    def tail(self, source: str, count: int = 5) -> tuple[str, ...]:
        """The last `count` lines of one source, without time and source."""
        mark = f" {source}: "
        found = [line[STAMP + len(mark) :] for line in self.lines if line.startswith(mark, STAMP)]
        return tuple(found[-count:])

    def _write(self, line: str) -> None:
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
