"""`build check`: all that is known without running the product, then the tests."""

import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import suite
from node_side import npm, set_up_page
from places import CACHE, FRONTEND, ROOT, script
from python_side import set_up_python
from say import say


@dataclass(frozen=True)
class Check:
    """One program that must agree."""

    name: str
    command: Sequence[str | Path]
    folder: Path = ROOT


@dataclass(frozen=True)
class Verdict:
    """What a check said, and how long it took (seconds)."""

    check: Check
    passed: bool
    seconds: float
    output: str


def main(args: list[str]) -> int:
    """Run every check, show what failed and a table; then, if all passed, the tests."""
    set_up_python("tests", "qt")
    set_up_page()
    say("Checking ...")
    with ThreadPoolExecutor(max_workers=2) as pool:
        verdicts = list(pool.map(_verdict, all_checks()))
    for verdict in verdicts:
        if not verdict.passed:
            say(f"\n{verdict.check.name}:\n{verdict.output.rstrip()}")
    say(table(verdicts))
    if not all(verdict.passed for verdict in verdicts):
        return 1
    return suite.main(args)


def all_checks() -> list[Check]:
    """The checks, the slowest first."""
    python, node = script("python"), npm()
    return [
        Check("types", [script("pyright"), "--pythonpath", python]),
        Check("format", [script("ruff"), "format", "--check", "."]),
        Check("lint", [script("ruff"), "check", "--output-format", "concise", "."]),
        Check("contracts", [script("lint-imports"), "--no-logo", "--cache-dir", CACHE / "imports"]),
        Check("wire", [python, ROOT / "build" / "wire.py", "--check"]),
        Check("page lint", [node, "run", "--silent", "lint"], FRONTEND),
        Check("page types", [node, "run", "--silent", "types"], FRONTEND),
    ]


def table(verdicts: Sequence[Verdict]) -> str:
    """One line a check: its name, how it ended, its time."""
    lines = [f"  {v.check.name:<12} {'passed' if v.passed else 'FAILED':<7} {v.seconds:6.1f} s" for v in verdicts]
    return "\n".join(["", *lines, ""])


def _verdict(check: Check) -> Verdict:
    start = time.monotonic()
    done = subprocess.run(
        [str(part) for part in check.command],
        cwd=check.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return Verdict(check, done.returncode == 0, time.monotonic() - start, done.stdout)
