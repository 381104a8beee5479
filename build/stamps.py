"""Remembers what each set-up step was made from, so that only what changed is made again."""

import contextlib
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from places import CACHE, ROOT
from say import say, timed


@dataclass(frozen=True)
class Step:
    """One thing that set-up makes: `product` exists and was made from `sources` and `facts`."""

    title: str
    stamp: Path
    product: Path
    sources: tuple[Path, ...]
    facts: str = ""

    def is_fresh(self) -> bool:
        """True if nothing has changed; reads the sources only where a size or a time differs."""
        if not (self.product.exists() and self.stamp.exists()):
            return False
        known = _read(self.stamp)
        quick = self._quick()
        if known.get("quick") == quick:
            return True
        if known.get("content") != self._content():
            return False
        _write(self.stamp, {**known, "quick": quick})  # touched, not changed: a fresh checkout
        return True

    def redo(self, work: Callable[[], None]) -> bool:
        """Do `work` unless the product is fresh; True if it was done. One build at a time."""
        if self.is_fresh():
            return False
        with one_at_a_time():
            if self.is_fresh():
                return False
            # Taken before the work: what changes meanwhile is made again next time.
            made_from = {"quick": self._quick(), "content": self._content()}
            self.stamp.unlink(missing_ok=True)
            with timed(self.title):
                work()
            _write(self.stamp, made_from)
        return True

    def keep(self) -> None:
        """Take the product as made from what is there now."""
        _write(self.stamp, {"quick": self._quick(), "content": self._content()})

    def _quick(self) -> str:
        facts = [self.facts]
        for path in self.sources:
            status = path.stat()
            facts.append(f"{_name(path)} {status.st_size} {status.st_mtime_ns}")
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def _content(self) -> str:
        digest = hashlib.sha256(self.facts.encode())
        for path in self.sources:
            digest.update(f"\0{_name(path)}\0".encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()


def files_under(folder: Path, suffixes: Iterable[str] = (), skip: Iterable[str] = ()) -> list[Path]:
    """All files below `folder` in a stable order, without hidden folders and those in `skip`."""
    wanted, skipped = tuple(suffixes), {"__pycache__", *skip}
    found: list[Path] = []
    for where, folders, names in os.walk(folder):
        folders[:] = sorted(n for n in folders if n not in skipped and not n.startswith("."))
        found += [Path(where, n) for n in sorted(names) if not wanted or n.endswith(wanted)]
    return found


@contextlib.contextmanager
def one_at_a_time() -> Generator[None]:
    """Hold the build lock: two starts at once must not install into each other.

    Threads of one start hold it together; what they do side by side is theirs to choose.
    """
    _lock.take()
    try:
        yield
    finally:
        _lock.give_back()


class _Lock:
    """The lock of this folder, held as long as one thread of ours wants it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._holders = 0
        self._file: BinaryIO | None = None

    def take(self) -> None:
        with self._guard:
            if self._file is None:
                self._file = _locked()
            self._holders += 1

    def give_back(self) -> None:
        with self._guard:
            self._holders -= 1
            if self._holders == 0 and self._file is not None:
                self._file.close()  # gives the lock back; a crash does so too
                self._file = None


_lock = _Lock()


def _locked() -> BinaryIO:
    CACHE.mkdir(exist_ok=True)
    handle = (CACHE / "lock").open("a+b")
    if not _try_lock(handle.fileno()):
        say("Waiting for another build of this folder to finish ...")
        while not _try_lock(handle.fileno()):
            time.sleep(0.2)
    return handle


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _read(stamp: Path) -> dict[str, str]:
    try:
        return json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # a stamp cut short by a full disk or a kill: make it again


def _write(stamp: Path, made_from: dict[str, str]) -> None:
    stamp.parent.mkdir(parents=True, exist_ok=True)
    fresh = stamp.with_suffix(".new")
    fresh.write_text(json.dumps(made_from), encoding="utf-8")
    fresh.replace(stamp)
