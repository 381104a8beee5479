"""What a window can ask about MCP servers. Every change is followed by a `servers_changed` frame to all windows."""

from typing import Any, Literal

from pydantic import BaseModel

from app.chat.facts import ServerReport
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.mcp_host.status import Remedy
from app.web.commands.command import Command


class ServerForm(BaseModel):
    """A third-party server as typed into the form: a command (stdio) or a url (HTTP).

    `client_id`, `client_secret`: LeoChat's registration at servers that register nobody by themselves; a secret is never told,
    only that there is one (`has_secret`), and None leaves it as it is. `signs_in` client: these two alone, with no browser.
    """

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    cwd: str | None = None
    env: dict[str, str] = {}
    url: str | None = None
    headers: dict[str, str] = {}
    client_id: str | None = None
    client_secret: str | None = None
    has_secret: bool = False
    signs_in: Literal["person", "client"] = "person"


class ServersList(Command):
    """Answered by a `servers_changed` frame to this window."""

    type: Literal["servers_list"] = "servers_list"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        window.tell(None, leo.servers.changed())


class ServersFind(Command):
    """What a pasted `json_text`, or a picked file uploaded as attachment `ref`, would add; gives ServersFound. Adds nothing."""

    type: Literal["servers_find"] = "servers_find"
    json_text: str | None = None
    ref: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return await leo.imports.look(self.json_text, self.ref)


class ServersAdd(Command):
    """By form, or by `json_text` or `ref` as `servers_find` read them. Gives `{names, notes}`.

    `picked`: names of those that are added, all if left out; `values`: what was filled in, by server and blank. What is
    added waits for acceptance before its first start; what comes from a text or file is switched off besides.
    """

    type: Literal["servers_add"] = "servers_add"
    server: ServerForm | None = None
    json_text: str | None = None
    ref: str | None = None
    picked: list[str] | None = None
    values: dict[str, dict[str, str | bool | list[str]]] = {}

    async def run(self, leo: LeoChat, window: Window) -> Any:
        if self.server is not None:
            return await leo.servers.add(self.server.model_dump())
        names, notes = await leo.imports.add(self.json_text, self.ref, self.picked, {**self.values})
        return {"names": names, "notes": notes}


class ServersUpdate(Command):
    """Replace a server's configuration; a changed launch asks for acceptance again."""

    type: Literal["servers_update"] = "servers_update"
    name: str
    server: ServerForm

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.update(self.name, self.server.model_dump())


class ServersRemove(Command):
    type: Literal["servers_remove"] = "servers_remove"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.remove(self.name)


class ServersEnable(Command):
    type: Literal["servers_enable"] = "servers_enable"
    name: str
    enabled: bool

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.enable(self.name, self.enabled)


class ServersRestart(Command):
    type: Literal["servers_restart"] = "servers_restart"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.restart(self.name)


class ServersSignIn(Command):
    """Open the person's browser to sign in to a remote server; answered once that worked or failed, within five minutes."""

    type: Literal["servers_sign_in"] = "servers_sign_in"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.sign_in(self.name)


class ServersSignOut(Command):
    """Forget a remote server's tokens."""

    type: Literal["servers_sign_out"] = "servers_sign_out"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.sign_out(self.name)


class ServersDecline(Command):
    """The person saw what would start and said no."""

    type: Literal["servers_decline"] = "servers_decline"
    name: str
    hash: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.decline(self.name, self.hash)


class ServersRemedy(Command):
    """Carry out one of the row's `remedies`; a changed launch asks for acceptance again."""

    type: Literal["servers_remedy"] = "servers_remedy"
    name: str
    remedy: Remedy

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.remedy(self.name, self.remedy)


class ServersCopy(Command):
    """A second server of the same configuration, switched off and not accepted; gives `{name}`."""

    type: Literal["servers_copy"] = "servers_copy"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"name": await leo.servers.copy(self.name)}


class ServersExport(Command):
    """A server's configuration as other programs read it, without values that may be secrets; gives `{text}`."""

    type: Literal["servers_export"] = "servers_export"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"text": leo.servers.export(self.name)}


class ServersMemory(Command):
    """Gives `{bytes: {server: int}}`: resident memory of each process of ours with all it has started."""

    type: Literal["servers_memory"] = "servers_memory"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"bytes": await leo.servers.memory()}


class ServersSchema(Command):
    """The arguments and result of one tool; gives ToolSchema."""

    type: Literal["servers_schema"] = "servers_schema"
    name: str
    tool: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return leo.servers.schema(self.name, self.tool)


class ServersTry(Command):
    """Call a tool at the person's wish, outside of any conversation; gives ToolTrial."""

    type: Literal["servers_try"] = "servers_try"
    name: str
    tool: str
    arguments: dict[str, Any] = {}

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return await leo.servers.try_tool(self.name, self.tool, self.arguments)


class ServersAccept(Command):
    """The person saw the whole command and accepts exactly this `hash`."""

    type: Literal["servers_accept"] = "servers_accept"
    name: str
    hash: str
    ui_commands: bool | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.accept(self.name, self.hash, self.ui_commands)


class ServersGet(Command):
    """A third-party server's configuration for the form; gives a ServerForm (values of variables included)."""

    type: Literal["servers_get"] = "servers_get"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return leo.servers.form(self.name)


class ServersLaunch(Command):
    """What testing an unsaved form would start, to be shown before it does; gives a ServerLaunch. Starts nothing."""

    type: Literal["servers_launch"] = "servers_launch"
    server: ServerForm

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return leo.servers.launch(self.server.model_dump())


class ServersTest(Command):
    """Start it apart, shake hands, list its tools, stop it; gives a ServerReport.

    An unsaved form of a local program starts where its launch was accepted: as the saved server's, or by its `hash`, which
    lets it start this once.
    """

    type: Literal["servers_test"] = "servers_test"
    name: str | None = None
    server: ServerForm | None = None
    hash: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> ServerReport:
        return await leo.servers.test(self.name, self.server.model_dump() if self.server else None, self.hash)


class ServersTool(Command):
    """Switch one tool of a server on or off."""

    type: Literal["servers_tool"] = "servers_tool"
    name: str
    tool: str
    enabled: bool

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.servers.set_tool(self.name, self.tool, self.enabled)


class ServersGrant(Command):
    """Allow or take back a server's UI commands, trust its hints about what only reads, let it know the allowed folders
    (`roots`), or let it use the model without asking (`sampling`).
    """

    type: Literal["servers_grant"] = "servers_grant"
    name: str
    ui_commands: bool | None = None
    trusted: bool | None = None
    roots: bool | None = None
    sampling: bool | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        granted = self.model_dump(include={"ui_commands", "trusted", "roots", "sampling"})
        await leo.servers.grant(self.name, **granted)


class ServersLog(Command):
    """Gives `{lines: [str]}`: the last of what the server wrote on stderr and of its life."""

    type: Literal["servers_log"] = "servers_log"
    name: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"lines": leo.servers.log(self.name)}
