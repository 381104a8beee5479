"""The servers page's side of the MCP host: its rows, and what a person does to them."""

import shlex
import shutil
import time
from collections.abc import Callable
from typing import Any, cast

from app.chat.facts import ServerLaunch, ServerReport, ToolSchema, ToolTrial
from app.chat.recognised import recognised
from app.chat.refused import Refused
from app.chat.said import ServerInfo, ServersChanged, ToolInfo
from app.chat.trials import exported, launch_of, report_of, trial_of
from app.core.messages import ToolCall
from app.core.tools import CallContext
from app.mcp_host.config import ServerConfig, accept_launch, launch_hash, shown_variables, visible
from app.mcp_host.host import McpHost
from app.mcp_host.servers import NoSuchServerError
from app.mcp_host.status import Remedy, ServerStatus

_FORM = ("name", "transport", "command", "args", "cwd", "env", "url", "headers", "client_id", "client_secret", "signs_in")
"""What the form changes; everything else a server has stays."""


class ServerDesk:
    """All servers as rows, and the changes a person makes; Refused with the host's words where one cannot be."""

    def __init__(
        self, host: McpHost, told: Callable[[], None] = lambda: None, deferred: Callable[[], frozenset[str]] = frozenset
    ):
        self._host = host
        self._told = told
        self._deferred = deferred

    def changed(self) -> ServersChanged:
        out = self._deferred()
        deferred = {spec.server for spec in self._host.specs() if spec.name in out}
        return ServersChanged(tuple(self._info(s, s.name in deferred) for s in self._host.statuses()))

    def bundled(self, name: str) -> bool:
        try:
            return self._host.config(name).bundled
        except NoSuchServerError:
            return name == "leochat"

    def ui_commands(self, name: str) -> bool:
        """Whether the person allowed this server's UI commands for good."""
        try:
            return self._host.config(name).ui_commands_allowed
        except NoSuchServerError:
            return False

    def _info(self, status: ServerStatus, deferred: bool) -> ServerInfo:
        config = self._host.config(status.name)
        question = status.question
        return ServerInfo(
            name=status.name,
            title=status.title,
            description=status.description,
            kind=status.kind,
            transport="builtin" if config.bundled else config.transport,
            state=status.state,
            enabled=status.enabled,
            message=status.problem.sentence if status.problem else None,
            said=recognised(status.problem.sentence) if status.problem else (),
            detail=(status.problem.detail or None) if status.problem else None,
            command=() if config.bundled or config.transport != "stdio" else _shown(config.command, *config.args),
            cwd=config.cwd and visible(config.cwd),
            variables=shown_variables(config),
            url=config.url and visible(config.url),
            headers=_shown(*sorted(config.headers)),
            hash=question.hash if question else (None if config.bundled else launch_hash(config)),
            accepted=question is None,
            changes="\n".join(question.difference) or None if question else None,
            ui_commands=status.ui_commands_allowed,
            trusted=status.trusted,
            roots=config.roots_allowed,
            sampling=config.sampling_allowed,
            tools=tuple(self._tools(status)),
            tokens=sum(t.tokens for t in status.tools if t.enabled),
            started_ms=status.started_ms,
            sign_in=bool(status.problem and status.problem.kind == "sign_in" and config.url),
            signed_in=status.signed_in,
            declined=status.declined,
            remedies=status.remedies,
            deferred=deferred,
            calls=status.calls,
            used_ms=status.used_ms,
            failed_ms=status.failed_ms,
            last_error=status.last_error and visible(status.last_error),
            last_said=recognised(visible(status.last_error or "")),
            era=status.era,
            version=status.server_version,
            protocol=status.protocol_version,
        )

    def _tools(self, status: ServerStatus) -> list[ToolInfo]:
        specs = {s.tool: s for s in self._host.specs() if s.server == status.name}

        def asks(name: str, read_only: bool) -> bool:
            spec = specs.get(name)
            return not (spec.never_asks or spec.reads) if spec else not read_only

        return [
            ToolInfo(
                name=t.name,
                title=t.title,
                description=t.description,
                enabled=t.enabled,
                asks=asks(t.name, t.read_only),
                tokens=t.tokens,
            )
            for t in status.tools
        ]

    async def add(self, form: dict[str, Any]) -> dict[str, Any]:
        """Add what was typed, not started. Gives its name."""
        names = [await self._host.add(_config(form))]
        self._told()
        return {"names": names, "notes": []}

    async def update(self, name: str, form: dict[str, Any]) -> None:
        old = self._named(name)
        config = _config(form)
        changes = {field: getattr(config, field) for field in _FORM}
        if config.client_id and form.get("client_secret") is None:
            changes["client_secret"] = old.client_secret
        if config.url == old.url and config.transport == "http":
            changes["transport"] = old.transport
        await self._checked(self._host.update(name, old.model_copy(update=changes)))
        self._told()

    async def remove(self, name: str) -> None:
        await self._checked(self._host.remove(name))
        self._told()

    async def enable(self, name: str, enabled: bool) -> None:
        await self._checked(self._host.enable(name, enabled))

    async def restart(self, name: str) -> None:
        await self._checked(self._host.restart(name))

    async def sign_in(self, name: str) -> None:
        """While the person signs in to a remote server in their browser; Refused with why it did not work."""
        self._named(name)
        await self._host.sign_in(name)
        if problem := self._host.status(name).problem:
            raise Refused("unavailable", problem.sentence)

    async def sign_out(self, name: str) -> None:
        self._named(name)
        await self._host.sign_out(name)
        self._told()

    async def remedy(self, name: str, remedy: Remedy) -> None:
        """Do what helps, where LeoChat can; a changed launch waits to be accepted."""
        self._named(name)
        await self._checked(self._host.remedy(name, remedy))
        self._told()

    async def copy(self, name: str) -> str:
        """A second one of the same configuration, switched off. Gives its name."""
        self._named(name)
        try:
            made = await self._host.copy(name)
        except ValueError as error:
            raise Refused("invalid", str(error)) from error
        self._told()
        return made

    def export(self, name: str) -> str:
        """Its configuration as other programs read it; `${NAME}` for each value that may be a secret."""
        config = self._named(name)
        if config.bundled:
            raise Refused("invalid", f"{name} comes with LeoChat: there is nothing to take elsewhere.")
        return exported(config)

    async def memory(self) -> dict[str, int]:
        return await self._host.memory()

    async def decline(self, name: str, declined_hash: str) -> None:
        self._named(name)
        self._host.decline(name, declined_hash)

    def schema(self, name: str, tool: str) -> ToolSchema:
        self._named(name)
        found = next((t for t in self._host.tools(name) if t.name == tool), None)
        if found is None:
            raise Refused("not_found", f"{name} has no tool {tool}.")
        return ToolSchema(input_schema=found.input_schema, output_schema=found.output_schema)

    async def try_tool(self, name: str, tool: str, arguments: dict[str, Any]) -> ToolTrial:
        """Call a tool at the person's wish, outside of any conversation: nothing of it reaches a model."""
        self._named(name)
        spec = next((s for s in self._host.specs() if s.server == name and s.tool == tool), None)
        if spec is None:
            raise Refused("unavailable", f"{name} does not offer {tool} now: it does not run, or the tool is off.")
        if words := self._host.check(spec, arguments):
            raise Refused("invalid", words)
        began = time.monotonic()
        call = ToolCall(id="trial", name=spec.name, arguments=arguments)
        output = await self._host.call(spec, call, CallContext("", lambda _done, _total, _message: None))
        return trial_of(output, round((time.monotonic() - began) * 1000))

    async def accept(self, name: str, accepted_hash: str, ui_commands: bool | None) -> None:
        await self._checked(self._host.accept(name, accepted_hash))
        if ui_commands is not None:
            self._host.grant(name, ui_commands=ui_commands)

    async def set_tool(self, name: str, tool: str, enabled: bool) -> None:
        self._named(name)
        self._host.set_tool(name, tool, enabled)

    async def grant(self, name: str, **granted: bool | None) -> None:
        self._named(name)
        self._host.grant(name, **granted)

    def log(self, name: str) -> list[str]:
        self._named(name)
        return self._host.log(name)

    def form(self, name: str) -> dict[str, Any]:
        config = self._named(name)
        return {
            "name": config.name,
            "command": config.command or None,
            "args": list(config.args),
            "cwd": config.cwd,
            "env": dict(config.env),
            "url": config.url,
            "headers": dict(config.headers),
            "client_id": config.client_id,
            "client_secret": None,
            "has_secret": bool(config.client_secret),
            "signs_in": config.signs_in,
        }

    def launch(self, form: dict[str, Any]) -> ServerLaunch:
        """What trying this form out would start, and whether that was accepted."""
        return self._launch(_config(form))

    def _launch(self, config: ServerConfig) -> ServerLaunch:
        kept = self._host.config(config.name) if config.name in {s.name for s in self._host.statuses()} else None
        return launch_of(config, kept)

    async def test(self, name: str | None, form: dict[str, Any] | None, accepted_hash: str | None = None) -> ServerReport:
        """Try a saved server as it was accepted, or an unsaved form whose launch was accepted, now by this hash or before."""
        if form is not None:
            config = _config(form)
            launch = self._launch(config)
            if not launch.accepted and accepted_hash != launch.hash:
                raise Refused("denied", f"What {config.name} would start is not what was shown: look at it again.")
            config = accept_launch(config)
        elif name is not None:
            config = self._named(name)
        else:
            raise Refused("invalid", "There is nothing to test.")
        return report_of(config, await self._host.test(config))

    def _named(self, name: str) -> ServerConfig:
        try:
            return self._host.config(name)
        except NoSuchServerError as error:
            raise Refused("not_found", str(error)) from error

    async def _checked(self, work: Any) -> None:
        try:
            await work
        except NoSuchServerError as error:
            raise Refused("not_found", str(error)) from error
        except ValueError as error:
            raise Refused("invalid", str(error)) from error


