"""A tool call through our host beside the same call by the bare SDK: in memory, by pipe and HTTP; and a round's own cost."""

import json
import statistics
import subprocess
from pathlib import Path

from bench.report import Goal, Report, to_peer
from places import ROOT, script
from python_side import set_up_python

SECONDS = 300
"""Longest time of a sample."""


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    report = Report("call", "microseconds of the clock a call")
    for _ in range(1 if smoke else rounds):
        for name, cost in measure().items():
            report.samples.setdefault(name, []).append(cost)
    report.medians = told = {name: statistics.median(costs) for name, costs in report.samples.items()}
    if not smoke:
        report.goals = [
            *(
                to_peer(f"{way}, ours to the bare SDK", told[f"{way}: ours"], told[f"{way}: bare SDK"], bound, "us")
                for way, bound in (("in memory", 1.3), ("stdio", 1.15), ("HTTP", 1.15))
            ),
            Goal("stall by 1 MB over stdio, ms", told["stall by 1 MB over stdio, ms"], 20),
            Goal("stall by 1 MB in memory, ms", told["stall by 1 MB in memory, ms"], 20),
            Goal("our own cost a round, ms", told["our own cost a round, ms"], 3),
        ]
    return report


def measure() -> dict[str, float]:
    command = [script("python"), Path(__file__).parent / "call_sample.py"]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample of the calls failed:\n{done.stderr.strip()[-3000:]}")
    return json.loads(done.stdout)
