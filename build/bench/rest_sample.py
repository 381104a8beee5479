"""KIND listening, peer, idle or rounds: megabytes of the backend when it listens, of a small app with SDKs in PYTHON; our
share of a processor at rest, in percent; megabytes after a hundred rounds with every bundled server on. Prints one number.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from start_sample import FLOOR, MINI_APP, free_port, started, until_answered

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

ROUNDS = 100
SETTLE_SECONDS, IDLE_SECONDS = 12.0, 15.0


def megabytes(process: psutil.Process) -> float:
    return process.memory_info().rss / 1e6


def peer(folder: Path, python: str) -> float:
    port = free_port()
    began = time.perf_counter()
    with started(folder, "-c", MINI_APP + FLOOR, str(port), python=python) as child:
        until_answered(f"http://127.0.0.1:{port}/", began)
        return megabytes(psutil.Process(child.pid))


def served(folder: Path, *, idle: bool) -> float:
    port = free_port()
    began = time.perf_counter()
    with started(folder, "-m", "app", "serve", "--port", str(port)) as child:
        until_answered(f"http://127.0.0.1:{port}/health", began)
        process = psutil.Process(child.pid)
        if not idle:
            return megabytes(process)
        time.sleep(SETTLE_SECONDS)
        before = process.cpu_times()
        time.sleep(IDLE_SECONDS)
        after = process.cpu_times()
        return (after.user + after.system - before.user - before.system) / IDLE_SECONDS * 100


def calls() -> Iterator[dict[str, Any]]:
    """A round's worth from each of the servers in turn."""
    for number in range(ROUNDS):
        wishes: tuple[tuple[str, dict[str, Any]], ...] = (
            ("filesystem__get_file_info", {"path": f"none{number}.txt"}),
            ("memory__search_nodes", {"query": f"lion {number}"}),
            ("leochat__test_tool_call", {"duration": 0, "message": f"{number}"}),
            ("excel__list_sheets", {"path": f"none{number}.xlsx"}),
            ("word__read_document", {"path": f"none{number}.docx"}),
            ("fetch__fetch", {"url": f"http://127.0.0.1:9/{number}"}),
            ("shop__shop_search", {"query": f"tea {number}"}),
        )
        name, given = wishes[number % len(wishes)]
        yield {"blocks": [{"type": "tool_call", "name": name, "arguments": given}]}


async def rounds(folder: Path) -> float:
    from app.chat.leochat import LeoChat, Run
    from app.chat.windows import Window

    leo = LeoChat(folder / "home", Run(approve="all", max_rounds=10 * ROUNDS, offline=True), environ={})
    leo.start()
    await leo.host.ready(timeout=60)
    session = await leo.library.session((await leo.library.new()).id)
    window = Window()
    leo.windows.add(window)
    window.watch(session)
    file = folder / "script.jsonl"
    lines = [*calls(), {"blocks": [{"type": "text", "text": "All done."}]}]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    await session.send(f"!script {file}")
    await session.tasks.wait()
    if len(session.messages) < ROUNDS:
        sys.exit(f"it ended early: {session.messages[-1].text}")
    size = megabytes(psutil.Process())
    await leo.close()
    return size


def main(kind: str, python: str) -> float:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "documents").mkdir()
        if kind == "peer":
            return peer(folder, python)
        os.environ["LEOCHAT_DOCUMENTS"] = str(folder / "documents")
        return asyncio.run(rounds(folder)) if kind == "rounds" else served(folder, idle=kind == "idle")


if __name__ == "__main__":
    print(f"{main(*sys.argv[1:]):.2f}")
