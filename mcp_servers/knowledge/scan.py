"""What files are in a folder now: names, sizes and times, without opening one and without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import category

from mcp_servers.filesystem.patience import Patience
from mcp_servers.knowledge.reading import ENDINGS, LARGEST, ending_of
from mcp_servers.worker import MIB

DEEPEST = 60
MOST_FILES = 200_000
LEFT_OUT = frozenset(("node_modules", "__pycache__", "$RECYCLE.BIN", "System Volume Information", "lost+found"))
_HIDDEN: int = getattr(stat, "FILE_ATTRIBUTE_HIDDEN", 2)


@dataclass(frozen=True)
class Seen:
    """A file of a kind that is read. `stamp` changes when it may have changed; `kind` and `problem`: why it is not read."""

    path: str
    size: int
    stamp: str
    kind: str = ""
    problem: str = ""


@dataclass
class Scan:
    """`files` by their path from the folder, with "/"; `unread` are folders that could not be looked into."""

    files: dict[str, Seen] = field(default_factory=dict[str, Seen])
    unread: list[str] = field(default_factory=list[str])
    others: int = 0
    cut: bool = False
    there: bool = True

    def knows(self, path: str) -> bool:
        """Whether it would have been seen if it were there."""
        return not self.cut and not any(path.startswith(f"{folder}/") for folder in self.unread)


def scan(root: str, protected: Collection[str], patience: Patience) -> Scan:
    """Look through a folder. Hidden files and folders, links, and `LEFT_OUT` are not in it."""
    found = Scan()
    closed = {os.path.realpath(path) for path in protected}
    if not Path(root).is_dir() or os.path.realpath(root) != root:
        found.there = False
        return found
    waiting: list[tuple[str, int]] = [("", 0)]
    while waiting:
        way, depth = waiting.pop()
        here = os.path.join(root, *way.split("/")) if way else root  # noqa: PTH118 - thousands of them
        if here in closed:
            continue
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    _take(entry, way, depth, found, waiting)
        except OSError:
            if not way:
                found.there = False
                return found
            found.unread.append(way)
        if len(found.files) >= MOST_FILES or patience.over():
            found.cut = True
            break
    return found


def _take(entry: os.DirEntry[str], way: str, depth: int, found: Scan, waiting: list[tuple[str, int]]) -> None:
    name = entry.name
    if name.startswith((".", "~$")) or name in LEFT_OUT:
        return
    path = f"{way}/{name}" if way else name
    try:
        if entry.is_dir(follow_symlinks=False):
            if not _is_junction(entry) and depth < DEEPEST:
                waiting.append((path, depth + 1))
            return
        if not entry.is_file(follow_symlinks=False):
            return
        if ending_of(name) not in ENDINGS:
            found.others += 1
            return
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return  # gone between the list and the look
    if not getattr(status, "st_file_attributes", 0) & _HIDDEN:
        seen = _seen(path, status)
        found.files[seen.path] = seen


def _seen(path: str, status: os.stat_result) -> Seen:
    stamp = f"{status.st_size}.{status.st_mtime_ns}.{status.st_mode:o}"
    if _stored(path) != path:
        return Seen(_stored(path), status.st_size, stamp, "name", "Its name is not valid Unicode. Rename it.")
    if status.st_size > LARGEST:
        words = f"It has {status.st_size // MIB:,} MiB; at most {LARGEST // MIB} MiB are read. Split it."
        return Seen(path, status.st_size, stamp, "large", words)
    return Seen(path, status.st_size, stamp)


def _stored(path: str) -> str:
    """A path as the database can hold it."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(path: str) -> str:
    """A path on one line: what is invisible, breaks the line or turns its direction is written out."""
    return "".join(letter if letter.isprintable() or category(letter) == "Zs" else f"\\u{{{ord(letter):x}}}" for letter in path)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    return bool(getattr(entry, "is_junction", bool)())
