"""One open connection to one server, through the SDK's Client. The only room's part that imports the SDK."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import mcp_types as types
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.subscriptions import PromptsListChanged, ResourcesListChanged, SubscriptionLost, ToolsListChanged
from mcp.server import MCPServer
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from app.mcp_host import remote
from app.mcp_host.backtalk import LOG_LEVEL, Ask, Backtalk, Change, Sample
from app.mcp_host.causes import cause_words, leaves
from app.mcp_host.childtree import Guard
from app.mcp_host.command import CommandFinder
from app.mcp_host.config import ServerConfig
from app.mcp_host.environment import expanded
from app.mcp_host.errand_link import Tasks
from app.mcp_host.following import Following
from app.mcp_host.hardening import harden
from app.mcp_host.held import Held
from app.mcp_host.mending import AT_ONCE
from app.mcp_host.serverlog import ServerLog
from app.mcp_host.signin import SIGN_IN_LIMIT, SignIn, has_tokens, provider_for
from app.mcp_host.stdio import Child, stdio_transport
from app.mcp_host.tokens import Signing
from app.mcp_host.toolbook import Tool

PAGES_LIMIT = 100
LOG_SECONDS = 10.0
TOOLS_LIMIT = 1000
Mode = Literal["auto", "legacy"]
Step = Callable[[str], None]


class ListingError(MCPError):
    """The handshake went well; its list of tools is what a server did not give."""


@dataclass(slots=True)
class Means:
    """What opening a connection needs of its host. `step(name)` hears when a step begins.

    `visit(url)` brings the person to where they sign in; `interactive`: they are doing so now.
    """

    log: ServerLog
    guard: Guard
    finder: CommandFinder
    version: str
    roots: Callable[[], tuple[str, ...]] | None = None
    step: Step = lambda name: None
    changed: Callable[[Change], None] = lambda what: None
    updated: Callable[[str], None] = lambda uri: None
    ask: Ask | None = None
    sample: Sample | None = None
    signing: Signing | None = None
    visit: Callable[[str], Awaitable[None]] | None = None
    interactive: bool = False


@dataclass(slots=True)
class Link:
    """An open connection; `child` for a process of ours, `heard` over HTTP, `signed_in` with the person's tokens."""

    client: Client
    log: ServerLog
    child: Child | None = None
    heard: remote.Heard | None = None
    signed_in: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)
    held: Held = field(default_factory=Held)
    following: Following = field(init=False)
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    """The schemas that tools' structured results should fit."""
    updated: Callable[[str], None] = lambda uri: None

    def __post_init__(self) -> None:
        self.following = Following(self.client, self.log, self._on_updated)

    def _on_updated(self, uri: str) -> None:
        self.updated(uri)

    @property
    def modern(self) -> bool:
        return self.client.protocol_version in MODERN_PROTOCOL_VERSIONS

    async def tools(self) -> tuple[Tool, ...]:
        """All pages. A repeated cursor, or too many pages, ends the walk. Raises what the SDK raises."""
        if self.client.server_capabilities.tools is None:
            return ()
        found: dict[str, Tool] = {}
        seen: set[str] = set()
        cursor: str | None = None
        for _ in range(PAGES_LIMIT):
            try:
                page = await self.client.list_tools(cursor=cursor, cache_mode="refresh")
            except MCPError as error:
                raise ListingError.from_error_data(error.error) from error
            for count, tool in enumerate(page.tools, 1):
                # The digest is kept with it: all of them in one step, later, would hold up everybody.
                _ = found.setdefault(tool.name, tool_of(tool)).digest
                if count % AT_ONCE == 0:
                    await asyncio.sleep(0)
            cursor = page.next_cursor
            if not cursor or cursor in seen or len(found) >= TOOLS_LIMIT:
                break
            seen.add(cursor)
        if cursor and (cursor in seen or len(found) >= TOOLS_LIMIT):
            self.log.add("host", f"the list of tools did not end; {len(found)} tools are used")
        self.outputs = {name: tool.output_schema for name, tool in found.items() if tool.output_schema is not None}
        return tuple(found.values())

    async def roots_changed(self) -> None:
        """Tell a server of the older era that the folders it may know of are others; the newer one asks with each call."""
        with suppress(MCPError, TimeoutError, RuntimeError):
            async with asyncio.timeout(LOG_SECONDS):
                await self.client.session.send_notification(types.RootsListChangedNotification())

    async def call(
        self, tool: str, arguments: dict[str, Any], meta: Mapping[str, Any], progress: ProgressFnT
    ) -> types.CallToolResult:
        result = await self.client.call_tool(
            tool, arguments, progress_callback=progress, meta=cast("types.RequestParamsMeta", dict(meta))
        )
        return self.held.back(result)


