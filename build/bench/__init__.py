"""`build bench [NAME]`: how fast LeoChat is beside the least that could do the work, and beside its peers."""

import argparse
import importlib
import json
from pathlib import Path

from bench.report import Report
from say import say

BENCHES = {
    "start": "from a start to what can be used",
    "call": "a tool call, beside the bare SDK",
    "page": "streamed Markdown in the window, beside other renderers",
    "window": "from an event to the window, beside raw frames",
    "rest": "memory and processor at rest and after 100 rounds",
    "soak": "2,000 rounds with faults: what grows",
    "stream": "a provider's stream to events",
    "store": "rounds, opening and search at any length",
    "kill": "a task killed at 500 moments and all points",
}


def main(args: list[str]) -> int:
    """Run the named bench or all; 1 where a goal is missed. Samples are single processes, their CPU time is what counts."""
    parser = argparse.ArgumentParser(prog="build bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=BENCHES, help="; ".join(f"{n}: {what}" for n, what in BENCHES.items()))
    parser.add_argument("--rounds", type=int, default=3, help="samples of each (default 3)")
    parser.add_argument("--smoke", action="store_true", help="a few seconds: does it run, without peers and goals")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    options = parser.parse_args(args)
    reports = [_run(name, options.rounds, smoke=options.smoke) for name in BENCHES if options.name in (None, name)]
    if options.json:
        options.json.write_text(json.dumps({r.name: r.figures() for r in reports}, indent=2) + "\n", encoding="utf-8")
    return 0 if options.smoke or all(r.met for r in reports) else 1


def _run(name: str, rounds: int, *, smoke: bool) -> Report:
    say(f"Bench {name}: {BENCHES[name]} ...")
    report: Report = importlib.import_module(f"bench.{name}").run(rounds, smoke=smoke)
    print(report.table(), flush=True)
    return report
