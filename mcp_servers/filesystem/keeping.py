"""Changes that can be undone: what they touch is kept before, and the first one of a task has a card with the way back."""

from __future__ import annotations

import contextlib
import functools
import os
import stat
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from typing import ParamSpec

from mcp_types import CallToolResult

from mcp_servers.answers import text_answer
from mcp_servers.backups import ChangeSet, Kept
from mcp_servers.change_cards import changed, details, undone
from mcp_servers.changed_files import LARGEST, ChangedFiles, Owner
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import to_the_end
from mcp_servers.filesystem.reading import load_bytes
from mcp_servers.filesystem.roots import Place, Roots

P = ParamSpec("P")
MOST_FILES = 2_000
"""A folder with more of them goes to the trash without copies here."""


class Step:
    """What a change is about to do, in the set of its task. Blocking; FilesError where it cannot be kept."""

    def __init__(self, files: ChangedFiles, owner: Owner) -> None:
        self._files = files
        self._owner = owner
        self._written: list[Place] = []
        self._kept: list[Kept] = []
        self.change: str | None = None
        self.first = False

    def write(self, places: Sequence[Place]) -> None:
        """These files are about to be written, or removed."""
        for place in places:
            data = _data(self._files.roots, place)
            self._joined(self._files.backups.keep(self._owner.task, place.path, data, named=self._owner.named))
            self._written.append(place)

    def move(self, start: Place, end: Place) -> None:
        """What is at `start` is about to be moved."""
        self._joined(self._files.backups.keep_move(self._owner.task, start.path, end.path, named=self._owner.named))

    def trash(self, place: Place) -> None:
        """What is there is about to go to the trash."""
        data = _below(self._files.roots, place)
        self._joined(self._files.backups.keep_trashed(self._owner.task, place.path, data, named=self._owner.named))

    def _joined(self, found: ChangeSet) -> None:
        if found.added is not None:
            self._kept.append(found.added)
            self.first = self.first or len(found.files) == 1
        self.change = found.id

    def done(self) -> None:
        """Remember what was written, so that an undo can tell whether somebody else has changed it since."""
        for place in self._written:
            with contextlib.suppress(FilesError):
                data = load_bytes(self._files.roots, place, LARGEST)
                self._files.backups.changed(self.change or "", place.path, data)

    def failed(self) -> None:
        """It did not happen."""
        self._files.backups.forget(self.change or "", self._kept)


class Keeper:
    """The filesystem server's changes. Without `files` (nobody said where copies may be kept) they are only made."""

    def __init__(self, files: ChangedFiles | None, language: Callable[[], str]) -> None:
        self._files = files
        self._language = language

    async def write(self, places: Sequence[Place], work: Callable[P, str], *args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        """`work` writes these files, or removes them."""
        made = functools.partial(work, *args, **kwargs)
        return await self._change(places[0], [one.path for one in places], lambda step: step.write(places), made)

    async def move(self, start: Place, end: Place, work: Callable[P, str], *args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        """`work` moves what is at `start` to `end`."""
        made = functools.partial(work, *args, **kwargs)
        return await self._change(end, [start.path, end.path], lambda step: step.move(start, end), made)

    async def trash(self, place: Place, work: Callable[P, str], *args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        """`work` puts what is there into the trash."""
        made = functools.partial(work, *args, **kwargs)
        return await self._change(place, [place.path], lambda step: step.trash(place), made)

    async def _change(
        self, about: Place, paths: Sequence[str], prepare: Callable[[Step], None], work: Callable[[], str]
    ) -> CallToolResult:
        if self._files is None:
            return text_answer(await to_the_end(work))
        async with self._locked(paths):
            step = await to_the_end(Step, self._files, Owner.calling())
            try:
                await to_the_end(prepare, step)
                told = await to_the_end(work)
            except (FilesError, OSError):
                await to_the_end(step.failed)
                raise
            await to_the_end(step.done)
        if step.change is None or not step.first:
            return text_answer(told)
        return changed(
            told, about.path, step.change, details(told), self._language(), {"path": about.path, "change": step.change}
        )

    @contextlib.asynccontextmanager
    async def _locked(self, paths: Sequence[str]) -> AsyncGenerator[None]:
        assert self._files is not None
        async with contextlib.AsyncExitStack() as held:
            for path in sorted(set(paths)):
                await held.enter_async_context(self._files.lock(path))
            yield

    async def undo(self, change: str | None) -> CallToolResult:
        """Bring back what a task has changed; without an id, the calling one's latest."""
        wanted = change or (self._files and self._files.latest(Owner.calling()))
        if self._files is None or not wanted:
            raise FilesError("Nothing was changed here that could be undone.")
        return undone(await self._files.undo(wanted), wanted, self._language())


def _data(roots: Roots, place: Place) -> bytes | None:
    """The file as it is; None where there is none. What is too large to be kept is refused."""
    path = Path(place.path)
    if not path.is_file():
        return None
    if path.stat().st_size > LARGEST:
        raise FilesError(
            f"{place.asked} has over {LARGEST // 1024 // 1024} MB: too large to keep a copy for an undo. Nothing was changed. "
            "Give the new content another name."
        )
    return load_bytes(roots, place, LARGEST)


def _below(roots: Roots, place: Place) -> bytes | Mapping[str, bytes] | None:
    """What is about to go to the trash: a file, the files of a folder; None for links and what is too large or too much."""
    status = os.lstat(place.path)
    if stat.S_ISREG(status.st_mode):
        return load_bytes(roots, place, LARGEST) if status.st_size <= LARGEST else None
    if not stat.S_ISDIR(status.st_mode):
        return None
    kept: dict[str, bytes] = {}
    left = LARGEST
    for folder, names, files in os.walk(place.path):
        if any(Path(folder, name).is_symlink() for name in [*names, *files]):
            return None  # it would come back as something else
        for name in files:
            whole = Path(folder, name)
            left -= whole.lstat().st_size
            if left < 0 or len(kept) >= MOST_FILES or not whole.is_file():
                return None
            inner = Place(place.root, whole.parts[len(Path(place.root).parts) :], str(whole))
            kept[str(whole.relative_to(place.path))] = load_bytes(roots, inner, LARGEST)
    return kept
