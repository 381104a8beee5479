"""The browser's own profile folder, which one program at a time may use."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import IO, Any

PREFERENCES: dict[str, Any] = {
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "credentials_enable_service": False,
    "profile": {"password_manager_enabled": False},
    "dns_prefetching": {"enabled": False},
    "search": {"suggest_enabled": False},
    "signin": {"allowed": False},
}
"""What a new profile starts with: nothing is remembered of forms, nothing is told to a vendor."""


class ProfileLockedError(Exception):
    """Somebody else uses the folder; the text says who and what to do."""


class Profile:
    """A folder, locked from `take` to `release`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: IO[bytes] | None = None

    def take(self) -> None:
        """Make the folder ours. Raises ProfileLockedError at once where it is not free."""
        self.folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder.mkdir(exist_ok=True, mode=0o700)
        if self._lock is None:
            lock = (self.folder.parent / f"{self.folder.name}.lock").open("ab")
            try:
                _lock(lock)
            except OSError as error:
                lock.close()
                raise self._locked("another LeoChat, or another program that started this server") from error
            self._lock = lock
        if holder := self._browser():
            self.release()
            raise self._locked(holder)
        self._begin()

    def release(self) -> None:
        """Let others use it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _locked(self, holder: str) -> ProfileLockedError:
        return ProfileLockedError(
            f"The browser's profile folder {self.folder} is in use by {holder}, and only one at a time can use it. "
            "Close that one (its browser_close is enough) and try again."
        )

    def _browser(self) -> str | None:
        """Who holds the browser's own lock (a link to "host-pid", on Linux and macOS)."""
        lock = self.folder / "SingletonLock"
        try:
            host, _, number = str(lock.readlink()).rpartition("-")
        except OSError:
            return None
        if host != socket.gethostname():
            return f"a browser on the computer {host!r} (if none runs there any more, delete {lock})"
        return f"a browser (process {number})" if number.isdigit() and self._holds(int(number)) else None

    def _holds(self, pid: int) -> bool:
        """Whether that process is a browser on this folder, and not a newcomer with the number of a dead one."""
        import psutil

        try:
            return any(part.endswith(str(self.folder)) for part in psutil.Process(pid).cmdline())
        except psutil.NoSuchProcess:
            return False
        except psutil.Error:
            return True

    def _begin(self) -> None:
        preferences = self.folder / "Default" / "Preferences"
        if not preferences.exists():
            preferences.parent.mkdir(exist_ok=True)
            preferences.write_text(json.dumps(PREFERENCES), "utf-8")


def _lock(file: IO[bytes]) -> None:
    """An exclusive lock that the system takes back when the process ends, however it does."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
