"""What every test stands on: no way out of this computer, a browser, a display, patience."""

import gc
import ipaddress
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

NO_BROWSER = "no Chromium here: apt-get install chromium (or set LEOCHAT_CHROMIUM to its path)"
NO_DISPLAY = "no display for windows here: apt-get install xvfb xauth"
PAGE_SECONDS = 600  # for the front end's tests, should they last longer than these
LONG = (
    "tests/desktop/",
    "tests/page/",
    "tests/kill/",
    "tests/mcp_servers/browser/",
    "tests/mcp_host/",
    "tests/chat/",
    "tests/demos/",
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")

# A loaded machine is slow, not wrong.
settings.register_profile("leochat", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("leochat")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium that Playwright can drive; skips where there is none."""
    named = os.environ.get("LEOCHAT_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(NO_BROWSER)
    return path


@pytest.fixture(scope="session")
def display() -> Generator[str]:
    """A display for windows, as a value for DISPLAY: a virtual one of our own where Xvfb is.

    On Windows and macOS there always is one, and its name is empty.
    """
    if not sys.platform.startswith("linux"):
        yield ""
    elif xvfb := shutil.which("Xvfb"):
        yield from _virtual_display(xvfb)
    elif shown := os.environ.get("DISPLAY"):
        yield shown
    else:
        pytest.skip(NO_DISPLAY)


def _virtual_display(xvfb: str) -> Generator[str]:
    reader, writer = os.pipe()
    command = [xvfb, "-displayfd", str(writer), "-screen", "0", "1700x1100x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        try:
            with os.fdopen(reader) as said:
                number = said.readline().strip()  # written once it is ready; empty if it died
            assert number, "Xvfb ended before it was ready"
            yield f":{number}"
        finally:
            server.terminate()
            server.wait(timeout=10)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The rooms of long tests first, each as one: what is left to the end is short, and no worker is long alone."""
    places = {room: place for place, room in enumerate(LONG)}
    items.sort(key=lambda item: min((places[room] for room in LONG if item.nodeid.startswith(room)), default=len(LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test logged may hold half characters, as its inputs do: a report that cannot be sent ends its whole worker."""
    report = yield
    report.sections = [(name, text.encode("utf-8", "backslashreplace").decode("utf-8")) for name, text in report.sections]
    return report


def pytest_collection_finish() -> None:
    """What all tests were made of stays to the end: a collector that walks it in every test costs more than some tests."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The front end's tests ran beside these; pytest's closing line comes last, so it must not hide that they failed."""
    if verdict := os.environ.get("LEOCHAT_PAGE_TESTS"):
        code, log = _page_tests(Path(verdict))
        if code == "0":
            terminalreporter.write_line("The front end's tests passed.", green=True)
            return
        terminalreporter.write_line(log)
        terminalreporter.write_line("The front end's tests FAILED, see above.", red=True)


def _page_tests(verdict: Path) -> tuple[str, str]:
    """Their exit code, once they ended, and what they said."""
    end = time.monotonic() + PAGE_SECONDS
    while not verdict.exists() and time.monotonic() < end:
        time.sleep(0.1)
    if not verdict.exists():
        return "", "They did not end."
    return verdict.read_text("utf-8"), verdict.with_suffix(".log").read_text("utf-8", errors="replace")


def _stay_on_this_computer(event: str, args: tuple[object, ...]) -> None:
    if event != "socket.connect" or not isinstance(args[1], tuple):
        return  # a path is a local socket
    host = str(args[1][0])  # pyright: ignore[reportUnknownArgumentType]
    if not _is_here(host):
        raise OSError(f"a test wanted to leave this computer, for {host}")


def _is_here(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host in ("", "localhost")
    return address.is_loopback or address.is_unspecified


sys.addaudithook(_stay_on_this_computer)
