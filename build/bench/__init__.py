"""`build bench [NAME]`: how fast LeoChat is beside the least that could do the work, and beside its peers."""

import argparse
import importlib
import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from bench.report import Report, summary
from say import SetupError, say

BENCHES = {
    "start": "from a start to what can be used",
    "call": "a tool call, beside the bare SDK",
    "page": "streamed Markdown in the window, beside other renderers",
    "open": "a conversation of 2,000 messages in the window, and the page's memory",
    "storm": "100,000 deltas of thinking in the window",
    "stop": "Stop, while a reply streams and while tools hang",
    "window": "from an event to the window, beside raw frames",
    "rest": "memory and processor at rest and after 100 rounds",
    "stream": "a provider's stream to events",
    "store": "rounds, opening and search at any length",
    "soak": "2,000 rounds with faults: what grows",
    "kill": "a task killed at 500 moments and all points",
}


def main(args: list[str]) -> int:
    """Run the named bench or all; 1 where a goal is missed. Samples are single processes, their CPU time is what counts."""
    parser = argparse.ArgumentParser(prog="build bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=BENCHES, help="; ".join(f"{n}: {what}" for n, what in BENCHES.items()))
    parser.add_argument("--rounds", type=int, default=3, help="samples of each (default 3)")
    parser.add_argument("--smoke", action="store_true", help="a few seconds: does it run, without peers and goals")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table at the end, in Markdown, to FILE as well")
    options = parser.parse_args(args)
    before = machine()
    reports = [_run(name, options.rounds, smoke=options.smoke) for name in BENCHES if options.name in (None, name)]
    if not options.smoke:
        table = f"{before}\n\n{summary(reports)}\n"
        print(f"\n{table}", flush=True)
        if options.table:
            options.table.write_text(table, encoding="utf-8")
    if options.json:
        told = {"machine": before, **{r.name: r.figures() for r in reports}}
        options.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    failed = any(r.problem for r in reports)
    return int(failed or not (options.smoke or all(r.met for r in reports)))


def _run(name: str, rounds: int, *, smoke: bool) -> Report:
    """One bench; where it cannot be measured the others still are."""
    say(f"Bench {name}: {BENCHES[name]} ...")
    try:
        report: Report = importlib.import_module(f"bench.{name}").run(rounds, smoke=smoke)
    except (SetupError, SystemExit, OSError, subprocess.TimeoutExpired) as error:
        say(f"  {error}")
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return Report(name, "", problem=lines[-1].replace("|", "/")[:200])
    print(report.table(), flush=True)
    return report


def machine() -> str:
    """What and when: the date, the system, its cores, how busy it is, and the Python."""
    system = _pretty_name() or f"{platform.system()} {platform.release()}"
    cores = f"{os.cpu_count()} cores"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {system} on {platform.machine()}, {cores}{load}, {python}"


def _pretty_name() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        return ""
