"""Every server that is configured or comes with the app: their lives, what is kept of them, their page."""

import asyncio
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.tools import ToolSpec
from app.mcp_host.asking import AskModel, AskPerson
from app.mcp_host.bundled import Bundled, discover
from app.mcp_host.childtree import Guard
from app.mcp_host.command import CommandFinder
from app.mcp_host.config import (
    ServerConfig,
    accept_launch,
    launch_hash,
    load_servers,
    may_command,
    save_servers,
)
from app.mcp_host.connection import PATIENCE, Connection
from app.mcp_host.errands import ErrandBook
from app.mcp_host.library import Library
from app.mcp_host.offer import changed_tools
from app.mcp_host.portrait import status_of
from app.mcp_host.serverlog import ServerLog, log_path
from app.mcp_host.shelf import MaterialChange
from app.mcp_host.status import ServerStatus, TestReport
from app.mcp_host.tokens import Signing
from app.mcp_host.toolbook import Known, KnownTools, set_digest

if TYPE_CHECKING:
    from app.mcp_host.opener import SdkOpener

Roots = Sequence[str] | Callable[[], Sequence[str]]
StatusHeard = Callable[[ServerStatus], None]
MaterialHeard = Callable[[str, MaterialChange, str | None], None]


class NoSuchServerError(LookupError):
    """A name that no server has."""


