"""200 kB of Markdown streamed into the window, beside plain text and other renderers over the same socket."""

import json
import shutil
import statistics
import subprocess
from pathlib import Path

from bench.report import Goal, Report
from node_side import npm, set_up_node
from places import CACHE, FRONTEND, ROOT, script
from programs import run as run_program
from python_side import set_up_python

HERE = Path(__file__).parent
PEERS = CACHE / "bench-page"
PARTIES = ("floor", "ours", "marked", "react-markdown")
SIZE = 200_000
SECONDS = 600
"""Longest time of a sample."""


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python("tests")
    bundle = peers()
    report = Report("page", "main thread in seconds of its processor time, tasks in milliseconds, heap in megabytes")
    size = 5_000 if smoke else SIZE
    for _ in range(1 if smoke else rounds):
        for party in PARTIES:
            for what, value in measure(party, bundle, size).items():
                report.samples.setdefault(f"{party}: {what}", []).append(value)
    report.medians = told = {name: statistics.median(some) for name, some in report.samples.items()}
    if not smoke:
        report.goals = [
            Goal("main thread, ours to plain text", told["ours: main thread, s"] / told["floor: main thread, s"], 1.3),
            Goal("longest task, ms", told["ours: longest task, ms"], 50),
            Goal("frames over 33 ms of work, percent", told["ours: frames over 33 ms of work, percent"], 1),
            Goal("a late tenth to an early one", told["ours: last tenth to the second"], 1.2),
        ]
    return report


def peers() -> Path:
    """The peers' bundle, made where it is not there or not as its sources say."""
    made, sources = PEERS / "dist" / "peers.js", sorted((HERE / "page").iterdir())
    known = PEERS / "made-from"
    now = "\n".join(f"{file.name} {file.stat().st_mtime_ns}" for file in sources)
    if made.exists() and known.exists() and known.read_text("utf-8") == now:
        return made
    shutil.rmtree(PEERS, ignore_errors=True)
    shutil.copytree(HERE / "page", PEERS)
    what = "Installing the peers of the page's bench"
    run_program([npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], what=what, folder=PEERS)
    set_up_node()
    vite = [npm(), "exec", "--prefix", FRONTEND, "--", "vite", "build", PEERS]
    run_program(vite, what="Bundling the peers of the page's bench", folder=PEERS)
    known.write_text(now, encoding="utf-8")
    return made


def measure(party: str, bundle: Path, size: int) -> dict[str, float]:
    command = [script("python"), HERE / "page_sample.py", party, bundle, size]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample {party!r} failed:\n{done.stderr.strip()[-3000:]}")
    return json.loads(done.stdout)
