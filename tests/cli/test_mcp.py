"""`leochat mcp NAME` as other programs start it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"}}
ASKED: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_allowed_directories", "arguments": {}}},
)


@pytest.mark.parametrize("started_in", ["the disk's root", "a project"])
def test_without_a_named_folder_the_disk_is_not_open(tmp_path: Path, started_in: str) -> None:
    project = tmp_path / "project"
    project.mkdir()
    here = project if started_in == "a project" else Path(tmp_path.anchor)
    documents = tmp_path / "papers"
    environ = {
        **os.environ,
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "LEOCHAT_HOME": str(tmp_path / "home"),
        "LEOCHAT_DOCUMENTS": str(documents),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "app", "mcp", "filesystem"],
        cwd=here,
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write("".join(json.dumps(line) + "\n" for line in ASKED))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
        server.wait(30)
    told = answers[-1]["result"]["content"][0]["text"].splitlines()[1:]
    assert told == [str(project if started_in == "a project" else documents / "LeoChat")]
