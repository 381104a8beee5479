"""The allowed folders, and where inside them a path really is."""

import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcp_servers.filesystem.errors import FilesError, OutsideRootsError, ProtectedError, SwappedError
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.names import checked
from mcp_servers.known_folders import at_home

HARD_LINK_SEARCH = 20_000
"""How many protected files are compared with a file that has a second name somewhere."""

_LOOSE = sys.platform in ("win32", "darwin")


@dataclass(frozen=True)
class Place:
    """A path that was found to be inside a root: the root's real path and the way down from it."""

    root: str
    parts: tuple[str, ...]
    asked: str

    @property
    def path(self) -> str:
        """The whole real path."""
        return str(Path(self.root, *self.parts))


class Roots:
    """The allowed folders (live: asked for at every call) and the protected paths inside them."""

    def __init__(
        self,
        allowed: Sequence[str] | Callable[[], Sequence[str]],
        protected: Sequence[str] = (),
    ) -> None:
        self._allowed = allowed
        self._protected = tuple(protected)
        self._pinned: dict[str, str] = {}

    @property
    def protected(self) -> tuple[str, ...]:
        """The paths that stay closed although a root holds them."""
        return self._protected

    def real(self) -> list[str]:
        """The real path of every allowed folder, in the order they were given."""
        listed = self._allowed() if callable(self._allowed) else self._allowed
        return list(dict.fromkeys(self._pin(root) for root in listed if root.strip()))

    def _pin(self, root: str) -> str:
        # A root is resolved once: if it becomes a link later, that link is not followed.
        if root not in self._pinned:
            whole = os.path.abspath(Path(root).expanduser())  # noqa: PTH100 - resolve() would hang on to the cwd
            found = os.path.realpath(whole)
            if not Path(found).is_dir():
                return found
            self._pinned[root] = found
        return self._pinned[root]

    def resolve(self, asked: str, *, follow: bool = True) -> Place:
        """Where `asked` is. Relative paths start at the first root that has them.

        With `follow=False` a link at the end stands for itself (to move or remove it). Raises
        OutsideRootsError or ProtectedError; the disk may change after this, so files are then
        opened with `parent` or `folder`, which follow no link.
        """
        roots = self.real()
        if not roots:
            raise FilesError("No folder is allowed yet. Ask the user to add one in the settings.")
        whole = self._whole(checked(asked), roots)
        real = _real(whole) if follow else _real_parent(whole)
        holders = [root for root in roots if _inside(real, root)]
        if not holders:
            raise OutsideRootsError(asked, real, roots)
        root = max(holders, key=len)
        if any(_inside(real, _real(kept)) for kept in self._protected):
            raise ProtectedError(asked)
        return Place(root, Path(real).parts[len(Path(root).parts) :], asked)

    def _whole(self, text: str, roots: list[str]) -> str:
        if text == "~" or text.startswith(("~/", "~\\")):
            return at_home(text)
        if Path(text).is_absolute():
            return text
        whole = [os.path.join(root, text) for root in roots]  # noqa: PTH118 - Path() would drop ".."
        there = [path for path in whole if os.path.lexists(path)]
        return (there or whole)[0]

    def refuse_if_holding_protected(self, place: Place) -> None:
        """Moving or removing a folder must not carry the app's own files along."""
        if any(_inside(_real(kept), place.path) for kept in self._protected):
            raise ProtectedError(place.asked)
        if place.path in self.real():
            raise FilesError(f"{place.asked} is an allowed folder itself and stays where it is.")

    @contextmanager
    def folder(self, place: Place) -> Generator[Folder]:
        """The place itself, opened as a folder."""
        with Folder.opened(place.root, place.parts, self._check) as folder:
            yield folder

    @contextmanager
    def parent(self, place: Place) -> Generator[tuple[Folder, str]]:
        """The folder that holds the place, opened, and the place's name in it."""
        if not place.parts:
            raise FilesError(f"{place.asked} is an allowed folder itself. Name something in it.")
        with Folder.opened(place.root, place.parts[:-1], self._check) as folder:
            yield folder, place.parts[-1]

    def _check(self, status: os.stat_result) -> None:
        """Refuse what is protected however it was reached: another spelling, mount or hard link."""
        for kept in self._protected:
            if _same(kept, status):
                raise ProtectedError(kept)
        if self._protected and stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            for path in self._files_of_protected():
                if _same(path, status):
                    raise ProtectedError(path)

    def _files_of_protected(self) -> Iterator[str]:
        left = HARD_LINK_SEARCH
        for kept in self._protected:
            for folder, _, files in os.walk(kept):
                for name in files[:left]:
                    yield os.path.join(folder, name)  # noqa: PTH118 - thousands of them
                left -= len(files)
                if left <= 0:
                    return


def _same(path: str, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.lstat(path), status)
    except OSError:
        return False


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except OSError as error:  # a link that was none a moment ago
        raise SwappedError(path) from error


def _real_parent(path: str) -> str:
    head, name = os.path.split(path.rstrip("/\\") or path)
    return _real(path) if name in ("", ".", "..") else os.path.join(_real(head), name)  # noqa: PTH118


def _inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or below it, by whole components."""
    outer, inner = _components(folder), _components(path)
    return inner[: len(outer)] == outer


def _components(path: str) -> tuple[str, ...]:
    parts = Path(path).parts
    if not _LOOSE:
        return parts
    return tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
