"""KIND DELTAS: a storm of thinking in the page, with its step folded or unfolded; prints figures by their names, as JSON.

The deltas come one by one through the page's own socket handler, as many as a server could send that joins none. Twenty
clicks fall in it; the worst is told, from the input to the handler's end: what the main thread worked in that time, and by
the clock, which on a machine with other work to do also counts the time in which nothing of the page ran.
"""

import json
import sys
import tempfile
from pathlib import Path

from page_sample import ARGS
from playwright.sync_api import sync_playwright
from start_sample import browser_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.page.scripts import written
from tests.page.served import Served
from tests.page.tasks import watched

CLICKS, EACH, EVERY_MS = 20, 128, 16
KEEP_LINE = """
const Plain = WebSocket;
window.WebSocket = class extends Plain { constructor(...given) { super(...given); window.line = this; } };
addEventListener("click", (event) => setTimeout(() => performance.measure("answered", {start: event.timeStamp})), true);
"""
STORM = """async ([conversation, deltas, each, every]) => {
  let seq = 1e6;
  const tell = (event) => {
    seq += 1;
    window.line.dispatchEvent(new MessageEvent("message", {data: JSON.stringify({conversation_id: conversation, seq, event})}));
  };
  window.tell = tell;
  let sent = 0;
  await new Promise((done) => {
    const timer = setInterval(() => {
      for (let n = 0; n < each && sent < deltas; n += 1, sent += 1)
        tell({type: "block_delta", index: 0, text: sent % 40 ? `thought ${sent} ` : "\\n"});
      if (sent >= deltas) { clearInterval(timer); done(); }
    }, every);
  });
}"""
READ = "() => document.querySelector('.growing')?.textContent.split('thought').length - 1"


def main(kind: str, deltas: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, sync_playwright() as playwright:
        served = Served(Path(name) / "leo")
        served.start()
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.add_init_script(KEEP_LINE)
        page.goto(served.address)
        slow = {"blocks": [{"type": "thinking", "deltas": ["begun ", "going on"]}], "delay_ms": 300_000}
        page.get_by_test_id("composer").fill(written(Path(name) / "thinking.jsonl", slow))
        page.get_by_test_id("send").click()
        step = page.get_by_test_id("thinking")
        step.wait_for()
        if kind == "unfolded":
            step.locator("summary").click()
        conversation = page.evaluate("sessionStorage.getItem('leochat-conversation')")
        with watched(browser, page) as tasks:
            page.evaluate(f"(given) => {{ window.storm = ({STORM})(given); }}", [conversation, deltas, EACH, EVERY_MS])
            for _ in range(CLICKS):
                page.mouse.click(640, 30)
                page.wait_for_timeout(min(500, deltas / EACH * EVERY_MS / CLICKS))
            page.evaluate("window.storm")
        if kind == "folded":
            step.locator("summary").click()
        page.wait_for_function(f"(most) => ({READ})() >= most", arg=deltas - deltas // 40 - 1, timeout=60_000)
        browser.close()
        served.stop()
    return {
        **tasks.longest(),
        "main thread, s": tasks.seconds,
        "a click answered, ms of work": max(tasks.work("answered")),
        "a click answered, ms by the clock": max(last - first for first, last in tasks.measured["answered"]),
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))
