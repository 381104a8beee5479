"""A conversation of 2,000 messages in the window beside one of 100: opened, scrolled, typed in; and what the page takes."""

import statistics

from bench.report import Goal, Report
from bench.sampled import sampled
from python_side import set_up_python

SECONDS = 600
"""Longest time of a sample."""
MANY, FEW = 2_000, 100
OPENED, TYPED, JUMP = "opened, ms of work", "a keystroke's p95 while streaming, ms of work", "largest jump, px"
OVER, GROWTH, LATE = "page over an empty one, MB", "growth after 20 answers, percent", "frames over 34 ms of work, percent"


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    report = Report("open", "milliseconds, of the main thread's processor time or by the clock; megabytes")
    samples = [("open", FEW), ("open", MANY), ("scroll", MANY), ("type", MANY), ("memory", 0)]
    for _ in range(1 if smoke else rounds):
        for kind, size in samples[:1] if smoke else samples:
            for what, value in measure(kind, size).items():
                name = f"{size:,} messages: {what}" if size else what
                report.samples.setdefault(name, []).append(value)
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        many = f"{MANY:,} messages: "
        report.goals = [
            Goal(f"{MANY:,} messages opened, ms of work", told[many + OPENED], 100),
            Goal(f"{MANY:,} messages to {FEW}", told[many + OPENED] / told[f"{FEW} messages: {OPENED}"], 1.2),
            Goal(TYPED, told[many + TYPED], 16),
            Goal(LATE, told[many + LATE], 1),
            Goal(JUMP, told[many + JUMP], 2),
            Goal(OVER, told[OVER], 40),
            Goal(GROWTH, told[GROWTH], 10),
        ]
    return report


def measure(kind: str, size: int) -> dict[str, float]:
    return sampled("open_sample.py", kind, size, seconds=SECONDS)
