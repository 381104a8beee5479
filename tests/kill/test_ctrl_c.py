"""Ctrl+C on the command line while a tool runs: what was said is kept, nothing is left running, and it can be resumed."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.chat.conftest import RUDE, script
from tests.kill.asking import PATIENCE, ROOT, ask, environment

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C cannot be sent to another process on Windows"),
]


def test_ctrl_c_while_a_tool_runs_stops_it_and_leaves_no_process(tmp_path: Path) -> None:
    config = tmp_path / "rude.json"
    config.write_text(json.dumps({"mcpServers": {"rude": {"command": sys.executable, "args": [str(RUDE)]}}}), encoding="utf-8")
    options = ["--approve", "all", "--no-servers", "--server", str(config)]
    waiting = {"type": "tool_call", "name": "wait", "arguments": {"seconds": 300}}
    said = script(tmp_path / "s.jsonl", {"blocks": [waiting]}, {"blocks": [{"type": "text", "text": "after all"}]})
    command = [sys.executable, "-m", "app", "ask", "--json", "--home", str(tmp_path / "home"), *options, said]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(tmp_path, {}), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8"
    )
    limit = threading.Timer(PATIENCE, process.kill)
    limit.start()
    try:
        frames, children = interrupted(process)
    finally:
        limit.cancel()
        process.kill()
    assert process.returncode == 130
    assert [f["event"]["reason"] for f in frames if f["event"]["type"] == "task_end"] == ["cancelled"]
    results = [b for f in frames for b in f["event"].get("message", {}).get("blocks", []) if b["type"] == "tool_result"]
    assert "unknown" in results[-1]["text"]
    assert children
    assert [c.pid for c in psutil.wait_procs(children, timeout=5)[1]] == []
    resumed = ask(tmp_path, *options, "--resume", next(f["conversation_id"] for f in frames if f["conversation_id"]))
    assert resumed.code == 0, resumed.errors
    assert resumed.messages[-1]["blocks"][-1]["text"] == "after all"


def interrupted(process: "subprocess.Popen[str]") -> tuple[list[dict[str, Any]], list[psutil.Process]]:
    """Everything it said, sent Ctrl+C once its tool runs; and the processes it had then."""
    assert process.stdout
    frames: list[dict[str, Any]] = []
    children: list[psutil.Process] = []
    with process.stdout as lines:
        for line in lines:
            frames.append(json.loads(line))
            if frames[-1]["event"]["type"] == "tool_start" and not children:
                children = psutil.Process(process.pid).children(recursive=True)
                process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    return frames, children
