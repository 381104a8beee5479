"""A virtual desktop, and LeoChat's window on it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tests.desktop.apps import App, Desktop
from tests.desktop.bus import Bus

NEEDS = ("openbox", "xdotool", "xwininfo")
NO_QT = "no Qt for the window here: pip install 'leochat[qt]'"
NO_TOOLS = "no desktop to try windows on: apt-get install openbox xdotool x11-utils"
NO_BUS = "no session bus to try it on: apt-get install dbus-daemon"
Open = Callable[..., App]


@pytest.fixture(scope="session")
def desktop(display: str) -> Generator[Desktop]:
    """A display with a window manager; skips where windows cannot be tried."""
    if importlib.util.find_spec("PySide6") is None or importlib.util.find_spec("qtpy") is None:
        pytest.skip(NO_QT)
    if not sys.platform.startswith("linux") or not all(map(shutil.which, NEEDS)):
        pytest.skip(NO_TOOLS)
    environ = {**os.environ, "DISPLAY": display}
    with subprocess.Popen(["openbox"], env=environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as manager:
        yield Desktop(display)
        manager.terminate()
        manager.wait(timeout=10)


@pytest.fixture
def bus() -> Generator[Bus]:
    if not sys.platform.startswith("linux") or shutil.which("dbus-daemon") is None:
        pytest.skip(NO_BUS)
    made = Bus()
    yield made
    made.close()


@pytest.fixture(scope="module")
def playwright() -> Generator[Playwright]:
    with sync_playwright() as made:
        yield made


@pytest.fixture
def open_app(tmp_path: Path, desktop: Desktop, playwright: Playwright) -> Generator[Open]:
    """Opens windows, by default all of one home, and sees to their end."""
    opened: list[App] = []

    def open_one(home: str = "home", **environ: str) -> App:
        opened.append(App(tmp_path / home, desktop, playwright, **environ))
        return opened[-1]

    yield open_one
    for app in opened:
        app.leave()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, desktop: Desktop, playwright: Playwright) -> Generator[App]:
    """One window for all tests of a module that leave it usable."""
    made = App(tmp_path_factory.mktemp("window") / "home", desktop, playwright)
    yield made
    made.leave()
