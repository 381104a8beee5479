"""From a start to what can be used: the server, the page, the first request; beside an empty FastAPI app, and one with SDKs."""

import json
import statistics
import subprocess
from dataclasses import replace
from pathlib import Path

from bench.peers import peers_python
from bench.report import Goal, Report, to_floor
from places import ROOT, script
from python_side import set_up_python

HERE = Path(__file__).parent
SECONDS = 120
"""Longest time of a sample."""
FLOOR_SECONDS = 0.3
"""What the floor took on the computer the seconds were promised for; goals are ratios, so that others can meet them too."""
PROMISED = (
    ("ask", "ask to its first request", 0.7),
    ("page", "page usable, all bundled servers", 1.0),
    ("page with 25 servers", "page usable, 25 more servers", 1.0),
)
KINDS = ("floor", "peer", "server", "ask", "page", "page with 25 servers")


def run(rounds: int, *, smoke: bool) -> Report:
    """Each sample is one start on a home that was used before; the first of each kind is not counted (cold files)."""
    set_up_python("tests")
    report = Report("start", "milliseconds of the clock")
    kinds = ("server", "ask") if smoke else KINDS
    for turn in range(1 if smoke else rounds + 1):
        for kind in kinds:  # in turns: what the computer does meanwhile hits all alike
            took = measure(kind)
            if turn or smoke:
                report.samples.setdefault(kind, []).append(took)
    report.medians = {kind: statistics.median(took) for kind, took in report.samples.items()}
    if not smoke:
        told = report.medians
        report.goals = [
            replace(to_floor("server listening, to the floor", told["server"], told["floor"], 1.3, "ms"), peer=told["peer"])
        ]
        for kind, what, seconds in PROMISED:
            report.goals.append(
                to_floor(f"{what}, to the floor", told[kind], told["floor"], round(seconds / FLOOR_SECONDS, 2), "ms")
            )
            report.goals.append(Goal(f"{what}, seconds on this computer", told[kind] / 1000, seconds))
    return report


def measure(kind: str) -> float:
    bare = peers_python() if kind in ("floor", "peer") else ""
    command = [script("python"), HERE / "start_sample.py", bare, kind]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample {kind!r} of the start failed:\n{done.stderr.strip()}")
    return json.loads(done.stdout)
