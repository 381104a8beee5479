"""No process outlives the app, also when the app has no time to say goodbye."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.mcp_host import childtree
from tests.mcp_host.desk import eventually

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends the tree by its Job Object, which closes with us")
async def test_after_kill_9_the_whole_tree_is_gone_within_a_second(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.mcp_host.killed", str(tmp_path), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    line = await asyncio.wait_for(parent.stdout.readline(), 40)
    pids = [int(p) for p in line.split()]
    assert len(pids) == 3
    assert all(psutil.pid_exists(p) for p in pids)
    parent.kill()
    await parent.wait()
    began = time.monotonic()
    await eventually(lambda: not any(_lives(p) for p in pids), seconds=15)
    assert time.monotonic() - began < 8


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks on Windows")
def test_a_fork_marks_its_servers_as_its_own() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, childtree.new_mark().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(reader, 100).decode().partition("-")[0]
    assert theirs != childtree.new_mark().partition("-")[0]
