"""`build wire`: the page's types again from the Python ones, in the project's environment."""

import subprocess

from places import ROOT, script
from python_side import set_up_python


def main(args: list[str]) -> int:
    """Write frontend/src/wire.ts, or compare it with `--check`; the program's exit code."""
    set_up_python()
    command = [script("python"), ROOT / "build" / "wire.py", *args]
    return subprocess.run(command, cwd=ROOT, check=False).returncode
