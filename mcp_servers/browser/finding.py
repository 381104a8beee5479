"""Which Chrome, Edge or Chromium of this computer is used, and how to get one where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

ON_PATH = (
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
LINUX = (
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/opt/microsoft/msedge/msedge",
)
MACOS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
)
WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "Chromium/Application/chrome.exe",
)
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
INSTALLED_HERE = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    "chromium-*/chrome-win*/chrome.exe",
)
"""Where Playwright's own installer puts a browser, below its folder."""

KINDS = {
    "chrome": ("google-chrome", "google/chrome", "google\\chrome", "google chrome", "/chrome/chrome"),
    "msedge": ("edge",),
    "chromium": ("chromium",),
}
"""What the path of a browser holds that is asked for by its kind, in small letters."""

CURES = {
    "linux": "On Debian or Ubuntu: sudo apt install chromium. On Fedora: sudo dnf install chromium",
    "darwin": "Get Google Chrome from https://www.google.com/chrome, or: brew install --cask google-chrome",
    "win32": "Get Google Chrome from https://www.google.com/chrome, or: winget install Google.Chrome",
}


class NoBrowserError(Exception):
    """There is no browser to use; the text says what to do."""


def find_browser(chosen: str | None, own: Path, places: Iterable[str] | None = None) -> str:
    """The program to start: `chosen` by the person, else what is installed, else what we installed below `own`.

    `chosen` is a program, or one of KINDS. `places`: where to look (None: where this platform has them).
    Raises NoBrowserError.
    """
    there = (p for p in (candidates(sys.platform, os.environ, shutil.which) if places is None else places) if Path(p).is_file())
    if chosen:
        signs = KINDS.get(chosen.lower(), ())
        found = next((path for path in there if any(sign in path.lower() for sign in signs)), None) or shutil.which(chosen)
        if found:
            return found
        raise NoBrowserError(f"The browser {chosen} that the settings name is not there. Correct it, or leave it empty.")
    for path in there:
        return path
    for pattern in INSTALLED_HERE:
        for found in sorted(own.glob(pattern), reverse=True):
            if found.is_file() and os.access(found, os.X_OK):
                return str(found)
    raise NoBrowserError(
        "No Chrome, Edge or Chromium was found on this computer. "
        f"{CURES.get(sys.platform, CURES['linux'])}. Or call browser_install, which downloads a Chromium of its own "
        "(about 180 MB) after the user allowed it. A browser in an unusual place can be named in the settings."
    )


def candidates(platform: str, environ: Mapping[str, str], which: Callable[[str], str | None]) -> Iterator[str]:
    """Where a browser may be on a platform, the best first. Confined ones (snap) come last: they see few folders."""
    found = [path for name in ON_PATH if (path := which(name))]
    yield from (path for path in found if not path.startswith("/snap/"))
    if platform == "win32":
        folders = [PureWindowsPath(environ[name]) for name in WINDOWS_FOLDERS if environ.get(name)]
        yield from _below(folders, WINDOWS)
    elif platform == "darwin":
        yield from _below([PurePosixPath("/Applications"), PurePosixPath(environ.get("HOME", "/"), "Applications")], MACOS)
    else:
        yield from LINUX
    yield from (path for path in found if path.startswith("/snap/"))


def _below(folders: list[PureWindowsPath] | list[PurePosixPath], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        yield from (str(PurePath.joinpath(folder, name)) for folder in folders)
