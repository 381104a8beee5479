"""What a fault costs the host: the longest its event loop was held up, and how much its memory grew."""

import asyncio
import gc
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psutil

MIB = 1024 * 1024


@dataclass
class Cost:
    """`stall_ms` is the loop's own processor time between two turns: what other programs take does not count."""

    stall_ms: float = 0.0
    grown_mib: float = 0.0


@asynccontextmanager
async def measured() -> AsyncGenerator[Cost]:
    cost, process = Cost(), psutil.Process()
    gc.collect()
    before = process.memory_info().rss

    async def beat() -> None:
        while True:
            cpu = time.thread_time()
            await asyncio.sleep(0.001)
            cost.stall_ms = max(cost.stall_ms, (time.thread_time() - cpu) * 1000)

    beating = asyncio.create_task(beat())
    try:
        yield cost
    finally:
        beating.cancel()
        gc.collect()
        cost.grown_mib = (process.memory_info().rss - before) / MIB
