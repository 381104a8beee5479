"""Changing files: whole writes that are never half done, folders, moves and the trash."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Generator, Sequence

from mcp_servers.filesystem.errors import FilesError, from_system
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.reading import load
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.text import Text, checked_encoding, with_line_end

LARGEST = 32 * 1024 * 1024
"""The most bytes one write may hold."""


def write_file(roots: Roots, path: str, content: str, encoding: str | None = None) -> str:
    """Make or replace a text file; a file that is there keeps its encoding and line ends."""
    place = roots.resolve(path)
    before = _before(roots, place)
    text, note = _stored_like(before, content, encoding)
    make_parents(roots, place)
    replace_file(roots, place, text.stored())
    return f"Successfully wrote to {path}{note}"


def _before(roots: Roots, place: Place) -> Text | None:
    with contextlib.suppress(FilesError):
        return load(roots, place)
    return None


def _stored_like(before: Text | None, content: str, encoding: str | None) -> tuple[Text, str]:
    if encoding is not None:
        return Text(content, checked_encoding(encoding)), f" as {encoding}"
    if before is None or not before.content:
        return Text(content), ""
    kept = content if "\r" in content else with_line_end(content, before.line_end)
    text = before.with_content(kept)
    try:
        text.stored()
    except FilesError:
        return Text(kept), f" as utf-8 ({before.encoding} lacks some of its characters)"
    plain_file = before.encoding == "utf-8" and before.line_end == "\n"
    return text, "" if plain_file else f" (kept as {before.encoding})"


def replace_file(roots: Roots, place: Place, data: bytes, mode: int | None = None) -> None:
    """Put `data` in the file's place in one step, so that no reader ever sees half of it.

    `mode`: the permissions of a file that is not there yet; one that is keeps its own.
    """
    try:
        with roots.parent(place) as (folder, name), staged(folder, name, data, place.asked, mode) as temporary:
            folder.move(temporary, folder, name, over=True)
    except OSError as error:
        raise from_system(error, place.asked) from error


@contextlib.contextmanager
def staged(folder: Folder, name: str, data: bytes, asked: str, mode: int | None = None) -> Generator[str]:
    """A finished temporary file beside `name`, with its permissions (`mode`, if it is not there); gone at the end if not
    moved."""
    if len(data) > LARGEST:
        raise FilesError(f"{asked} would have {len(data):,} bytes; at most {LARGEST:,} are written.")
    kept = _mode_to_keep(folder, name, asked)
    mode = mode if kept is None else kept
    temporary = f".{name[:80]}.{secrets.token_hex(8)}.tmp"
    descriptor = folder.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            folder.remove(temporary)


def _mode_to_keep(folder: Folder, name: str, asked: str) -> int | None:
    try:
        status = folder.status(name)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FilesError(f"{asked} is not a file, so it cannot be written.")
    if not status.st_mode & stat.S_IWUSR:
        raise FilesError(f"{asked} is marked read-only. Ask the user to change that first.")
    with folder.reading(name):  # refuses what is protected under a second name
        return stat.S_IMODE(status.st_mode)


def make_parents(roots: Roots, place: Place) -> list[Place]:
    """Make the folders on the way to the place; gives those that were not there."""
    if len(place.parts) > 1:
        return _make(roots, Place(place.root, place.parts[:-1], place.asked))
    return []


def create_directory(roots: Roots, path: str) -> str:
    """Make a folder and those above it; one that exists is fine."""
    place = roots.resolve(path)
    _make(roots, place)
    return f"Successfully created directory {path}"


def _make(roots: Roots, place: Place) -> list[Place]:
    made: list[Place] = []
    try:
        with roots.folder(Place(place.root, (), place.asked)) as root, contextlib.ExitStack() as held:
            folder = root
            for depth, part in enumerate(place.parts, start=1):
                with contextlib.suppress(FileExistsError):
                    folder.make(part)
                    made.append(Place(place.root, place.parts[:depth], place.asked))
                folder = folder.enter(part)
                held.callback(folder.close)
    except OSError as error:
        raise from_system(error, place.asked) from error
    return made


def take_away(roots: Roots, folders: Sequence[Place]) -> None:
    """Remove folders that were made for what did not happen then, unless somebody put something into them."""
    for place in reversed(folders):
        with contextlib.suppress(OSError, FilesError), roots.parent(place) as (folder, name):
            folder.remove_folder(name)


def move_file(roots: Roots, source: str, destination: str) -> str:
    """Move or rename a file, folder or link; nothing is ever overwritten."""
    start = roots.resolve(source, follow=False)
    end = roots.resolve(destination, follow=False)
    roots.refuse_if_holding_protected(start)
    deeper = end.root == start.root and len(end.parts) > len(start.parts)
    if deeper and end.parts[: len(start.parts)] == start.parts:
        raise FilesError(f"{source} cannot be moved into itself.")
    make_parents(roots, end)
    try:
        with roots.parent(start) as (old, name), roots.parent(end) as (new, aim):
            _move(old, name, new, aim, destination)
    except OSError as error:
        missing = not isinstance(error, FileExistsError)
        raise from_system(error, source if missing else destination) from error
    return f"Successfully moved {source} to {destination}"


def _move(old: Folder, name: str, new: Folder, aim: str, destination: str) -> None:
    status = old.status(name)
    if new.exists(aim) and not os.path.samestat(status, there := new.status(aim)):
        if stat.S_ISDIR(there.st_mode):
            inside = f"{destination.rstrip('/')}/{name}"
            raise FilesError(
                f"{destination} is a folder that exists already. To move it in there, give its new path: {inside}."
            )
        raise FilesError(f"{destination} exists already. Choose another name, or move it away first.")
    if not stat.S_ISREG(status.st_mode):
        _move_plainly(old, name, new, aim)
        return
    with old.reading(name):  # refuses what is protected under a second name
        pass
    try:
        old.link(name, new, aim)  # fails where something appeared meanwhile; a rename would not
    except FileExistsError:
        _move_plainly(old, name, new, aim)
    except OSError as error:
        if error.errno == errno.EXDEV:
            _carry(old, name, new, aim)
        else:
            _move_plainly(old, name, new, aim)
    else:
        old.remove(name)


def _move_plainly(old: Folder, name: str, new: Folder, aim: str) -> None:
    if new.exists(aim) and not os.path.samestat(old.status(name), new.status(aim)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    try:
        old.move(name, new, aim, over=False)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        raise FilesError(f"{old.full(name)} is on another disk. Move its files one by one.") from error


def _carry(old: Folder, name: str, new: Folder, aim: str) -> None:
    """Move a file to another disk: copy all of it, then remove the old one."""
    with old.reading(name) as (source, status):
        target = new.open(aim, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with open(source, "rb", closefd=False) as reader, os.fdopen(target, "wb") as writer:
                shutil.copyfileobj(reader, writer)
                if hasattr(os, "fchmod"):
                    os.fchmod(writer.fileno(), stat.S_IMODE(status.st_mode))
                writer.flush()
                os.fsync(writer.fileno())
        except OSError:
            new.remove(aim)
            raise
    old.remove(name)


def delete_to_trash(roots: Roots, path: str) -> str:
    """Put a file, folder or link into the system's trash; it is never deleted for good."""
    from send2trash import send2trash

    place = roots.resolve(path, follow=False)
    roots.refuse_if_holding_protected(place)
    try:
        with roots.parent(place) as (folder, name):
            if stat.S_ISREG(folder.status(name).st_mode):
                with folder.reading(name):
                    pass
            send2trash(place.path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.path.lexists(place.path):
            raise from_system(error, path) from error
        raise FilesError(f"{path} could not be put into the trash ({error}). It is still there.") from error
    return f"Moved {path} to the trash"
