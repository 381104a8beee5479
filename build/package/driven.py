"""The packaged program with its window, started by its menu entry and driven over its web view's debugging port."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Error, Page, Playwright, sync_playwright

from package.launching import command_of

T = TypeVar("T")
PATIENCE_MS = 90_000
MOST_OF_AN_ICON = "100000000"
"""Bytes, as text: the tool cuts a property off after a few thousand."""
KEPT = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS")


def until(found: Callable[[], T | None], seconds: float, otherwise: str) -> T:
    """The first thing found that is not nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if thing := found():
            return thing
        time.sleep(0.05)
    raise AssertionError(otherwise)


class Window:
    """The running program with its page. `seconds`: from the start to a page that can be used; `shown`: to the window."""

    def __init__(self, entry: Path, place: Path, playwright: Playwright, *, early: Callable[[], None] | None = None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = int(probe.getsockname()[1])
        environment = {
            **{name: os.environ[name] for name in KEPT if name in os.environ},
            "PATH": str(place / "bin"),
            "HOME": str(place),
            "LANG": "C.UTF-8",
            "LEOCHAT_DOCUMENTS": str(place / "documents"),
            "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{self._port}",
            "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",
        }
        self.place = place
        self._log = (place / "window.log").open("ab")
        start = time.monotonic()
        self.process = subprocess.Popen(command_of(entry), cwd=place, env=environment, stdout=self._log, stderr=self._log)
        self.id = until(self._shown, 120, "no window is shown")
        self.shown = time.monotonic() - start
        if early:
            early()
        self._browser = until(lambda: self._connected(playwright), 120, "the window's page does not answer")
        self.page: Page = self._browser.contexts[0].pages[0]
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.get_by_test_id("composer").wait_for()
        self.seconds = time.monotonic() - start

    def _shown(self) -> str | None:
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}: {self.words()}")
        return next(
            iter(said("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--class", ".").split()), None
        )

    def _connected(self, playwright: Playwright) -> Any:
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}: {self.words()}")
        if not self._has_page():
            return None
        try:
            return playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{self._port}", no_defaults=True, timeout=90_000)
        except Error as error:
            if "ECONNREFUSED" in str(error):
                return None
            raise

    def _has_page(self) -> bool:
        """Whether the page has come in place of what stands there before: who connects in between may wait for ever."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/json", timeout=10) as answer:
                return any(target["url"].startswith("http://127.0.0.1") for target in json.load(answer))
        except OSError:
            return False

    def words(self) -> str:
        """The end of what it wrote to its streams."""
        return (self.place / "window.log").read_text(encoding="utf-8", errors="replace")[-1500:]

    def say(self, text: str) -> None:
        self.page.get_by_test_id("composer").fill(text)
        self.page.get_by_test_id("send").click()

    def allow(self) -> None:
        """Press Allow on the question that is open."""
        self.page.get_by_test_id("approve").last.click()

    def icon(self) -> list[tuple[int, int, bytes]]:
        """What the desktop shows for it: width, height and RGBA of each size."""
        told = said(
            "xprop", "-id", self.id, "-len", MOST_OF_AN_ICON, "-f", "_NET_WM_ICON", "32c", "=$0+\\n", "_NET_WM_ICON"
        ).partition("=")[2]
        numbers = [int(word) for word in re.findall(r"\d+", told)]
        found: list[tuple[int, int, bytes]] = []
        while numbers:
            width, height, *numbers = numbers
            pixels, numbers = numbers[: width * height], numbers[width * height :]
            found.append((width, height, b"".join(bytes((p >> 16 & 255, p >> 8 & 255, p & 255, p >> 24)) for p in pixels)))
        return found

    def close(self) -> None:
        """As the window manager does it, with a look that no process stays."""
        started = Path(psutil.Process(self.process.pid).exe()).parent
        if shutil.which("openbox"):
            said("xdotool", "windowactivate", "--sync", self.id, "key", "--clearmodifiers", "alt+F4")
        else:
            self.process.terminate()
        self.process.wait(30)
        end = time.monotonic() + 10
        while (left := left_running(self.place, started)) and time.monotonic() < end:
            time.sleep(0.1)
        assert not left, f"left running: {left}"
        self._log.close()


def left_running(place: Path, program: Path) -> list[str]:
    """Whatever runs out of the program's folder, or has `place` as its home."""
    found: list[str] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            ours = Path(process.exe()).is_relative_to(program) or process.environ().get("HOME") == str(place)
            if ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline())[:200])
    return found


def said(*command: str) -> str:
    """What a program of this desktop says; "" where it fails."""
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


@contextlib.contextmanager
def desktop() -> Any:
    """A window manager, and what drives the page."""
    quiet = subprocess.DEVNULL
    manager = subprocess.Popen(["openbox"], stdout=quiet, stderr=quiet) if shutil.which("openbox") else None
    try:
        with sync_playwright() as playwright:
            yield playwright
    finally:
        if manager:
            manager.terminate()
            manager.wait(10)
