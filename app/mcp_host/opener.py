"""How links are opened, calls made and failures told. Imports the SDK: load it in a thread, when needed."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST, METHOD_NOT_FOUND
from pydantic import ValidationError

from app.core.tools import CallContext, ToolOutput
from app.mcp_host import link as links
from app.mcp_host import reading, trouble
from app.mcp_host.attending import Attending
from app.mcp_host.bundled import Bundled
from app.mcp_host.causes import cause_words, leaves, misfit_words
from app.mcp_host.config import ServerConfig, is_accepted
from app.mcp_host.connection import Connection
from app.mcp_host.content import output_of
from app.mcp_host.errand_link import Begun
from app.mcp_host.errands import ErrandBook
from app.mcp_host.library import Library
from app.mcp_host.material import MaterialError
from app.mcp_host.opencall import CALL_MAXIMUM, OpenCall, open_call
from app.mcp_host.outlasting import begun, outlasting, taken_up
from app.mcp_host.status import Problem, TestReport
from app.mcp_host.trial import Stopwatch, failed
from app.mcp_host.turns import Turns
from app.mcp_host.wording import problem

T = TypeVar("T")

NO_WORDS = "Server returned an error response"
"""The library's, where a refusal over HTTP is no message of the protocol."""
NOT_ACCEPTED = problem(
    "not_accepted",
    "Its command was not accepted yet, so it was not started.",
    "Look at the whole command and accept it.",
    retry=False,
)


@dataclass(slots=True)
class SdkOpener:
    """Opens bundled servers with `bundled_config(name)`, others by their configuration.

    `era(name)` tells the protocol era a server spoke the last time.
    """

    bundled: Mapping[str, Bundled]
    bundled_config: Callable[[Bundled], Mapping[str, object]]
    means: Callable[[Connection], links.Means]
    era: Callable[[Connection], str | None]
    library: Library
    seen: dict[str, links.Seen] = field(default_factory=dict[str, links.Seen])
    errands: ErrandBook = field(default_factory=lambda: ErrandBook(None))
    turns: Turns = field(default_factory=Turns)
    reading: Any = reading
    attending: type[Attending] = Attending

    @asynccontextmanager
    async def open(self, connection: Connection) -> AsyncGenerator[links.Link]:
        seen = self.seen[connection.config.name] = links.Seen()
        means, era = self.means(connection), self.era(connection)
        async with self._open(connection.config, means, era, seen) as link:
            yield link

    @asynccontextmanager
    async def _open(
        self, config: ServerConfig, means: links.Means, era: str | None, seen: links.Seen
    ) -> AsyncGenerator[links.Link]:
        if not config.bundled:
            async with self.turns.turn() as over, links.open_third_party(config, means, era, seen) as link:
                over()
                yield link
            return
        means.step("start")
        ours = self.bundled[config.name]
        server = await self.library.do(ours.create, self.bundled_config(ours))
        async with links.open_bundled(server, means) as link:
            yield link

    def explain(self, connection: Connection, error: BaseException) -> Problem:
        seen = self.seen.get(connection.config.name, links.Seen())
        return self._explained(connection, error, seen)

    def _explained(self, connection: Connection, error: BaseException, seen: links.Seen) -> Problem:
        config = connection.config
        if config.bundled:
            return problem(
                "bundled",
                "The server {name} that comes with LeoChat could not start: {reason}.",
                "Its log says more.",
                retry=False,
                name=config.name,
                reason=cause_words(error),
            )
        return trouble.problem_of(error, config, seen, connection.log)

    async def test(self, connection: Connection) -> TestReport:
        """Open, list, close, with the time of each step; `connection` is not otherwise in use."""
        config, log = connection.config, connection.log
        watch = Stopwatch()
        if not is_accepted(config):
            return failed(watch, NOT_ACCEPTED)
        means = replace(self.means(connection), step=watch.begin)
        seen = links.Seen()
        try:
            async with self._open(config, means, None, seen) as link:
                watch.begin("tools")
                async with asyncio.timeout(config.start_timeout):
                    tools = await link.tools()
                watch.end(detail=f"{len(tools)}")
                info = link.client.server_info
                report = TestReport(
                    ok=True,
                    steps=tuple(watch.steps),
                    tools=tuple(t.name for t in tools),
                    protocol_version=link.client.protocol_version,
                    server_version=info.version if info else None,
                )
        except Exception as error:  # noqa: BLE001 (whatever a server does becomes a report)
            return failed(watch, self._explained(connection, error, seen), tuple(log.lines)[-50:])
        return report.model_copy(update={"log": tuple(log.lines)[-50:]})

    async def read(self, connection: Connection, what: Callable[[Any, links.Link], Awaitable[T]]) -> T:
        """Prompts or resources by `what(reading, link)`. Raises `MaterialError` in words."""
        name = connection.config.name
        link = await connection.linked()
        if link is None:
            raise MaterialError(connection.unavailable())
        try:
            async with asyncio.timeout(connection.limit):
                return await what(reading, link)
        except TimeoutError:
            raise MaterialError(f"{name} did not answer within {connection.limit:g} s.") from None
        except (MCPError, ValidationError, RuntimeError, ValueError, ExceptionGroup) as error:
            raise MaterialError(f"{name} did not give it: {_said(error)}"[:1000]) from error

    async def ended(self, connection: Connection, link: links.Link) -> Problem:
        """Why an open connection ended; waits half a second for a process's exit code."""
        name = connection.config.name
        if link.child is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(link.child.exited.wait(), 0.5)
            if link.child.exit_code is not None:
                return trouble.exit_problem(connection.config, link.child.exit_code, connection.log)
            return problem("closed", "{name} closed its output.", name=name)
        return problem("closed", "The connection to {name} was lost.", name=name)

    async def call(
        self,
        connection: Connection,
        link: links.Link,
        tool: str,
        arguments: dict[str, Any],
        context: CallContext,
    ) -> ToolOutput | None:
        name, limit = connection.config.name, connection.limit
        began = time.time()
        try:
            errand = taken_up(self.errands, connection, link, tool, arguments, context)
            if errand is None:
                result = await _within_limit(connection, link, tool, arguments, context)
                if not isinstance(result, Begun):
                    return output_of(result)
                errand = begun(self.errands, connection, tool, arguments, context, result.task)
            return await outlasting(self.errands, connection, errand, context)
        except asyncio.CancelledError:
            connection.calm(link, began)
            raise
        except TimeoutError:
            connection.calm(link, began)
            return ToolOutput.error(
                f"{name} did not answer within {limit:g} s, so the call of {tool} was cancelled. "
                "What it may have done is unknown: check before repeating."
            )
        except MCPError as error:
            # Servers use the same code for errors of their own: only these words are the library's.
            if error.code == CONNECTION_CLOSED and error.message == "Connection closed":
                return await _died(connection, tool)
            if _session_lost(link, error):
                return None
            return _refused(name, tool, link, error)
        except (ValidationError, RuntimeError, ValueError, ExceptionGroup) as error:
            return ToolOutput.error(f"The answer of {name} to {tool} was not understood: {_said(error)}"[:2000])


