"""LeoChat as a program on a desktop: what it is made of, what helps when it does not work, whether a newer one is there."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.chat.diagnosis import diagnosis
from app.chat.program_facts import AboutData, EditionInfo, EditionPromptInfo, PartInfo, UpdateInfo
from app.chat.refused import Refused
from app.chat.said import Notice, Said
from app.chat.shell import Shell
from app.mcp_host.status import ServerStatus
from app.settings import SettingsFile, edition
from app.settings.edition import EditionPrompt, packaged

FIRST_LOOK_SECONDS = 20.0
LOOK_SECONDS = 24 * 3600.0
log = logging.getLogger("leochat.program")


def app_version() -> str:
    """LeoChat's own, whatever the edition is called."""
    try:
        return version("leochat")
    except PackageNotFoundError:
        return "0"


def edition_info(language: str) -> EditionInfo:
    """The edition in this language."""
    ours = edition()
    return EditionInfo(
        name=ours.name,
        version=ours.version or app_version(),
        maker=ours.maker,
        homepage=ours.homepage,
        prompts=tuple(_prompt(prompt, language) for prompt in ours.prompts),
    )


def _prompt(prompt: EditionPrompt, language: str) -> EditionPromptInfo:
    if language == "es":
        return EditionPromptInfo(title=prompt.title_es or prompt.title, text=prompt.text_es or prompt.text)
    return EditionPromptInfo(title=prompt.title, text=prompt.text)


class ProgramDesk:
    """What the pages About and Program ask for. `counted`: conversations and other countable things, for the diagnosis."""

    def __init__(
        self,
        home: Path,
        settings: SettingsFile,
        shell: Callable[[], Shell],
        tell: Callable[[Said], None],
        statuses: Callable[[], Sequence[ServerStatus]],
        counted: Callable[[], Awaitable[dict[str, int]]],
    ):
        self._home = home
        self._settings = settings
        self._shell = shell
        self._tell = tell
        self._statuses = statuses
        self._counted = counted
        self._update = UpdateInfo()
        self._told = ""
        self._looking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """From now on look for newer versions, as long as the person wants that."""
        self._looking = asyncio.get_running_loop().create_task(self._look_every_day())

    async def close(self) -> None:
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    # About

    async def about(self, language: str, keys_where: str) -> AboutData:
        from app.chat.parts import all_parts, sbom_file

        ours = edition_info(language)
        parts = await asyncio.to_thread(all_parts)
        sbom = sbom_file()
        return AboutData(
            name=ours.name,
            version=ours.version,
            made_with=app_version(),
            maker=ours.maker,
            homepage=ours.homepage,
            packaged=packaged(),
            home=str(self._home),
            logs=str(self._home / "logs"),
            keys_where=keys_where,
            window=self._shell().facts(),
            parts=tuple(PartInfo.model_validate({**part, "has_text": bool(part["text"])}) for part in parts),
            sbom=str(sbom) if sbom else None,
            update=self._update,
        )

    async def licence(self, name: str, kind: str) -> str:
        """The whole licence of a part; Refused where none came with it."""
        from app.chat.parts import all_parts

        for part in await asyncio.to_thread(all_parts):
            if (part["name"], part["kind"]) == (name, kind) and part["text"]:
                return part["text"]
        raise Refused("not_found", f"{name} came without its licence's text.")

    async def diagnosis(self, keys_where: str) -> str:
        counts = await self._counted()
        ours = edition()
        name = "LeoChat" if ours.plain else f"{ours.name} {ours.version}, made with LeoChat"
        return await asyncio.to_thread(
            diagnosis,
            title=f"{name} {app_version()}",
            shell=self._shell().facts(),
            home=self._home,
            settings=self._settings.value,
            servers=self._statuses(),
            counts=counts,
            keys_where=keys_where,
        )

    # Newer versions

    async def look(self) -> UpdateInfo:
        """Ask now; the answer, or why there is none."""
        from app.chat.updates import is_newer, newest

        ours = edition()
        address = self._settings.value.program.updates_from or ours.updates
        now = int(time.time() * 1000)
        try:
            found = await newest(address)
        except Refused as refused:
            self._update = UpdateInfo(asked_ms=now, problem=refused.message)
        else:
            newer = is_newer(found.version, ours.version or app_version())
            self._update = UpdateInfo(asked_ms=now, newer=found.version if newer else None, url=found.url)
        return self._update

    async def _look_every_day(self) -> None:
        await asyncio.sleep(FIRST_LOOK_SECONDS)
        while True:
            if self._settings.value.program.updates:
                with contextlib.suppress(OSError):
                    await self._look_and_tell()
            await asyncio.sleep(LOOK_SECONDS)

    async def _look_and_tell(self) -> None:
        found = await self.look()
        if found.problem:
            log.warning("No word of a newer version: %s", found.problem)
        if found.newer and found.newer != self._told:
            self._told = found.newer
            self._tell(Notice("info", f"{edition().name} {found.newer} is there. {found.url}".strip()))

    async def set(self, name: str) -> None:
        """A setting of ours has changed."""
        ours = self._settings.value.program
        if name == "program.keep_running" and (why_not := await self._shell().keep_running(ours.keep_running)):
            self._tell(Notice("warning", why_not))
        if name == "program.updates" and ours.updates:
            await self._look_and_tell()
            if self._update.problem:
                self._tell(Notice("warning", self._update.problem))
