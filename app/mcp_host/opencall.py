"""A call under way, and the questions that its server asks meanwhile."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
CALL_MAXIMUM = 1800.0
"""Seconds of a call that tells of its progress, or waits for a person."""


@dataclass(slots=True, eq=False)
class OpenCall:
    """A call under way; `allow(seconds)` sets its time limit anew from now, `over` is set when it ends.

    `questions`: how many the person is being asked for it right now.
    """

    conversation_id: str
    allow: Callable[[float], None]
    over: asyncio.Event = field(default_factory=asyncio.Event)
    questions: int = 0


# The call in whose course something happens, where the protocol's era tells.
THIS_CALL: ContextVar[OpenCall | None] = ContextVar("this_call", default=None)


@contextlib.contextmanager
def open_call(calls: list[OpenCall], call: OpenCall) -> Generator[None]:
    """For its time, it is among its connection's `calls`, and what the server asks belongs to it."""
    calls.append(call)
    token = THIS_CALL.set(call)
    try:
        yield
    finally:
        THIS_CALL.reset(token)
        call.over.set()
        calls.remove(call)


async def answered_in_call(asking: Coroutine[Any, Any, T], call: OpenCall, limit: float) -> T | None:
    """The answer: the call has all the time that needs, and the question ends where the call does, with None.

    Afterwards the call has `limit` seconds again, once nothing else is asked for it.
    """
    call.questions += 1
    call.allow(CALL_MAXIMUM)
    answer, over = asyncio.ensure_future(asking), asyncio.ensure_future(call.over.wait())
    try:
        await asyncio.wait({answer, over}, return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else None
    finally:
        for task in (answer, over):
            task.cancel()
        await asyncio.gather(answer, over, return_exceptions=True)
        call.questions -= 1
        if not call.questions:
            call.allow(limit)
