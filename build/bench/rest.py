"""What the backend takes while nothing happens, and after a hundred rounds with every bundled server on."""

import json
import statistics
import subprocess
from pathlib import Path

from bench.peers import peers_python
from bench.report import Goal, Report, to_peer
from places import ROOT, script
from python_side import set_up_python

SECONDS = 300
"""Longest time of a sample."""
WHAT = {"listening": "listening, MB", "rounds": "after 100 rounds, MB", "idle": "processor at rest, percent"}
PEER = "a small app of the same stack with SDKs, listening, MB"


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python()
    report = Report("rest", "megabytes and percent")
    for _ in range(1 if smoke else rounds):
        for kind, name in WHAT.items():
            report.samples.setdefault(name, []).append(measure(kind))
        if not smoke:
            report.samples.setdefault(PEER, []).append(measure("peer", peers_python()))
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        bounds = zip(WHAT.values(), (60, 150, 0.5), strict=True)
        report.goals = [Goal(name, told[name], bound) for name, bound in bounds]
        report.goals.append(to_peer("listening, to a small app with SDKs", told["listening, MB"], told[PEER], 1.0, "MB"))
    return report


def measure(kind: str, python: Path | str = "") -> float:
    command = [script("python"), Path(__file__).parent / "rest_sample.py", kind, python]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample {kind!r} failed:\n{done.stderr.strip()[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])
