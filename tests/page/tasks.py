"""What a page's main thread did, task by task, from the browser's own trace: by the clock and in processor time.

On a machine with other work to do the clock also counts the time in which the thread did not run.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "blink.user_timing"]


@dataclass
class Tasks:
    """Each task in its order: when it began (0 to 1 of the time watched), milliseconds by the clock and of the processor.

    `measured`: what the page measured by `performance.measure`, by its name, as a beginning and an end in milliseconds of the
    clock that `began` is in.
    """

    at: list[float] = field(default_factory=list[float])
    began: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    measured: dict[str, list[tuple[float, float]]] = field(default_factory=dict[str, list[tuple[float, float]]])

    @property
    def seconds(self) -> float:
        """Processor time of all."""
        return sum(self.cpu) / 1000

    def between(self, first: float, last: float) -> float:
        """Processor time, in seconds, of a stretch of the time watched."""
        return sum(cpu for at, cpu in zip(self.at, self.cpu, strict=True) if first <= at < last) / 1000

    def work(self, name: str) -> list[float]:
        """Processor time, in milliseconds, that went by in each of the measures of that name."""
        tasks = list(zip(self.began, self.wall, self.cpu, strict=True))

        def within(first: float, last: float) -> float:
            shares = ((max(0.0, min(last, at + wall) - max(first, at)) / wall, cpu) for at, wall, cpu in tasks if wall > 0)
            return sum(share * cpu for share, cpu in shares)

        return [within(first, last) for first, last in self.measured.get(name, [])]

    def longest(self) -> dict[str, float]:
        """Of all, in processor time, and by the clock."""
        return {"longest task, ms": max(self.cpu, default=0), "the same by the clock, ms": max(self.wall, default=0)}


@contextmanager
def watched(browser: Browser, page: Page) -> Generator[Tasks]:
    """The tasks of the page while the body runs; filled when it ends."""
    tasks = Tasks()
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.evaluate("performance.now()")
    try:
        yield tasks
    finally:
        fill(tasks, json.loads(browser.stop_tracing())["traceEvents"])


def fill(tasks: Tasks, events: list[dict[str, Any]]) -> None:
    began_at: dict[tuple[str, str], float] = {}
    for event in sorted((e for e in events if e.get("cat") == "blink.user_timing"), key=lambda e: e["ts"]):
        key = (event["name"], str(event.get("id2") or event.get("id")))
        if event["ph"] == "b":
            began_at[key] = event["ts"] / 1000
        elif event["ph"] == "e" and key in began_at:
            tasks.measured.setdefault(event["name"], []).append((began_at.pop(key), event["ts"] / 1000))
    main = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"].get("name") == "CrRendererMain"}
    by_thread: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for event in events:
        key = (event.get("pid", 0), event.get("tid", 0))
        if event["name"] == "RunTask" and event.get("ph") == "X" and key in main:
            by_thread.setdefault(key, []).append(event)
    nothing: list[dict[str, Any]] = []
    busiest = max(by_thread.values(), key=lambda some: sum(e.get("tdur", 0) for e in some), default=nothing)
    busiest.sort(key=lambda e: e["ts"])
    if not busiest:
        return
    began, ended = busiest[0]["ts"], busiest[-1]["ts"] + 1
    for event in busiest:
        tasks.began.append(event["ts"] / 1000)
        tasks.at.append((event["ts"] - began) / (ended - began))
        tasks.wall.append(event["dur"] / 1000)
        tasks.cpu.append(event.get("tdur", event["dur"]) / 1000)
