"""What the tests need from Debian or Ubuntu; run as a program it installs what is missing."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

from programs import run
from say import SetupError, say, timed

BROWSER = ("chromium", "libatomic1")  # the second for the Node that Playwright brings
LIGHT = ("chromium-headless-shell",)  # half the work for a page; where it is unknown, the whole browser does
DISPLAY = ("xvfb", "xauth", "openbox", "xdotool", "x11-utils", "dbus-daemon|dbus")
# Names that another release gives to the same library are alternatives.
QT = (
    "libnss3", "libasound2|libasound2t64", "libegl1", "libgl1", "libopengl0", "libgbm1",
    "libdbus-1-3", "libxkbcommon-x11-0", "libxkbfile1", "libxcb-cursor0", "libxcb-icccm4",
    "libxcb-image0", "libxcb-keysyms1", "libxcb-render-util0", "libxcb-shape0", "libxcb-xkb1",
    "libxcb-randr0", "libxcomposite1", "libxdamage1", "libxrandr2", "libxtst6",
)  # fmt: skip
FONTS = ("fonts-dejavu-core", "fonts-noto-cjk", "fonts-noto-color-emoji")
GTK = ("gir1.2-webkit2-4.1", "python3-gi", "python3-gi-cairo")
OTHER_BROWSERS = ("google-chrome", "chromium-browser", "chrome")
FOR_TESTS = (*BROWSER, *LIGHT, *DISPLAY, *QT, *FONTS)

APT_INSTALL = (
    "apt-get", "install", "-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120",
)  # fmt: skip
QUIET = {"DEBIAN_FRONTEND": "noninteractive"}


def may_install() -> bool:
    """True where packages can be installed without asking: as root, with apt-get."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_missing(wanted: tuple[str, ...] = FOR_TESTS) -> None:
    """Install what of `wanted` is not there; raise SetupError if some of it cannot be."""
    if not missing(wanted):
        return
    with timed("Installing Debian packages for the tests"):
        try:
            run(["apt-get", "update", "-q"], what="Updating Debian's package lists", more_env=QUIET)
        except SetupError as error:
            say(f"  {error} Going on with the lists that are there.")
        run([*APT_INSTALL, *_known(wanted)], what="Installing Debian packages", more_env=QUIET)
    if left := [entry for entry in missing(wanted) if entry not in LIGHT]:
        raise SetupError(f"apt-get does not know {', '.join(left)}.")


def advice(wanted: tuple[str, ...]) -> str:
    """What a person has to do to get `wanted`, as half a sentence; nothing if all is there."""
    if shutil.which("apt-get") is None:
        return f"install what your system calls {', '.join(wanted)}".replace("|", " or ")
    names = _known(wanted)
    return f"apt-get install {' '.join(names)}" if names else ""


def missing(wanted: tuple[str, ...]) -> list[str]:
    """Those of `wanted` of which no alternative is installed."""
    names = [name for entry in wanted for name in entry.split("|")]
    query = ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names]
    answer = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    there = set(re.findall(r"^(\S+) installed$", answer, re.MULTILINE))
    if any(map(shutil.which, OTHER_BROWSERS)):
        there.add("chromium")
    return [entry for entry in wanted if there.isdisjoint(entry.split("|"))]


def _known(wanted: tuple[str, ...]) -> list[str]:
    """What to ask apt-get for: of each entry that is missing, the name that this release has."""
    lacking = [entry.split("|") for entry in missing(wanted)]
    policy = ["apt-cache", "policy", *(name for names in lacking for name in names)]
    answer = subprocess.run(policy, capture_output=True, text=True, check=False).stdout
    real = set(re.findall(r"^(\S+):\n.*\n  Candidate: (?!\(none\))", answer, re.MULTILINE))
    return [name for names in lacking for name in names if name in real]


def main(args: list[str]) -> int:
    """Install all that the tests need, and what Debian's own Python lacks to make `.venv`; with "venv" only the latter."""
    lacks_venv = importlib.util.find_spec("ensurepip") is None and shutil.which("uv") is None
    wanted = (*(("python3-venv",) if lacks_venv else ()), *(() if args == ["venv"] else FOR_TESTS))
    try:
        install_missing(wanted)
    except SetupError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
