"""Stops asking a provider that keeps failing: open after three failures in a row, one probe closes it."""

import time
from collections.abc import Callable


class Breaker:
    """Seconds. Opens for `first` after `limit` failures in a row, doubling to `longest` with each failed probe."""

    def __init__(
        self, limit: int = 3, first: float = 60.0, longest: float = 1800.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit, self._first, self._longest, self._clock = limit, first, longest, clock
        self._failures = 0
        self._pause = first
        self._until: float | None = None
        self._probing = False

    def wait(self) -> float:
        """0 where a request may go out now (the only one, if it is the probe), else the seconds until a probe may."""
        if self._until is None:
            return 0.0
        left = self._until - self._clock()
        if left > 0:
            return left
        if self._probing:
            return self._pause
        self._probing = True
        return 0.0

    def success(self) -> None:
        self.reset()

    def failure(self) -> None:
        """A request whose tries are used up."""
        self._failures += 1
        if self._probing:
            self._probing = False
            self._pause = min(self._pause * 2, self._longest)
            self._until = self._clock() + self._pause
        elif self._failures >= self._limit and self._until is None:
            self._until = self._clock() + self._pause

    def undecided(self) -> None:
        """The request ended without telling (stopped by the user, refused for its content): a probe may be made again."""
        self._probing = False

    def reset(self) -> None:
        """Also what a person's own retry does."""
        self._failures, self._pause, self._until, self._probing = 0, self._first, None, False
