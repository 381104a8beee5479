"""A task with tools killed 500 times and more: nothing lost, nothing done twice, every resumed task at the uncut end."""

import json
import subprocess
import sys
from pathlib import Path

from bench.report import Goal, Report
from places import ROOT, script
from python_side import set_up_python

KILLS = 500
SECONDS = 3 * 3600
"""Longest time of the whole."""


def run(rounds: int, *, smoke: bool) -> Report:
    """Once, whatever `rounds` says: the seed is that number, so that another one meets other moments."""
    set_up_python("tests")
    if sys.platform == "win32":
        raise SystemExit("There is no SIGKILL to be sent on Windows.")
    command = [script("python"), Path(__file__).parent / "kill_sample.py", "3" if smoke else str(KILLS), str(rounds)]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit("The kills could not be tried.")
    told = json.loads(done.stdout)
    for fault in (*told["wrong"], *told["refused"]):
        print(f"  {fault}")
    report = Report("kill", "number of")
    report.medians = {"kills": told["kills"], "kills after which something was wrong": len(told["wrong"])}
    report.medians["requests a strict provider refused"] = len(told["refused"])
    report.goals = [Goal(what, count, 0) for what, count in list(report.medians.items())[1:]]
    return report
