"""Bundles (.mcpb, formerly .dxt): zip archives that strangers made, looked at and unpacked without trust."""

import hashlib
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

FOLDER = "bundles"
FILES_LIMIT = 20_000
SIZE_LIMIT = 1024 * 1024 * 1024
MANIFEST_LIMIT = 1024 * 1024
# Programs and pictures shrink to a fifth at best; a thousand times is made to fill a disk.
RATIO_LIMIT, RATIO_FROM = 200, 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


class BundleError(ValueError):
    """Why a file is no bundle that could be used, in words."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that was looked through: `digest` of its bytes, its manifest as text, the files that may be unpacked."""

    digest: str
    manifest: str
    files: tuple[zipfile.ZipInfo, ...]

    def folder(self, data_dir: Path, name: str, version: str) -> Path:
        """Where it is or would be unpacked: the same bytes always at the same place."""
        slug = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{name}-{version}").strip(".-")[:80] or "bundle"
        return data_dir / FOLDER / f"{slug}-{self.digest[:12]}"


def is_bundle(data: bytes) -> bool:
    """Whether bytes begin as a zip archive does."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def look_through(source: IO[bytes]) -> Bundle:
    """Check an archive whole before anything of it is written. Raises `BundleError`."""
    digest = hashlib.sha256()
    while data := source.read(_CHUNK):
        digest.update(data)
    source.seek(0)
    try:
        with zipfile.ZipFile(source) as archive:
            files = tuple(_checked(archive.infolist()))
            return Bundle(digest.hexdigest(), _manifest(archive, files), files)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError, RuntimeError, OSError) as error:
        raise BundleError(f"This bundle cannot be read: {error}.") from error


def unpack(source: IO[bytes], bundle: Bundle, folder: Path) -> Path:
    """Write its files into `folder`, whole or not at all; one that is there already is left as it is.

    Raises `BundleError` where the archive holds more than it says, `OSError` where the disk does not take it.
    """
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        source.seek(0)
        with zipfile.ZipFile(source) as archive:
            for info in bundle.files:
                _write(archive, info, fresh / _safe_path(info.filename))
        fresh.chmod(0o755)
        fresh.replace(folder)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BundleError(f"This bundle is damaged: {error}.") from error
    finally:
        if fresh.exists():
            shutil.rmtree(fresh, ignore_errors=True)
    return folder


def drop_bundle(data_dir: Path, folder: str) -> None:
    """Delete what was unpacked for a server; only ever a folder of ours."""
    place = Path(folder)
    if place.parent == data_dir / FOLDER and place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)


def _checked(infos: Iterable[zipfile.ZipInfo]) -> Iterable[zipfile.ZipInfo]:
    seen: set[str] = set()
    total = packed = 0
    for count, info in enumerate(infos):
        if count >= FILES_LIMIT:
            raise BundleError(f"This bundle holds over {FILES_LIMIT} files.")
        if info.is_dir():
            continue
        if info.flag_bits & 1:
            raise BundleError("This bundle is encrypted.")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BundleError(f"This bundle holds a link, which could lead out of its folder: {info.filename[:200]!r}.")
        key = str(_safe_path(info.filename)).casefold()
        if key in seen:
            raise BundleError(f"This bundle holds two files of one name: {info.filename[:200]!r}.")
        seen.add(key)
        total, packed = total + info.file_size, packed + info.compress_size
        if total > SIZE_LIMIT:
            raise BundleError(f"Unpacked this bundle would take over {SIZE_LIMIT // 1024**2} MiB.")
        if total > RATIO_FROM and total > RATIO_LIMIT * max(packed, 1):
            raise BundleError("This bundle would grow over two hundred times when unpacked: it is made to fill a disk.")
        yield info


def _safe_path(name: str) -> PurePosixPath:
    """The relative path of a file within the bundle's folder. Raises `BundleError` where it leads anywhere else."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    bad = not parts or path.is_absolute() or ".." in parts or ":" in name or any(ord(c) < 32 for c in name)
    if bad or any(_RESERVED.match(part) or part != part.rstrip(" .") for part in parts):
        raise BundleError(f"This bundle holds a file that would be written elsewhere: {name[:200]!r}.")
    return path


def _manifest(archive: zipfile.ZipFile, files: Iterable[zipfile.ZipInfo]) -> str:
    info = next((f for f in files if f.filename == "manifest.json"), None)
    if info is None:
        raise BundleError("There is no manifest.json in this file: it is no bundle of an MCP server.")
    with archive.open(info) as source:
        data = source.read(MANIFEST_LIMIT + 1)
    if len(data) > MANIFEST_LIMIT:
        raise BundleError("The manifest of this bundle is over 1 MiB.")
    return data.decode("utf-8-sig", "replace")


def _write(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    left = info.file_size
    with archive.open(info) as source, path.open("xb") as out:
        while data := source.read(_CHUNK):
            left -= len(data)
            if left < 0:
                raise BundleError(f"{info.filename[:200]!r} is larger than the bundle says.")
            out.write(data)
    executable = (info.external_attr >> 16) & 0o111
    path.chmod(0o755 if executable else 0o644)
