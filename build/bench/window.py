"""From a session's event to the window's socket, beside raw frames on a transport: processor time, latency, frames."""

import json
import statistics
import subprocess
from pathlib import Path

from bench.report import Goal, Report, to_floor
from places import ROOT, script
from python_side import set_up_python

SECONDS = 180
"""Longest time of a sample."""
COUNTS = {100: 1_000, 1_000: 8_000}
"""Deltas by their rate a second."""


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    report = Report("window", "microseconds a delta (cost), milliseconds (p50, p99), frames a second")
    counts = {100: 50} if smoke else COUNTS
    for _ in range(1 if smoke else rounds):
        for rate, count in counts.items():
            for party in ("floor", "ours"):
                for what, value in measure(party, rate, count).items():
                    report.samples.setdefault(f"{party}, {rate:,}/s: {what}", []).append(value)
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        report.goals = [
            to_floor(
                "processor time at 100/s, ours to the floor", told["ours, 100/s: cost"], told["floor, 100/s: cost"], 1.8, "us"
            ),
            to_floor(
                "processor time at 1,000/s, to the floor", told["ours, 1,000/s: cost"], told["floor, 1,000/s: cost"], 1.8, "us"
            ),
            to_floor("latency p50 at 100/s, to the floor", told["ours, 100/s: p50"], told["floor, 100/s: p50"], 1.3, "ms"),
            Goal("latency p99 at 1,000/s, ms", told["ours, 1,000/s: p99"], 17),
            Goal("frames a second at 1,000/s", told["ours, 1,000/s: frames"], 130),
        ]
    return report


def measure(party: str, rate: int, count: int) -> dict[str, float]:
    command = [script("python"), Path(__file__).parent / "window_sample.py", party, rate, count]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample {party!r} failed:\n{done.stderr.strip()[-3000:]}")
    return json.loads(done.stdout)
