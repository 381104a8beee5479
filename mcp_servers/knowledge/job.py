"""What runs in the child process: many files, one after the other, each told in pieces as soon as it is read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.reading import load_bytes
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.knowledge.passages import Passage, passages_of
from mcp_servers.knowledge.reading import LARGEST, Tell, read
from mcp_servers.knowledge.words import tokens
from mcp_servers.worker import WorkError

PIECE = 40
"""Passages in one piece: some 100 kB, which nobody notices who takes it apart."""

NICE = 10


def read_files(request: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Read `{root, protected, files: [{id, path, hash}]}`; `path` is relative with "/", `hash` that of the last time or "".

    Every told text is one piece as JSON: `{file, begins}`, then `{file, passages: [[...]]}` any number of times, then
    `{file, hash, title, characters, whole}`, or `{file, hash, same}`, or `{file, hash, problem, kind}`.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)  # the person's own work comes first
    roots = Roots([request["root"]], request["protected"])
    files = request["files"]
    for number, file in enumerate(files):

        def say(_of: int = file["id"], _at: int = number, **told: Any) -> None:
            tell(_at, len(files), json.dumps({"file": _of, **told}, ensure_ascii=False))

        say(begins=True)
        _read_one(roots, request["root"], file, say)
    return {}


def _read_one(roots: Roots, root: str, file: dict[str, Any], say: Any) -> None:
    digest = ""
    try:
        data = load(roots, root, file["path"])
        digest = hashlib.sha256(data).hexdigest()
        if digest == file["hash"]:
            say(hash=digest, same=True)
            return
        document = read(data, Path(file["path"]).name)
        waiting: list[list[Any]] = []
        for number, passage in enumerate(passages_of(document.parts)):
            waiting.append(_row(number, passage))
            if len(waiting) == PIECE:
                say(passages=waiting)
                waiting = []
        if waiting:
            say(passages=waiting)
        characters = sum(len(part.text) for part in document.parts)
        say(hash=digest, title=document.title, characters=characters, whole=document.whole)
    except FilesError as error:
        say(hash=digest, problem=str(error), kind="unreadable")
    except WorkError as error:
        say(hash=digest, problem=_plainly(str(error)), kind=_kind(str(error)))
    except (MemoryError, RecursionError):
        say(hash=digest, problem="Reading it needs more memory than it may have.", kind="large")
    except Exception as error:  # noqa: BLE001 - what a hostile file does to a library is its own status line
        say(hash=digest, problem=f"It is damaged and cannot be read ({type(error).__name__}).", kind="damaged")


def load(roots: Roots, root: str, path: str) -> bytes:
    """A file's bytes, reached from the root without following any link. Raises FilesError."""
    place = Place(root, tuple(path.split("/")), path)
    return load_bytes(roots, place, LARGEST)


def _row(number: int, one: Passage) -> list[Any]:
    """A passage as the index takes it; the last value are the tokens of its text."""
    place = (one.start, one.end, one.page, one.sheet, one.head, one.first, one.last)
    return [number, *place, one.text, tokens(one.text)]


def _plainly(words: str) -> str:
    """What was written for a model, for the person."""
    for said in ("Ask the user to ", "Ask the user "):
        if said in words:
            before, _, after = words.partition(said)
            words = f"{before}{after[:1].upper()}{after[1:]}"
    return words


_KINDS: Sequence[tuple[str, str]] = (
    ("password", "locked"),
    ("scan", "scan"),
    ("not a text file", "binary"),
    ("damaged", "damaged"),
    ("bomb", "large"),
    ("more than", "large"),
)


def _kind(words: str) -> str:
    return next((kind for sign, kind in _KINDS if sign in words), "other")
