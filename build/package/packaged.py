"""What `build package` made, ready to be tried: an empty home, documents of its own, a PATH without Python or Node."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from package.edition import Edition
from places import LINUX, WINDOWS

PATIENCE = 120.0
"""Seconds for one step; the machine may be slow, and a first start reads everything from the disk."""
STRANGERS = re.compile(r"^(python|pip|uv|node|npm|npx|pyenv)", re.IGNORECASE)


class FailedError(Exception):
    """What did not work, in words."""


@dataclass(frozen=True)
class Packaged:
    """The program under test; `entry` is the menu entry that starts it, where this platform has such files."""

    program: Path
    entry: Path | None
    place: Path

    @property
    def console(self) -> Path:
        """The one that has streams."""
        beside = self.program.with_name(f"{self.program.stem}-cli.exe")
        return beside if beside.exists() else self.program

    @property
    def environment(self) -> dict[str, str]:
        kept = ("DISPLAY", "XAUTHORITY", "SYSTEMROOT", "TEMP", "TMP", "LOCALAPPDATA", "APPDATA", "USERPROFILE", "COMSPEC")
        return {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "PATH": str(Path(os.environ["SYSTEMROOT"]) / "System32" if WINDOWS else self.place / "bin"),
            "HOME": str(self.place),
            "LANG": "C.UTF-8",
            "LEOCHAT_HOME": str(self.place / "home"),
            "LEOCHAT_DOCUMENTS": str(self.place / "documents"),
        }

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """The program with these arguments, to its end."""
        return subprocess.run(
            [self.console, *arguments],
            cwd=self.place,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )


@contextmanager
def fresh(program: Path, entry: Path | None = None) -> Generator[Packaged]:
    """The program with an empty home, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="leochat-check-", ignore_cleanup_errors=True) as made:
        place = Path(made).resolve()
        (place / "documents").mkdir()
        if not WINDOWS:
            bare_path(place / "bin")
        yield Packaged(program, entry, place)


def bare_path(folder: Path) -> None:
    """Links to the system's programs, but no Python, no Node, nor what installs them."""
    folder.mkdir()
    for system in ("/bin", "/usr/bin"):
        for program in Path(system).iterdir():
            link = folder / program.name
            if not STRANGERS.match(program.name) and not link.is_symlink():
                link.symlink_to(program)


def program_of(made: Path, edition: Edition) -> Path:
    """What is double-clicked, in what `build package` left."""
    if WINDOWS:
        return made / f"{edition.id}.exe"
    if sys.platform == "darwin":
        return made.with_name(f"{edition.name}.app") / "Contents" / "MacOS" / edition.id
    return made / edition.id


def entry_of(made: Path, edition: Edition) -> Path | None:
    """The menu entry beside the program, on free desktops."""
    return made / f"{edition.name}.desktop" if LINUX else None
