"""A stream of text deltas, one HTTP chunk an event, to events: the floor, plain httpx, the vendors' SDKs, and ours."""

import json
import statistics
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.peers import peers_python
from bench.report import Goal, Report, cheaper, to_floor
from places import ROOT, script
from python_side import set_up_python

HERE = Path(__file__).parent
SDK = {"openai-chat": "openai", "anthropic": "anthropic"}
DELTAS = 20_000
PACED = 5_000
SECONDS = 120
"""Longest time of a sample."""


@dataclass(frozen=True)
class Sample:
    """One process: who reads how many deltas of a protocol, at which rate a second (0: as fast as they come)."""

    party: str
    protocol: str
    deltas: int
    rate: int = 0

    @property
    def name(self) -> str:
        pace = f"{self.rate:,}/s" if self.rate else "burst"
        return f"{self.protocol}, {pace}, {self.deltas:,} deltas: {self.party}"


def run(rounds: int, *, smoke: bool) -> Report:
    set_up_python()
    plan = smoke_plan() if smoke else whole_plan()
    report = Report("stream", "CPU time in microseconds a delta")
    growth: dict[str, list[float]] = {}
    with server() as port:
        for _ in range(1 if smoke else rounds):
            for sample in plan:  # interleaved: what the computer does meanwhile hits all alike
                cost, kilobytes = measure(sample, port)
                report.samples.setdefault(sample.name, []).append(cost)
                growth.setdefault(sample.name, []).append(kilobytes)
    report.medians = {name: statistics.median(costs) for name, costs in report.samples.items()}
    if not smoke:
        report.goals = goals(report, {name: statistics.median(sizes) for name, sizes in growth.items()})
    return report


def smoke_plan() -> list[Sample]:
    return [Sample(party, protocol, 500) for protocol in SDK for party in ("floor", "ours")]


def whole_plan() -> list[Sample]:
    plan: list[Sample] = []
    for protocol, sdk in SDK.items():
        plan += [Sample(party, protocol, DELTAS) for party in ("floor", "httpx", "httpx-sse", sdk, "ours")]
        plan.append(Sample("ours", protocol, DELTAS // 10))
        plan += [Sample(party, protocol, PACED, 1000) for party in ("floor", "ours")]
    return plan


def goals(report: Report, growth: dict[str, float]) -> list[Goal]:
    def cost(party: str, protocol: str, deltas: int = DELTAS, rate: int = 0) -> float:
        return report.medians[Sample(party, protocol, deltas, rate).name]

    found: list[Goal] = []
    for protocol, sdk in SDK.items():
        ours = cost("ours", protocol)
        found += [
            to_floor(f"{protocol}, burst: ours to the floor", ours, cost("floor", protocol), 2.0, "us"),
            to_floor(
                f"{protocol}, 1,000/s: ours to the floor",
                cost("ours", protocol, PACED, 1000),
                cost("floor", protocol, PACED, 1000),
                1.8,
                "us",
            ),
            cheaper(f"{protocol}, burst: {sdk} SDK to ours", ours, cost(sdk, protocol), 25, "us"),
            Goal(f"{protocol}, burst: {DELTAS:,} deltas to {DELTAS // 10:,}", ours / cost("ours", protocol, DELTAS // 10), 1.2),
            Goal(f"{protocol}, burst: MB of memory grown", growth[Sample("ours", protocol, DELTAS).name] / 1024, 8),
        ]
    return found


def measure(sample: Sample, port: int) -> tuple[float, float]:
    """Microseconds of CPU a delta, and kilobytes by which the process's greatest size grew; SystemExit where it fails."""
    python = script("python") if sample.party in ("floor", "ours") else peers_python()
    asked = [sample.party, sample.protocol, str(port), str(sample.deltas), str(sample.rate)]
    command = [python, HERE / "stream_sample.py", *asked]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{sample.name} failed:\n{done.stderr.strip()}")
    told = json.loads(done.stdout)
    return told["microseconds"], told["kilobytes"]


@contextmanager
def server() -> Generator[int]:
    """The port of a stand-in for both vendors, in a process of its own."""
    with subprocess.Popen([sys.executable, HERE / "stream_server.py"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()