async def _within_limit(
    connection: Connection, link: links.Link, tool: str, arguments: dict[str, Any], context: CallContext
) -> Any:
    """The call under a time limit that progress starts anew, up to a maximum."""
    limit = connection.limit
    latest = time.monotonic() + CALL_MAXIMUM
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(limit) as clock:
        open_ = True

        def allow(seconds: float) -> None:
            if open_ and not clock.expired():
                clock.reschedule(loop.time() + min(seconds, latest - time.monotonic()))

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            await asyncio.sleep(0)
            allow(limit)
            if open_:
                context.progress(progress, total, message)

        ids = {"conversationId": context.conversation_id, "taskId": context.task_id, "callId": context.call_id}
        meta = {f"leochat/{name}": value for name, value in ids.items() if value}
        with open_call(connection.open_calls, OpenCall(context.conversation_id, allow)):
            try:
                return await link.call(tool, arguments, meta, on_progress)
            finally:
                open_ = False


def _session_lost(link: links.Link, error: MCPError) -> bool:
    """Whether a server over HTTP says that it does not know our session, in its own words or by the status alone."""
    if link.heard is None or link.modern:
        return False
    if error.code == INVALID_REQUEST and error.message == "Session terminated":
        return True
    return link.heard.status in (400, 404) and error.code != METHOD_NOT_FOUND and "session" in error.message.lower()


def _said(error: BaseException) -> str:
    """Its own words, or of a group those of what is in it."""
    if words := misfit_words(error):
        return words
    return cause_words(error) if len(leaves(error)) > 1 or leaves(error)[0] is not error else str(error)


async def _died(connection: Connection, tool: str) -> ToolOutput:
    told = await connection.trouble()
    why = f" {told.cause}" if told else ""
    detail = f"\n{told.detail}" if told and told.detail else ""
    return ToolOutput.error(
        f"The connection to {connection.config.name} was lost while {tool} ran.{why} "
        f"What it may have done is unknown: check before repeating.{detail}"
    )


def _refused(name: str, tool: str, link: links.Link, error: MCPError) -> ToolOutput:
    status = link.heard.status if link.heard is not None else None
    http = f" (HTTP {status})" if status is not None and status >= 400 else ""
    words = link.heard.words if link.heard is not None and error.message == NO_WORDS else ""
    return ToolOutput.error(f"{name} refused {tool}{http}: {words or error.message}"[:4000])
