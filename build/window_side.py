"""The window toolkit on Linux: the system's GTK where it fits, else Qt, after asking."""

import os
import subprocess
import sys
from pathlib import Path

import debian
from places import CACHE, VENV, script
from python_side import HOME, LOCKS, packages, set_up_python
from say import SetupError, say
from stamps import Step

SITE = VENV / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
DECLINED = CACHE / "no-qt"

# Asked of the system's own Python: its version, and where its GTK binding is, if it has WebKit.
ASK_FOR_GTK = """
import sys, gi
gi.require_version("Gtk", "3.0")
try:
    gi.require_version("WebKit2", "4.1")
except ValueError:
    gi.require_version("WebKit2", "4.0")
print(sys.implementation.cache_tag)
print(gi.__path__[0])
try:
    import cairo
    print(cairo.__path__[0])
except ImportError:
    pass
"""
# Loads what a window needs; the error names the system library that is missing.
TRY_QT = """
import ctypes, pathlib, PySide6, PySide6.QtWebEngineWidgets
ctypes.CDLL(str(pathlib.Path(PySide6.__file__).parent / "Qt/plugins/platforms/libqxcb.so"))
"""


def has_display() -> bool:
    """True if a window could be shown here (Linux)."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def set_up_window() -> bool:
    """True if a toolkit for the window is there, or could be made to be."""
    if (SITE / "gi").exists() or _link_gtk():
        return True
    if not packages("qt").is_fresh() and not _may_download_qt():
        return False
    try:
        set_up_python("qt")
        _qt_libraries().redo(check_qt)
    except SetupError as error:
        say(f"{error} Until then LeoChat opens in the browser.")
        return False
    return True


def check_qt() -> None:
    """Raise SetupError naming the first system library that Qt misses."""
    command = [script("python"), "-c", TRY_QT]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        last = answer.stderr.strip().splitlines()[-1:] or ["no message"]
        advice = debian.advice(debian.QT) or "install the package that has it"
        raise SetupError(f"The window's Qt lacks a system library ({last[0]}): {advice}.")


def _qt_libraries() -> Step:
    sources = (LOCKS["qt"],)
    return Step("Trying Qt", VENV / "leochat-qt-libraries.stamp", SITE / "PySide6", sources, HOME)


def _link_gtk() -> bool:
    """Show the system's `gi` (and only that) to `.venv`, where both are the same Python."""
    command = ["/usr/bin/python3", "-c", ASK_FOR_GTK]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return False
    tag, *folders = answer.stdout.split("\n")[:-1] or [""]
    if answer.returncode != 0 or tag != sys.implementation.cache_tag:
        return False
    for folder in map(Path, folders):
        link = SITE / folder.name
        link.unlink(missing_ok=True)  # one that leads nowhere: the package was removed once
        link.symlink_to(folder, target_is_directory=True)
    return True


def _may_download_qt() -> bool:
    if DECLINED.exists() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        gtk = debian.advice(debian.GTK) or "run this with /usr/bin/python3, whose GTK is there"
        qt = f"delete {DECLINED}" if DECLINED.exists() else "run this in a terminal"
        say(
            "No toolkit for a window is here, so LeoChat opens in the browser. "
            f"For a window: {gtk}; or {qt} to be asked about Qt."
        )
        return False
    say("LeoChat's window needs a toolkit: Qt can be downloaded now (264 MB, into .venv).")
    print("Download it? Without it LeoChat opens in the browser. [Y/n] ", end="", file=sys.stderr)
    if _answer() in ("", "y", "yes", "s", "si", "sí"):
        return True
    DECLINED.touch()
    return False


def _answer() -> str:
    try:
        return input().strip().lower()
    except EOFError:
        return "no"
