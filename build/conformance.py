"""`build conformance`: the protocol's own suite against LeoChat's host, and against a bundled server where it fits."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from node_side import npm
from places import CACHE, ROOT, WINDOWS, script
from programs import run
from python_side import set_up_python
from say import SetupError, say
from stamps import Step

SUITE, RUNTIME = "@modelcontextprotocol/conformance@0.2.0-alpha.12", "node@22"
FOLDER = CACHE / "conformance"
RESULTS = FOLDER / "results"
NODE = FOLDER / "node_modules" / "node" / "bin" / ("node.exe" if WINDOWS else "node")
MAIN = FOLDER / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
CLIENT = ROOT / "tests" / "conformance" / "client.py"
REVISIONS = ("2025-11-25", "2026-07-28")
# Checks that the client has to pass of all that are run, those that are not scored counted too: what the protocol's own SDK
# passes for Python with the client of its repository, of 307 and 464.
GOAL = {"2025-11-25": 298, "2026-07-28": 455}
# What asks nothing of a server that ours does not mean to be (the others want the suite's own tools, prompts and resources).
SERVER = {
    "2025-11-25": (
        "server-initialize", "server-session-lifecycle", "ping", "tools-list", "resources-list", "prompts-list",
        "server-sse-multiple-streams", "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "server-stateless", "tools-list", "resources-list", "prompts-list", "sep-2164-resource-not-found", "caching",
        "server-sse-multiple-streams", "http-header-validation", "dns-rebinding-protection",
    ),
}  # fmt: skip
# Both call a tool of the suite's own, which asks for sampling.
UNFIT = {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"}
PATIENCE_MS = "180000"
AT_ONCE = 2
USAGE = "build conformance [--json FILE] [SCENARIO ...]"


@dataclass(frozen=True)
class Outcome:
    """One scenario on one revision's wire: how many checks came to what."""

    side: str
    revision: str
    scenario: str
    counts: dict[str, int]
    scored: bool = True

    @property
    def passes(self) -> int:
        return self.counts.get("SUCCESS", 0)

    @property
    def passed(self) -> bool:
        return self.passes > 0 and not self.counts.get("FAILURE", 0)

    @property
    def line(self) -> str:
        told = ", ".join(f"{n} {status.lower()}" for status, n in sorted(self.counts.items()) if status != "INFO")
        mark = "ok  " if self.passed else "FAIL" if self.scored else "open"
        return f"{mark} {self.revision} {self.side} {self.scenario}: {told or 'no checks'}"


def main(args: list[str]) -> int:
    """Run every scenario of both revisions; 0 only where all that are scored pass, and no fewer checks than the goal."""
    json_file: Path | None = None
    if args[:1] == ["--json"]:
        if len(args) < 2:
            say(f"usage: {USAGE}")
            return 2
        json_file, args = Path(args[1]), args[2:]
    set_up_python("tests")
    set_up_suite()
    shutil.rmtree(RESULTS, ignore_errors=True)
    outcomes = [o for revision in REVISIONS for o in (*clients(revision, args), *servers(revision, args))]
    for side, revision in dict.fromkeys((o.side, o.revision) for o in outcomes):
        say(summary([o for o in outcomes if (o.side, o.revision) == (side, revision)]))
    if json_file:
        told = [{"side": o.side, "revision": o.revision, "scenario": o.scenario, "checks": o.counts} for o in outcomes]
        json_file.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    missed = [] if args else [words for revision in REVISIONS if (words := short(revision, outcomes))]
    for words in missed:
        say(words)
    return 0 if outcomes and not missed and all(o.passed for o in outcomes if o.scored) else 1


def short(revision: str, outcomes: list[Outcome]) -> str:
    """Words where fewer of a revision's client checks passed than the goal says, else none."""
    passed = sum(o.passes for o in outcomes if (o.side, o.revision) == ("client", revision))
    return f"FAIL {revision} client: {passed} checks, and the goal is {GOAL[revision]}" if passed < GOAL[revision] else ""


def set_up_suite() -> None:
    """Install the suite, and the Node it needs, under `.cache`."""
    title = "Installing the conformance suite"
    step = Step(title, FOLDER / "suite.stamp", MAIN, (), facts=f"{SUITE} {RUNTIME}")

    def install() -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        run([npm(), "install", "--no-audit", "--no-fund", "--no-progress", SUITE, RUNTIME], what=title, folder=FOLDER)

    step.redo(install)
    if not NODE.exists():
        raise SetupError(f"{title} failed: npm's package {RUNTIME} brought no program for this computer.")


