"""Why a file tool could not do what it was asked, in words that say what to do next."""

import errno
from collections.abc import Sequence

OUTSIDE = "leochat/outsideRoots"
"""The `_meta` key under which a host finds the real path that lies outside the allowed folders."""


class FilesError(Exception):
    """A refusal or failure; the text goes to the model as it is."""

    meta: dict[str, str] | None = None


class OutsideRootsError(FilesError):
    """The path, with all links followed, is in none of the allowed folders."""

    def __init__(self, asked: str, real: str, roots: Sequence[str]) -> None:
        where = "" if real == asked else f" (it leads to {real})"
        allowed = ", ".join(roots) or "none yet"
        super().__init__(
            f"Access denied: {asked}{where} is outside the allowed folders. Allowed: {allowed}. "
            "Use a path inside one of them, or ask the user to allow that folder."
        )
        self.meta = {OUTSIDE: real}


class ProtectedError(FilesError):
    """The path belongs to LeoChat itself: settings, keys or the store."""

    def __init__(self, asked: str) -> None:
        super().__init__(
            f"Access denied: {asked} belongs to LeoChat itself and is closed to tools. "
            "Settings are changed by the user in the settings window."
        )


class SwappedError(FilesError):
    """A link or another file took a path's place between the check and the use."""

    def __init__(self, asked: str) -> None:
        super().__init__(
            f"Access denied: {asked} leads through a link that cannot be followed safely, or was "
            "changed while it was being opened. Nothing was done."
        )


_WORDS = {
    errno.ENOENT: "{path} does not exist. list_directory shows what is there.",
    errno.ENOTDIR: "{path} is not a folder, or a part of it is not.",
    errno.EISDIR: "{path} is a folder. list_directory shows what is in it.",
    errno.EEXIST: "{path} exists already. Choose another name, or move it away first.",
    errno.EACCES: "The system does not permit it: {path}.",
    errno.EPERM: "The system does not permit it: {path}.",
    errno.EROFS: "{path} is on a read-only disk.",
    errno.ENOSPC: "The disk is full; nothing was written to {path}.",
    errno.ENAMETOOLONG: "A name in {path} is too long for this disk.",
    errno.ENOTEMPTY: "The folder {path} is not empty.",
    errno.EBUSY: "{path} is in use by another program. Close it and try again.",
    errno.ETXTBSY: "{path} is in use by another program. Close it and try again.",
    errno.EMFILE: "Too many files are open; try again.",
}


def from_system(error: OSError, path: str) -> FilesError:
    """The system's error in words; `path` is named as it was asked for."""
    if error.errno == errno.ELOOP:
        return SwappedError(path)
    words = _WORDS.get(error.errno or 0)
    return FilesError(words.format(path=path) if words else f"{path}: {error.strerror or error}.")
