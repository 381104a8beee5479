"""Each fault of a server, over stdio and HTTP: told in time, the loop not held up, memory not filled, the next call well."""

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import psutil
import pytest

from app.mcp_host.config import ServerConfig, accept_launch
from tests.mcp_host.desk import FAKES, Desk, OpenDesk, eventually, fake, words
from tests.mcp_host.measuring import measured

STALL_MS, GROWTH_MIB = 100, 64
WELL = ("bad_utf8", "surrogate", "huge_int", "floods")
"""Noise that does not cost the answer."""
STDIO = ("dies", "hangs", "rubbish", "bad_utf8", "surrogate", "huge_int", "deep", "many", "seventeen_mib", "hundred_mib",
         "floods", "null_result", "closes_stdout", "stderr_flood")  # fmt: skip
HTTP = ("dies", "hangs", "rubbish", "page", "empty", "bad_utf8", "surrogate", "huge_int", "deep", "many", "seventeen_mib",
        "hundred_mib", "hundred_mib_event", "many_event", "deep_event", "broken_event", "ends_early", "bomb", "floods",
        "status_500", "redirects", "wrong_id")  # fmt: skip


def limit(mode: str) -> float:
    """Seconds for a call: short only where waiting for its end is the matter."""
    return 2 if mode in ("hangs", "wrong_id") else 60


@asynccontextmanager
async def far(mode: str) -> AsyncGenerator[ServerConfig]:
    """The faulty server over HTTP, in a process of its own."""
    server = await asyncio.create_subprocess_exec(sys.executable, str(FAKES / "faulty_http.py"), mode, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        port = int(await asyncio.wait_for(server.stdout.readline(), 30))
        yield accept_launch(
            ServerConfig(name="fake", transport="http", url=f"http://127.0.0.1:{port}/mcp", timeout=limit(mode))
        )
    finally:
        server.kill()
        await server.wait()


async def suffered(d: Desk, mode: str, transport: str) -> None:
    """Make the bad call, then a good one, and hold what it cost against what is promised."""
    await d.call("good")
    async with measured() as cost:
        began = time.monotonic()
        output = await d.call("bad")
        seconds = time.monotonic() - began
        after = await d.call("good")
    print(f"{transport} {mode}: {cost.stall_ms:.0f} ms, {cost.grown_mib:.0f} MiB, {seconds:.1f} s; {words(output)[:90]!r}")
    assert not after.is_error, words(after)
    assert words(output), "it says something"
    assert output.is_error is (mode not in (*WELL, *(("rubbish", "stderr_flood") if transport == "stdio" else ())))
    assert cost.stall_ms < STALL_MS
    assert cost.grown_mib < GROWTH_MIB
    assert seconds < 40, "its time limit, or much sooner"


@pytest.mark.parametrize("mode", STDIO)
async def test_a_fault_over_stdio(desk: OpenDesk, mode: str) -> None:
    async with desk(fake(mode, timeout=limit(mode))) as d:
        await suffered(d, mode, "stdio")
        pid = d.host.status("fake").pid or 0
    await eventually(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("mode", HTTP)
async def test_a_fault_over_http(desk: OpenDesk, mode: str) -> None:
    async with far(mode) as config, desk(config) as d:
        await suffered(d, mode, "http")
