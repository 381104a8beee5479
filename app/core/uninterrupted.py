"""Finish what was begun even when the task is cancelled meanwhile: a stop must not tear a write from its telling."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def finish(work: Coroutine[Any, Any, T]) -> tuple[T, asyncio.CancelledError | None]:
    """The work's result, and the cancellation that came meanwhile, for the caller to raise once it is done."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
    return task.result(), cancelled
