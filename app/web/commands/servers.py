"""What a window can ask about MCP servers. Every change is followed by a `servers_changed` frame to all windows."""

from typing import Any, Literal

from pydantic import BaseModel

from app.chat.facts import ServerReport
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class ServerForm(BaseModel):
    """A third-party server as typed into the form: a command (stdio) or a url (HTTP)."""

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    cwd: str | None = None
    env: dict[str, str] = {}
    url: str | None = None
    headers: dict[str, str] = {}


class ServersList(Command):
    """Answered by a `servers_changed` frame to this window."""

    type: Literal["servers_list"] = "servers_list"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        window.tell(None, leo.servers.changed())


class ServersAdd(Command):
    """By form, or `json_text`: the usual `mcpServers` text as pasted. Gives `{names, notes}`.

    What is added waits for acceptance before its first start.
    """

    type: Literal["servers_add"] = "servers_add"
    server: ServerForm | None = None
    json_text: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return await leo.servers.add(self.server.model_dump() if self.server else None, self.json_text)


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


class ServersTest(Command):
    """Start it apart, shake hands, list its tools, stop it; gives a ServerReport.

    Testing an unsaved form is consent to start it once.
    """

    type: Literal["servers_test"] = "servers_test"
    name: str | None = None
    server: ServerForm | None = None

    async def run(self, leo: LeoChat, window: Window) -> ServerReport:
        return await leo.servers.test(self.name, self.server.model_dump() if self.server else None)


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
