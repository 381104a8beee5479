"""Whose call a tool is answering, as the host tells it in the request's `_meta`."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

CONVERSATION = "leochat/conversationId"
TASK = "leochat/taskId"
CALL = "leochat/callId"


@dataclass(frozen=True)
class Caller:
    """The host's ids; None where it told none."""

    conversation: str | None = None
    task: str | None = None
    call: str | None = None

    @classmethod
    def of(cls, meta: object) -> Caller:
        """From the `_meta` of a request."""
        told: Mapping[str, Any] = cast("Mapping[str, Any]", meta) if isinstance(meta, Mapping) else {}
        return cls(*(str(told[key]) if told.get(key) else None for key in (CONVERSATION, TASK, CALL)))


CALLER: ContextVar[Caller] = ContextVar("caller", default=Caller())  # noqa: B039 - it is frozen
"""The call under way; threads that a tool starts with anyio see it too."""


async def knowing_caller(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Middleware of a server: `CALLER` holds for as long as the request is answered."""
    token = CALLER.set(Caller.of(ctx.meta))
    try:
        return await call_next(ctx)
    finally:
        CALLER.reset(token)