class Servers:
    """Owns every server of the app. All methods belong to one event loop.

    `configs`: what was configured; entries named like a bundled server switch that one. `file`:
    where changes are saved (None: nowhere). `data_dir`: for bundled servers' data and the lists
    of tools known from the last time. `on_change` hears every change of a server's status, `on_material`
    (server, what, uri) of its prompts and resources. `ask` puts a server's question to the person, `ask_model` one to the
    model (None: servers are told that nobody can be asked). `signing` is how a person signs in to remote servers
    (None: only tokens among their headers). `roots`: the folders that bundled servers may use; a callable is asked in
    every call, where `mcp_servers.caller` tells whose it is.
    `known_roots`: the folders that other servers are told of, where a person allowed it. `patience`: the seconds without
    progress after which a call is given up, where a server's configuration says none.
    """

    def __init__(
        self,
        configs: Iterable[ServerConfig] = (),
        *,
        data_dir: Path,
        log_dir: Path | None = None,
        file: Path | None = None,
        language: str = "en",
        on_change: StatusHeard | None = None,
        on_material: MaterialHeard | None = None,
        ask: AskPerson | None = None,
        ask_model: AskModel | None = None,
        signing: Signing | None = None,
        bundled: Iterable[Bundled] | None = None,
        roots: Roots = (),
        known_roots: Callable[[], Sequence[str]] | None = None,
        protected: Sequence[str] = (),
        offline: bool = False,
        version: str = "0",
        patience: Callable[[], float] = lambda: PATIENCE,
    ) -> None:
        self._bundled = {b.name: b for b in (discover() if bundled is None else bundled)}
        self._data_dir = data_dir
        self._log_dir = log_dir
        self._file = file
        self._language = language
        self._on_change = on_change
        self._on_material = on_material
        self._ask = ask
        self._ask_model = ask_model
        self._signing = signing
        self._shared: dict[str, object] = {
            "language": language, "roots": roots, "offline": offline, "protected": list(protected),
        }  # fmt: skip
        self._known_roots = known_roots
        self._telling: set[asyncio.Task[None]] = set()
        self._given: dict[str, dict[str, object]] = {}
        self._version = version
        self._patience = patience
        self._guard = Guard()
        self._finder = CommandFinder()
        self._known = KnownTools(data_dir / "mcp-tools.json")
        self._errands = ErrandBook(data_dir / "mcp-errands.json")
        self._loading: asyncio.Task[SdkOpener] | None = None
        self._library = Library()
        self._specs: tuple[ToolSpec, ...] | None = None
        self._check: Callable[[dict[str, Any], dict[str, Any]], str | None] | None = None
        self._connections: dict[str, Connection] = {}
        for config in self._with_bundled(configs):
            self._connections[config.name] = self._connection(config)

    @staticmethod
    def load(file: Path) -> tuple[ServerConfig, ...]:
        """The saved servers, for `configs`. Raises `ValueError` in words."""
        return load_servers(file)

    def _with_bundled(self, configs: Iterable[ServerConfig]) -> Iterable[ServerConfig]:
        given = {c.name: c for c in configs}
        for ours in self._bundled.values():
            own = given.pop(ours.name, None)
            if own is not None and own.kind == "third_party":
                given[ours.name] = own.model_copy(update={"name": self._free_name(own.name, given)})
                own = None
            yield own or ours.as_it_comes
        yield from (c for c in given.values() if c.kind == "third_party")

    def _free_name(self, name: str, taken: Iterable[str]) -> str:
        used = {*taken, *self._bundled}
        return next(n for i in range(2, 10_000) if (n := f"{name}-{i}") not in used)

    def _connection(self, config: ServerConfig) -> Connection:
        path = None if self._log_dir is None else log_path(self._log_dir, config.name)
        opener = partial(self._library.in_time, self._opener)
        return Connection(config, opener, ServerLog(path), self._moved, self._material_moved, self._patience)

    async def _opener(self) -> "SdkOpener":
        self._library.hurry()
        if self._loading is None:
            self._loading = asyncio.create_task(self._load())
        return await asyncio.shield(self._loading)

    async def _load(self) -> "SdkOpener":
        module: Any = await self._library.do(importlib.import_module, "app.mcp_host.opener")

        def means(connection: Connection) -> Any:
            attending = module.Attending(connection, self._ask, self._ask_model, self._signing, self._language)
            return module.links.Means(
                log=connection.log,
                guard=self._guard,
                finder=self._finder,
                version=self._version,
                changed=connection.list_changed,
                updated=connection.shelf.updated,
                ask=None if self._ask is None else attending.put,
                sample=None if self._ask_model is None else attending.sample,
                roots=partial(self.roots_of, connection),
                signing=self._signing,
                visit=attending.visit,
                interactive=connection.signing_in,
            )

        def era(connection: Connection) -> str | None:
            known = self._known_of(connection)
            return "legacy" if connection.config.era == "legacy" else known.era if known else None

        return module.SdkOpener(self._bundled, self._bundled_config, means, era, self._library, errands=self._errands)

    async def sign_in(self, name: str) -> None:
        """Open a remote server while a person signs in to it in their browser; returns when it runs or failed."""
        connection = self._named(name)
        connection.signing_in = True
        try:
            await connection.restart()
            await connection.settled()
        finally:
            connection.signing_in = False

    async def sign_out(self, name: str) -> None:
        """Forget the tokens and the registration of a remote server."""
        connection = self._named(name)
        if self._signing is not None and connection.config.url:
            await self._signing.tokens.write(connection.config.url, None)
        await connection.restart()

    def give(self, name: str, values: Mapping[str, object]) -> None:
        """More of a bundled server's configuration: what it reads anew at each use holds at once."""
        if ours := self._bundled.get(name):
            self._bundled_config(ours).update(values)

    def _bundled_config(self, ours: Bundled) -> dict[str, object]:
        """A bundled server's configuration: one mapping for its life, whose language may change."""
        folder = self._data_dir / ours.name if ours.kind == "demo" else self._data_dir
        return self._given.setdefault(ours.name, {**self._shared, "data_dir": str(folder)})

    def set_language(self, language: str) -> None:
        """Titles and the bundled servers' texts from now on."""
        self._language = language
        for mapping in (self._shared, *self._given.values()):
            mapping["language"] = language

    # -- what happened ------------------------------------------------------------------------

    def _material_moved(self, connection: Connection, what: MaterialChange, uri: str | None) -> None:
        if self._on_material is not None and self._connections.get(connection.config.name) is connection:
            self._on_material(connection.config.name, what, uri)

    def _moved(self, connection: Connection) -> None:
        self._specs = None
        if self._connections.get(connection.config.name) is not connection:
            return
        if connection.state == "ready":
            self._remember(connection)
        if self._on_change is not None:
            self._on_change(self._status(connection))

    def _key(self, config: ServerConfig) -> str:
        ours = self._bundled.get(config.name)
        return f"{self._version}/{ours.version}" if ours else launch_hash(config)

    def _known_of(self, connection: Connection) -> Known | None:
        return self._known.get(connection.config.name, self._key(connection.config))

    def _remember(self, connection: Connection) -> None:
        """Keep what it said for the next start; definitions seen for the first time are accepted."""
        link = connection.link
        if link is None:
            return
        config, before = connection.config, self._known_of(connection)
        new = {t.name: t.digest for t in connection.tools if t.name not in config.definitions}
        if new and not config.bundled:
            connection.config = config.model_copy(update={"definitions": {**config.definitions, **new}})
            self._save()
        held = {t.name for t in changed_tools(connection.config, connection.tools)}
        kept = {t.name: t for t in (before.accepted if before else ())}
        kept |= {t.name: t for t in connection.tools if t.name not in held}
        info = link.client.server_info
        self._known.put(
            config.name,
            Known(
                key=self._key(config),
                tools=connection.tools,
                accepted=() if config.bundled else tuple(kept.values()),
                era="modern" if link.modern else "legacy",
                title=info.title if info else None,
                server_version=info.version if info else None,
            ),
        )

    # -- the settings page --------------------------------------------------------------------

    def statuses(self) -> list[ServerStatus]:
        return [self._status(c) for c in self._connections.values()]

    def status(self, name: str) -> ServerStatus:
        return self._status(self._named(name))

    def config(self, name: str) -> ServerConfig:
        return self._named(name).config

    def configs(self) -> tuple[ServerConfig, ...]:
        return tuple(c.config for c in self._connections.values())

    def log(self, name: str) -> list[str]:
        """The last 500 lines: what it wrote to stderr, its log messages, what the host did."""
        return list(self._named(name).log.lines)

    def _status(self, connection: Connection) -> ServerStatus:
        ours = self._bundled.get(connection.config.name)
        return status_of(connection, ours, self._known_of(connection), self._language)

    def _named(self, name: str) -> Connection:
        try:
            return self._connections[name]
        except KeyError:
            raise NoSuchServerError(f"There is no server called {name}.") from None

    async def add(self, config: ServerConfig) -> str:
        """Add a third-party server and begin to start it if it was accepted. Gives its name."""
        config = config.model_copy(update={"kind": "third_party"})
        if config.name in self._connections:
            name = self._free_name(config.name, self._connections)
            config = config.model_copy(update={"name": name})
        connection = self._connections[config.name] = self._connection(config)
        self._save()
        connection.start()
        return config.name

    async def update(self, name: str, config: ServerConfig) -> None:
        """Replace a third-party server's configuration; a changed launch asks again."""
        old = self._named(name)
        if old.config.bundled:
            raise ValueError(f"{name} comes with LeoChat: it can only be switched.")
        if config.name != name and config.name in self._connections:
            raise ValueError(f"There is a server called {config.name} already.")
        same = launch_hash(old.config) == launch_hash(config)
        keep: dict[str, Any] = {
            "kind": "third_party",
            "accepted_hash": old.config.accepted_hash,
            "accepted_launch": old.config.accepted_launch,
            "definitions": old.config.definitions if same else {},
        }
        if not same:
            # What was granted was granted to the program that was shown then.
            keep |= dict.fromkeys(("ui_commands_allowed", "trusted", "roots_allowed", "sampling_allowed"), False)
        await old.stop()
        config = config.model_copy(update=keep)
        self._connections = {
            (config.name if n == name else n): (self._connection(config) if n == name else c)
            for n, c in self._connections.items()
        }
        if config.name != name:
            self._known.forget(name)
        self._save()
        self._connections[config.name].start()

    async def remove(self, name: str) -> None:
        """Stop a third-party server and forget it."""
        connection = self._named(name)
        if connection.config.bundled:
            raise ValueError(f"{name} comes with LeoChat: it can be switched off, not removed.")
        del self._connections[name]
        self._specs = None
        self._known.forget(name)
        self._save()
        await connection.stop()

    async def enable(self, name: str, enabled: bool) -> None:
        connection = self._set(name, enabled=enabled)
        if enabled:
            connection.start()
        else:
            await connection.stop("disabled")

    async def restart(self, name: str) -> None:
        await self._named(name).restart()

    async def accept(self, name: str, hash: str) -> None:  # noqa: A002 (the word the page uses)
        """Agree to the question a server waits with: its launch, or its changed definitions.

        Raises `ValueError` where the hash is not that of what would now be started or offered:
        what was shown is then not what would be agreed to.
        """
        connection = self._named(name)
        question = self._status(connection).question
        if question is None or question.hash != hash:
            raise ValueError(f"What {name} would start is not what was shown: look at it again.")
        if question.kind == "launch":
            accepted = accept_launch(connection.config)
            connection.config = accepted.model_copy(update={"definitions": {}})
            self._save()
            await connection.restart()
            return
        changed = changed_tools(connection.config, connection.tools)
        if set_digest(changed) == hash:
            now = {t.name: t.digest for t in changed}
            self._set(name, definitions={**connection.config.definitions, **now})
            self._moved(connection)

    def set_tool(self, name: str, tool: str, on: bool) -> None:
        """Offer a tool to the model or not."""
        off = {*self._named(name).config.tools_off} - {tool}
        self._set(name, tools_off=tuple(sorted(off if on else off | {tool})))

    def roots_of(self, connection: Connection) -> tuple[str, ...]:
        """The folders a server may know of; one that is not ours knows none before the person allowed it."""
        may = connection.config.bundled or connection.config.roots_allowed
        return tuple(self._known_roots()) if may and self._known_roots else ()

    def grant(self, name: str, **granted: bool | None) -> None:
        """Allow or take back `ui_commands`, `roots` (it may know the allowed folders) or `sampling` (it may use the model
        without asking), or believe what it says about its tools (`trusted`); None: as it is."""
        fields = {key if key == "trusted" else f"{key}_allowed": on for key, on in granted.items() if on is not None}
        if fields:
            self._set(name, **fields)

    def ui_commands_allowed(self, name: str) -> bool:
        connection = self._connections.get(name)
        return connection is not None and may_command(connection.config)

    async def test(self, config: ServerConfig) -> TestReport:
        """Start a server apart, shake hands, list its tools, stop it. It must be accepted."""
        opener = await self._opener()
        return await opener.test(self._connection(config))

    def _set(self, name: str, **changes: Any) -> Connection:
        connection = self._named(name)
        connection.config = connection.config.model_copy(update=changes)
        self._save()
        self._moved(connection)
        return connection

    def _save(self) -> None:
        """Third-party servers whole, ours only where something differs from how they come."""
        if self._file is None:
            return
        kept = [
            c.config
            for c in self._connections.values()
            if not c.config.bundled or c.config != self._bundled[c.config.name].as_it_comes
        ]
        save_servers(self._file, kept)