def scored(revision: str) -> list[str]:
    """The client scenarios that a revision requires."""
    listed = _suite("list", "--client", "--requirements", revision).stdout
    wanted = listed.partition("Client scenarios")[2].partition("\nRun and reported")[0]
    return re.findall(r"^  - (\S+)", wanted, re.MULTILINE)


def reported(revision: str) -> list[str]:
    """The client scenarios that are run and reported, but never scored: extensions, and what came after the release."""
    listed = _suite("list", "--client", "--requirements", revision).stdout
    return re.findall(r"^    - (\S+) \[client\]", listed.partition("\nRun and reported")[2], re.MULTILINE)


def clients(revision: str, only: list[str]) -> list[Outcome]:
    """The host as the client of the suite's servers."""
    wanted = dict.fromkeys(scored(revision), True) | dict.fromkeys(reported(revision), False)
    env = {"LEOCHAT_CONFORMANCE_REVISION": revision}
    command = f'"{script("python")}" "{CLIENT}"' if WINDOWS else f"{script('python')} {CLIENT}"

    def one(scenario: str) -> Outcome:
        folder = RESULTS / f"client-{revision}" / scenario.replace("/", "-")
        words = ("--command", command, "--scenario", scenario, "--spec-version", revision, "--force")
        ran = _suite("client", *words, *_common(folder), env=env)
        return _outcome("client", revision, scenario, folder, ran, scored=wanted[scenario])

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, [s for s in wanted if not only or s in only]))


def servers(revision: str, only: list[str]) -> list[Outcome]:
    """The bundled `memory` server over HTTP, as `leochat mcp` serves it."""
    wanted = [s for s in SERVER[revision] if not only or s in only]
    if not wanted:
        return []
    port = _free_port()
    home = FOLDER / "home"
    home.mkdir(parents=True, exist_ok=True)
    command = [script("python"), "-m", "app", "mcp", "memory", "--home", home, "--http", str(port)]
    server = subprocess.Popen([str(c) for c in command], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        return [_serve(revision, scenario, port) for scenario in wanted]
    finally:
        server.terminate()
        server.wait(timeout=10)


def _serve(revision: str, scenario: str, port: int) -> Outcome:
    folder = RESULTS / f"server-{revision}" / scenario
    words = ("--url", f"http://127.0.0.1:{port}/mcp", "--scenario", scenario, "--spec-version", revision)
    return _outcome("server", revision, scenario, folder, _suite("server", *words, *_common(folder)))


def _common(folder: Path) -> tuple[str, ...]:
    return ("--timeout", PATIENCE_MS, "-o", str(folder))


def _suite(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(NODE), str(MAIN), *words],
        cwd=FOLDER, env={**os.environ, **(env or {})}, capture_output=True, text=True, encoding="utf-8", errors="replace",
        check=False, timeout=300,
    )  # fmt: skip


def _outcome(
    side: str, revision: str, scenario: str, folder: Path, ran: subprocess.CompletedProcess[str], *, scored: bool = True
) -> Outcome:
    found = sorted(folder.rglob("checks.json"))
    checks = _checks(found[-1]) if found else []
    outcome = Outcome(side, revision, scenario, dict(Counter(check.status for check in checks)), scored)
    say(outcome.line)
    for check in checks:
        if check.status == "FAILURE":
            say(f"       {check.name}: {check.words}")
    if not found:
        say(f"       {(ran.stderr or ran.stdout).strip()[-500:]}")
    return outcome


@dataclass(frozen=True)
class Check:
    """One check of a scenario as the suite wrote it down."""

    name: str
    status: str
    words: str


def _checks(file: Path) -> list[Check]:
    raw: list[dict[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    found = [Check(c["id"], c["status"], c.get("errorMessage") or c.get("description") or "") for c in raw]
    return [check for check in found if check.name not in UNFIT]


def summary(outcomes: list[Outcome]) -> str:
    """One line: scenarios and checks of one side on one revision."""
    passed = sum(o.passes for o in outcomes)
    judged = passed + sum(o.counts.get("FAILURE", 0) + o.counts.get("WARNING", 0) for o in outcomes)
    counted = [o for o in outcomes if o.scored]
    whole, one = sum(o.passed for o in counted), outcomes[0]
    beside = len(outcomes) - len(counted)
    more = f", {sum(o.passed for o in outcomes if not o.scored)} of {beside} that are not scored" if beside else ""
    goal = f" (goal: {GOAL[one.revision]})" if one.side == "client" else ""
    return f"{one.revision} {one.side}: {whole} of {len(counted)} scenarios{more}, {passed} of {judged} checks{goal}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SetupError("The bundled server did not begin to listen within a minute.")