def tool_of(tool: types.Tool) -> Tool:
    hints = tool.annotations or types.ToolAnnotations()

    def hint(value: bool | None, otherwise: bool) -> bool:
        return otherwise if value is None else value

    return Tool(
        name=tool.name,
        title=tool.title or hints.title,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        read_only=hint(hints.read_only_hint, False),
        destructive=hint(hints.destructive_hint, True),
        idempotent=hint(hints.idempotent_hint, False),
        open_world=hint(hints.open_world_hint, True),
    )


@asynccontextmanager
async def open_bundled(server: MCPServer, means: Means) -> AsyncGenerator[Link]:
    """A server of ours, in process and without framing."""
    async with AsyncExitStack() as stack:
        means.step("handshake")
        async with asyncio.timeout(20):
            client = await stack.enter_async_context(_client(server, means, "auto"))
        link = Link(client, means.log, updated=means.updated)
        harden(link)
        stack.push_async_callback(link.following.close)
        yield link


@asynccontextmanager
async def open_third_party(config: ServerConfig, means: Means, era: str | None, seen: "Seen") -> AsyncGenerator[Link]:
    """A configured server, within its `start_timeout`; `seen` keeps what a failure is explained with.

    Raises `CommandNotFoundError`, `UnfilledVariableError`, `OSError`, `TimeoutError`, `MCPError`,
    `httpx2.HTTPError`, or a group of these.
    """
    async with AsyncExitStack() as stack:
        async with asyncio.timeout(SIGN_IN_LIMIT if means.interactive else config.start_timeout):
            link = await _connect(stack, expanded(config), means, era, seen)
        harden(link)
        link.updated = means.updated
        stack.push_async_callback(link.following.close)
        if link.modern and any(announced := _announced(link)):
            stack.push_async_callback(_stopped, asyncio.create_task(_listen(link, means, announced)))
        elif not link.modern and link.client.server_capabilities.logging is not None:
            stack.push_async_callback(_stopped, asyncio.create_task(_ask_for_log(link)))
        yield link


@dataclass(slots=True)
class Seen:
    """What was seen of a server while it was opened, also when that failed."""

    child: Child | None = None
    heard: remote.Heard | None = None


async def _connect(stack: AsyncExitStack, config: ServerConfig, means: Means, era: str | None, seen: Seen) -> Link:
    if config.transport == "stdio":
        return await _connect_child(stack, config, means, era, seen)
    if config.transport == "tcp":
        means.step("handshake")
        over = asyncio.Event()
        transport = remote.tcp_transport(config.url or "", means.log, over)
        client = await stack.enter_async_context(_client(transport, means, _mode(era)))
        return Link(client, means.log, over=over)
    return await _connect_http(stack, config, means, era, seen)


async def _connect_child(stack: AsyncExitStack, config: ServerConfig, means: Means, era: str | None, seen: Seen) -> Link:
    means.step("resolve")
    program = await means.finder.find(config.command, config.args, config.env)

    async def attempt(mode: Mode) -> Link:
        means.step("start")
        child = seen.child = Child()
        transport = stdio_transport(program, env=config.env, cwd=config.cwd, log=means.log, guard=means.guard, child=child)
        client = await stack.enter_async_context(_client(_stepped(transport, means.step), means, mode))
        return Link(client, means.log, child=child, over=child.over)

    try:
        return await attempt(_mode(era))
    except (MCPError, ExceptionGroup):
        # Some servers of the old era end on a first message that is not `initialize`; one that
        # was old the last time may have become new.
        other: Mode = "auto" if era == "legacy" else "legacy"
        dead_at_first_word = era is None and seen.child is not None and seen.child.exit_code is not None
        if not (dead_at_first_word or era == "legacy"):
            raise
        means.log.add("host", f"the handshake failed; trying again as {other}")
        return await attempt(other)


@asynccontextmanager
async def _stepped(transport: AbstractAsyncContextManager[Any], step: Step) -> AsyncGenerator[Any]:
    """The transport, saying that the handshake begins once the process runs."""
    async with transport as streams:
        step("handshake")
        yield streams


