"""A conversation's rounds, its opening and the search: beside a line of JSON and fdatasync, and at 10 to 10,000 messages."""

import json
import statistics
import subprocess
from pathlib import Path

from bench.report import Goal, Report, to_floor
from places import ROOT, script
from python_side import set_up_python

HERE = Path(__file__).parent
SIZES = (10, 1_000, 10_000)
SEARCHED = 100_000
SECONDS = 600
"""Longest time of a sample."""


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python()
    sizes, searched = ((10, 100), 1_000) if smoke else (SIZES, SEARCHED)
    report = Report("store", "microseconds of the clock")
    for _ in range(1 if smoke else rounds):
        told = measure(sizes, searched)
        for name, cost in told.items():
            report.samples.setdefault(name, []).append(cost)
    report.medians = {name: statistics.median(costs) for name, costs in report.samples.items()}
    if not smoke:
        report.goals = goals(report.medians)
    return report


def goals(medians: dict[str, float]) -> list[Goal]:
    """As promised; times a person waits are goals by themselves, in milliseconds."""
    least, middle, most = (medians[f"round at {size:,} messages"] for size in SIZES)
    first, last = (medians[f"last 50 of {size:,} messages"] for size in SIZES[1:])
    floor = medians["floor: a line of JSON, fdatasync"]
    return [
        to_floor("a round at 1,000 messages to the floor", middle, floor, 2.5, "us"),
        Goal("a round at 10,000 messages to 1,000", most / middle, 1.2),
        Goal("a round at 10,000 messages to 10", most / least, 1.2),
        Goal("last 50 of 10,000 messages, ms", last / 1000, 1),
        Goal("last 50 of 10,000 messages to 1,000", last / first, 1.2),
        Goal(f"search in {SEARCHED:,} messages, ms, p50", medians["search, p50"] / 1000, 5),
        Goal(f"search in {SEARCHED:,} messages, ms, worst", medians["search, worst"] / 1000, 50),
    ]


def measure(sizes: tuple[int, ...], searched: int) -> dict[str, float]:
    """One process on a new store: microseconds by what was done; SystemExit where it fails."""
    command = [script("python"), HERE / "store_sample.py", str(searched), *map(str, sizes)]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The store's sample failed:\n{done.stderr.strip()}")
    return json.loads(done.stdout)
