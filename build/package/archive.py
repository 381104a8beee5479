"""Archives that are the same for the same content: sorted, without the names of who made them."""

import io
import os
import platform
import shutil
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from package.edition import Edition

EPOCH = 1_704_067_200
"""2024-01-01: the time of every entry unless SOURCE_DATE_EPOCH says another."""


MOST_OF_32 = 2**31 - 1
"""Bytes of a member that a zip can hold without its extension for larger ones."""


def time_of_entries() -> int:
    """Seconds since 1970."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or EPOCH)


def tar_name(edition: Edition) -> str:
    """Of the archive for this kind of Linux."""
    return f"{edition.id}-{edition.shown_version}-linux-{platform.machine()}.tar.gz"


def tar_gz(folder: Path, out: Path | IO[bytes], prefix: str) -> None:
    """Everything in `folder` under `prefix`, links as links, owned by root."""
    name, fileobj = (str(out), None) if isinstance(out, Path) else (None, out)
    # xz would save a third of it and take five times as long, to unpack too.
    with tarfile.open(name, "w:gz", fileobj=fileobj, format=tarfile.GNU_FORMAT, compresslevel=6) as made:
        for path in [folder, *walk(folder)]:
            below = path.relative_to(folder).as_posix()
            named = prefix if below == "." else f"{prefix}/{below}"
            _add(made, path, named)


def walk(folder: Path) -> Iterator[Path]:
    """Files, links and folders in a stable order; a linked folder is not entered."""
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from walk(path)


def _add(made: tarfile.TarFile, path: Path, name: str) -> None:
    info = made.gettarinfo(str(path), name)
    info.uid = info.gid = 0
    info.uname = info.gname = "root"
    info.mtime = time_of_entries()
    info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
    if info.islnk():  # a second name of a file that is in already: a package holds each as itself
        info.type, info.linkname, info.size = tarfile.REGTYPE, "", path.stat().st_size
    if info.isreg():
        with path.open("rb") as file:
            made.addfile(info, file)
    else:
        made.addfile(info)


def tar_of(texts: dict[str, tuple[str, int]]) -> bytes:
    """Small texts as a tar.gz: name to text and mode."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", format=tarfile.GNU_FORMAT) as made:
        for name, (text, mode) in texts.items():
            data = text.encode()
            info = tarfile.TarInfo(name)
            info.size, info.mode, info.mtime = len(data), mode, time_of_entries()
            info.uname = info.gname = "root"
            made.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(folder: Path, out: Path, prefix: str) -> None:
    """Everything in `folder` under `prefix`, for Windows."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as made:
        for path in walk(folder):
            if path.is_file():
                entry = zipfile.ZipInfo(f"{prefix}/{path.relative_to(folder).as_posix()}", _zip_time())
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with path.open("rb") as file, made.open(entry, "w", force_zip64=path.stat().st_size > MOST_OF_32) as put:
                    shutil.copyfileobj(file, put, 1024 * 1024)


def _zip_time() -> tuple[int, int, int, int, int, int]:
    return time.gmtime(time_of_entries())[:6]
