"""Copies of files from before their first change in a task, and the way back to them."""

import json
import secrets
import shutil
import time
from collections.abc import Callable
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
    """One file of a set: `copy` is its content's name before (None: it did not exist), `after` the digest we left."""

    path: str
    copy: str | None
    after: str | None = None


@dataclass
class ChangeSet:
    """What one task changed; `undone` sets are over."""

    id: str
    task: str
    latest: float
    undone: bool = False
    files: list[Kept] = field(default_factory=list[Kept])


class Backups:
    """The sets in one folder: `<id>/set.json` and the copies beside it. Used from one process at a time."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._clock = clock

    def keep(self, task: str, path: str, data: bytes | None, *, named: bool) -> ChangeSet:
        """The set of the task, with `path` in it; the first time `data` is copied (None: a new file).

        `named` says that the host named the task; otherwise a pause ends a set.
        """
        found = self._open_set(task, named=named)
        if all(file.path != path for file in found.files):
            copy = None if data is None else f"{len(found.files):03d}_{Path(path).name[-80:]}"
            place = self._folder / found.id
            place.mkdir(parents=True, exist_ok=True)
            if copy is not None and data is not None:
                (place / copy).write_bytes(data)
            found.files.append(Kept(path, copy))
        self._save(found)
        return found

    def changed(self, found: ChangeSet, path: str, data: bytes) -> None:
        """Remember what was written, so that an undo can tell whether somebody else has changed it since."""
        for file in found.files:
            if file.path == path:
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

    def undone(self, found: ChangeSet, file: Kept, data: bytes) -> None:
        """Keep what an undo took away, in case the undo was the mistake."""
        (self._folder / found.id / f"undone_{Path(file.path).name[-80:]}").write_bytes(data)

    def close(self, found: ChangeSet) -> None:
        """The set is undone."""
        found.undone = True
        self._save(found)

    def _open_set(self, task: str, *, named: bool) -> ChangeSet:
        found = self.latest(task)
        if found is not None and (named or self._clock() - found.latest < IDLE):
            return found
        self._prune()
        return ChangeSet(secrets.token_hex(8), task, self._clock())

    def _save(self, found: ChangeSet) -> None:
        found.latest = self._clock()
        place = self._folder / found.id / "set.json"
        beside = place.with_suffix(".tmp")
        beside.write_text(json.dumps(asdict(found)), "utf-8")
        beside.replace(place)

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
