"""A session bus of its own with a desktop's services on it, for tests."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Bus:
    """`address` for DBUS_SESSION_BUS_ADDRESS; `heard` waits for what a service was asked."""

    def __init__(self) -> None:
        self._daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1", "--address=unix:tmpdir=/tmp"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._daemon.stdout is not None
        self.address = self._daemon.stdout.readline().strip()
        self._services = subprocess.Popen(
            [sys.executable, "-m", "tests.desktop.services"],
            cwd=ROOT,
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.heard("ready")

    def _read(self) -> None:
        assert self._services.stdout is not None
        for line in self._services.stdout:
            self._lines.put(json.loads(line))

    def heard(self, key: str, seconds: float = 60) -> dict[str, Any]:
        """The next thing of that kind; others before it are passed over."""
        while True:
            line = self._lines.get(timeout=seconds)
            if key in line:
                return line

    def tell(self, line: str) -> None:
        """`click NUMBER` or `press`."""
        assert self._services.stdin is not None
        self._services.stdin.write(f"{line}\n")
        self._services.stdin.flush()

    def close(self) -> None:
        for process in (self._services, self._daemon):
            process.terminate()
            process.wait(20)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()
