"""What is handed on, tried as a person would: the archive unpacked elsewhere, the .deb installed, used and removed."""

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from package import debian_package
from package.edition import Edition
from package.packaged import FailedError, entry_of, program_of
from say import say

ENTRIES = Path("usr/share/applications")
QUIET = {"DEBIAN_FRONTEND": "noninteractive"}
INSTALL = ("apt-get", "install", "-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120")

Use = Callable[[Path, Path], None]
"""Try a program by its entry."""


def archive(file: Path, edition: Edition, use: Use) -> None:
    """Unpack the tar.gz in another place, with a space in its name, and start it there."""
    with tempfile.TemporaryDirectory(prefix="leochat else where ", ignore_cleanup_errors=True) as place:
        with tarfile.open(file) as packed:
            packed.extractall(place, filter="tar")
        made = Path(place) / edition.id
        entry = entry_of(made, edition)
        assert entry
        use(program_of(made, edition), entry)


def deb(file: Path, edition: Edition, use: Use) -> None:
    """Install it, start it from its menu entry, remove it. Raises FailedError where something of it stays."""
    with installed(file, edition) as root:
        entry = root / ENTRIES / f"{edition.id}.desktop"
        use(root / "usr" / "lib" / edition.id / edition.id, entry)
    if left := [path for path in ours(root, edition) if path.exists() or path.is_symlink()]:
        raise FailedError(f"left after removal: {left}")


def ours(root: Path, edition: Edition) -> list[Path]:
    """Where the package puts things."""
    name = edition.id
    inside = ("usr/lib/{}", "usr/bin/{}", "usr/share/applications/{}.desktop", "usr/share/doc/{}")
    return [root / path.format(name) for path in (*inside, "usr/share/icons/hicolor/256x256/apps/{}.png")]


@contextmanager
def installed(file: Path, edition: Edition) -> Generator[Path]:
    """The root it was installed under: / as root, where no such package is there; else unpacked, which needs no rights."""
    if why := cannot_install(edition):
        say(f"    ({file.name} is unpacked instead of installed: {why})")
        with tempfile.TemporaryDirectory(prefix="leochat-deb-", ignore_cleanup_errors=True) as place:
            run("dpkg-deb", "-x", str(file), place)
            yield Path(place)
        return
    run(*INSTALL, str(file))
    try:
        yield Path("/")
    finally:
        told = run("apt-get", "purge", "-q", "-y", edition.id)
    if "is kept" not in told:
        raise FailedError("removing it does not say where the data is")


def cannot_install(edition: Edition) -> str:
    """Why not; "" where it can be."""
    if os.geteuid() != 0:
        return "that needs root"
    ask = ["dpkg-query", "-W", "-f", "${db:Status-Status}", edition.id]
    known = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    return "" if known in ("", "not-installed", "config-files") else f"{edition.id} is installed already"


def deb_file(folder: Path, edition: Edition) -> Path:
    """The one that `build package` wrote."""
    return folder / debian_package.file_name(edition)


def run(*command: str) -> str:
    """What it says; FailedError with its end where it fails."""
    done = subprocess.run(
        command, env={**os.environ, **QUIET}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise FailedError(f"{' '.join(command[:2])}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout
