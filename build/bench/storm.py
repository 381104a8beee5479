"""100,000 deltas of thinking, 128 every 16 ms, unjoined, folded and unfolded: does the page stay free?"""

import statistics

from bench.report import Goal, Report
from bench.sampled import sampled
from python_side import set_up_python

SECONDS = 600
"""Longest time of a sample."""
DELTAS = 100_000


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    report = Report("storm", "milliseconds, of the main thread's processor time or by the clock")
    for _ in range(1 if smoke else rounds):
        for kind in ("folded", "unfolded"):
            for what, value in measure(kind, 5_000 if smoke else DELTAS).items():
                report.samples.setdefault(f"{kind}: {what}", []).append(value)
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        for kind in ("folded", "unfolded"):
            report.goals.append(Goal(f"{kind}: longest task, ms", told[f"{kind}: longest task, ms"], 100))
            for unit in ("ms of work", "ms by the clock"):  # the clock counts what else the computer does, too
                clicked = f"{kind}: a click answered, {unit}"
                report.goals.append(Goal(clicked, told[clicked], 100))
    return report


def measure(kind: str, deltas: int) -> dict[str, float]:
    return sampled("storm_sample.py", kind, deltas, seconds=SECONDS)
