"""Who runs a task: every process holds a lock file for as long as it lives, so that a dead one's tasks can be told."""

import contextlib
import errno
import os
import sys
import threading
from pathlib import Path
from typing import IO

from app.core.messages import new_id

HELD = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
"""What the platforms say when another process has the lock."""


def _try_lock(file: IO[bytes]) -> bool:
    """Whether the lock is ours now. Raises OSError where the file system knows no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in HELD:
            return False
        raise
    return True


class Owners:
    """`me()` is this store's name as an owner; `is_alive(owner)` says whether another one's process still lives.

    The operating system lets go of the lock when a process ends, however it ends.
    """

    def __init__(self, home: Path):
        self._folder = home / "owners"
        self._mine: tuple[str, IO[bytes]] | None = None
        self._lock = threading.Lock()

    def me(self) -> str:
        with self._lock:
            if self._mine is None:
                self._folder.mkdir(mode=0o700, exist_ok=True)
                name = new_id(f"p{os.getpid()}")
                file = (self._folder / name).open("wb")
                with contextlib.suppress(OSError):  # without locks every other process's task counts as interrupted
                    _try_lock(file)
                self._mine = (name, file)
            return self._mine[0]

    def is_alive(self, owner: str) -> bool:
        mine = self._mine
        if mine is not None and mine[0] == owner:
            return True
        path = self._folder / owner
        try:
            with path.open("rb+") as file:
                if not _try_lock(file):
                    return True
        except OSError:
            return False
        path.unlink(missing_ok=True)
        return False

    def anybody(self) -> bool:
        """Whether any process has this home's store open, this one included."""
        return self._mine is not None or any(self.is_alive(p.name) for p in self._folder.glob("p*"))

    def close(self) -> None:
        with self._lock:
            if self._mine is not None:
                self._mine[1].close()
                (self._folder / self._mine[0]).unlink(missing_ok=True)
                self._mine = None
