"""One server's life, owned by one task: opened, watched, reopened with backoff, closed."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, Protocol

from app.core.messages import now_ms
from app.core.tools import CallContext, ToolOutput
from app.mcp_host.causes import cause_words
from app.mcp_host.config import ServerConfig, is_accepted
from app.mcp_host.offer import Judged
from app.mcp_host.opencall import OpenCall
from app.mcp_host.serverlog import ServerLog
from app.mcp_host.shelf import MaterialChange, Shelf
from app.mcp_host.status import Problem, State
from app.mcp_host.toolbook import Tool
from app.mcp_host.wording import problem as tell

if TYPE_CHECKING:
    from app.mcp_host.link import Link

PATIENCE = 120.0
"""Seconds without progress after which a call is given up."""
BACKOFF_FIRST = 1.0
BACKOFF_LIMIT = 60.0
BREAKER_FAILURES = 3
BREAKER_FIRST = 60.0
BREAKER_LIMIT = 1800.0
# Living this long clears a server's record of failures.
SETTLED = 60.0
CLOSE_LIMIT = 4.7
LIST_LIMIT = 20.0


class Opener(Protocol):
    """Opens links and explains failures; the host supplies it, so that this module needs no SDK."""

    def open(self, connection: "Connection") -> contextlib.AbstractAsyncContextManager["Link"]: ...

    def explain(self, connection: "Connection", error: BaseException) -> Problem: ...

    async def ended(self, connection: "Connection", link: "Link") -> Problem: ...

    async def call(
        self,
        connection: "Connection",
        link: "Link",
        tool: str,
        arguments: dict[str, Any],
        context: CallContext,
    ) -> ToolOutput | None:
        """None where the connection's session was lost before the call began."""
        ...


