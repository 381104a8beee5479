"""One opened folder: every name is looked up from its handle, so nothing can be swapped on the way."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from mcp_servers.filesystem.errors import FilesError, SwappedError, from_system

HANDLES = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
"""Whether the system can look names up from an open folder (not on Windows)."""

_NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC: int = getattr(os, "O_CLOEXEC", 0)
_DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
_NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
_BINARY: int = getattr(os, "O_BINARY", 0)
_LINK_TAGS = (0xA000000C, 0xA0000003)
"""Windows' reparse tags of symbolic links and of junctions (winnt.h)."""

Check = Callable[[os.stat_result], None]
"""Called with the status of everything that is opened; raises to refuse it."""


class Folder:
    """An open folder inside a root. `path` is for messages, and for systems without handles."""

    def __init__(self, path: str, handle: int | None, check: Check) -> None:
        self.path = path
        self._handle = handle
        self._check = check

    @classmethod
    @contextmanager
    def opened(cls, root: str, parts: tuple[str, ...], check: Check) -> Generator[Folder]:
        """The folder `parts` below `root`, reached without following any link.

        `root` and `parts` must be a real path: a link met on the way was put there after the
        path had been checked, or cannot be followed safely.
        """
        folder = cls._root(root, check)
        try:
            for part in parts:
                inner = folder.enter(part)
                folder.close()
                folder = inner
            yield folder
        finally:
            folder.close()

    @classmethod
    def _root(cls, root: str, check: Check) -> Folder:
        if not HANDLES:
            return cls(root, None, check)
        try:
            handle = os.open(root, os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _CLOEXEC)
        except OSError as error:
            raise from_system(error, root) from error
        return cls(root, handle, check).admitted()

    def close(self) -> None:
        """Let go of the handle; safe to call twice."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def enter(self, name: str) -> Folder:
        """The folder `name` inside this one; the caller closes it."""
        path = str(Path(self.path, name))
        if not HANDLES:
            try:
                status = self.status(name)
            except OSError as error:
                raise from_system(error, path) from error
            if not stat.S_ISDIR(status.st_mode):
                raise FilesError(f"{path} is not a folder.")
            self._check(status)
            return Folder(path, None, self._check)
        try:
            flags = os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _CLOEXEC
            handle = os.open(name, flags, dir_fd=self._handle)
        except OSError as error:
            raise self._entering(error, name, path) from error
        return Folder(path, handle, self._check).admitted()

    def _entering(self, error: OSError, name: str, path: str) -> FilesError:
        try:
            linked = stat.S_ISLNK(os.stat(name, dir_fd=self._handle, follow_symlinks=False).st_mode)
        except OSError:
            linked = False
        return SwappedError(path) if linked else from_system(error, path)

    def admitted(self) -> Folder:
        """The folder itself, once its status has passed the check; closed if it has not."""
        assert self._handle is not None
        try:
            self._check(os.fstat(self._handle))
        except FilesError:
            self.close()
            raise
        return self

    def _name(self, name: str) -> str:
        return name if self._handle is not None else str(Path(self.path, name))

    def full(self, name: str) -> str:
        """The whole path of `name`, for messages."""
        return str(Path(self.path, name))

    def status(self, name: str) -> os.stat_result:
        """The status of `name` itself: a link is not followed."""
        status = os.stat(self._name(name), dir_fd=self._handle, follow_symlinks=False)
        if getattr(status, "st_reparse_tag", 0) in _LINK_TAGS and not HANDLES:
            raise SwappedError(self.full(name))
        return status

    def exists(self, name: str) -> bool:
        """Whether there is anything of that name, a link to nowhere included."""
        try:
            self.status(name)
        except FileNotFoundError:
            return False
        return True

    def entries(self) -> list[os.DirEntry[str]]:
        """All entries, sorted by name. Ask them with `follow_symlinks=False` only."""
        where = self._handle if self._handle is not None else self.path
        with os.scandir(where) as found:
            return sorted(found, key=lambda entry: entry.name)

    @contextmanager
    def reading(self, name: str) -> Generator[tuple[int, os.stat_result]]:
        """A descriptor of the regular file `name` and its status; links and devices are refused."""
        before = self.status(name)
        if stat.S_ISLNK(before.st_mode):
            raise SwappedError(self.full(name))
        if not stat.S_ISREG(before.st_mode):
            raise FilesError(f"{self.full(name)} is {_kind(before.st_mode)}, not a file.")
        descriptor = self.open(name, os.O_RDONLY | _NONBLOCK)
        try:
            status = os.fstat(descriptor)
            if not os.path.samestat(before, status):
                raise SwappedError(self.full(name))
            self._check(status)
            yield descriptor, status
        finally:
            os.close(descriptor)

    def open(self, name: str, flags: int, mode: int = 0o666) -> int:
        """`os.open` from this folder that never follows a link at the end."""
        safe = flags | _NOFOLLOW | _CLOEXEC | _BINARY
        return os.open(self._name(name), safe, mode, dir_fd=self._handle)

    def make(self, name: str) -> None:
        """Make the folder `name`."""
        os.mkdir(self._name(name), dir_fd=self._handle)

    def remove(self, name: str) -> None:
        """Remove the file or link `name`."""
        os.unlink(self._name(name), dir_fd=self._handle)

    def remove_folder(self, name: str) -> None:
        """Remove the folder `name`, which must be empty."""
        os.rmdir(self._name(name), dir_fd=self._handle)

    def move(self, name: str, target: Folder, new: str, *, over: bool) -> None:
        """Rename `name` to `new` in `target`; with `over`, what is there is replaced."""
        act = os.replace if over else os.rename
        source, aim = self._name(name), target._name(new)
        act(source, aim, src_dir_fd=self._handle, dst_dir_fd=target._handle)

    def link(self, name: str, target: Folder, new: str) -> None:
        """Give the file a second name; fails where `new` exists, which `move` cannot promise."""
        source, aim = self._name(name), target._name(new)
        os.link(source, aim, src_dir_fd=self._handle, dst_dir_fd=target._handle, follow_symlinks=False)


def _kind(mode: int) -> str:
    return "a folder" if stat.S_ISDIR(mode) else "a device, pipe or socket"
