"""An environment of their own for the peers: what they bring would not fit beside ours."""

import functools
import subprocess
import sys
from pathlib import Path

from places import CACHE, WINDOWS
from programs import run
from python_side import LOCKS, uv
from stamps import Step

PLACE = CACHE / "bench"


@functools.cache
def peers_python() -> Path:
    """The Python of that environment, made where it is not there or not as the lock says."""
    python = PLACE / ("Scripts/python.exe" if WINDOWS else "bin/python")
    step = Step("Installing the peers of the benchmarks", PLACE / "leochat.stamp", python, (LOCKS["bench"],), str(PLACE))
    step.redo(lambda: _install(python))
    return python


def _install(python: Path) -> None:
    what = "Installing the peers of the benchmarks"
    if program := uv():  # where it is there, seconds instead of minutes
        run([program, "venv", "--clear", "--python", sys.executable, PLACE], what=what)
        installer = [program, "pip", "install", "--python", python, "--compile-bytecode"]
    else:
        run([sys.executable, "-m", "venv", "--clear", PLACE], what=what)
        installer = [python, "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    run([*installer, "--require-hashes", "-r", LOCKS["bench"]], what=what)
    subprocess.run([str(python), "-m", "compileall", "-q", str(PLACE)], check=False)
