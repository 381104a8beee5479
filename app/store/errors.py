"""The store's one kind of error, in words for a person, and how SQLite's become it."""

import shutil
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

StoreErrorKind: TypeAlias = Literal[
    "newer", "corrupt", "disk_full", "read_only", "busy", "missing", "closed", "invalid", "failed"
]


class StoreError(Exception):
    """What the store could not do. `kind` is for programs, `message` for a person, `path` the file meant."""

    def __init__(self, kind: StoreErrorKind, message: str, path: Path | None = None):
        super().__init__(message)
        self.kind: StoreErrorKind = kind
        self.message = message
        self.path = path


DAMAGED = "{path} is damaged. Close LeoChat, then put a backup in its place: leochat conversations restore"

FULL = "The disk is full: free some space; nothing already saved is lost."
TIGHT = 256 * 1024
"""Bytes free under which SQLite's error of input and output is a full disk: it has no room for its shared memory."""

_KINDS: tuple[tuple[str, StoreErrorKind, str], ...] = (
    ("disk is full", "disk_full", FULL),
    ("readonly", "read_only", "{path} cannot be written: check its permissions and those of its folder."),
    ("unable to open", "read_only", "{path} cannot be opened: check its permissions and those of its folder."),
    ("is locked", "busy", "{path} is in use by another process that does not let go: close it and try again."),
    ("not a database", "corrupt", DAMAGED),
    ("malformed", "corrupt", DAMAGED),
    ("disk i/o error", "failed", "The disk reported an error while {path} was used."),
)


def translate(error: sqlite3.Error, path: Path) -> StoreError:
    """The StoreError that says what `error` means for the file at `path`."""
    text = str(error).lower()
    for mark, kind, words in _KINDS:
        if mark in text:
            if kind == "failed" and _is_tight(path):
                return StoreError("disk_full", FULL, path)
            return StoreError(kind, words.format(path=path), path)
    return StoreError("failed", f"The store failed: {error}", path)


@contextmanager
def in_words(path: Path) -> Generator[None]:
    """Raise SQLite's and the file system's errors as StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        kind: StoreErrorKind = "disk_full" if error.errno == 28 else "read_only"
        words = FULL if kind == "disk_full" else f"{error.filename or path}: {error.strerror}."
        raise StoreError(kind, words, path) from error


def _is_tight(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < TIGHT
    except OSError:
        return False
