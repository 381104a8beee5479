"""Stop, pressed in the page while a reply streams and while three tools hang: when it is told, and when all is quiet."""

import statistics

from bench.report import Goal, Report
from bench.sampled import sampled
from python_side import set_up_python

SECONDS = 300
"""Longest time of a sample."""
KINDS = ("stream", "tools")


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    report = Report("stop", "milliseconds of the clock")
    for _ in range(1 if smoke else rounds):
        for kind in KINDS:
            for what, value in sampled("stop_sample.py", kind, 1 if smoke else 10, seconds=SECONDS).items():
                report.samples.setdefault(f"{kind}: {what}", []).append(value)
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        for kind in KINDS:
            report.goals.append(Goal(f"{kind}: told in the window, ms", told[f"{kind}: told, ms"], 200))
            report.goals.append(Goal(f"{kind}: all quiet, ms", told[f"{kind}: quiet, ms"], 2_000))
    return report
