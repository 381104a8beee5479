"""After a call was cancelled: a process of ours that goes on working all the same is made to end it.

The protocol asks servers to stop at `notifications/cancelled`; not all of them listen, and nothing says which did. What can
be seen is whether the request was answered, whether the server still answers others, whether it burns processor time, and
which programs it started since the call began.
"""

import asyncio
import time
from typing import TYPE_CHECKING

import psutil
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

if TYPE_CHECKING:
    from app.mcp_host.connection import Connection
    from app.mcp_host.link import Link
    from app.mcp_host.stdio import Child

GRACE_SECONDS = 1.2
"""Time to stop by itself; with what follows the 2 s that a stop is promised to take."""
LOOK_SECONDS = 0.25
BUSY_SHARE = 0.5
"""Of one processor, over LOOK_SECONDS: what works that much is still at it."""
EARLIER_SECONDS = 0.05
"""Start times of processes are told in hundredths of a second."""


async def quieten(connection: "Connection", link: "Link", began: float) -> None:
    """See to it that a call cancelled just now, begun at `began` (seconds since 1970), is over within 2 s.

    Nothing is done to a server that has other calls to work on.
    """
    child = link.child
    if child is None or child.tree is None:
        return
    owed = set(child.open)
    until = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < until:
        await asyncio.sleep(0.05)
        if not owed & child.open:
            return
    if connection.link is not link or connection.open_calls or child.exited.is_set():
        return
    if await _busy(child) or not await _answers(link):
        connection.log.add("host", "it went on with a cancelled call and was ended with all it had started")
        await connection.renew(child.tree.kill)
        return
    for process in await asyncio.to_thread(_born_since, child, began):
        connection.log.add("host", f"process {process.pid}, started by a call that was cancelled, was ended")
        process.kill()


async def _answers(link: "Link") -> bool:
    """Whether it does anything else but that call."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            await link.client.list_tools(cache_mode="refresh")
    except TimeoutError:
        return False
    except (MCPError, ValidationError, RuntimeError):
        pass  # an answer too
    return True


async def _busy(child: "Child") -> bool:
    before = await asyncio.to_thread(_used, child)
    began = time.monotonic()
    await asyncio.sleep(LOOK_SECONDS)
    after = await asyncio.to_thread(_used, child)
    return after - before > BUSY_SHARE * (time.monotonic() - began)


def _used(child: "Child") -> float:
    """Seconds of processor time of its processes so far."""
    total = 0.0
    for process in child.tree.members() if child.tree else ():
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


def _born_since(child: "Child", began: float) -> list[psutil.Process]:
    born: list[psutil.Process] = []
    for process in child.tree.members() if child.tree else ():
        try:
            if process.pid != child.pid and process.create_time() >= began - EARLIER_SECONDS:
                born.append(process)
        except psutil.Error:
            continue
    return born
