"""What a window can ask about the folders that bundled servers may use. Every change is followed by `settings_changed`."""

from typing import Any, Literal

from app.chat.facts import FoldersData
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class FoldersList(Command):
    """Gives FoldersData."""

    type: Literal["folders_list"] = "folders_list"

    async def run(self, leo: LeoChat, window: Window) -> FoldersData:
        return await leo.folders.listed(picks=leo.rooms.shell.picks)


class FolderAdd(Command):
    """Allow a folder in every conversation: a person typed its whole path, or dropped it. Gives `{path}`, links followed."""

    type: Literal["folder_add"] = "folder_add"
    path: str

    async def run(self, leo: LeoChat, window: Window) -> dict[str, str]:
        return {"path": leo.folders.allow(self.path)}


class FolderPick(Command):
    """Let the person choose one in the system's own dialog; gives `{path}`, None where they chose none."""

    type: Literal["folder_pick"] = "folder_pick"

    async def run(self, leo: LeoChat, window: Window) -> dict[str, str | None]:
        chosen = await leo.rooms.shell.pick_folder()
        return {"path": leo.folders.allow(chosen) if chosen else None}


class FolderRemove(Command):
    """Close it again: in every conversation, or in the one it was allowed in."""

    type: Literal["folder_remove"] = "folder_remove"
    path: str
    conversation_id: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.folders.take_back(self.path, self.conversation_id)


class FoldersDropped(Command):
    """What was dropped on the window just now is called so: gives `{folders}`, which are it or hold it, for the person to
    allow. Empty in a browser, which tells no paths.
    """

    type: Literal["folders_dropped"] = "folders_dropped"
    names: list[str]

    async def run(self, leo: LeoChat, window: Window) -> dict[str, list[str]]:
        paths = await leo.rooms.shell.dropped(self.names)
        return {"folders": list(dict.fromkeys(leo.folders.wanted(path) for path in paths))}
