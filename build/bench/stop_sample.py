"""KIND TIMES: Stop pressed so often while a reply streams, or while three tools of three servers hang. Prints JSON.

`told`: from the click to the button's change in the page. `quiet`: to the task's end in the page and, for tools, to the end of
every process that did not listen to its cancellation. The worst of each is told.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import psutil
from page_sample import ARGS
from playwright.sync_api import Page, sync_playwright
from start_sample import browser_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.mcp_host.config import ServerConfig
from tests.page.scripts import written
from tests.page.served import Served

SERVER = Path(__file__).with_name("soak_server.py")
HUNG = ("s0", "s1", "s2")
WATCH = """() => {
  const times = window.times = {};
  const watcher = new MutationObserver(() => {
    const button = document.querySelector('[data-testid=stop]');
    if (times.pressed && !times.told && (!button || button.getAttribute('aria-disabled') === 'true'))
      times.told = performance.now();
    if (times.pressed && !times.quiet && !button) times.quiet = performance.now();
  });
  watcher.observe(document.body, {subtree: true, childList: true, attributes: true});
  document.querySelector('[data-testid=stop]').addEventListener('click', () => { times.pressed = performance.now(); }, true);
}"""


def main(kind: str, times: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, sync_playwright() as playwright:
        served = Served(Path(name) / "leo")
        servers = [ServerConfig(name=n, command=sys.executable, args=(str(SERVER),)) for n in HUNG if kind == "tools"]
        served.configure(*servers, approvals__mode="all")
        served.start()
        try:
            page = playwright.chromium.launch(executable_path=browser_path(), args=ARGS).new_page()
            page.goto(served.address)
            page.get_by_test_id("composer").wait_for()
            said = written(Path(name) / "said.jsonl", *(HANGING if kind == "tools" else STREAMING))
            told = [stopped(page, said, kind) for _ in range(times)]
        finally:
            served.stop()
    return {what: max(one[what] for one in told) for what in ("told, ms", "quiet, ms")}


CALLS = [{"type": "tool_call", "name": f"{name}__work", "arguments": {"fault": "hang"}} for name in HUNG]
HANGING = ({"blocks": CALLS}, {"blocks": [{"type": "text", "text": "ok"}]})
STREAMING = ({"blocks": [{"type": "text", "deltas": ["and "] * 5_000}], "delay_ms": 10},)


def stopped(page: Page, said: str, kind: str) -> dict[str, float]:
    """One task in a conversation of its own, stopped where it is in the middle of its work."""
    page.get_by_test_id("new-conversation").click()
    page.get_by_test_id("composer").fill(said)
    page.get_by_test_id("send").click()
    stop = page.get_by_test_id("stop")
    stop.wait_for()
    if kind == "tools":
        hung = until_hung(page)
    else:
        hung = []
        page.get_by_text("and and and").first.wait_for()
    page.evaluate(WATCH)
    stop.click()
    page.wait_for_function("() => window.times.quiet")
    times = page.evaluate("() => window.times")
    seen = time.perf_counter()
    psutil.wait_procs(hung, timeout=10)
    after = (time.perf_counter() - seen) * 1000 if hung else 0.0
    if any(process.is_running() for process in hung):
        sys.exit("a tool that hangs outlived the stop")
    return {"told, ms": times["told"] - times["pressed"], "quiet, ms": times["quiet"] - times["pressed"] + after}


def until_hung(page: Page) -> list[psutil.Process]:
    """The servers' processes, once each has its call."""
    for _ in range(600):
        running = [
            process
            for process in psutil.Process().children(recursive=True)
            if process.is_running() and str(SERVER) in " ".join(process.cmdline())
        ]
        if len(running) >= len(HUNG) and page.get_by_test_id("tool-call").count() >= len(HUNG):
            page.wait_for_timeout(300)  # each call has reached its server
            return running
        page.wait_for_timeout(100)
    sys.exit("the tools did not start")


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
