"""One process: calls of an echo tool by the bare SDK and by our host in turns, and rounds of a task; prints figures as JSON.

Microseconds of the clock for one call, and milliseconds: the longest stall of the loop while 1 MB comes back, and our own
processor time a round.
"""

import asyncio
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import echo_server
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from app.core.messages import ToolCall
from app.core.tools import CallContext
from app.mcp_host.bundled import Bundled
from app.mcp_host.config import ServerConfig, accept_launch
from app.mcp_host.host import McpHost

TURNS = 12
CALLS = 40
ROUNDS = 200
WARMING = 10
MEGABYTE = 1_000_000
Deed = Callable[[], Awaitable[None]]


def ours_of(host: McpHost, server: str, times: int = 1) -> Deed:
    spec = next(s for s in host.specs() if s.server == server and s.tool == "echo")
    context = CallContext("conv", lambda done, total, text: None)

    async def deed() -> None:
        given = {"text": "x", "times": times}
        output = await host.call(spec, ToolCall(id="c", name=spec.name, arguments=given), context)
        assert not output.is_error, output

    return deed


def bare_of(client: Client) -> Deed:
    async def deed() -> None:
        result = await client.call_tool("echo", {"text": "x", "times": 1})
        assert not result.is_error

    return deed


async def took(deed: Deed) -> float:
    began = time.perf_counter()
    for _ in range(CALLS):
        await deed()
    return (time.perf_counter() - began) / CALLS * 1e6


async def stall(deed: Deed) -> float:
    """The longest time in milliseconds that nothing else had its turn meanwhile, of five tries the middle one."""
    longest: list[float] = []
    for _ in range(5):
        over = asyncio.Event()
        beating = asyncio.create_task(longest_gap(over))
        await deed()
        over.set()
        longest.append(await beating * 1000)
    return statistics.median(longest)


async def longest_gap(over: asyncio.Event) -> float:
    """Seconds between two turns, beyond the one millisecond that was asked for."""
    worst, last = 0.0, time.perf_counter()
    while not over.is_set():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        worst, last = max(worst, now - last - 0.001), now
    return worst


@asynccontextmanager
async def http_server() -> AsyncGenerator[str]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = (sys.executable, echo_server.__file__, "http", str(port))
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        await process.wait()


async def calls(folder: Path) -> dict[str, float]:
    by = (sys.executable, echo_server.__file__)
    async with http_server() as url:
        configs = (
            accept_launch(ServerConfig(name="piped", command=by[0], args=by[1:])),
            accept_launch(ServerConfig(name="remote", url=url, transport="http")),
        )
        inside = Bundled("inside", "bundled", {"en": "Echo"}, {"en": ""}, "1", echo_server.create)
        host = McpHost(configs, data_dir=folder, log_dir=folder / "logs", bundled=(inside,), version="1")
        host.start()
        assert await host.ready(timeout=60), [s.problem for s in host.statuses()]
        piped = stdio_client(StdioServerParameters(command=by[0], args=list(by[1:])))
        async with Client(echo_server.create()) as memory, Client(piped) as stdio, Client(url) as http:
            sides: dict[str, Deed] = {
                "in memory: bare SDK": bare_of(memory),
                "in memory: ours": ours_of(host, "inside"),
                "stdio: bare SDK": bare_of(stdio),
                "stdio: ours": ours_of(host, "piped"),
                "HTTP: bare SDK": bare_of(http),
                "HTTP: ours": ours_of(host, "remote"),
            }
            costs: dict[str, list[float]] = {}
            for turn in range(TURNS + 1):
                for name, deed in sides.items():
                    cost = await took(deed)
                    if turn:
                        costs.setdefault(name, []).append(cost)
        told = {name: statistics.median(some) for name, some in costs.items()}
        told["stall by 1 MB over stdio, ms"] = await stall(ours_of(host, "piped", MEGABYTE))
        told["stall by 1 MB in memory, ms"] = await stall(ours_of(host, "inside", MEGABYTE))
        await host.stop()
    return told


async def own_cost(folder: Path, rounds: int = ROUNDS) -> float:
    """Milliseconds of processor time a round: a scripted model calls a scripted tool, everything is kept and told."""
    from app.chat.rooms import Limits
    from tests.chat.stage import Page, opened
    from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says

    replies = [Reply("so", calls=(call("t", f"c{n}", n=n),)) for n in range(rounds)]
    tools = ScriptedTools(t=says("x"))
    store, session = await opened(folder, ScriptedProvider(*replies, Reply("done")), tools, Limits(rounds=2 * rounds))
    session.approvals.verdict = lambda spec, call: ("allow", "")  # type: ignore[method-assign]
    Page().watch(session)
    began = time.process_time()
    await session.send("go")
    await session.tasks.wait()
    used = time.process_time() - began
    assert session.messages[-1].text == "done", session.messages[-1]
    store.close()
    return used / rounds * 1000


async def main() -> dict[str, Any]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        told = await calls(folder / "calls")
        await own_cost(folder / "first", WARMING)  # what a process loads once is no round's cost
        return {**told, "our own cost a round, ms": await own_cost(folder / "rounds")}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main())))
