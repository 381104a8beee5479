"""The packaged window, used by clicking over its web view's debugging port. Run in the project's environment, on a display.

    python build/package/window_check.py PROGRAM PLACE [SHOTS]

PLACE is an empty folder with `bin`, the PATH to use. Pictures go to SHOTS, if given. The last line says how long the window
took to be usable, first and second time.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import psutil
from playwright.sync_api import Error, Page, Playwright, expect, sync_playwright

T = TypeVar("T")
PATIENCE_MS = 90_000


def until(found: Callable[[], T | None], seconds: float, otherwise: str) -> T:
    """The first thing found that is not nothing."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if thing := found():
            return thing
        time.sleep(0.05)
    raise AssertionError(otherwise)


class Window:
    """The running program with its page."""

    def __init__(self, program: Path, place: Path, playwright: Playwright):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = int(probe.getsockname()[1])
        kept = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS")
        environment = {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "PATH": str(place / "bin"),
            "HOME": str(place),
            "LANG": "C.UTF-8",
            "LEOCHAT_DOCUMENTS": str(place / "documents"),
            "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{self._port}",
            "QTWEBENGINE_CHROMIUM_FLAGS": "--disable-gpu",
        }
        self._log = (place / "window.log").open("ab")
        start = time.monotonic()
        self.process = subprocess.Popen([program], cwd=place, env=environment, stdout=self._log, stderr=self._log)
        self._browser = until(lambda: self._connected(playwright), 120, "the window's page does not answer")
        self.page: Page = self._browser.contexts[0].pages[0]
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.get_by_test_id("composer").wait_for()
        self.seconds = time.monotonic() - start

    def _connected(self, playwright: Playwright) -> Any:
        if self.process.poll() is not None:
            raise AssertionError(f"the program ended with {self.process.returncode}")
        try:
            return playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{self._port}", no_defaults=True, timeout=90_000)
        except Error as error:
            if "ECONNREFUSED" in str(error):
                return None
            raise

    def say(self, text: str) -> None:
        self.page.get_by_test_id("composer").fill(text)
        self.page.get_by_test_id("send").click()

    def allow(self) -> None:
        """Press Allow on the question that is open."""
        self.page.get_by_test_id("approve").last.click()

    def close(self) -> None:
        """As the window manager does it, with a look that no process stays."""
        family = [psutil.Process(self.process.pid), *psutil.Process(self.process.pid).children(recursive=True)]
        wanted = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--class", "."],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        if wanted and shutil.which("openbox"):
            subprocess.run(["xdotool", "windowactivate", "--sync", wanted[0], "key", "--clearmodifiers", "alt+F4"], check=False)
        else:
            self.process.terminate()
        self.process.wait(30)
        _, alive = psutil.wait_procs(family, timeout=10)
        assert not alive, f"left running: {alive}"
        self._log.close()


def knows_tools(home: Path) -> bool:
    """Whether the tools that are asked for first are there, on a very first start too."""
    files = [path.read_text(encoding="utf-8") for path in home.rglob("mcp-tools.json")]
    return any(all(tool in text for tool in ("pokemon_start", "create_workbook", "write_document")) for text in files)


def first_time(window: Window, shot: Callable[[str], None], documents: Path, server: list[str]) -> None:
    """Everything a person tries on the first day."""
    page = window.page
    until(lambda: knows_tools(documents.parent), 180, "the bundled servers offer no tools")
    shot("1-empty")
    page.locator('[data-testid=try-it][data-try="quiz"]').click()
    question = page.get_by_test_id("card").first
    question.locator('[data-testid=card-action][data-action-id="opt_1"]').click()
    expect(page.locator('[data-action-id="next"], [data-action-id="restart"]').first).to_be_visible()
    shot("2-quiz")
    window.say("make the theme dark purple")
    expect(page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")
    window.say("make the window small")
    expect(page.get_by_text("800x600").last).to_be_visible()
    assert page.evaluate("[innerWidth, innerHeight]") == [800, 600]
    shot("3-theme-and-size")
    window.say("make the window medium")
    window.say('[excel__create_workbook path="sums.xlsx"]')
    window.allow()
    until(lambda: next(documents.rglob("sums.xlsx"), None), 60, "no Excel file was written")
    window.say('[word__write_document path="letter.docx" title="Letter" markdown="Dear all, **hello**."]')
    window.allow()
    until(lambda: next(documents.rglob("letter.docx"), None), 60, "no Word file was written")
    shot("4-office")
    add_server(page, server, shot)


def add_server(page: Page, command: list[str], shot: Callable[[str], None]) -> None:
    """A server of somebody else's, seen whole before it starts."""
    page.get_by_test_id("open-servers").click()
    page.get_by_test_id("server-add").click()
    page.get_by_test_id("server-name").fill("added")
    page.get_by_test_id("server-command").fill(command[0])
    page.get_by_test_id("server-args").fill("\n".join(command[1:]))
    page.get_by_test_id("server-save").click()
    page.get_by_test_id("server-accept").click()
    row = page.locator('[data-testid=server-row][data-server="added"]')
    expect(row).to_have_attribute("data-status", "ready", timeout=PATIENCE_MS)
    shot("5-servers")


def about(page: Page, shot: Callable[[str], None]) -> None:
    """The page with all licences."""
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-about").click()
    expect(page.get_by_test_id("parts").locator("li").first).to_be_visible()
    assert page.get_by_test_id("parts").locator("li").count() > 60
    page.get_by_test_id("diagnosis-show").click()
    expect(page.get_by_test_id("diagnosis-text")).to_contain_text("packaged: yes")
    shot("6-about")


def second_time(window: Window, shot: Callable[[str], None]) -> None:
    """All is as it was left."""
    page = window.page
    expect(page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")
    page.get_by_test_id("conversation-list").locator("[data-testid^=conversation]").first.click()
    expect(page.get_by_test_id("card").first).to_be_visible()
    shot("7-again")
    about(page, shot)
    page.get_by_test_id("settings-servers").click()
    row = page.locator('[data-testid=server-row][data-server="added"]')
    expect(row).to_have_attribute("data-status", "ready", timeout=PATIENCE_MS)


def main(arguments: list[str]) -> int:
    """Both days; AssertionError or a time limit where something does not work."""
    program, place = Path(arguments[0]), Path(arguments[1])
    shots = Path(arguments[2]) if len(arguments) > 2 else None
    quiet = subprocess.DEVNULL
    manager = subprocess.Popen(["openbox"], stdout=quiet, stderr=quiet) if shutil.which("openbox") else None
    expect.set_options(timeout=PATIENCE_MS)

    def shot(name: str) -> None:
        if shots:
            shots.mkdir(parents=True, exist_ok=True)
            subprocess.run(["import", "-window", "root", str(shots / f"{name}.png")], check=False)

    server = [str(program), "mcp", "memory", "--home", str(place / "other")]
    try:
        with sync_playwright() as playwright:
            opened: list[Window] = []
            try:
                opened.append(Window(program, place, playwright))
                first_time(opened[0], shot, place / "documents", server)
                opened[0].close()
                opened.append(Window(program, place, playwright))
                second_time(opened[1], shot)
                opened[1].close()
            except BaseException:
                shot("failed")
                raise
            finally:
                for window in opened:
                    window.process.kill()
                    window.process.wait()
    finally:
        if manager:
            manager.terminate()
            manager.wait(10)
    print(f"usable after {opened[0].seconds:.1f} s the first time, {opened[1].seconds:.1f} s the second time")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
