"""PARTY SCRIPT BYTES: streams so much Markdown into a window; prints what it cost there, as JSON.

Seconds of the main thread's processor time; its longest task in milliseconds, of processor time and by the clock; the
share of frames over 33 ms, of work and by the clock, in percent; what a late tenth of the time cost beside an early one;
megabytes of the JavaScript heap afterwards. PARTY is ours, floor, marked or react-markdown; SCRIPT is the peers' bundle.
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
from tests.page.tasks import watched

WATCH = """
window.seen = { frames: [], on: false };
let last = 0;
const frame = (now) => {
  if (window.seen.on && last) window.seen.frames.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
FRAME_MS = 33.4
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
        page.evaluate("window.seen.on = true")
        with watched(browser, page) as tasks:
            streamed(page, party, wish)
        seen = page.evaluate("window.seen")
        metrics: list[dict[str, Any]] = line.send("Performance.getMetrics")["metrics"]
        heap = next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize")
        browser.close()
        served.stop()
    frames = max(1, len(seen["frames"]))
    return {
        "main thread, s": tasks.seconds,
        **tasks.longest(),
        "frames over 33 ms of work, percent": 100 * sum(cpu > FRAME_MS for cpu in tasks.cpu) / frames,
        "frames over 33 ms by the clock, percent": 100 * sum(frame > FRAME_MS for frame in seen["frames"]) / frames,
        "last tenth to the second": tasks.between(0.85, 0.95) / max(1e-6, tasks.between(0.1, 0.2)),
        "heap, MB": heap / 1e6,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
