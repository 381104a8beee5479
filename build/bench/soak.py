"""Two thousand rounds with six servers and faults: what the process holds at the end is what it held early on."""

import json
import subprocess
from pathlib import Path

from bench.report import Goal, Report
from places import ROOT, script
from python_side import set_up_python

ROUNDS = 2_000
SECONDS = 2 * 3600
"""Longest time of the whole."""
EARLY = 4
"""Of twenty conversations: by then everything that is loaded late is loaded."""


def run(rounds: int, *, smoke: bool) -> Report:
    """Once, whatever `rounds` says."""
    del rounds
    set_up_python("tests")
    command = [script("python"), Path(__file__).parent / "soak_sample.py", str(200 if smoke else ROUNDS)]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit("The soak ended before its time.")
    told: list[dict[str, float]] = json.loads(done.stdout)
    report = Report("soak", "held after the rounds")
    for name in told[0]:
        report.samples[name] = [one[name] for one in told]
    early, last = told[min(EARLY, len(told)) - 1], told[-1]
    report.medians = {f"{name}, {when}": one[name] for when, one in (("early", early), ("last", last)) for name in one}
    if not smoke:
        report.goals = [
            Goal("memory, last to early", last["megabytes"] / early["megabytes"], 1.1),
            Goal("open files, last to early", last["files"] / early["files"], 1.1),
            Goal("asyncio tasks, last to early", last["tasks"] / early["tasks"], 1.1),
            Goal("child processes, last to early", last["children"] / early["children"], 1.1),
        ]
    return report
