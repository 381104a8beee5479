"""The Node half of set-up: the front end's packages, and the page built from its sources."""

import re
import shutil
import subprocess
from pathlib import Path

from places import CACHE, FRONTEND, PAGE, ROOT
from programs import run
from say import SetupError
from stamps import Step, files_under

NODE = (20, 19)  # the oldest that Vite 8 runs on
PINS = ("package.json", "package-lock.json", ".npmrc")
REFERENCE = ROOT / "tests" / "reference"
REFERENCE_SERVERS = CACHE / "mcp-everything"  # where the tests look for them
NOT_IN_THE_PAGE = ("node_modules", "tests", "gallery", "dist")
INSTALL = "Node is there in your system's packages, from nodejs.org, or with nvm or winget"


def set_up_page() -> None:
    """Install the front end's packages and build the page, where something changed."""
    page = _page()
    if page.is_fresh():
        return
    set_up_node()
    page.redo(lambda: run([npm(), "run", "build"], what="Building the page", folder=FRONTEND))


def set_up_node() -> None:
    """Install what the front end's package-lock.json pins, where it changed."""
    title = "Installing the front end's packages"
    _packages(title, FRONTEND, FRONTEND).redo(lambda: _install(title, FRONTEND))


def set_up_reference_servers() -> None:
    """Install the MCP servers that others wrote, for the tests, where their lock changed."""
    title = "Installing reference MCP servers for the tests"
    _packages(title, REFERENCE, REFERENCE_SERVERS).redo(lambda: _install_reference_servers(title))


def npm() -> str:
    """The npm to run (npm.cmd on Windows), after a look at Node's version."""
    node = shutil.which("node")
    if node is None:
        raise SetupError(
            f"LeoChat needs Node {NODE[0]} ({NODE[0]}.{NODE[1]} or newer) to build its window, "
            f"and there is no node on the PATH. {INSTALL}."
        )
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", answer.stdout)
    if found is None or (int(found[1]), int(found[2])) < NODE:
        raise SetupError(
            f"LeoChat needs Node {NODE[0]}.{NODE[1]} or newer to build its window, and {node} "
            f"is {answer.stdout.strip() or 'broken'}. {INSTALL}."
        )
    found_npm = shutil.which("npm")
    if found_npm is None:
        raise SetupError("Node is there but npm is not: install it too (Debian, Ubuntu: apt-get install npm).")
    return found_npm


def _packages(title: str, pins: Path, folder: Path) -> Step:
    modules = folder / "node_modules"
    sources = tuple(pins / name for name in PINS)
    return Step(title, modules / ".leochat.stamp", modules / ".package-lock.json", sources)


def _install(title: str, folder: Path) -> None:
    run([npm(), "ci", "--no-audit", "--no-fund", "--no-progress"], what=title, folder=folder)


def _install_reference_servers(title: str) -> None:
    REFERENCE_SERVERS.mkdir(parents=True, exist_ok=True)
    for name in PINS:
        shutil.copyfile(REFERENCE / name, REFERENCE_SERVERS / name)
    _install(title, REFERENCE_SERVERS)


def _page() -> Step:
    sources = files_under(FRONTEND, skip=NOT_IN_THE_PAGE)
    return Step("Building the page", CACHE / "page.stamp", PAGE, tuple(sources))
