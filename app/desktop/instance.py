"""One window for a home: a lock that dies with its process, and a small channel by which a second start asks the first."""

import contextlib
import hmac
import json
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.settings.atomic import write_private

LOCK = "window.lock"
CHANNEL = "window.json"
DONE = b"ok\n"
ANSWER_SECONDS = 2.0
MOST_BYTES = 200


class Instance:
    """The right to be this home's window. `focus` is called, in a thread of ours, when a second start asks."""

    def __init__(self, home: Path, lock: int):
        self._file = home / CHANNEL
        self._lock = lock
        self._secret = secrets.token_urlsafe(24)
        self._listener: socket.socket | None = None

    def listen(self, focus: Callable[[], None]) -> None:
        """Open the channel; its port and secret stand in a file that only this person can read."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        write_private(self._file, json.dumps({"port": port, "secret": self._secret, "pid": os.getpid()}) + "\n")
        threading.Thread(target=self._answer, args=(self._listener, focus), name="one-instance", daemon=True).start()

    def _answer(self, listener: socket.socket, focus: Callable[[], None]) -> None:
        while True:
            try:
                asking, _ = listener.accept()
            except OSError:
                return  # closed
            with asking, contextlib.suppress(OSError):
                asking.settimeout(ANSWER_SECONDS)
                if hmac.compare_digest(_line(asking), self._secret.encode()):
                    focus()
                    asking.sendall(DONE)

    def close(self) -> None:
        """Let the next start be the first."""
        if self._listener:
            self._listener.close()
        self._file.unlink(missing_ok=True)
        os.close(self._lock)


def claim(home: Path) -> Instance | None:
    """The right to open the window, or None where another process has it. A crash leaves nothing to clean up."""
    lock = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(lock)
    except OSError:
        os.close(lock)
        return None
    return Instance(home, lock)


def _lock(file: int) -> None:
    """An exclusive lock that the system lets go when the process ends; OSError where another holds it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def ask_first(home: Path, seconds: float) -> bool:
    """Have the window that is there come to the front; False where it did not answer within `seconds`.

    It may only just be starting, so that its channel is not there yet.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            known: dict[str, Any] = json.loads((home / CHANNEL).read_text("utf-8"))
            _let_it_come(known)
            if _ask(int(known["port"]), str(known["secret"])):
                return True
        except (OSError, ValueError, KeyError, TypeError):
            pass  # not there yet, or half written by a crash: the next try sees the new one
        time.sleep(0.05)
    return False


def _let_it_come(known: dict[str, Any]) -> None:
    """Windows lets only the process that a person just started put a window in front, or whom that one allows to."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(int(known["pid"]))


def _ask(port: int, secret: str) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS) as channel:
        channel.sendall(f"{secret}\n".encode())
        return channel.recv(len(DONE)) == DONE


def _line(asking: socket.socket) -> bytes:
    said = b""
    while not said.endswith(b"\n") and len(said) < MOST_BYTES:
        part = asking.recv(MOST_BYTES)
        if not part:
            break
        said += part
    return said.strip()
