"""Servers as a person looks after them: what each is used for and takes, copies, exports, trials of a tool, and remedies."""

import asyncio
import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil

from app.core.tools import TextItem, ToolOutput
from app.mcp_host.bundles import drop_bundle
from app.mcp_host.config import ServerConfig, is_accepted, launch_hash
from app.mcp_host.connection import Connection
from app.mcp_host.remedies import Remedy, applied, remedies_for
from app.mcp_host.servers import Servers
from app.mcp_host.status import Problem, ServerStatus
from app.mcp_host.toolbook import Tool
from app.mcp_host.used import UseLog

# What a copy takes over: everything but what was agreed to.
KEPT = {
    "name", "transport", "command", "args", "env", "cwd", "url", "headers", "tools_off", "bundle", "serial", "era",
    "client_id", "client_secret", "signs_in", "identity", "timeout", "start_timeout", "description",
}  # fmt: skip


class Tended(Servers):
    """Adds to the servers' lives what their page shows and does beside switching them."""

    def __init__(self, configs: Iterable[ServerConfig] = (), *, data_dir: Path, **options: Any) -> None:
        self._used = UseLog(data_dir / "mcp-use.json")
        self._remedies: dict[str, tuple[Problem, tuple[Remedy, ...]]] = {}
        super().__init__(configs, data_dir=data_dir, **options)

    def _moved(self, connection: Connection) -> None:
        problem = connection.problem
        if connection.state == "error" and problem is not None and self._named_is(connection):
            self._used.failed(connection.config.name, problem.sentence)
        elif connection.link is not None and connection.link.signed_in and self._named_is(connection):
            self._used.signed_in(connection.config.name, True)
        super()._moved(connection)

    async def stop(self) -> None:
        """Keep what is not kept yet."""
        self._used.write()

    async def sign_out(self, name: str) -> None:
        self._used.signed_in(name, False)
        await super().sign_out(name)

    async def remove(self, name: str) -> None:
        """Stop a third-party server and forget it, with its tokens and what was unpacked for it."""
        config = self._named(name).config
        await super().remove(name)
        self._used.forget(name)
        others = [c.config for c in self._connections.values()]
        if self._signing is not None and config.url and not any(o.url == config.url for o in others):
            await self._signing.tokens.write(config.url, None)
        if config.bundle and not any(o.bundle == config.bundle for o in others):
            await asyncio.to_thread(drop_bundle, self._data_dir, config.bundle)

    async def update(self, name: str, config: ServerConfig) -> None:
        await super().update(name, config)
        if config.name != name:
            self._used.rename(name, config.name)

    def called(self, name: str, output: ToolOutput) -> None:
        """A call to a server came to its end."""
        self._used.called(name)
        if output.is_error:
            self._used.failed(name, next((i.text for i in output.items if isinstance(i, TextItem)), ""))

    def continues(self, conversation_id: str, call_id: str) -> bool:
        """Whether a call that was cut off goes on at its server, so that making it again takes it up."""
        return self._errands.call(conversation_id, call_id) is not None

    def leave(self) -> None:
        """LeoChat ends: from now on a stop leaves servers to what they do as tasks of their own."""
        self._errands.leaving = True

    def decline(self, name: str, hash: str) -> None:  # noqa: A002 (the word the page uses)
        """The person looked at what would start and said no; it is said so until it changes."""
        if launch_hash(self._named(name).config) == hash:
            self._set(name, declined_hash=hash)

    def _named_is(self, connection: Connection) -> bool:
        return self._connections.get(connection.config.name) is connection

    def _status(self, connection: Connection) -> ServerStatus:
        status, config = super()._status(connection), connection.config
        use, known = self._used.of(config.name), self._known_of(connection)
        live = None if connection.link is None else "modern" if connection.link.modern else "legacy"
        return status.model_copy(
            update={
                "era": live or (known.era if known else None),
                "calls": use.calls,
                "used_ms": use.last_ms,
                "failed_ms": use.failed_ms,
                "last_error": use.error,
                "remedies": self._remedies_of(connection),
                "signed_in": use.signed_in,
                "declined": not is_accepted(config) and config.declined_hash == launch_hash(config),
            }
        )

    def _remedies_of(self, connection: Connection) -> tuple[Remedy, ...]:
        """Looked up once for a problem: programs are searched for on the disk."""
        problem, name = connection.problem, connection.config.name
        if problem is None or connection.state != "error":
            return ()
        kept = self._remedies.get(name)
        if kept is None or kept[0] is not problem:
            kept = self._remedies[name] = (problem, remedies_for(connection.config, problem))
        return kept[1]

    # -- what it takes ------------------------------------------------------------------------

    async def memory(self) -> dict[str, int]:
        """Bytes of resident memory by server, with everything each has started; only of processes of ours."""
        links = [(name, c.link) for name, c in self._connections.items()]
        roots = {n: link.child.pid for n, link in links if link is not None and link.child is not None and link.child.pid}
        return await asyncio.to_thread(lambda: {name: _memory(pid) for name, pid in roots.items()})

    def tools(self, name: str) -> tuple[Tool, ...]:
        """A server's tools as it defines them, those known from the last time where it does not run."""
        connection = self._named(name)
        known = self._known_of(connection)
        return connection.tools or (known.tools if known else ())

    # -- what a person does -------------------------------------------------------------------

    async def copy(self, name: str) -> str:
        """A second server of the same configuration, switched off and not accepted. Gives its name."""
        config = self._named(name).config
        if config.bundled:
            raise ValueError(f"{name} comes with LeoChat: there can be only one.")
        fresh = ServerConfig.model_validate(config.model_dump(include=KEPT))
        return await self.add(fresh.model_copy(update={"enabled": False}))

    async def remedy(self, name: str, remedy: Remedy) -> None:
        """Carry a remedy out that the server's status lists; a changed launch asks again. Raises `ValueError`."""
        connection = self._named(name)
        if remedy not in self._remedies_of(connection):
            raise ValueError(f"{name} has another trouble now.")
        config = applied(connection.config, remedy)
        if config is None:
            raise ValueError("This is for you to do.")
        await self.update(name, config)


def _memory(pid: int) -> int:
    """Of a process and its descendants; what ends meanwhile counts nothing."""
    try:
        root = psutil.Process(pid)
        tree = [root, *root.children(recursive=True)]
    except psutil.Error:
        return 0
    total = 0
    for process in tree:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total
