"""One start, of PYTHON where it is not ours; KIND: floor, peer, server, ask, page, `page with 25 servers`. Prints milliseconds.

The clock runs from the spawn: to the first 200 of a GET, to the first request of a provider, to the composer in a page that was
opened with the address the server printed. The home was used by a start before, as a person's was.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

BROKEN = 5
FLOOR = """
import sys
from fastapi import FastAPI
import uvicorn
app = FastAPI()
@app.get("/")
def page():
    return "ok"
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
"""
MINI_APP = """
import anthropic, openai
from mcp import Client
from mcp.server import MCPServer
"""
"""What a small app of the same stack imports on top of the floor, as its libraries' first pages show it."""


USABLE = "() => document.querySelector('[data-testid=composer]') && !document.querySelector('.skeleton')"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LEOCHAT_") and not k.endswith(("_API_KEY", "_BASE_URL"))}
    return {**kept, "LEOCHAT_HOME": str(folder / "home"), "LEOCHAT_DOCUMENTS": str(folder / "documents"), "PYTHONUTF8": "1"}


@contextmanager
def started(folder: Path, *command: str, python: str = sys.executable) -> "Generator[subprocess.Popen[bytes]]":
    with (folder / "errors.txt").open("ab") as errors:
        process = subprocess.Popen(
            [python, *command],
            cwd=ROOT,
            env=environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()


def until_answered(url: str, since: float) -> float:
    while time.perf_counter() - since < 60:
        try:
            with urllib.request.urlopen(url, timeout=5) as response:  # noqa: S310  our own address
                response.read()
                return (time.perf_counter() - since) * 1000
        except (urllib.error.URLError, OSError):
            time.sleep(0.002)
    sys.exit(f"{url} did not answer")


def bare(folder: Path, python: str, code: str) -> float:
    port = free_port()
    began = time.perf_counter()
    with started(folder, "-c", code, str(port), python=python):
        return until_answered(f"http://127.0.0.1:{port}/", began)


def address_of(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().split()[-1]


def server(folder: Path) -> float:
    port = free_port()
    began = time.perf_counter()
    with started(folder, "-m", "app", "serve", "--port", str(port)):
        return until_answered(f"http://127.0.0.1:{port}/health", began)


def ask(folder: Path) -> float:
    """To the moment when the provider's request is there."""
    asked: list[float] = []
    there = threading.Event()

    class Provider(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(time.perf_counter())
            there.set()
            body = b'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the library's own name

    provider = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{provider.server_address[1]}/v1"
    began = time.perf_counter()
    command = ("-m", "app", "ask", "hello", "--no-servers", "--provider", "custom", "--base-url", url, "--model", "m")
    with started(folder, *command) as process:
        if not there.wait(60):
            sys.exit("no request came")
        process.wait(30)
    provider.shutdown()
    return (asked[0] - began) * 1000


def browser_path() -> str:
    """The first Chromium there is; `LEOCHAT_CHROMIUM` wins."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
    found = os.environ.get("LEOCHAT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return found or sys.exit("no Chromium here: install it, or set LEOCHAT_CHROMIUM to its path")


def page(folder: Path, servers: int = 0) -> float:
    from playwright.sync_api import sync_playwright

    if servers:
        configure(folder, servers)
    chromium = browser_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu", "--no-sandbox"])
        window = browser.new_page()
        window.goto("about:blank")
        began = time.perf_counter()
        with started(folder, "-m", "app", "serve") as process:
            window.goto(address_of(process), wait_until="commit")
            window.wait_for_function(USABLE)  # looked at in every frame; locators look each half second only
            took = (time.perf_counter() - began) * 1000
        browser.close()
    return took


def configure(folder: Path, count: int) -> None:
    """Servers of the smallest kind, accepted; the last ones broken in ways that take their time."""
    from app.mcp_host.config import ServerConfig, accept_launch, save_servers

    small = str(ROOT / "tests" / "kill" / "counting.py")
    made = [
        ServerConfig(name=f"s{n}", command=sys.executable, args=(small, str(folder / f"{n}.txt")))
        for n in range(count - BROKEN)
    ]
    sleeps = ("-c", "import time; time.sleep(60)")
    made += [ServerConfig(name=f"broken{n}", command=sys.executable, args=sleeps) for n in range(BROKEN - 2)]
    made += [ServerConfig(name="missing", command="no-such-command-here", args=())]
    made += [ServerConfig(name="exits", command=sys.executable, args=("-c", "import sys; sys.exit(3)"))]
    (folder / "home").mkdir(parents=True, exist_ok=True)
    save_servers(folder / "home" / "servers.json", [accept_launch(one) for one in made])


def main(peers: str, kind: str) -> float:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if kind in ("floor", "peer"):
            return bare(folder, peers, FLOOR if kind == "floor" else MINI_APP + FLOOR)
        server(folder)  # a home that was used before
        if kind == "server":
            return server(folder)
        if kind == "ask":
            return ask(folder)
        return page(folder, 25 if kind.endswith("servers") else 0)


if __name__ == "__main__":
    print(f"{main(sys.argv[1], ' '.join(sys.argv[2:])):.1f}")
