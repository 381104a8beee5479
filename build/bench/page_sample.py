"""PARTY SCRIPT BYTES: streams so much Markdown into a window; prints what it cost there, as JSON.

Seconds of the main thread's tasks, the longest task in milliseconds (0: none over 50), the share of frames over 33 ms in
percent, megabytes of the JavaScript heap afterwards. PARTY is ours, floor, marked or react-markdown; SCRIPT is the
peers' bundle.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from start_sample import browser_path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.page.served import Served

WATCH = """
window.seen = { longest: 0, frames: [], on: false };
new PerformanceObserver((list) => {
  if (!window.seen.on) return;
  for (const { duration } of list.getEntries()) window.seen.longest = Math.max(window.seen.longest, duration);
}).observe({ type: "longtask" });
let last = 0;
const frame = (now) => {
  if (window.seen.on && last) window.seen.frames.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
ARGS = ("--disable-gpu", "--no-sandbox", "--disable-features=LocalNetworkAccessChecks")
DRAWN = "(end) => [...document.querySelectorAll('.md p:last-of-type')].at(-1)?.textContent === end"
"""Looks at one paragraph: to search the whole page while it grows would be what is measured."""
END = "The very end of it."
DELTA_CHARS = 40
DELAY_MS = 4.0
SECTION = """## Section {n}

Lions of the *plains* hunt at **dusk**, mostly in the long grass by the river;
see [the map](https://example.org/{n}) and `lion_{n}`.
They rest by day, and what they do not eat is eaten by others.

- first of {n}, with some words to it
- second, with `code` in it
  - and one below

| place | lions | seen |
|---|---:|---|
| river | {n} | at dusk |
| hill | 2 | at noon |

```python
def lions_{n}(place: str) -> int:
    \"\"\"How many there are.\"\"\"
    return len(place) * {n}
```

> A quoted line about section {n}.

"""


def document(size: int) -> str:
    made, n = "", 0
    while len(made) < size:
        n += 1
        made += SECTION.replace("{n}", str(n))
    return f"{made}\n{END}"


def script(folder: Path, size: int) -> str:
    text = document(size)
    deltas = [text[at : at + DELTA_CHARS] for at in range(0, len(text), DELTA_CHARS)]
    file = folder / "script.jsonl"
    line = {"blocks": [{"type": "text", "deltas": deltas}], "delay_ms": DELAY_MS}
    file.write_text(json.dumps(line), encoding="utf-8")
    return f"!script {file}"


def opened(page: Page, served: Served, party: str, bundle: str) -> None:
    if party == "ours":
        page.goto(served.address)
        page.get_by_test_id("composer").wait_for()
        return
    bench = json.dumps({"party": party, "token": served.address.partition("token=")[2]})
    code = Path(bundle).read_text("utf-8").replace("</script", "<\\/script")
    body = (
        '<!doctype html><meta charset="utf-8"><body style="margin:0"><div style="height:100vh;overflow:auto"><div id="box">'
        "</div>"
        f"</div><script>window.bench = {bench};</script><script type=module>{code}</script>"
    )
    page.route(f"{served.origin}/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{served.origin}/")
    page.wait_for_function("window.bench.conversation")


def streamed(page: Page, party: str, wish: str) -> None:
    if party == "ours":
        page.get_by_test_id("composer").fill(wish)
        page.get_by_test_id("send").click()
        page.get_by_test_id("stop").wait_for(timeout=60_000)
        page.get_by_test_id("stop").wait_for(state="detached", timeout=300_000)
        page.wait_for_function(DRAWN, arg=END, timeout=60_000)
        return
    page.evaluate("(wish) => window.bench.say(wish)", wish)
    page.wait_for_function("window.bench.over", timeout=300_000)


def main(party: str, bundle: str, size: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, sync_playwright() as playwright:
        served = Served(Path(name) / "leo")
        served.start()
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.add_init_script(WATCH)
        opened(page, served, party, bundle)
        wish = script(Path(name), size)
        line: Any = page.context.new_cdp_session(page)
        line.send("Performance.enable")

        def busy() -> dict[str, float]:
            told: dict[str, list[dict[str, Any]]] = line.send("Performance.getMetrics")
            return {m["name"]: m["value"] for m in told["metrics"]}

        page.evaluate("window.seen.on = true")
        before = busy()
        streamed(page, party, wish)
        after = busy()
        seen = page.evaluate("window.seen")
        browser.close()
        served.stop()
    late = sum(frame > 33.4 for frame in seen["frames"])
    return {
        "main thread, s": after["TaskDuration"] - before["TaskDuration"],
        "longest task, ms": seen["longest"],
        "frames over 33 ms, percent": 100 * late / max(1, len(seen["frames"])),
        "heap, MB": after["JSHeapUsedSize"] / 1e6,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
