"""When and where the MCP library loads: in threads of its own, after a page that opens meanwhile has its first answers."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
AT_A_TIME = 2
"""It is all the processor's work under one lock: more threads would make none of it sooner, and the window slower."""


class Library:
    """Imports, and the making of bundled servers, beside the loop; nothing of it is waited for after `drop`."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None
        self._wanted = asyncio.Event()
        self._wanted.set()

    def wait(self, seconds: float) -> None:
        """Load nothing before `hurry`, which comes by itself after so long."""
        self._wanted.clear()
        asyncio.get_running_loop().call_later(seconds, self.hurry)

    def hurry(self) -> None:
        """A server is needed, or nobody waits for anything else."""
        self._wanted.set()

    async def in_time(self, load: Callable[[], Awaitable[R]]) -> R:
        """`load`, once it may."""
        await self._wanted.wait()
        return await load()

    async def do(self, work: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        """Work of the library's, beside the loop."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="mcp")
        return await asyncio.wrap_future(self._threads.submit(work, *args, **named))

    def drop(self) -> None:
        """What waits in line is not done; what runs comes to its end."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)
