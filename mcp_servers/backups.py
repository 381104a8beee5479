"""Copies of files from before their first change in a task, and the way back to them."""

import contextlib
import json
import os
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

IDLE = 15 * 60.0
"""Seconds without a change after which a conversation's next change begins a new set, where the host names no task."""

KEPT_DAYS = 30
KEPT_SETS = 200


def digest(data: bytes) -> str:
    """What a file's content is known by."""
    return sha256(data).hexdigest()


@dataclass
class Kept:
    """One step of a set. For a file: `copy` is its content's name before (None: it did not exist), `after` the digest we
    left. A `moved` one lay at `path` and lies there now; a `trashed` one is gone, a whole folder with `copy` as one.
    """

    path: str
    copy: str | None
    after: str | None = None
    moved: str | None = None
    trashed: bool = False
    folder: bool = False

    @property
    def ends(self) -> bool:
        """Whether paths mean something else from here on: what is changed after it is kept anew."""
        return self.trashed or self.moved is not None


@dataclass
class ChangeSet:
    """What one task changed; `undone` sets are over. `added`: the step that was kept just now, if one was."""

    id: str
    task: str
    latest: float
    undone: bool = False
    files: list[Kept] = field(default_factory=list[Kept])
    added: Kept | None = None


class Backups:
    """The sets in one folder: `<id>/set.json` and the copies beside it. Used from one process at a time, by any thread."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock
        self._turn = threading.RLock()

    def keep(self, task: str, path: str, data: bytes | None, *, named: bool) -> ChangeSet:
        """The set of the task, with `path` in it; the first time `data` is copied (None: a new file).

        `named` says that the host named the task; otherwise a pause ends a set.
        """
        with self._turn:
            found = self._open_set(task, named=named)
            if _holds(found, path):
                return self._save(found)
            return self._add(found, Kept(path, self._copied(found, path, data)))

    def keep_move(self, task: str, path: str, moved: str, *, named: bool) -> ChangeSet:
        """The set of the task, with a move in it that is about to happen."""
        with self._turn:
            found = self._open_set(task, named=named)
            return self._add(found, Kept(path, None, moved=moved))

    def keep_trashed(self, task: str, path: str, data: bytes | Mapping[str, bytes] | None, *, named: bool) -> ChangeSet:
        """The set of the task, with what is about to go to the trash: a file, a folder's files by relative path,
        or None where it is too large to be kept here."""
        with self._turn:
            found = self._open_set(task, named=named)
            if isinstance(data, Mapping):
                copy = f"{secrets.token_hex(4)}_folder"
                (self._folder / found.id / copy).mkdir(parents=True)
                for name, content in data.items():
                    aim = self._folder / found.id / copy / name
                    aim.parent.mkdir(parents=True, exist_ok=True)
                    aim.write_bytes(content)
                    _like(aim, Path(path, name))
                return self._add(found, Kept(path, copy, trashed=True, folder=True))
            return self._add(found, Kept(path, self._copied(found, path, data), trashed=True))

    def forget(self, change: str, kept: Sequence[Kept]) -> None:
        """Leave out these steps: they did not happen."""
        with self._turn:
            if (found := self.get(change)) is None:
                return
            found.files = [file for file in found.files if file not in kept]
            if found.files:
                self._save(found)
            else:
                shutil.rmtree(self._folder / found.id, ignore_errors=True)

    def _copied(self, found: ChangeSet, path: str, data: bytes | None) -> str | None:
        """The name of the copy in the set's folder."""
        if data is None:
            return None
        copy = f"{secrets.token_hex(4)}_{Path(path).name[-80:]}"
        place = self._folder / found.id
        place.mkdir(parents=True, exist_ok=True)
        (place / copy).write_bytes(data)
        _like(place / copy, Path(path))
        return copy

    def changed(self, change: str, path: str, data: bytes) -> None:
        """Remember what was written, so that an undo can tell whether somebody else has changed it since."""
        with self._turn:
            if (found := self.get(change)) is None:
                return
            file = next((one for one in reversed(found.files) if one.path == path and not one.ends), None)
            if file is not None:
                file.after = digest(data)
            self._save(found)

    def get(self, change: str) -> ChangeSet | None:
        """The set of that id."""
        if not change.isalnum():
            return None
        try:
            told: dict[str, Any] = json.loads((self._folder / change / "set.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        files = [Kept(**file) for file in told.pop("files")]
        return ChangeSet(**told, files=files)

    def latest(self, task: str) -> ChangeSet | None:
        """The newest set of the task that is not undone."""
        found = [one for one in self._all() if one.task == task and not one.undone]
        return max(found, key=lambda one: one.latest, default=None)

    def before(self, found: ChangeSet, file: Kept) -> bytes | None:
        """The file's content from before the task; None: it did not exist."""
        return None if file.copy is None else (self._folder / found.id / file.copy).read_bytes()

    def mode(self, found: ChangeSet, file: Kept) -> int | None:
        """The permissions that the file had, which its copy has too; None where nobody can tell."""
        return _mode(self._folder / found.id / file.copy) if file.copy else None

    def files_before(self, found: ChangeSet, file: Kept) -> dict[str, tuple[bytes, int | None]]:
        """A trashed folder's files with their permissions, by relative path."""
        place = self._folder / found.id / (file.copy or "")
        files = [one for one in sorted(place.rglob("*")) if one.is_file()]
        return {str(one.relative_to(place)): (one.read_bytes(), _mode(one)) for one in files}

    def undone(self, found: ChangeSet, file: Kept, data: bytes) -> None:
        """Keep what an undo took away, in case the undo was the mistake."""
        (self._folder / found.id / f"undone_{Path(file.path).name[-80:]}").write_bytes(data)

    def close(self, found: ChangeSet) -> None:
        """The set is undone."""
        with self._turn:
            found.undone = True
            self._save(found)

    def _open_set(self, task: str, *, named: bool) -> ChangeSet:
        found = self.latest(task)
        if found is not None and (named or self._clock() - found.latest < IDLE):
            return found
        self._prune()
        return ChangeSet(secrets.token_hex(8), task, self._clock())

    def _add(self, found: ChangeSet, kept: Kept) -> ChangeSet:
        found.files.append(kept)
        found.added = kept
        return self._save(found)

    def _save(self, found: ChangeSet) -> ChangeSet:
        found.latest = self._clock()
        place = self._folder / found.id / "set.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_suffix(".tmp")
        told = asdict(found)
        del told["added"]
        beside.write_text(json.dumps(told), "utf-8")
        beside.replace(place)
        return found

    def _all(self) -> list[ChangeSet]:
        if not self._folder.is_dir():
            return []
        found = [self.get(entry.name) for entry in self._folder.iterdir()]
        return [one for one in found if one is not None]

    def _prune(self) -> None:
        sets = sorted(self._all(), key=lambda one: one.latest, reverse=True)
        oldest = self._clock() - KEPT_DAYS * 86_400
        for index, one in enumerate(sets):
            if index >= KEPT_SETS or one.latest < oldest:
                shutil.rmtree(self._folder / one.id, ignore_errors=True)


def _holds(found: ChangeSet, path: str) -> bool:
    """Whether the file as it is now is in the set already."""
    for file in reversed(found.files):
        if file.ends:
            return False
        if file.path == path:
            return True
    return False


def _like(copy: Path, original: Path) -> None:
    """Give the copy the original's permissions, so that what was a program is one again; it stays ours to read and remove."""
    if os.name != "nt":
        with contextlib.suppress(OSError):
            copy.chmod(stat.S_IMODE(original.stat().st_mode) | stat.S_IRUSR | stat.S_IWUSR)


def _mode(copy: Path) -> int | None:
    return None if os.name == "nt" else stat.S_IMODE(copy.stat().st_mode)
