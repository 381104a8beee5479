"""A trial start: each step of a connection with its time, and what a failure means."""

import time
from dataclasses import dataclass, field

from app.mcp_host.status import Problem, TestReport, TestStep


@dataclass(slots=True)
class Stopwatch:
    """Collects steps: `begin` ends the one before it well, `fail` ends it badly."""

    steps: list[TestStep] = field(default_factory=list[TestStep])
    _name: str | None = None
    _since: float = 0.0

    def begin(self, name: str) -> None:
        self.end()
        self._name, self._since = name, time.monotonic()

    def end(self, *, ok: bool = True, detail: str = "") -> None:
        if self._name is None:
            return
        ms = round((time.monotonic() - self._since) * 1000)
        self.steps.append(TestStep(name=self._name, ok=ok, ms=ms, detail=detail))
        self._name = None


def failed(watch: Stopwatch, problem: Problem, log: tuple[str, ...] = ()) -> TestReport:
    watch.end(ok=False, detail=problem.cause)
    return TestReport(ok=False, steps=tuple(watch.steps), problem=problem, log=log)
