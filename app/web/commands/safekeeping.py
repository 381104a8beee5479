"""What a window can ask about backups."""

from typing import Literal

from app.chat.facts import Backups
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class BackupsList(Command):
    """Gives Backups."""

    type: Literal["backups_list"] = "backups_list"

    async def run(self, leo: LeoChat, window: Window) -> Backups:
        return leo.safekeeping.listed()


class BackupMake(Command):
    """Make one now; gives Backups."""

    type: Literal["backup_make"] = "backup_make"

    async def run(self, leo: LeoChat, window: Window) -> Backups:
        return await leo.safekeeping.make()


class BackupPlan(Command):
    """Go back to the backup of that name at the next start (null: to none); gives Backups."""

    type: Literal["backup_plan"] = "backup_plan"
    name: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> Backups:
        return leo.safekeeping.plan(self.name)
