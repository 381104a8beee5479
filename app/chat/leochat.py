"""The whole of LeoChat without a window: for the desktop app, the terminal, and whoever embeds it."""

import asyncio
import locale
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from app.chat.approvals import Mode
from app.chat.arrivals import arriving_folders, with_arrivals
from app.chat.deferring import deferred, room_of
from app.chat.facts import GrantInfo, SettingsData, UsageReport
from app.chat.folder_gate import FolderGate
from app.chat.folders import Folders, own_folder
from app.chat.importing import ImportDesk
from app.chat.knowledge import KnowledgeDesk
from app.chat.library import Library
from app.chat.material import MaterialDesk
from app.chat.memory import MemoryDesk
from app.chat.models import Given, Models
from app.chat.offer import Offer
from app.chat.pictures import Pictures
from app.chat.program import ProgramDesk, app_version, edition_info
from app.chat.questions import Action, Questions
from app.chat.recognised import recognised
from app.chat.refused import Refused
from app.chat.ring_tokens import RingTokens
from app.chat.rooms import Limits, OpenPlaces, Rooms
from app.chat.safekeeping import Safekeeping
from app.chat.said import MaterialChanged, MemoryChanged, Notice, SettingsChanged
from app.chat.sampling import SamplingDesk
from app.chat.servers import ServerDesk
from app.chat.session import Session
from app.chat.shell import NoShell, Shell, checked_url
from app.chat.used import usage_report
from app.chat.windows import Window, Windows
from app.chat.windows_listed import ListedWindows
from app.mcp_host.config import ServerConfig, set_aside
from app.mcp_host.host import McpHost
from app.mcp_host.shelf import MaterialChange
from app.mcp_host.status import ServerStatus
from app.mcp_host.tokens import Signing
from app.settings import Secrets, SettingError, SettingsFile, dialog_schema
from app.store import Store

UPKEEP_SECONDS = 6 * 3600
SERVERS_DELAY = 0.05
LANGUAGES = ("en", "es")


def _known_language(tags: Sequence[str]) -> str | None:
    """The first of these tags ("es-MX", "en_US.UTF-8") whose language LeoChat speaks."""
    return next((tag[:2].lower() for tag in tags if tag[:2].lower() in LANGUAGES), None)


@dataclass(frozen=True, slots=True)
class Run:
    """How this run differs from what is saved: the command line's word.

    `servers` None: all that are configured and bundled; else exactly these. `approve` None: as the settings say.
    """

    given: Given = field(default_factory=Given)
    approve: Mode | None = None
    max_rounds: int | None = None
    servers: tuple[ServerConfig, ...] | None = None
    bundled: tuple[str, ...] | None = None
    offline: bool = False
    quiet: bool = False
    """Nothing starts by itself: only what is asked for."""


