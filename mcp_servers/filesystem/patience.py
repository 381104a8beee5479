"""Blocking work off the event loop, with a time limit and a way to be told to stop."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import anyio.to_thread

P = ParamSpec("P")
R = TypeVar("R")

WALK_SECONDS = 20.0
"""How long a walk through folders may take before it answers with what it has."""


class Patience:
    """Asked now and then by long work: is there still time, and does anyone still wait?"""

    def __init__(self, seconds: float = WALK_SECONDS) -> None:
        self._until = time.monotonic() + seconds
        self._stopped = threading.Event()
        self.ran_out = False

    def stop(self) -> None:
        """Nobody waits any more."""
        self._stopped.set()

    def over(self) -> bool:
        """Whether the work should end now; remembered in `ran_out`."""
        if self._stopped.is_set() or time.monotonic() > self._until:
            self.ran_out = True
        return self.ran_out


async def in_thread(work: Callable[Concatenate[Patience, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run long reading work in a thread; when the call is cancelled the thread is told to stop."""
    patience = Patience()
    try:
        return await anyio.to_thread.run_sync(functools.partial(work, patience, *args, **kwargs), abandon_on_cancel=True)
    finally:
        patience.stop()


async def to_the_end(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run short writing work in a thread and wait for it even if the call is cancelled."""
    return await anyio.to_thread.run_sync(functools.partial(work, *args, **kwargs))
