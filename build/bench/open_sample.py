"""KIND SIZE: what a conversation of so many messages costs in the window; prints figures by their names, as JSON.

KIND is open (from the click to the painted messages), scroll (upwards, 600 px a step), type (while an answer streams) or
memory (of the page's own process). Work is the processor time of the page's main thread.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from page_sample import ARGS, FRAME_MS, document, streamed
from playwright.sync_api import Browser, Page, sync_playwright
from start_sample import browser_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.page.long import long_conversation
from tests.page.scripts import streaming, written
from tests.page.served import Served
from tests.page.tasks import watched

OPENINGS, STEPS, KEYS = 6, 120, 120
ANSWERS, ANSWER_CHARS, DELTA_CHARS = 20, 200_000, 400
OPEN = """async ([at, words]) => {
  const began = performance.now();
  document.querySelectorAll('[data-testid=conversation-row] button.row')[at].click();
  const frame = () => new Promise(requestAnimationFrame);
  const shown = () => [...document.querySelectorAll('[data-testid=message]')].at(-1)?.textContent.includes(words);
  while (!shown()) await frame();
  await frame();
  return performance.now() - began;
}"""
SCROLL = """async (steps) => {
  const box = document.querySelector('[data-testid=thread]');
  const frame = () => new Promise(requestAnimationFrame);
  const all = () => [...box.querySelectorAll('[data-message-id]')];
  const top = (e) => e.getBoundingClientRect().top;
  const took = [];
  let jump = 0;
  for (let step = 0; step < steps; step += 1) {
    const seen = all().find((e) => e.getBoundingClientRect().bottom > 150);
    const before = top(seen);
    const began = performance.now();
    box.scrollTop -= 600;
    await frame();
    took.push(performance.now() - began);
    await frame();
    jump = Math.max(jump, Math.abs(top(box.querySelector(`[data-message-id="${seen.dataset.messageId}"]`)) - before - 600));
  }
  return {took, jump, left: box.scrollTop};
}"""


@contextmanager
def window(folder: Path, size: int) -> Generator[tuple[Browser, Page]]:
    served = Served(folder / "leo")
    if size:
        long_conversation(served.home, "Short", 2)
        long_conversation(served.home, "Long", size)
    served.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.goto(served.address)
            page.get_by_test_id("composer").wait_for()
            if size:
                page.get_by_test_id("conversation-row").nth(1).wait_for()
            yield browser, page
            browser.close()
    finally:
        served.stop()


def opened(page: Page, size: int) -> float:
    return page.evaluate(OPEN, [0, f"Message {size - 1}."])


def opening(folder: Path, size: int) -> dict[str, float]:
    """Each opened after the short one; the first time, with everything cold, does not count."""
    work: list[float] = []
    clock: list[float] = []
    with window(folder, size) as (browser, page):
        for _ in range(OPENINGS):
            page.evaluate(OPEN, [1, "Message 1."])
            with watched(browser, page) as tasks:
                clock.append(opened(page, size))
            work.append(tasks.seconds * 1000)
    return {"opened, ms of work": statistics.median(work[1:]), "opened, ms by the clock": statistics.median(clock[1:])}


def scrolling(folder: Path, size: int) -> dict[str, float]:
    with window(folder, size) as (browser, page):
        opened(page, size)
        with watched(browser, page) as tasks:
            told = page.evaluate(SCROLL, STEPS)
    late = sum(cpu > FRAME_MS for cpu in tasks.cpu)
    return {
        "frames over 34 ms of work, percent": 100 * late / STEPS,
        "frames over 34 ms by the clock, percent": 100 * sum(took > FRAME_MS for took in told["took"]) / STEPS,
        "largest jump, px": told["jump"],
    }


def typing(folder: Path, size: int) -> dict[str, float]:
    """A keystroke's work is that of the task that took it and of the frame that showed it, with what streams beside."""
    text = document(40_000)
    deltas = [text[at : at + 40] for at in range(0, len(text), 40)]
    wish = written(folder / "typed.jsonl", streaming(*deltas, delay_ms=8))
    with window(folder, size) as (browser, page):
        opened(page, size)
        page.get_by_test_id("composer").fill(wish)
        page.get_by_test_id("send").click()
        page.get_by_test_id("stop").wait_for()
        with watched(browser, page) as tasks:
            page.get_by_test_id("composer").press_sequentially("lions " * (KEYS // 6), delay=20)
    busy = sorted(cpu for cpu in tasks.cpu if cpu > 1)
    return {"a keystroke's p95 while streaming, ms of work": statistics.quantiles(busy, n=20)[18]}


def megabytes(browser: Browser, page: Page) -> float:
    """Of the page's process alone, after its garbage is gone."""
    line: Any = page.context.new_cdp_session(page)
    line.send("HeapProfiler.collectGarbage")
    page.wait_for_timeout(1_000)
    whole: Any = browser.new_browser_cdp_session()
    told = whole.send("SystemInfo.getProcessInfo")
    pids = [one["id"] for one in told["processInfo"] if one["type"] == "renderer"]
    return max(psutil.Process(pid).memory_full_info().uss for pid in pids) / 1e6


def memory(folder: Path) -> dict[str, float]:
    text = document(ANSWER_CHARS)
    deltas = [text[at : at + DELTA_CHARS] for at in range(0, len(text), DELTA_CHARS)]
    wish = written(folder / "long.jsonl", {**streaming(*deltas, delay_ms=1), "repeat": True})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        empty = megabytes(browser, browser.new_page())
        browser.close()
    sizes: list[float] = []
    with window(folder, 0) as (browser, page):
        rest = megabytes(browser, page)
        for _ in range(ANSWERS):
            streamed(page, "ours", wish)
            sizes.append(megabytes(browser, page))
    return {
        "page over an empty one, MB": rest - empty,
        "page after one answer of 200 kB, MB": sizes[0],
        f"page after {ANSWERS}, MB": sizes[-1],
        f"growth after {ANSWERS} answers, percent": 100 * (sizes[-1] / sizes[0] - 1),
    }


def main(kind: str, size: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        if kind == "memory":
            return memory(Path(name))
        kinds = {"open": opening, "scroll": scrolling, "type": typing}
        return kinds[kind](Path(name), size)


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
