"""A connection as the settings page shows it."""

from app.mcp_host.bundled import Bundled, in_language
from app.mcp_host.config import ServerConfig, command_line, is_accepted, launch_hash, launch_lines, may_command
from app.mcp_host.connection import Connection
from app.mcp_host.offer import changed_tools
from app.mcp_host.status import Question, ServerStatus, State, ToolStatus
from app.mcp_host.toolbook import Known, Tool, difference, set_digest


def status_of(connection: Connection, ours: Bundled | None, known: Known | None, language: str) -> ServerStatus:
    config = connection.config
    link = connection.link
    info = link.client.server_info if link is not None else None
    title = in_language(ours.title, language) if ours else None
    description = in_language(ours.description, language) if ours else config.description
    tools = connection.tools or (known.tools if known else ())
    question = _question(config, tools, known)
    return ServerStatus(
        name=config.name,
        kind=config.kind,
        title=title or (info.title if info else None) or (known.title if known else None) or config.name,
        description=description or "",
        transport=config.transport,
        state=_state(connection, question),
        command=command_line(config),
        enabled=config.enabled,
        problem=connection.problem,
        question=question,
        tools=tuple(_tool(config, t) for t in tools),
        started_ms=connection.started_ms,
        protocol_version=link.client.protocol_version if link is not None else None,
        server_version=info.version if info else known.server_version if known else None,
        pid=link.child.pid if link is not None and link.child is not None else None,
        calls=connection.calls,
        ui_commands_allowed=may_command(config),
        trusted=config.bundled or config.trusted,
    )


def _state(connection: Connection, question: Question | None) -> State:
    if connection.state == "ready" and question is not None:
        return "waiting"
    return connection.state


def _question(config: ServerConfig, tools: tuple[Tool, ...], known: Known | None) -> Question | None:
    if not is_accepted(config):
        now, before = launch_lines(config), config.accepted_launch
        return Question(
            kind="launch",
            hash=launch_hash(config),
            shown=now,
            difference=_line_difference(before, now) if before else (),
        )
    changed = changed_tools(config, tools)
    if not changed or not config.enabled:
        return None
    return Question(
        kind="tools",
        hash=set_digest(changed),
        shown=tuple(t.name for t in changed),
        difference=difference(config.definitions, changed, known.accepted if known else ()),
    )


def _line_difference(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    gone = tuple(f"- {line}" for line in before if line not in now)
    return gone + tuple(f"+ {line}" for line in now if line not in before)


def _tool(config: ServerConfig, tool: Tool) -> ToolStatus:
    return ToolStatus(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        enabled=tool.name not in config.tools_off,
        tokens=tool.tokens,
        read_only=tool.read_only,
        changed=bool(changed_tools(config, (tool,))),
    )
