"""The host's tools as a task sees them: bundled servers are waited for, and a call that needs another folder asks for it."""

from collections.abc import Sequence
from typing import Any, Protocol

from app.core.messages import ToolCall
from app.core.tools import CallContext, ToolOutput, ToolSpec
from app.mcp_host.host import McpHost

BUNDLED_SECONDS = 15.0
"""At most; they take well under a second, and their tools are known from the last time on every start but the first."""


class Gate(Protocol):
    """Asks for what a call of a bundled server could not reach."""

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput: ...


class Offer:
    """A Toolbox around the host. A third-party server is never waited for: it may take minutes."""

    def __init__(self, host: McpHost, gate: Gate | None = None):
        self._host = host
        self._gate = gate

    async def refreshed(self) -> None:
        starting = [s for s in self._host.statuses() if s.state == "starting" and not s.tools]
        if ours := [s.name for s in starting if s.kind != "third_party"]:
            await self._host.ready(ours, BUNDLED_SECONDS)
        await self._host.refreshed()

    def specs(self) -> Sequence[ToolSpec]:
        return self._host.specs()

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        return self._host.check(spec, arguments)

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        if self._gate is not None and spec.bundled:
            return await self._gate.call(spec, call, context)
        return await self._host.call(spec, call, context)
