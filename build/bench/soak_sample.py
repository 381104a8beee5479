"""ROUNDS: so many rounds of tasks with six servers of which every tenth call is a fault; prints what the process held, as JSON.

A hundred rounds make a conversation, which is closed then. Told are, after each of them: megabytes, open files, asyncio tasks,
child processes.
"""

import asyncio
import gc
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.chat.leochat import LeoChat, Run
from app.chat.windows import Window
from app.mcp_host.config import ServerConfig, accept_launch
from tests.kill.case import unpaired

SERVERS = 6
ROUNDS_EACH = 100
FAULTS = ("die", "error", "rubbish", "slow", "big")
FAULTY_SHARE = 0.1


def script(folder: Path, dice: random.Random) -> str:
    """The message that makes the demo model call two servers in each round."""
    lines: list[dict[str, Any]] = []
    for number in range(ROUNDS_EACH):
        calls: list[dict[str, Any]] = []
        for server in dice.sample(range(SERVERS), 2):
            fault = dice.choice(FAULTS) if dice.random() < FAULTY_SHARE else ""
            calls.append({"type": "tool_call", "name": f"s{server}__work", "arguments": {"fault": fault, "number": number}})
        lines.append({"blocks": calls})
    lines.append({"blocks": [{"type": "text", "text": "All done."}]})
    file = folder / "script.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"!script {file}"


def held() -> dict[str, float]:
    gc.collect()
    process = psutil.Process()
    return {
        "megabytes": process.memory_info().rss / 1e6,
        "files": len(process.open_files()) if sys.platform == "win32" else process.num_fds(),
        "tasks": len(asyncio.all_tasks()),
        "children": len(process.children(recursive=True)),
    }


async def soak(rounds: int) -> list[dict[str, float]]:
    dice = random.Random(7)  # noqa: S311  the same faults each time
    file = str(Path(__file__).with_name("soak_server.py"))
    servers = [accept_launch(ServerConfig(name=f"s{n}", command=sys.executable, args=(file,))) for n in range(SERVERS)]
    told: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        os.environ["LEOCHAT_DOCUMENTS"] = str(folder / "documents")
        run = Run(servers=tuple(servers), bundled=(), approve="all", max_rounds=10 * ROUNDS_EACH, offline=True)
        leo = LeoChat(folder / "home", run, environ={})
        leo.start()
        await leo.host.ready(timeout=60)
        window = Window()
        leo.windows.add(window)
        for number in range(1, rounds // ROUNDS_EACH + 1):
            session = await leo.library.session((await leo.library.new()).id)
            window.watch(session)
            await session.send(script(folder, dice))
            end = await session.tasks.wait()
            assert end is not None
            assert end.reason == "done", end
            assert session.messages[-1].text == "All done."
            assert unpaired(session.messages) == []
            window.unwatch(session.id)  # as a page does that goes on to another conversation
            await leo.library.delete(session.id)
            for broken in [s.name for s in leo.host.statuses() if s.state == "error"]:
                await leo.host.restart(broken)  # as a person does: one that died again and again rests for a while
            await leo.host.ready(timeout=60)
            del session
            told.append(held())
            print(f"{number * ROUNDS_EACH} rounds: {told[-1]}", file=sys.stderr, flush=True)
        await leo.close()
        assert not psutil.Process().children(recursive=True), "a process was left behind"
    return told


if __name__ == "__main__":
    print(json.dumps(asyncio.run(soak(int(sys.argv[1])))))
