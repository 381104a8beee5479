"""What a window can ask about the program itself."""

from typing import Literal

from app.chat.leochat import LeoChat
from app.chat.program_facts import AboutData, UpdateInfo, WrittenText
from app.chat.windows import Window
from app.web.commands.command import Command


class GetAbout(Command):
    """Gives AboutData."""

    type: Literal["get_about"] = "get_about"

    async def run(self, leo: LeoChat, window: Window) -> AboutData:
        return await leo.program.about(leo.language, leo.providers.keys_where())


class GetLicence(Command):
    """Gives WrittenText: the whole licence of a part."""

    type: Literal["get_licence"] = "get_licence"
    name: str
    kind: str

    async def run(self, leo: LeoChat, window: Window) -> WrittenText:
        return WrittenText(text=await leo.program.licence(self.name, self.kind))


class GetDiagnosis(Command):
    """Gives WrittenText to send to whoever helps: no keys and no texts of the person's."""

    type: Literal["get_diagnosis"] = "get_diagnosis"

    async def run(self, leo: LeoChat, window: Window) -> WrittenText:
        return WrittenText(text=await leo.program.diagnosis(leo.providers.keys_where()))


class LookForUpdate(Command):
    """Ask now whether there is a newer version; gives UpdateInfo."""

    type: Literal["look_for_update"] = "look_for_update"

    async def run(self, leo: LeoChat, window: Window) -> UpdateInfo:
        return await leo.program.look()
