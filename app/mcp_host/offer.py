"""Which tools are offered to the model under which names, and which are held back."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.tools import ToolSpec
from app.mcp_host.bundled import ASKING, Bundled
from app.mcp_host.config import ServerConfig
from app.mcp_host.naming import offered_names
from app.mcp_host.toolbook import Tool


@dataclass(frozen=True, slots=True)
class Offered:
    """A server with the tools it has now, or is known to have."""

    config: ServerConfig
    tools: tuple[Tool, ...]
    ours: Bundled | None = None


def changed_tools(config: ServerConfig, tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """The tools whose definition is not the one that was accepted. New tools are no change."""
    if config.bundled:
        return ()
    accepted = config.definitions
    return tuple(t for t in tools if t.name in accepted and accepted[t.name] != t.digest)


class Judged:
    """The names of one server's changed tools, found once for each list and each acceptance: every call asks for them."""

    def __init__(self) -> None:
        self._last: tuple[ServerConfig, Iterable[Tool], frozenset[str]] | None = None

    def changed(self, config: ServerConfig, tools: Iterable[Tool]) -> frozenset[str]:
        last = self._last
        if last is None or last[0] is not config or last[1] is not tools:
            self._last = last = (config, tools, frozenset(t.name for t in changed_tools(config, tools)))
        return last[2]


def offer(servers: Iterable[Offered]) -> tuple[ToolSpec, ...]:
    """The specs, in the order of servers and of each server's own list."""
    listed = [(s, t) for s in servers for t in s.tools]
    names = offered_names((s.config.name, t.name) for s, t in listed)
    specs: list[ToolSpec] = []
    for server, tool in listed:
        if tool.name in server.config.tools_off:
            continue
        if tool in changed_tools(server.config, (tool,)):
            continue
        specs.append(_spec(server, tool, names[server.config.name, tool.name]))
    return tuple(specs)


def _spec(server: Offered, tool: Tool, name: str) -> ToolSpec:
    config, ours = server.config, server.ours
    asks = (config.name, tool.name) in ASKING
    return ToolSpec(
        name=name,
        server=config.name,
        tool=tool.name,
        description=tool.description,
        title=tool.title,
        input_schema=tool.input_schema,
        read_only=tool.read_only,
        destructive=tool.destructive and not tool.read_only,
        idempotent=tool.idempotent,
        open_world=tool.open_world,
        trusted=config.trusted or ours is not None,
        bundled=ours is not None,
        never_asks=ours is not None and ours.never_asks and not asks,
        serial=config.serial,
    )