async def _connect_http(stack: AsyncExitStack, config: ServerConfig, means: Means, era: str | None, seen: Seen) -> Link:
    url = config.url or ""
    means.step("handshake")
    auth = await _auth(config, means)
    await asyncio.to_thread(remote.tls)

    async def attempt(sse: bool, mode: Mode) -> Link:
        heard = seen.heard = remote.Heard()
        opener = remote.sse_transport if sse else remote.streamable_transport
        mail = remote.Mail(Held(), means.log)
        client = _client(opener(url, config.headers, heard, mail, auth), means, mode)
        return Link(await stack.enter_async_context(client), means.log, heard=heard, signed_in=auth is not None, held=mail.held)

    first_sse = config.transport == "sse"
    try:
        return await attempt(first_sse, "legacy" if first_sse else _mode(era))
    except Exception as error:
        status = refused_status(error, seen.heard)
        if status is None or not 400 <= status < 500 or status in (401, 403, 429):
            raise
        means.log.add("host", f"HTTP {status}; trying {'streamable HTTP' if first_sse else 'SSE'}")
        first = seen.heard
        try:
            return await attempt(not first_sse, "legacy" if not first_sse else "auto")
        except Exception as second:
            means.log.add("host", f"that failed too: {cause_words(second)}")
            seen.heard = first
            raise error from second


async def _auth(config: ServerConfig, means: Means) -> OAuthClientProvider | None:
    """Signing in, where somebody does so now or did before, or nobody has to; never beside a token among the server's own
    headers."""
    signing, url = means.signing, config.url or ""
    if signing is None or means.visit is None or any(name.lower() == "authorization" for name in config.headers):
        return None
    itself = config.signs_in == "client"
    if not means.interactive and not itself and not await has_tokens(signing.tokens, url):
        return None
    return await provider_for(
        SignIn(
            url,
            signing.tokens,
            means.visit,
            config.client_id,
            config.client_secret,
            signing.client_metadata_url,
            itself,
            config.identity,
        )
    )


def refused_status(error: BaseException, heard: remote.Heard | None) -> int | None:
    """The HTTP status behind a failure, wherever it was seen."""
    for one in leaves(error):
        response = getattr(one, "response", None)
        if response is not None and isinstance(response.status_code, int):
            return response.status_code
    return heard.status if heard is not None else None


def _mode(era: str | None) -> Mode:
    return "legacy" if era == "legacy" else "auto"


def _client(target: Any, means: Means, mode: Mode) -> Client:
    backtalk = Backtalk(
        means.log, ask=means.ask, sample=means.sample, roots=means.roots, changed=means.changed, updated=means.updated
    )
    return Client(
        target,
        mode=mode,
        client_info=types.Implementation(name="leochat", title="LeoChat", version=means.version),
        extensions=[Tasks()],
        **backtalk.callbacks(),
    )


def _announced(link: Link) -> tuple[bool, bool, bool]:
    """Whether the server says that it tells of changed tools, prompts, resources."""
    offered = link.client.server_capabilities
    tools, prompts, resources = (
        one is not None and bool(one.list_changed) for one in (offered.tools, offered.prompts, offered.resources)
    )
    return tools, prompts, resources


async def _listen(link: Link, means: Means, announced: tuple[bool, bool, bool]) -> None:
    """Hear of changed lists in the stateless era; after a loss, listen and list again."""
    pause = 1.0
    while True:
        try:
            tools, prompts, resources = announced
            async with link.client.listen(
                tools_list_changed=tools, prompts_list_changed=prompts, resources_list_changed=resources
            ) as changes:
                pause = 1.0
                async for change in changes:
                    if isinstance(change, ToolsListChanged):
                        means.changed("tools")
                    elif isinstance(change, PromptsListChanged):
                        means.changed("prompts")
                    elif isinstance(change, ResourcesListChanged):
                        means.changed("resources")
        except (SubscriptionLost, TimeoutError):
            for kind in ("tools", "prompts", "resources"):
                means.changed(kind)
        except (MCPError, RuntimeError) as error:
            means.log.add("host", f"changes of its lists cannot be heard: {error}")
            return
        await asyncio.sleep(pause)
        pause = min(pause * 2, 60)


async def _ask_for_log(link: Link) -> None:
    """Servers of the older era are told from which level on they log; one that refuses logs as it likes."""
    request = types.SetLevelRequest(params=types.SetLevelRequestParams(level=LOG_LEVEL))
    try:
        async with asyncio.timeout(LOG_SECONDS):
            await link.client.session.send_request(request, types.EmptyResult)
    except (MCPError, TimeoutError, ValidationError) as error:
        link.log.add("host", f"it does not say what it logs: {cause_words(error)}")


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
