"""LeoChat in a real window on a virtual desktop, driven over its web view's debugging port."""

import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Browser, Error, Page, Playwright
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

T = TypeVar("T")
ROOT = Path(__file__).parents[2]


def until(found: Callable[[], T | None], seconds: float, otherwise: Callable[[], str] = lambda: "not in time") -> T:
    """The first thing found that is not nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if thing := found():
            return thing
        time.sleep(0.05)
    raise AssertionError(otherwise())


class Desktop:
    """A display with a window manager."""

    def __init__(self, display: str):
        self.display = display

    def run(self, *command: str) -> str:
        """What a program says on this display; "" where it fails."""
        environment = {**os.environ, "DISPLAY": self.display}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False).stdout

    def windows(self, process: int, name: str) -> list[str]:
        """The ids of this process's windows of that class that are shown."""
        found = self.run("xdotool", "search", "--all", "--onlyvisible", "--pid", str(process), "--class", name)
        return found.split()

    def size(self, window: str) -> tuple[int, int]:
        said = self.run("xwininfo", "-id", window)
        found = re.search(r"Width: (\d+)\s+Height: (\d+)", said)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    def name(self, window: str) -> str:
        return self.run("xdotool", "getwindowname", window).strip()

    def active(self) -> str:
        return self.run("xdotool", "getactivewindow").strip()

    def close(self, window: str) -> None:
        """As a person does, by the window manager."""
        self.run("xdotool", "windowactivate", "--sync", window, "key", "--clearmodifiers", "alt+F4")


class App:
    """A running `leochat` with its window."""

    def __init__(self, home: Path, desktop: Desktop, playwright: Playwright, **environ: str):
        self.home = home
        self.desktop = desktop
        self.errors = home.parent / f"{home.name}.err"
        self._class = "Harbour Desk" if "LEOCHAT_EDITION" in environ else "leochat"
        self._port = free_port()
        self._playwright = playwright
        self._browser: Browser | None = None
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app", "--home", str(home)],
                cwd=ROOT,
                env=environment(desktop, home, QTWEBENGINE_REMOTE_DEBUGGING=f"127.0.0.1:{self._port}", **environ),
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
            )

    @property
    def window(self) -> str:
        """Its id on the display, once it is shown."""
        return until(self._first, 60, lambda: f"no window: {self.errors.read_text()}")

    def _first(self) -> str | None:
        if self.process.poll() is not None:
            raise AssertionError(f"ended with {self.process.returncode}: {self.errors.read_text()}")
        return next(iter(self.windows()), None)

    def windows(self) -> list[str]:
        return self.desktop.windows(self.process.pid, self._class)

    def page(self) -> Page:
        """The page in it, once it can be used."""
        assert self.window
        if self._browser is None:
            until(self._is_drawn, 60, self._no_page)  # in place of the splash: who connects in between may wait for ever
            self._browser = until(self._connected, 60, lambda: "no page")
        page = self._browser.contexts[0].pages[0]
        page.set_default_timeout(45_000)
        page.get_by_test_id("composer").wait_for()
        return page

    def ready(self) -> Page:
        """The page, once the tools that these tests ask for are there too."""
        page = self.page()
        until(self._knows_tools, 90, lambda: f"no tools: {self.errors.read_text()}")
        return page

    def _knows_tools(self) -> bool:
        try:
            known = (self.home / "mcp-tools.json").read_text("utf-8")
        except OSError:
            return False
        return all(tool in known for tool in ("pokemon_start", "resize_window"))

    def _connected(self) -> Browser | None:
        try:
            return self._playwright.chromium.connect_over_cdp(
                f"http://127.0.0.1:{self._port}", no_defaults=True, timeout=90_000
            )
        except Error as error:
            if "ECONNREFUSED" in str(error):
                return None
            raise

    def evaluate(self, *expressions: str) -> list[Any]:
        """What JavaScript gives in the page, as if a person had clicked for it.

        By the bare protocol: Playwright waits for windows that the page wanted and did not get.
        """
        assert self.window
        targets = until(self._is_drawn, 60, self._no_page)
        with self._channel(targets) as channel:
            return [self._evaluated(channel, number, text) for number, text in enumerate(expressions, 1)]

    def _channel(self, targets: list[dict[str, Any]]) -> ClientConnection:
        return connect(targets[0]["webSocketDebuggerUrl"], open_timeout=60)

    def _is_drawn(self) -> list[dict[str, Any]] | None:
        """The page's targets, once it has come in place of the splash and has drawn itself."""
        if targets := self._targets():
            drawn = "document.querySelector('[data-testid=composer]') !== null"
            with contextlib.suppress(OSError, WebSocketException, KeyError), self._channel(targets) as channel:
                if self._evaluated(channel, 1, drawn):
                    return targets
        return None

    def words(self) -> str:
        """What stands in the window, whether it is the page or not; "" while there is nothing."""
        with contextlib.suppress(OSError, WebSocketException, KeyError, IndexError):
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/json", timeout=10) as answer:
                targets = json.load(answer)
            with self._channel(targets) as channel:
                return self._evaluated(channel, 1, "document.body?.innerText ?? ''") or ""
        return ""

    def _no_page(self) -> str:
        return f"no page; targets: {self._targets()}, process: {self.process.poll()}, said: {self.errors.read_text()}"

    def _targets(self) -> list[dict[str, Any]] | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/json", timeout=10) as answer:
                return [t for t in json.load(answer) if t["url"].startswith("http://127.0.0.1")] or None
        except OSError:
            return None

    def _evaluated(self, channel: ClientConnection, number: int, expression: str) -> Any:
        asked = {"expression": expression, "userGesture": True, "awaitPromise": True, "returnByValue": True}
        channel.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": asked}))
        while True:
            said = json.loads(channel.recv(timeout=60))
            if said.get("id") == number:
                return said["result"]["result"].get("value")

    def processes(self) -> list[psutil.Process]:
        """All that belongs to it now."""
        own = psutil.Process(self.process.pid)
        return [own, *own.children(recursive=True)]

    def leave(self) -> None:
        """The test is over."""
        if self._browser:
            self._browser.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)


def environment(desktop: Desktop, home: Path, **more: str) -> dict[str, str]:
    """As on a desktop with Qt, and nothing of this computer's LeoChat."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LEOCHAT_", "QT", "WAYLAND_", "DBUS_"))}
    return {
        **kept,
        "DISPLAY": desktop.display,
        "PYWEBVIEW_GUI": "qt",
        "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",
        "LEOCHAT_DOCUMENTS": str(home.parent / "documents"),
        "LANG": "C.UTF-8",
        **more,
    }


def free_port() -> int:
    """Below what systems give to outgoing connections: one of those could take it before the window does."""
    while True:
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
            return int(tried.getsockname()[1])


def setting(home: Path, name: str) -> Any:
    """What the settings file has, None for nothing."""
    try:
        section, field = name.split(".")
        return json.loads((home / "settings.json").read_text("utf-8"))[section][field]
    except (OSError, KeyError, ValueError):
        return None
