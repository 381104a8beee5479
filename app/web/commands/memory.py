"""What a window can ask about the memory. Every change of it is followed by a `memory_changed` frame to all windows."""

from typing import Any, Literal

from pydantic import Field

from app.chat.facts import ExportedFile, MemoryDone, MemoryRelation, MemoryView
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class MemoryRead(Command):
    """Gives MemoryView: those that fit `query` (all, if it is empty) and the entity called `name`."""

    type: Literal["memory_read"] = "memory_read"
    query: str = Field(default="", max_length=1000)
    name: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> MemoryView:
        return await leo.memory.view(self.query, self.name)


class MemorySave(Command):
    """Add an entity (`old` null), or give one another name and type. Gives MemoryDone."""

    type: Literal["memory_save"] = "memory_save"
    old: str | None = None
    name: str
    kind: str

    async def run(self, leo: LeoChat, window: Window) -> MemoryDone:
        return await leo.memory.save(self.old, self.name, self.kind)


class MemoryFact(Command):
    """Add a fact (`old` null), forget it (`new` null), or put another in its place. Gives MemoryDone."""

    type: Literal["memory_fact"] = "memory_fact"
    entity: str
    old: str | None = None
    new: str | None = None

    async def run(self, leo: LeoChat, window: Window) -> MemoryDone:
        return await leo.memory.fact(self.entity, self.old, self.new)


class MemoryRelate(Command):
    """Add a relation, or forget it. Gives MemoryDone."""

    type: Literal["memory_relate"] = "memory_relate"
    relation: MemoryRelation
    remove: bool = False

    async def run(self, leo: LeoChat, window: Window) -> MemoryDone:
        return await leo.memory.relation(self.relation, remove=self.remove)


class MemoryForget(Command):
    """Forget an entity with its facts and relations; `name` null: everything. Gives MemoryDone."""

    type: Literal["memory_forget"] = "memory_forget"
    name: str | None

    async def run(self, leo: LeoChat, window: Window) -> MemoryDone:
        return await (leo.memory.clear() if self.name is None else leo.memory.forget(self.name))


class MemoryUndo(Command):
    """Take a change back by the `undo` of its MemoryDone; what others wrote since stays."""

    type: Literal["memory_undo"] = "memory_undo"
    undo: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.memory.undo(self.undo)


class MemoryExport(Command):
    """Gives ExportedFile: everything, as the reference memory server keeps it."""

    type: Literal["memory_export"] = "memory_export"

    async def run(self, leo: LeoChat, window: Window) -> ExportedFile:
        return await leo.memory.export()


class MemoryImport(Command):
    """Add what the text of such a file holds; what is known stays as it is. Gives MemoryDone with how much was new."""

    type: Literal["memory_import"] = "memory_import"
    text: str

    async def run(self, leo: LeoChat, window: Window) -> MemoryDone:
        return await leo.memory.add(self.text)
