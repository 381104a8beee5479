"""How long a reader waits for more, and how often it wakes: limits without a timer a read, and a breath in a fast stream."""

import asyncio
import math

QUICK = 0.002
BREATH = 0.012
"""Seconds. What comes within QUICK of the read before is let gather for BREATH, less than a frame on the screen."""
IN_A_ROW = 8
"""Quick reads after which a stream takes its breaths; a short answer never does."""
SMALL = 16_384
"""Bytes. A larger read is worth waking for: a burst is read as fast as it comes."""


class Wait:
    """One reader's wait for more. A limit takes one timer for a whole stream instead of one for each read."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[None] | None = None
        self._since = 0.0
        self._limit = self._silence = math.inf
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> "asyncio.Future[None]":
        """To be awaited; TimeoutError where a limit passes first."""
        self._since = self._loop.time()
        self._future = future = self._loop.create_future()
        return future

    def end(self) -> None:
        """Something came, or nothing more can."""
        self._limit = self._silence
        future, self._future = self._future, None
        if future is not None and not future.done():
            future.set_result(None)

    def limit(self, first: float, silence: float) -> None:
        """Seconds for every wait from now on: `first` until something comes, then `silence`."""
        self.unlimited()
        self._limit, self._silence = first, silence
        self._look()

    def unlimited(self) -> None:
        self._limit = self._silence = math.inf
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        future = self._future if self._future and not self._future.done() else None
        left = self._limit - (self._loop.time() - self._since if future else 0.0)
        if left > 0:  # the shorter limit may be the one that counts by then
            self._timer = self._loop.call_later(min(left, self._silence), self._look)
        elif future:
            future.set_exception(TimeoutError())


class Pace:
    """Tells when a stream of many small reads may rest: each wake-up costs more than what it brings."""

    def __init__(self) -> None:
        self._time = asyncio.get_running_loop().time
        self._open = 0.0
        self._quick = 0

    def rests(self, size: int) -> bool:
        """After a read of `size` bytes."""
        now = self._time()
        self._quick = self._quick + 1 if size < SMALL and now - self._open < QUICK else 0
        self._open = now
        return self._quick > IN_A_ROW

    def rested(self) -> None:
        """What comes at once from now on had been waiting."""
        self._open = self._time()
