"""The folders that bundled servers may use: LeoChat's own, what the person allowed for good, for a conversation, for a call."""

import asyncio
import contextlib
import os
from collections.abc import Callable, Generator
from pathlib import Path

from app.chat.closed_folders import why_closed
from app.chat.facts import FolderInfo, FoldersData
from app.chat.refused import Refused
from app.settings import SettingError, SettingsFile
from app.store.grants import Grant, Grants
from mcp_servers.caller import CALLER

SETTING = "folders.allowed"


def own_folder() -> str:
    """The LeoChat folder in the person's documents, made if it is not there."""
    from platformdirs import user_documents_dir

    folder = Path(os.environ.get("LEOCHAT_DOCUMENTS") or user_documents_dir()) / "LeoChat"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


class Folders:
    """Asked in every call of a bundled server, so that a change holds at once. All methods belong to one event loop,
    but `of_the_call`, which any thread may ask.

    `own`: the folder that is always allowed. `changed` is called after every change of what is allowed for good.
    """

    def __init__(
        self, own: str, home: Path, settings: SettingsFile, grants: Grants, changed: Callable[[], None] = lambda: None
    ):
        self._own = own
        self._home = str(home)
        self._settings = settings
        self._grants = grants
        self._changed = changed
        self._of_conversations: list[Grant] | None = None
        self._judged: dict[str, str | None] = {}
        self._lent: dict[tuple[str, str], tuple[str, ...]] = {}
        self._used: dict[str, tuple[str, ...]] = {}

    # What is allowed

    def allowed_roots(self) -> list[str]:
        """The folders allowed in every conversation, LeoChat's own first."""
        kept = self._settings.value.folders.allowed
        return [self._own, *(one for one in kept if self.why_closed(one) is None)]

    def of_the_call(self) -> list[str]:
        """The folders of the call under way: those of every conversation, of its own, and what was lent to it."""
        caller = CALLER.get()
        return [
            *self.allowed_roots(),
            *self._of(caller.conversation),
            *self._lent.get((caller.conversation or "", caller.call or ""), ()),
        ]

    def of_conversation(self, conversation_id: str) -> list[str]:
        """The folders of every call of this conversation, without what is lent to a single one."""
        return [*self.allowed_roots(), *self._of(conversation_id)]

    def for_opening(self, conversation_id: str) -> list[str]:
        """Where a file lies that a click in this conversation may open: also in folders lent to its calls since the start."""
        return [*self.of_conversation(conversation_id), *self._used.get(conversation_id, ())]

    def _of(self, conversation_id: str | None) -> list[str]:
        known = self._of_conversations or []
        return [one.pattern for one in known if one.conversation_id == conversation_id and one.pattern]

    def holds(self, conversation_id: str, folder: str) -> bool:
        """Whether every call of the conversation may use it."""
        return folder in self.of_conversation(conversation_id)

    def why_closed(self, folder: str) -> str | None:
        """Why it is never opened to tools. Its links are followed once: what it leads to then is what is judged and used."""
        if not Path(folder).is_absolute():
            return "it is not a whole path"
        if folder not in self._judged:
            self._judged[folder] = why_closed(os.path.realpath(folder), self._home)
        return self._judged[folder]

    async def load(self) -> None:
        """Read what was allowed for single conversations, once."""
        if self._of_conversations is None:
            found = [one for one in await self._grants.all() if one.kind == "folder"]
            self._of_conversations = self._of_conversations or found

    # What a call needs

    def wanted(self, real: str) -> str:
        """The folder to ask for, so that a call may use this real path: the innermost one that is there.

        A folder that is too wide to be allowed gives way to what would be made in it.
        """
        path = Path(real)
        folder = path if path.is_dir() else path.parent
        below: list[Path] = []
        while not folder.is_dir() and folder != folder.parent:
            below.append(folder)
            folder = folder.parent
        if below and self.why_closed(str(folder)) is not None:
            folder = below[-1]
        return str(folder)

    @contextlib.contextmanager
    def lending(self, conversation_id: str, call_id: str) -> Generator[Callable[[str], None]]:
        """For as long as a call is answered: `lend(folder)` allows it a folder. Providers' call ids may be equal in two
        conversations."""
        key = (conversation_id, call_id)

        def lend(folder: str) -> None:
            self._lent[key] = (*self._lent.get(key, ()), folder)
            self._used[conversation_id] = tuple(dict.fromkeys((*self._used.get(conversation_id, ()), folder)))

        try:
            yield lend
        finally:
            self._lent.pop(key, None)

    # What the person decides

    async def allow_in(self, conversation_id: str, folder: str) -> None:
        """From now on in this conversation."""
        await self.load()
        grant = await self._grants.add("folder", "", pattern=folder, conversation_id=conversation_id)
        self._of_conversations = [*(one for one in self._of_conversations or [] if one.id != grant.id), grant]

    def allow(self, folder: str) -> str:
        """From now on in every conversation; Refused with words where it is none, or is never allowed. Gives the real path."""
        path = Path(folder.strip()).expanduser()
        if not folder.strip() or not path.is_absolute():
            raise Refused("invalid", "Give the whole path of a folder, from its beginning.")
        real = os.path.realpath(path)
        if not Path(real).is_dir():
            raise Refused("not_found", f"{folder.strip()} is not a folder on this computer.")
        if why := self.why_closed(real):
            raise Refused("denied", f"{real} is never opened to tools: {why}.")
        kept = self._settings.value.folders.allowed
        if real not in (*kept, self._own):
            self._keep((*kept, real))
        return real

    async def take_back(self, folder: str, conversation_id: str | None = None) -> None:
        """No more; Refused where it is not allowed, or is LeoChat's own."""
        kept = self._settings.value.folders.allowed
        if conversation_id is None:
            if folder not in kept:
                raise Refused(
                    "not_found", "This folder stays allowed." if folder == self._own else "It is not allowed any more."
                )
            self._keep(tuple(one for one in kept if one != folder))
            return
        await self.load()
        for one in self._of_conversations or []:
            if (one.pattern, one.conversation_id) == (folder, conversation_id):
                await self._grants.remove(one.id)
                self._of_conversations = [other for other in self._of_conversations or [] if other is not one]
                return
        raise Refused("not_found", "It is not allowed any more.")

    def _keep(self, folders: tuple[str, ...]) -> None:
        try:
            self._settings.set(SETTING, list(folders))
        except SettingError as error:
            raise Refused("invalid", str(error)) from error
        self._changed()

    async def listed(self, *, picks: bool) -> FoldersData:
        """All of them for the settings page; `picks`: the window has a dialog to choose one."""
        await self.load()
        return FoldersData(folders=tuple(await asyncio.to_thread(self._rows)), picks=picks)

    def _rows(self) -> list[FolderInfo]:
        kept = self._settings.value.folders.allowed
        rows = [FolderInfo(path=self._own, kind="own", there=Path(self._own).is_dir())]
        rows += [FolderInfo(path=one, kind="always", there=Path(one).is_dir(), closed=self.why_closed(one)) for one in kept]
        of_conversations = [(one.pattern, one.conversation_id) for one in self._of_conversations or [] if one.pattern]
        return rows + [
            FolderInfo(path=path, kind="conversation", there=Path(path).is_dir(), conversation_id=conversation)
            for path, conversation in of_conversations
        ]
