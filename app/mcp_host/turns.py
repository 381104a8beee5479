"""Not all at once: 25 programs starting together would leave the window no processor to appear with."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

AT_ONCE = 4
PATIENCE = 4.0


class Turns:
    """Lets a few begin together; one that waited 4 s begins anyway, so that nobody can block the rest."""

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._patience = patience

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Callable[[], None]]:
        """Waits for a turn. Call what it gives as soon as the turn is over; leaving ends it too."""
        mine = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                mine = await self._free.acquire()

        def over() -> None:
            nonlocal mine
            if mine:
                mine = False
                self._free.release()

        try:
            yield over
        finally:
            over()
