"""All MCP servers of the app as one Toolbox, with what the settings page needs to look after them."""

import asyncio
import contextlib
import importlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from app.core.messages import ToolCall
from app.core.tools import CallContext, OutputItem, ToolOutput, ToolSpec
from app.mcp_host.config import (
    is_accepted,
)
from app.mcp_host.connection import Connection
from app.mcp_host.material import Completion, Listed, MaterialError, PromptInfo, PromptMessage, ResourceInfo
from app.mcp_host.offer import Offered, offer
from app.mcp_host.shelf import Listing
from app.mcp_host.tended import Tended

T = TypeVar("T")


class McpHost(Tended):
    """The servers as a Toolbox: started in the background, offered, called."""

    # -- life ---------------------------------------------------------------------------------

    def start(self, patience: float = 0.0) -> None:
        """Begin to start every enabled server; returns at once.

        The library they need takes half a second of the processor. For at most `patience` seconds it is not loaded before
        `hurry` says so or a server is needed: a page that opens meanwhile is answered first.
        """
        if patience:
            self._library.wait(patience)
        for connection in self._connections.values():
            connection.start()

    def hurry(self) -> None:
        """Whoever starts waits no longer."""
        self._library.hurry()

    async def stop(self) -> None:
        """Close every server with everything it started, within 5 s."""
        await super().stop()
        await asyncio.gather(*(c.stop() for c in self._connections.values()))
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
        self._library.drop()
        await asyncio.to_thread(self._guard.close)

    async def ready(self, names: Iterable[str] | None = None, timeout: float | None = 30.0) -> bool:  # noqa: ASYNC109 (what callers say)
        """Wait until the named servers (None: all) run or failed. False if time was up first."""
        self.hurry()
        wanted = self._connections.keys() if names is None else names
        waits = [self._connections[n].settled() for n in wanted if n in self._connections]
        try:
            async with asyncio.timeout(timeout):
                await asyncio.gather(*waits)
        except TimeoutError:
            return False
        return True

    async def refreshed(self) -> None:
        """Read changed tool lists again; call it before each round's `specs()`. At most 5 s."""
        stale = [c for c in self._connections.values() if c.stale]
        if not stale:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5.0):
                await asyncio.gather(*(c.refresh() for c in stale))

    # -- the Toolbox --------------------------------------------------------------------------

    def specs(self) -> Sequence[ToolSpec]:
        """The tools to offer now; of a server that still starts, those known from the last time."""
        if self._specs is None:
            self._specs = offer(self._offered(c) for c in self._connections.values())
        return self._specs

    def _offered(self, connection: Connection) -> Offered:
        config = connection.config
        tools = connection.tools
        hopeless = connection.problem is not None and not connection.problem.retry
        if not config.enabled or not is_accepted(config) or (connection.state == "error" and hopeless):
            tools = ()
        elif not tools and connection.state == "starting":
            known = self._known_of(connection)
            tools = known.tools if known else ()
        return Offered(config, tools, self._bundled.get(config.name))

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        """Words for the model naming the field that does not fit the input schema, or None."""
        if spec.bundled:
            unfit: Any = importlib.import_module("app.mcp_host.unfit")
            return unfit.unfit(spec.tool, spec.input_schema, arguments)
        if self._check is None:
            module: Any = importlib.import_module("app.mcp_host.arguments")
            self._check = module.ArgumentCheck()
        assert self._check is not None
        return self._check(spec.input_schema, arguments)

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        """Run a tool. Never raises for a server's fault; cancelling cancels the call."""
        self.hurry()
        connection = self._connections.get(spec.server)
        if connection is None:
            return ToolOutput.error(f"There is no server {spec.server} any more.")
        if spec.tool in connection.config.tools_off:
            return ToolOutput.error(f"The tool {spec.tool} of {spec.server} is switched off.")
        if spec.tool in connection.judged.changed(connection.config, connection.tools):
            return ToolOutput.error(f"{spec.server} changed the definition of {spec.tool}; the user has to accept it first.")
        output = await connection.call(spec.tool, call.arguments, context)
        self.called(spec.server, output)
        return output

    # -- roots --------------------------------------------------------------------------------

    def grant(self, name: str, **granted: bool | None) -> None:
        """As `Servers.grant`; a server that may know the folders from now on, or no more, is told to ask again."""
        super().grant(name, **granted)
        if granted.get("roots") is not None:
            self._tell_roots(self._named(name))

    def roots_changed(self) -> None:
        """The allowed folders are others: servers that may know them are told to ask again."""
        for connection in self._connections.values():
            if connection.config.roots_allowed:
                self._tell_roots(connection)

    def _tell_roots(self, connection: Connection) -> None:
        if connection.link is not None and not connection.link.modern:
            task = asyncio.create_task(connection.link.roots_changed(), name=f"roots of {connection.config.name}")
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    # -- prompts and resources ----------------------------------------------------------------

    async def prompts(self) -> tuple[PromptInfo, ...]:
        """The prompts of all running servers; a server that fails to list them has none."""
        return tuple(p for listed in await self.listed("prompts") for p in listed.prompts)

    async def resources(self) -> tuple[ResourceInfo, ...]:
        """Resources and templates of all running servers."""
        return tuple(r for listed in await self.listed("resources") for r in listed.resources)

    async def listed(self, what: Listing, server: str | None = None) -> tuple[Listed, ...]:
        """Prompts or resources by server, of all that run or of one; a list is read once and again after it changed."""
        asked = self._connections.values() if server is None else (self._named(server),)
        return tuple(await asyncio.gather(*(self._listed(c, what) for c in asked if c.state == "ready")))

    async def _listed(self, connection: Connection, what: Listing) -> Listed:
        opener, name = await self._opener(), connection.config.name

        async def read() -> tuple[Any, ...]:
            return await opener.read(connection, lambda r, link: getattr(r, what)(name, link))

        link = connection.link
        shown = Listed(
            server=name,
            title=self._status(connection).title,
            follows=link is not None and link.following.possible,
            followed=tuple(connection.shelf.followed),
        )
        try:
            return shown.model_copy(update={what: await connection.shelf.listed(what, read)})
        except MaterialError as error:
            connection.log.add("host", str(error))
            return shown.model_copy(update={"problem": str(error)})

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> tuple[PromptMessage, ...]:
        """A prompt filled in. Raises `MaterialError`, `NoSuchServerError`."""
        return await self._reading(server, lambda reading, link: reading.prompt(link, name, arguments))

    async def read_resource(self, server: str, uri: str) -> tuple[OutputItem, ...]:
        """A resource's contents. Raises `MaterialError`, `NoSuchServerError`."""
        return await self._reading(server, lambda reading, link: reading.resource(link, uri))

    async def resource_uri(self, template: str, arguments: Mapping[str, str]) -> str:
        """The URI of a pattern filled in. Raises `MaterialError`."""
        module: Any = (await self._opener()).reading
        try:
            return module.filled(template, arguments)
        except ValueError as error:
            raise MaterialError(str(error)) from error

    async def complete(
        self, server: str, kind: Literal["prompt", "resource"], name: str, argument: str, value: str, given: Mapping[str, str]
    ) -> Completion:
        """Proposals for an argument of a prompt or pattern, given those filled in already. Raises as `prompt` does."""
        return await self._reading(server, lambda reading, link: reading.complete(link, kind, name, argument, value, given))

    async def follow(self, server: str, uri: str, on: bool) -> bool:
        """Be told when a resource changes, or no more; whether it is followed now. Raises as `prompt` does."""
        connection = self._named(server)
        return await self._reading(server, lambda _reading, link: connection.shelf.follow(link, uri, on))

    async def _reading(self, server: str, what: Callable[[Any, Any], Awaitable[T]]) -> T:
        connection, opener = self._named(server), await self._opener()
        return await opener.read(connection, what)
