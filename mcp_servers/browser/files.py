"""Files between pages and the allowed folders: downloads in, uploads out, pictures and PDFs saved."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING

from mcp_servers.browser.call import PageError
from mcp_servers.filesystem.errors import FilesError, from_system
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.writing import make_parents

if TYPE_CHECKING:
    from playwright.async_api import Download

    from mcp_servers.browser.desk import Owner
    from mcp_servers.browser.tab import Tab

LARGEST = 1024 * 1024 * 1024
"""Bytes of all downloads under way, and of one upload."""

FOLDER = "Downloads"
"""Where in the first allowed folder downloads go."""

POLL = 0.5
SAME_NAME = 1000


class Downloads:
    """Downloads on their way into an allowed folder; until they are whole they are in `staging`."""

    def __init__(self, staging: Callable[[], Path]) -> None:
        self._staging = staging

    async def keep(self, download: Download, tab: Tab, owner: Owner) -> None:
        """Follow one download to its end, and note on the tab what became of it."""
        name = file_name(download.suggested_filename)
        tab.loading.add(name)
        try:
            tab.notes.append(await self._kept(download, name, owner))
        finally:
            tab.loading.discard(name)

    async def _kept(self, download: Download, name: str, owner: Owner) -> str:
        from playwright.async_api import Error

        watching = asyncio.ensure_future(self._watch(download))
        try:
            path = await download.path()
            place = await asyncio.to_thread(_moved_in, path, name, Roots(owner.roots, owner.protected))
            return f"Downloaded {place.path} ({path.stat().st_size:,} bytes)."
        except Error as error:
            why = f"it is larger than {LARGEST:,} bytes" if watching.done() else str(await download.failure() or error)[:200]
            return f"The download of {name} was not kept: {why}."
        except (FilesError, OSError) as error:
            return f"The download of {name} was not kept: {error}"
        finally:
            watching.cancel()
            with contextlib.suppress(Error):
                await download.delete()

    async def _watch(self, download: Download) -> None:
        """Ends, and the download with it, once there is too much."""
        while await asyncio.to_thread(_size, self._staging()) <= LARGEST:  # noqa: ASYNC110 - no event tells of sizes
            await asyncio.sleep(POLL)
        await download.cancel()


def _size(folder: Path) -> int:
    total = 0
    for entry in folder.iterdir():
        with contextlib.suppress(OSError):
            total += entry.stat().st_size
    return total


def _moved_in(path: Path, name: str, roots: Roots) -> Place:
    with path.open("rb") as source:
        return save_new(roots, f"{FOLDER}/{name}", lambda target: shutil.copyfileobj(source, target))


def save_new(roots: Roots, path: str, write: Callable[[IO[bytes]], None]) -> Place:
    """A new file, never over an old one: where the name is taken it gets a number. Raises FilesError.

    `write` gets the open file. Relative paths start at the first allowed folder.
    """
    allowed = roots.real()
    if not allowed:
        raise FilesError("No folder is allowed yet, so nothing can be saved. Ask the user to add one in the settings.")
    whole = path if Path(path).is_absolute() or path.startswith("~") else str(Path(allowed[0], path))
    for number in range(1, SAME_NAME):
        place = roots.resolve(_numbered(whole, number))
        try:
            make_parents(roots, place)
            with _created(roots, place) as file:
                write(file)
        except FileExistsError:
            continue
        except OSError as error:
            raise from_system(error, place.asked) from error
        return place
    raise FilesError(f"{path} exists too many times already. Choose another name.")


@contextmanager
def _created(roots: Roots, place: Place) -> Generator[IO[bytes]]:
    with roots.parent(place) as (folder, name):
        descriptor = folder.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
        except BaseException:
            folder.remove(name)
            raise


def _numbered(path: str, number: int) -> str:
    if number == 1:
        return path
    parts = PurePath(path)
    return str(parts.with_name(f"{parts.stem} ({number}){parts.suffix}"))


def file_name(suggested: str, otherwise: str = "download") -> str:
    """A name that a site suggests, without anything that would lead elsewhere or hide the file."""
    name = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]', "_", suggested).strip(" .")
    stem, dot, ending = name.rpartition(".")
    if len(name) > 120:
        name = f"{stem[: 110 - len(ending)]}{dot}{ending}" if 0 < len(ending) < 20 else name[:120]
    if re.fullmatch(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", name, re.IGNORECASE):
        name = f"_{name}"
    return name or otherwise


class Uploads:
    """Copies of files that a page is given, so that what was checked is what is sent."""

    def __init__(self, staging: Callable[[], Path]) -> None:
        self._staging = staging

    def prepare(self, paths: Sequence[str], roots: Roots) -> list[Path]:
        """Copies of files inside the roots, under their own names. Raises PageError."""
        room = LARGEST
        copies: list[Path] = []
        for path in paths:
            try:
                copy, size = self._copy(roots.resolve(path), roots, room)
            except FilesError as error:
                raise PageError(str(error), error.meta) from error
            except OSError as error:
                raise PageError(str(from_system(error, path))) from error
            room -= size
            copies.append(copy)
        return copies

    def _copy(self, place: Place, roots: Roots, room: int) -> tuple[Path, int]:
        with roots.parent(place) as (folder, name), folder.reading(name) as (descriptor, status):
            if status.st_size > room:
                raise FilesError(f"{place.asked} is too large: at most {LARGEST:,} bytes are uploaded at once.")
            target = self._staging() / secrets.token_hex(8)
            target.mkdir(parents=True, mode=0o700)
            with os.fdopen(os.dup(descriptor), "rb") as source, (target / name).open("xb") as copy:
                shutil.copyfileobj(source, copy)
            return target / name, status.st_size
