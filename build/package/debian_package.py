"""The .deb, written by us: an `ar` archive of a version, the control files and the tree. Format: deb(5), deb-control(5)."""

import io
import json
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from package import menu
from package.archive import tar_gz, tar_of, time_of_entries, walk
from package.edition import Edition
from package.recipe import ASKED
from say import SetupError

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "armv7l": "armhf", "i686": "i386"}
FALLBACK = ("libc6", "libegl1", "libgl1")
FONTS = "fonts-dejavu-core | fonts-liberation | fonts-noto-core"
AFTER_REMOVAL = """#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  echo {name}" is removed. What people wrote with it is kept: for each of them in ~/.local/share/"{name}
  echo "(settings, conversations, logs) and in their system's key ring, under LeoChat. Delete it there if it is not wanted."
fi
"""


def architecture() -> str:
    """Debian's name of this machine."""
    return ARCHITECTURES.get(platform.machine(), platform.machine())


def file_name(edition: Edition) -> str:
    """As Debian names packages."""
    return f"{edition.id}_{edition.shown_version}_{architecture()}.deb"


def write(folder: Path, edition: Edition, out: Path) -> None:
    """The package with the program of `folder` in /usr/lib, its link in /usr/bin, its menu entry and its icons."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix="deb-") as place:
        tree = Path(place) / "tree"
        lay_out(folder, edition, tree)
        with (Path(place) / "data.tar.gz").open("w+b") as data:
            tar_gz(tree, data, ".")
            data.seek(0)
            with out.open("wb") as file:
                ar(
                    file,
                    [
                        ("debian-binary", io.BytesIO(b"2.0\n")),
                        ("control.tar.gz", _control(edition, tree)),
                        ("data.tar.gz", data),
                    ],
                )


def lay_out(folder: Path, edition: Edition, tree: Path) -> None:
    """The files as they will be on the system."""
    home = tree / "usr" / "lib" / edition.id
    shutil.copytree(folder, home, symlinks=True, copy_function=_link)
    for name in ("README.txt", "LICENSE.txt", f"{edition.name}.desktop"):
        (home / name).unlink(missing_ok=True)
    programs = tree / "usr" / "bin"
    programs.mkdir(parents=True)
    (programs / edition.id).symlink_to(f"../lib/{edition.id}/{edition.id}")
    entries = tree / "usr" / "share" / "applications"
    entries.mkdir(parents=True)
    (entries / f"{edition.id}.desktop").write_text(menu.entry(edition), encoding="utf-8")
    menu.icons(edition, tree / "usr" / "share" / "icons")
    words = tree / "usr" / "share" / "doc" / edition.id
    words.mkdir(parents=True)
    shutil.copyfile(folder / "LICENSE.txt", words / "copyright")
    shutil.copyfile(folder / "README.txt", words / "README")


def _link(source: str, target: str) -> str:
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
    return target


def _control(edition: Edition, tree: Path) -> io.BytesIO:
    files = [path for path in walk(tree) if path.is_file() and not path.is_symlink()]
    facts = control(edition, sum(path.stat().st_size for path in files), depends())
    return io.BytesIO(tar_of({"./control": (facts, 0o644), "./postrm": (after_removal(edition), 0o755)}))


def after_removal(edition: Edition) -> str:
    """The script that runs then, and only speaks."""
    return AFTER_REMOVAL.format(name=shlex.quote(edition.name))


def control(edition: Edition, size: int, needs: Iterable[str]) -> str:
    """The control file; `size` in bytes."""
    maker = " ".join((edition.maker or edition.name).split())
    lines = {
        "Package": edition.id,
        "Version": edition.shown_version,
        "Architecture": architecture(),
        "Maintainer": maker if "@" in maker else f"{maker} <nobody@localhost>",
        "Installed-Size": str(-(-size // 1024)),
        "Depends": ", ".join([*needs, FONTS]),
        "Section": "utils",
        "Priority": "optional",
        **({"Homepage": edition.homepage} if edition.homepage else {}),
        "Description": "desktop AI agent client\n"
        " Any model, tools by the Model Context Protocol, and answers with buttons\n"
        " that talk back. Everything is kept on this computer.",
    }
    return "".join(f"{name}: {value}\n" for name, value in lines.items())


def depends() -> list[str]:
    """The system's packages whose libraries the program asks for and does not bring, with the C library's least version."""
    asked: list[str] = json.loads(ASKED.read_text(encoding="utf-8")) if ASKED.is_file() else []
    owners: set[str] = set()
    for line in _said("dpkg-query", "-S", *(f"*/{name}" for name in asked)).splitlines() if asked else ():
        package, _, path = line.partition(": ")
        if re.match(r"/(usr/)?lib(64)?/[^/]+/[^/]+$|/(usr/)?lib(64)?/[^/]+$", path) and Path(path).name in asked:
            owners.add(package.partition(":")[0])
    owners |= set(FALLBACK)
    libc = platform.libc_ver()[1]
    return [f"libc6 (>= {libc})" if name == "libc6" and libc else name for name in sorted(owners)]


def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def ar(out: io.BufferedIOBase | io.BufferedWriter, members: Iterable[tuple[str, io.IOBase]]) -> None:
    """The common ar format: a head of 60 bytes for each member, each begun on an even byte."""
    out.write(b"!<arch>\n")
    for name, data in members:
        size = data.seek(0, io.SEEK_END)
        data.seek(0)
        if len(name) > 16 or size >= 10**10:
            raise SetupError(f"{name} with {size} bytes does not fit into an ar archive.")
        out.write(f"{name:<16}{time_of_entries():<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode())
        shutil.copyfileobj(data, out, 1024 * 1024)
        if size % 2:
            out.write(b"\n")
