"""Files that tools change as a whole: read inside the roots, kept before the first change, replaced in one step."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from pathlib import Path

import anyio

from mcp_servers.backups import Backups, ChangeSet, Kept, digest
from mcp_servers.caller import CALLER, Caller
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import to_the_end
from mcp_servers.filesystem.reading import load_bytes
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.writing import create_directory, make_parents, move_file, replace_file
from mcp_servers.missing_files import missing

LARGEST = 64 * 1024 * 1024
"""The most bytes of a file that are read."""


@dataclass(frozen=True)
class Owner:
    """Whose change it is: the task where the host names it, else the conversation."""

    task: str
    named: bool

    @classmethod
    def of(cls, meta: object) -> Owner:
        """From the `_meta` of a request."""
        return cls.calling(Caller.of(meta))

    @classmethod
    def calling(cls, caller: Caller | None = None) -> Owner:
        """Of this caller; None: of the call under way."""
        known = caller or CALLER.get()
        if known.task:
            return cls(known.task, named=True)
        return cls(known.conversation or "here", named=False)


class Undo:
    """What an undo did: the files put back, those removed, and those left alone because they were changed since.

    `paths` are all that the set of changes was about.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self.paths = list(dict.fromkeys(paths))
        self.restored: list[str] = []
        self.removed: list[str] = []
        self.left: list[str] = []


class ChangedFiles:
    """The files of one server. Changes of one file happen one after the other.

    `endings`: of the files the server is for, which are named where one is asked for that is not there.
    """

    def __init__(self, roots: Roots, backups: Backups, endings: tuple[str, ...] = ()) -> None:
        self.roots = roots
        self._backups = backups
        self._endings = endings
        self._locks: dict[str, anyio.Lock] = {}

    async def read(self, path: str) -> bytes:
        """The whole file, at most `LARGEST` bytes. Raises FilesError."""
        place = self.roots.resolve(path)
        try:
            return await to_the_end(self._read, place)
        except FilesError:
            if self._endings and not await to_the_end(os.path.lexists, place.path):
                raise await self.missing(path) from None
            raise

    async def missing(self, path: str) -> FilesError:
        """That there is no such file, and which of its kind are beside it, the most similar name first."""
        return await to_the_end(missing, self.roots, self.roots.resolve(path), self._endings)

    def exists(self, path: str) -> bool:
        """Whether there is a file at `path` already."""
        return Path(self.roots.resolve(path).path).exists()

    @contextlib.asynccontextmanager
    async def changing(self, path: str) -> AsyncGenerator[Change]:
        """One change of the file, from its reading to `Change.write`; the next one waits."""
        place = self.roots.resolve(path)
        async with self.lock(place.path):
            yield Change(self, place, await to_the_end(self._read_if_there, place))

    def latest(self, owner: Owner) -> str | None:
        """The id of the owner's newest set of changes that is not undone."""
        found = self._backups.latest(owner.task)
        return found.id if found else None

    async def undo(self, change: str) -> Undo:
        """Bring back every file of the set as it was before the task. Raises FilesError."""
        found = self._backups.get(change.strip())
        if found is None:
            raise FilesError(f"There is no change {change[:40]!r}, or its backup is older than 30 days and gone.")
        if found.undone:
            raise FilesError("These changes were undone already.")
        done = Undo(path for file in found.files for path in (file.path, file.moved) if path)
        for file in reversed(found.files):
            async with self.lock(file.path):
                await to_the_end(self._undo, found, file, done)
        if not done.left:
            self._backups.close(found)
        return done

    @property
    def backups(self) -> Backups:
        return self._backups

    def lock(self, path: str) -> anyio.Lock:
        """Held while the file of this real path is changed."""
        return self._locks.setdefault(path, anyio.Lock())

    def _read(self, place: Place) -> bytes:
        return load_bytes(self.roots, place, LARGEST)

    def _read_if_there(self, place: Place) -> bytes | None:
        return self._read(place) if Path(place.path).exists() else None

    def save(self, owner: Owner, place: Place, before: bytes | None, data: bytes) -> ChangeSet:
        """Back up, then replace; refused if another program has changed the file since it was read."""
        now = self._read_if_there(place)
        if now != before:
            raise FilesError(f"{place.asked} was changed by another program meanwhile. Nothing was written; try again.")
        found = self._backups.keep(owner.task, place.path, before, named=owner.named)
        make_parents(self.roots, place)
        replace_file(self.roots, place, data)
        self._backups.changed(found.id, place.path, data)
        return found

    def _undo(self, found: ChangeSet, file: Kept, done: Undo) -> None:
        if file.moved is not None:
            self._move_back(file.path, file.moved, done)
        elif file.trashed and (file.folder or file.copy is None):
            self._bring_back(found, file, done)
        else:
            self._put_back(found, file, done)

    def _move_back(self, path: str, moved: str, done: Undo) -> None:
        """A move the other way; nothing is overwritten."""
        there, back = (os.path.lexists(self.roots.resolve(one, follow=False).path) for one in (moved, path))
        if back and not there:
            return  # it is back already
        if back or not there:
            done.left.append(moved)
            return
        move_file(self.roots, moved, path)
        done.restored.append(path)

    def _bring_back(self, found: ChangeSet, file: Kept, done: Undo) -> None:
        """A folder out of its copies; what was too large to be copied is in the system's trash only."""
        if os.path.lexists(self.roots.resolve(file.path, follow=False).path):
            return
        if file.copy is None:
            done.left.append(file.path)
            return
        create_directory(self.roots, file.path)
        for name, (data, mode) in self._backups.files_before(found, file).items():
            place = self.roots.resolve(str(Path(file.path, name)))
            make_parents(self.roots, place)
            replace_file(self.roots, place, data, mode)
        done.restored.append(file.path)

    def _put_back(self, found: ChangeSet, file: Kept, done: Undo) -> None:
        place = self.roots.resolve(file.path)
        now = self._read_if_there(place)
        before = self._backups.before(found, file)
        if now == before:
            return
        if now is not None and digest(now) != file.after:
            done.left.append(file.path)
            return
        if now is not None:
            self._backups.undone(found, file, now)
        if before is not None:
            replace_file(self.roots, place, before, self._backups.mode(found, file))
            done.restored.append(file.path)
        else:
            with self.roots.parent(place) as (folder, name):
                folder.remove(name)
            done.removed.append(file.path)


class Change:
    """One file being changed; `data` is what it holds, None where it does not exist yet."""

    def __init__(self, files: ChangedFiles, place: Place, data: bytes | None) -> None:
        self._files = files
        self.place = place
        self.data = data

    async def write(self, owner: Owner, data: bytes) -> str:
        """Put `data` in the file's place; the id of the change, for an undo. Raises FilesError."""
        found = await to_the_end(self._files.save, owner, self.place, self.data, data)
        return found.id