class LeoChat:
    """Open one with a home folder, `start` it, `close` it. Everything belongs to one event loop."""

    def __init__(self, home: Path, run: Run | None = None, shell: Shell | None = None, environ: Mapping[str, str] = os.environ):
        self.home = home
        self.run = run or Run()
        self.settings = SettingsFile(home)
        self.store = Store.open(home)
        self._troubles: list[str] = [self.store.restored] if self.store.restored else []
        self.windows = Windows()
        self.secrets = Secrets(home)
        self.providers = Models(self.settings, self.secrets, self.run.given, environ, ListedWindows(self.store.kept))
        self._heard_language: str | None = None
        self.questions = Questions(self._live, self._attended)
        self.sampling = SamplingDesk(
            place=self._live,
            attended=self._attended,
            connect=self.providers.connect,
            estimate=self.providers.estimate,
            blobs=self.store.blobs,
            grant=lambda server: self.host.grant(server, sampling=True),
        )
        self.folders = Folders(own_folder(), home, self.settings, self.store.grants, self._settings_changed)
        self.host = self._make_host()
        self._give_web()
        self.servers = ServerDesk(self.host, self._servers_changed, self._tools_deferred)
        self.imports = ImportDesk(self.host, home, self.store.blobs)
        self.memory = MemoryDesk(home, self._memory_changed, lambda: bool(len(self.windows)), self._recall_room)
        self.knowledge = KnowledgeDesk(home, self.settings, self.secrets, self._knowledge_on, lambda: self.rooms.shell.picks)
        self.host.give("knowledge", {"embedding": self.knowledge.embedding, "folders": arriving_folders(home)})
        gate = FolderGate(self.folders, self.host.call, self._live, self._attended, self._mode)
        self.rooms = Rooms(
            store=self.store,
            toolbox=Offer(self.host, gate),
            door=gate,
            models=self.providers,
            windows=self.windows,
            shell=shell or NoShell(),
            approval_mode=self._mode,
            limits=self._limits,
            list_changed=self._list_changed,
            attended=self._attended,
            bundled=self.servers.bundled,
            ui_granted=self.servers.ui_commands,
            notify=self._notify,
            language=lambda: self.language,
            recall=self.memory.with_recalled,
            opens=lambda talk: OpenPlaces((*self.folders.for_opening(talk), *self.knowledge.paths()), (str(self.home),)),
            grant_ui=lambda server: self.host.grant(server, ui_commands=True),
            continues=self.host.continues,
        )
        self.library = Library(self.rooms)
        self.safekeeping = Safekeeping(self.store)
        self.material = MaterialDesk(self.host, self.store.blobs)
        self.pictures = Pictures(self.store.blobs, self.servers.bundled, self._picture_rules)
        self.program = ProgramDesk(
            home, self.settings, lambda: self.rooms.shell, self.windows.tell_all, self.host.statuses, self._counted
        )
        self._notifying: set[asyncio.Task[None]] = set()
        self._upkeep: asyncio.Task[None] | None = None
        self._telling: asyncio.TimerHandle | None = None

    def _make_host(self) -> McpHost:
        from app.mcp_host.bundled import discover

        ours = discover()
        if self.run.bundled is not None:
            ours = tuple(replace(b, off=False) for b in ours if b.name in self.run.bundled)
        saved_file = self.home / "servers.json" if self.run.servers is None else None
        configs = self._saved_servers(saved_file) if saved_file else (self.run.servers or ())
        return McpHost(
            configs,
            data_dir=self.home,
            log_dir=self.home / "logs",
            file=saved_file,
            language=self.language,
            on_change=self._server_changed,
            on_material=self._material_changed,
            ask=self.questions.ask,
            ask_model=self.sampling.ask,
            signing=Signing(RingTokens(self.secrets), self._open_for_sign_in),
            bundled=ours,
            roots=self.folders.of_the_call,
            known_roots=self.folders.allowed_roots,
            protected=[str(self.home)],
            offline=self.run.offline,
            version=app_version(),
            patience=lambda: self.settings.value.limits.tool_seconds,
        )

    def _saved_servers(self, file: Path) -> tuple[ServerConfig, ...]:
        """The saved list; one that cannot be read is kept aside, and said."""
        try:
            return with_arrivals(file, McpHost.load(file))
        except ValueError as error:
            kept = set_aside(file)
            self._troubles.append(f"{error} It is kept as {kept.name}; the servers have to be added again.")
            return ()

    @property
    def language(self) -> str:
        """The app's language: the setting, else what a window was told by the system, else the locale, else English."""
        chosen = self.settings.value.general.language
        if chosen != "system":
            return chosen
        return self._heard_language or _known_language([locale.getlocale()[0] or os.environ.get("LANG") or ""]) or "en"

    def hear_languages(self, tags: Sequence[str]) -> None:
        """What a window's system prefers; the first window's word counts, so that all windows and servers speak alike."""
        if len(self.windows) or (heard := _known_language(tags)) is None:
            return
        before, self._heard_language = self.language, heard
        if self.language != before:
            self.host.set_language(self.language)

    def _attended(self) -> bool:
        return self.windows.attended

    def _settings_changed(self) -> None:
        self.windows.tell_all(SettingsChanged(self.setting_values()))
        self.host.roots_changed()

    def _mode(self) -> Mode:
        return self.run.approve or self.settings.value.approvals.mode

    def _limits(self) -> Limits:
        model = self.settings.value.model
        limits = self.settings.value.limits
        return Limits(
            rounds=self.run.max_rounds or model.max_rounds,
            result_chars=model.result_limit,
            task_seconds=limits.task_minutes * 60 or None,
            task_cost=limits.task_cost or None,
            tools_percent=model.tools_percent,
        )

    def _picture_rules(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        network = self.settings.value.network
        return network.picture_servers, network.picture_hosts

    def _recall_room(self) -> int:
        """How many characters of the memory may go along with a message: none unless the person wants it and it is on."""
        wanted = self.settings.value.memory
        on = any(s.name == "memory" and s.enabled and s.kind == "bundled" for s in self.host.statuses())
        return wanted.recall_chars if wanted.recall and on else 0

    def _give_web(self) -> None:
        """What the servers of the web may reach, and how, as the settings say now."""
        network, browser = self.settings.value.network, self.settings.value.browser
        self.host.give("fetch", {"open_hosts": network.open_hosts, "obey_robots": network.obey_robots})
        shown = {"open_hosts": network.open_hosts, "chars": self.settings.value.model.result_limit}
        self.host.give("browser", {**browser.model_dump(), **shown})

    def _knowledge_on(self) -> bool:
        return any(s.name == "knowledge" and s.enabled and s.kind == "bundled" for s in self.host.statuses())

    def _memory_changed(self) -> None:
        self.windows.tell_all(MemoryChanged())

    def _tools_deferred(self) -> frozenset[str]:
        choice, percent = self.providers.choice(), self.settings.value.model.tools_percent
        return deferred(self.host.specs(), room_of(self.providers.context_window(choice.provider, choice.model), percent))

    def _list_changed(self) -> None:
        self.library.changed()

    async def _counted(self) -> dict[str, int]:
        return {"conversations": len(await self.store.conversations.all())}

    def _notify(self, title: str, body: str, conversation_id: str | None = None) -> None:
        """The system's notification, where it is wanted and the window is out of sight; a click opens the conversation."""
        if self.settings.value.general.notifications and not self.windows.in_sight and len(self.windows):
            opens = partial(self.windows.show, conversation_id) if conversation_id else None
            task = asyncio.get_running_loop().create_task(self.rooms.shell.notify(title, body, opens))
            self._notifying.add(task)
            task.add_done_callback(self._notifying.discard)

    # Life

    def start(self, patience: float = 0.0) -> None:
        """Begin to start the servers and to look after the store; returns at once.

        With `patience` the servers wait so many seconds at most until a page that opens has its first answers.
        """
        self.host.start(patience)
        self._upkeep = asyncio.get_running_loop().create_task(self._look_after())
        self.program.start()

    async def _look_after(self) -> None:
        await self.providers.recall()
        while True:
            done = await self.store.upkeep()
            if done.problem:
                self.windows.tell_all(Notice("error", done.problem))
            await asyncio.sleep(UPKEEP_SECONDS)

    async def tools_known(self, seconds: float) -> list[str]:
        """Until all servers' tools are known, from this start or the last; the names of those missing after so long."""
        if unknown := self._without_tools():
            await self.host.ready(unknown, seconds)
        return self._without_tools()

    def _without_tools(self) -> list[str]:
        return [s.name for s in self.host.statuses() if s.state == "starting" and not s.tools]

    async def close(self) -> None:
        """Stop every task and every server, and let go of the store."""
        self.host.leave()
        if self._upkeep:
            self._upkeep.cancel()
            await asyncio.gather(self._upkeep, return_exceptions=True)
        await self.program.close()
        await self.library.close()
        await self.memory.close()
        await self.knowledge.close()
        await self.host.stop()
        self.store.close()

    def _server_changed(self, status: ServerStatus) -> None:
        del status
        self._servers_changed()

    def _material_changed(self, server: str, what: MaterialChange, uri: str | None) -> None:
        self.windows.tell_all(MaterialChanged(server, what, uri))

    def _servers_changed(self) -> None:
        """Tell the windows the servers, once for many changes at a time."""
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(SERVERS_DELAY, self._tell_servers)

    def _tell_servers(self) -> None:
        self._telling = None
        self.windows.tell_all(self.servers.changed())

    # What windows ask for

    @property
    def notices(self) -> list[str]:
        """What had to be set aside at the start, in words."""
        return [*self.settings.notices, *self._troubles]

    def greet(self, window: Window) -> None:
        """Tell a new window what was found at the start: settings that had to be set aside, say."""
        for notice in self.notices:
            window.tell(None, Notice("warning", notice))

    def settings_data(self) -> SettingsData:
        keys = self.providers.keys_where()
        return SettingsData(
            json_schema=dialog_schema(),
            values=self.setting_values(),
            keys_where=keys,
            keys_said=recognised(keys),
            home=str(self.home),
            version=app_version(),
            edition=edition_info(self.language),
        )

    def setting_values(self) -> dict[str, Any]:
        """Every setting by its dotted name."""
        flat: dict[str, Any] = {}
        for section, values in self.settings.value.model_dump(mode="json").items():
            if isinstance(values, dict):
                flat |= {f"{section}.{name}": value for name, value in cast("dict[str, Any]", values).items()}
        return flat | {"general.language_used": self.language}

    async def set_setting(self, name: str, value: Any) -> None:
        try:
            self.settings.set(name, value)
        except SettingError as error:
            raise Refused("invalid", str(error)) from error
        if name == "general.language":
            self.host.set_language(self.language)
        self._give_web()
        self.windows.tell_all(SettingsChanged(self.setting_values()))
        if name.startswith("model."):
            self.library.changed()
        await self.program.set(name)

    async def save_provider(self, name: str, *, use: bool, **given: Any) -> None:
        """Keep what is `given` of a provider, as `Models.save` takes it, and make it the default where asked to."""
        try:
            await self.providers.save(name, **given)
            if use:
                self.settings.set("model.provider", name)
                self.settings.set("model.model", given.get("model") or "")
        except SettingError as error:
            raise Refused("invalid", str(error)) from error
        self.windows.tell_all(SettingsChanged(self.setting_values()))
        self.library.changed()

    async def grants(self) -> list[GrantInfo]:
        """What was allowed for good, in every conversation or in one."""
        kept = await self.store.grants.all()
        return [GrantInfo.model_validate(g.model_dump()) for g in kept if g.kind == "approval"]

    async def used(self, days: int) -> UsageReport:
        """Tokens and cost of the last `days` days, today included."""
        return await usage_report(self.store, days)

    async def take_back(self, grant_id: str) -> None:
        if not await self.store.grants.remove(grant_id):
            raise Refused("not_found", "This permission was taken back already.")
        await self.library.grants_changed()

    async def open_url(self, url: str, *, clicked: bool) -> dict[str, Any]:
        """Open an address outside the window; only what a person clicked comes here."""
        if not clicked:
            raise Refused("denied", "Only a person opens addresses.")
        await self.rooms.shell.open_url(checked_url(url))
        return {"opened": True}

    async def _open_for_sign_in(self, url: str) -> None:
        await self.rooms.shell.open_url(checked_url(url))

    def _live(self, conversation_id: str) -> Session | None:
        return self.library.live(conversation_id)

    def answer(self, request_id: str, action: Action, content: dict[str, Any] | None) -> None:
        """A person's answer to a server's question; Refused where it is not open or does not fit."""
        self.questions.answer(request_id, action, content)