def _config(form: dict[str, Any]) -> ServerConfig:
    """A configuration from the form's fields; a command with arguments in one line is split like a shell would."""
    name = str(form.get("name") or "").strip()
    if not name:
        raise Refused("invalid", "Give the server a name.")
    command, url = str(form.get("command") or "").strip(), str(form.get("url") or "").strip()
    args = [str(a) for a in cast("list[Any]", form.get("args") or [])]
    if " " in command and not args and shutil.which(command) is None:
        try:
            command, *args = shlex.split(command)
        except ValueError:
            raise Refused("invalid", "A quotation mark in the command is not closed.") from None
    if not command and not url:
        raise Refused("invalid", "Enter a command or a URL.")
    return ServerConfig(
        name=name,
        transport="stdio" if command else "tcp" if url.startswith("tcp://") else "http",
        command=command,
        args=tuple(args),
        cwd=str(form.get("cwd") or "").strip() or None,
        env=_texts(form.get("env")),
        url=url or None if not command else None,
        headers=_texts(form.get("headers")),
        **(_registration(form) if url and not command else {}),
    )


def _registration(form: dict[str, Any]) -> dict[str, Any]:
    """Under which id LeoChat is known at the server, where the person was given one."""
    client_id, secret = (str(form.get(name) or "").strip() for name in ("client_id", "client_secret"))
    if secret and not client_id:
        raise Refused("invalid", "A client secret needs the client id that it belongs to.")
    return {"client_id": client_id or None, "client_secret": secret or None, "signs_in": form.get("signs_in") or "person"}


def _shown(*parts: str) -> tuple[str, ...]:
    """As the host shows a launch: nothing in it is invisible or changes its direction."""
    return tuple(visible(part) for part in parts)


def _texts(value: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in cast("dict[Any, Any]", value or {}).items()}
