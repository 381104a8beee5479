"""One browser for many tests: it lives in a thread of its own, and each test is a conversation with tabs of its own."""

import asyncio
import re
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp.server import MCPServer
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult

from tests.mcp_servers.calls import Tools

START = 60.0
LIMIT = 120.0
"""Seconds for a call; the first one starts the browser, which a loaded machine takes its time for."""

Answer = Callable[[str], str]
"""From a question's words to "accept", "decline" or "cancel"."""


class Household:
    """A client of a server, owned by one task of its own loop. `config` is the server's, and read anew at each call."""

    def __init__(self, make: Callable[[dict[str, Any]], MCPServer], config: dict[str, Any]) -> None:
        self.config = config
        self.answer: Answer = lambda words: "cancel"
        self._make = make
        self._client: Client | None = None
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="browser")

    def open(self) -> None:
        self._thread.start()
        assert self._ready.wait(START)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(START)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._own())
        finally:
            self._loop.close()

    async def _own(self) -> None:
        async with Client(self._make(self.config), elicitation_callback=self._asked) as client:
            self._client = client
            self._ready.set()
            await self._over.wait()

    async def _asked(self, context: object, params: ElicitRequestParams) -> ElicitResult:
        del context
        await asyncio.sleep(0)
        action = self.answer(params.message)
        assert action in ("accept", "decline", "cancel")
        return ElicitResult(action=action, content={} if action == "accept" else None)

    async def call(self, tool: str, arguments: dict[str, Any], conversation: str) -> CallToolResult:
        """From any loop."""
        client = self._client
        assert client is not None
        meta: Any = {"leochat/conversationId": conversation}
        work = client.call_tool(tool, arguments, read_timeout_seconds=LIMIT, meta=meta)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))


class Guest(Tools):
    """The tools as one conversation has them."""

    def __init__(self, household: Household, conversation: str) -> None:
        super().__init__()
        self.household = household
        self.conversation = conversation

    async def result(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.household.call(tool, arguments, self.conversation)


class Patient(Tools):
    """Tools of a client that is connected, with the time that the start of a browser may take."""

    async def result(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.client.call_tool(tool, arguments, read_timeout_seconds=LIMIT)


@asynccontextmanager
async def own(server: MCPServer) -> AsyncGenerator[Patient]:
    """The tools of a browser that a test has to itself."""
    async with Client(server) as client:
        yield Patient(client)


def ref(snapshot: str, line: str) -> str:
    """The ref of the first element whose line begins so."""
    found = re.search(rf"- {re.escape(line)}.*?\[ref=((?:f\d+)?e\d+)\]", snapshot)
    assert found, f"{line!r} is not in:\n{snapshot}"
    return found[1]