class Connection:
    """A server between `start` and `stop`. `changed` is called after every change of what is shown.

    `patience`: the seconds without progress that a call has where the configuration says none.
    """

    def __init__(
        self,
        config: ServerConfig,
        opener: Callable[[], Awaitable[Opener]],
        log: ServerLog,
        changed: Callable[["Connection"], None],
        material: Callable[["Connection", MaterialChange, str | None], None] = lambda connection, what, uri: None,
        patience: Callable[[], float] = lambda: PATIENCE,
    ) -> None:
        self.config = config
        self._patience = patience
        self.log = log
        self.state: State = "disabled"
        self.problem: Problem | None = None
        self.tools: tuple[Tool, ...] = ()
        self.link: Link | None = None
        self.started_ms: int | None = None
        self.calls = 0
        self.stale = False
        self.signing_in = False
        self.open_calls: list[OpenCall] = []
        self.judged = Judged()
        self.shelf = Shelf(log, lambda what, uri: material(self, what, uri))
        self._opener = opener
        self._changed = changed
        self._owner: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._wake = asyncio.Event()
        self._moved = asyncio.Event()
        self._broken = asyncio.Event()
        self._again = False
        self._failures = 0
        self._probes = 0
        self._resting_until = 0.0
        self._calming: set[asyncio.Task[None]] = set()
        self._closed = asyncio.Event()
        self._closed.set()
        self._serial = asyncio.Lock()
        self._listing = asyncio.Lock()

    @property
    def limit(self) -> float:
        """Seconds that a call may take without progress."""
        return self.config.timeout or self._patience()

    # -- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to open it in the background, where it may run; else say why it may not."""
        if not self.config.enabled:
            self._show("disabled")
        elif not is_accepted(self.config):
            self._show("waiting")
        elif self._owner is None or self._owner.done():
            self._stopping.clear()
            self._failures = self._probes = 0
            self._show("starting")
            self._owner = asyncio.create_task(self._own(), name=f"mcp {self.config.name}")

    async def stop(self, state: State = "stopped") -> None:
        """Close it with everything it started, within 5 s."""
        self._closed.clear()  # a call that comes meanwhile waits, or there would be two owners
        try:
            await self._stop()
            self._show(state)
        finally:
            self._closed.set()

    async def _stop(self) -> None:
        owner, self._owner = self._owner, None
        self._stopping.set()
        self._wake.set()
        for calming in self._calming:
            calming.cancel()
        if owner is not None and not owner.done():
            if self.link is None:
                owner.cancel()
            await asyncio.wait({owner}, timeout=CLOSE_LIMIT)
            if not owner.done():
                owner.cancel()
                await asyncio.wait({owner}, timeout=6)

    async def restart(self) -> None:
        """Close and open again; forgets earlier failures."""
        await self.stop("starting")
        self.start()

    async def renew(self, end: Callable[[], None]) -> None:
        """Close and open again what `end()` takes down at once; that is no failure of the server's."""
        if (renewing := asyncio.current_task()) is not None:
            self._calming.discard(renewing)  # closing ends the others
        restarting = asyncio.create_task(self.restart())
        await asyncio.sleep(0)  # from here on its end is expected
        end()
        await restarting

    def calm(self, link: "Link", began: float) -> None:
        """A call begun at `began` (seconds since 1970) was cancelled: see to it that the server stops as well."""
        self.beside(self._calmed(link, began))

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done at the server that nobody waits for; it ends with the connection."""
        task = asyncio.get_running_loop().create_task(work)
        self._calming.add(task)
        task.add_done_callback(self._calming.discard)

    async def _calmed(self, link: "Link", began: float) -> None:
        from app.mcp_host.quieting import quieten

        await quieten(self, link, began)

    async def settled(self) -> None:
        """Wait until it is no longer starting."""
        while self.state == "starting":
            moved = self._moved
            await moved.wait()

    async def _own(self) -> None:
        while not self._stopping.is_set():
            began = time.monotonic()
            problem = await self._live()
            if self._stopping.is_set():
                return
            if self._again:
                self._again = False
                continue
            if time.monotonic() - began > SETTLED:
                self._failures = self._probes = 0
            self._failures += 1
            await self._rest(problem)

    async def _live(self) -> Problem:
        """Open, serve until the end, close. Gives what ended it."""
        self._show("starting")
        self._wake.clear()
        self._broken.clear()
        problem: Problem | None = None
        try:
            opener = await self._opener()
        except Exception as error:  # noqa: BLE001 (a broken installation is a state too)
            return tell(
                "bundled",
                "The MCP library cannot be loaded: {reason}.",
                "Install LeoChat again.",
                retry=False,
                reason=str(error),
            )
        try:
            async with opener.open(self) as link:
                await self._read_tools(link)
                self.link = link
                self.shelf.linked(link)
                self.started_ms = now_ms()
                self._show("ready")
                await self._until_over(link)
                self.link = None
                if not self._stopping.is_set() and not self._again:
                    problem = await opener.ended(self, link)
                    self._show("error", problem)
        except Exception as error:  # noqa: BLE001 (whatever a server does becomes a state with words)
            self.log.add("host", cause_words(error))
            problem = problem or opener.explain(self, error)
        finally:
            self.link = None
            self.started_ms = None
        return problem or tell("closed", "{name} was closed.", name=self.config.name)

    async def _until_over(self, link: "Link") -> None:
        events = (self._stopping, link.over, self._broken)
        waits = [asyncio.create_task(event.wait()) for event in events]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _rest(self, problem: Problem) -> None:
        """Wait before the next try: backoff, then the breaker; for ever where trying cannot help."""
        self.log.add("host", problem.sentence)
        if self._wake.is_set():
            return
        pause: float | None = min(BACKOFF_FIRST * 2 ** (self._failures - 1), BACKOFF_LIMIT)
        if self._failures >= BREAKER_FAILURES:
            pause = min(BREAKER_FIRST * 2**self._probes, BREAKER_LIMIT)
            self._probes += 1
        if not problem.retry:
            pause = None
        self._resting_until = float("inf") if pause is None else time.monotonic() + pause
        self._show("error", problem)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), pause)
        self._resting_until = 0.0

    def _show(self, state: State, problem: Problem | None = None) -> None:
        if problem is not None or state in ("ready", "disabled", "stopped", "waiting"):
            self.problem = problem
        self.state = state
        self._moved.set()
        self._moved = asyncio.Event()
        self._changed(self)

    # -- tools --------------------------------------------------------------------------------

    def list_changed(self, what: Literal["tools", "prompts", "resources"]) -> None:
        """The server said that a list of its changed; that of tools is read again before the next round."""
        if what == "tools":
            self.stale = True
        else:
            self.shelf.changed(what)

    async def refresh(self) -> None:
        """Read the list again if it changed; a failure leaves the old one."""
        link = self.link
        if not self.stale or link is None:
            return
        try:
            await self._read_tools(link)
        except Exception as error:  # noqa: BLE001 (the old list stays in use)
            self.log.add("host", f"the list of tools could not be read again: {cause_words(error)}")
        self._changed(self)

    async def _read_tools(self, link: "Link") -> None:
        async with self._listing:
            self.stale = False
            async with asyncio.timeout(LIST_LIMIT):
                self.tools = await link.tools()

    # -- calls --------------------------------------------------------------------------------

    async def call(self, tool: str, arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        """Run a tool; waits for a start, wakes a server at rest. Failures are outputs."""
        if not self.config.serial:
            return await self._call(tool, arguments, context)
        async with self._serial:
            return await self._call(tool, arguments, context)

    async def _call(self, tool: str, arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        self.calls += 1
        # A session the server forgot is opened anew and the call made once more.
        for _ in range(2):
            link = await self.linked()
            if link is None:
                break
            output = await (await self._opener()).call(self, link, tool, arguments, context)
            if output is not None:
                return output
            self._again = True
            self._broken.set()
            self.link = None
            self._show("starting")
        else:
            return ToolOutput.error(f"{self.config.name} forgot the session twice in a row: {tool} was not called.")
        return ToolOutput.error(self.unavailable())

    async def trouble(self, seconds: float = 0.8) -> Problem | None:
        """What ended the connection, as soon as that is known."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.state == "ready":
                    moved = self._moved
                    await moved.wait()
        return self.problem

    async def linked(self) -> "Link | None":
        """The open link, after at most one start. None where it cannot be had."""
        if self.link is not None and not self.link.over.is_set():
            return self.link
        if not self.config.enabled or not is_accepted(self.config):
            return None
        await self._closed.wait()
        if self._owner is None or self._owner.done():
            self.start()
        elif self.state in ("error", "stopped"):
            if self._failures >= BREAKER_FAILURES and time.monotonic() < self._resting_until:
                return None
            if self.problem is not None and not self.problem.retry:
                return None
            self._show("starting")
            self._wake.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.config.start_timeout + 5):
                await self._until_linked()
        return self.link

    async def _until_linked(self) -> None:
        while self.state == "starting":
            moved = self._moved
            await moved.wait()

    def unavailable(self) -> str:
        """Why `linked` gives nothing, for model and person."""
        name = self.config.name
        if not self.config.enabled:
            return f"The server {name} is switched off."
        if not is_accepted(self.config):
            return f"The server {name} waits to be accepted by the user before it may start."
        if self.problem is not None:
            detail = f"\n{self.problem.detail}" if self.problem.detail else ""
            return f"The server {name} is not available. {self.problem.sentence}{detail}"
        return f"The server {name} is not available."
