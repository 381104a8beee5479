"""How the app ends: a signal is heard whatever the toolkit is doing, and nothing is left running."""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable

import psutil


class Signals:
    """Hears SIGINT, SIGTERM and SIGHUP in a thread, since toolkits keep the main thread away from Python for long."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self.heard: int | None = None

    def install(self) -> None:
        """Begin to hear; again after a toolkit has set handlers of its own.

        Only in the main thread, as Python wants it; elsewhere nothing happens (Windows makes its window in another one).
        """
        if threading.current_thread() is not threading.main_thread():
            return
        names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        for number in (getattr(signal, name, None) for name in names):
            if number is not None:
                signal.signal(number, _let_the_thread)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)

    def listen(self, end: Callable[[], None]) -> None:
        """Call `end` at the first signal; a second one ends the process at once."""
        threading.Thread(target=self._wait, args=(end,), name="signals", daemon=True).start()

    def _wait(self, end: Callable[[], None]) -> None:
        while byte := self._reader.recv(1):
            if byte[0] not in (getattr(signal, n, None) for n in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")):
                continue
            if self.heard is not None:
                leave_nothing(128 + self.heard)
            self.heard = byte[0]
            end()


def _let_the_thread(_number: int, _frame: object) -> None:
    """Python only writes to the wake-up socket for signals that have a handler."""


def leave_nothing(code: int) -> None:
    """End this process now, and every process it started, directly or not."""
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            child.kill()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
