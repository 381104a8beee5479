"""What a page's main thread did, task by task, from the browser's own trace: by the clock and in processor time.

On a machine with other work to do the clock also counts the time in which the thread did not run.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]


@dataclass
class Tasks:
    """Each task in its order: when it began (0 to 1 of the time watched), milliseconds by the clock and of the processor."""

    at: list[float] = field(default_factory=list[float])
    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    @property
    def seconds(self) -> float:
        """Processor time of all."""
        return sum(self.cpu) / 1000

    def between(self, first: float, last: float) -> float:
        """Processor time, in seconds, of a stretch of the time watched."""
        return sum(cpu for at, cpu in zip(self.at, self.cpu, strict=True) if first <= at < last) / 1000

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
        tasks.at.append((event["ts"] - began) / (ended - began))
        tasks.wall.append(event["dur"] / 1000)
        tasks.cpu.append(event.get("tdur", event["dur"]) / 1000)
