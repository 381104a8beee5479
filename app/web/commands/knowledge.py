"""What a window can ask about the folders that are indexed. The page asks again while something is going on."""

from typing import Any, Literal

from app.chat.knowledge_facts import KnowledgeTrial, KnowledgeView
from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class KnowledgeRead(Command):
    """Gives KnowledgeView."""

    type: Literal["knowledge_read"] = "knowledge_read"

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeView:
        return await leo.knowledge.view()


class KnowledgeAdd(Command):
    """Index a folder: a person typed its whole path. Gives KnowledgeView."""

    type: Literal["knowledge_add"] = "knowledge_add"
    path: str

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeView:
        await leo.knowledge.add(self.path)
        return await leo.knowledge.view()


class KnowledgePick(Command):
    """Let the person choose a folder in the system's own dialog, and index it. Gives KnowledgeView."""

    type: Literal["knowledge_pick"] = "knowledge_pick"

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeView:
        if chosen := await leo.rooms.shell.pick_folder():
            await leo.knowledge.add(chosen)
        return await leo.knowledge.view()


class KnowledgeRemove(Command):
    """Take a folder out of the index with all that is known of it; its files stay. Gives KnowledgeView."""

    type: Literal["knowledge_remove"] = "knowledge_remove"
    folder: int

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeView:
        await leo.knowledge.remove(self.folder)
        return await leo.knowledge.view()


class KnowledgeAgain(Command):
    """Look through a folder now, and try again what could not be read. Gives KnowledgeView."""

    type: Literal["knowledge_again"] = "knowledge_again"
    folder: int

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeView:
        await leo.knowledge.again(self.folder)
        return await leo.knowledge.view()


class _Model(Command):
    """`key` null: the saved one of the address's host."""

    protocol: Literal["openai", "ollama"]
    address: str
    model: str
    key: str | None = None


class KnowledgeModelSave(_Model):
    """Keep the embedding model; an empty address and model: none. A `key` of "" forgets it. Gives KnowledgeView."""

    type: Literal["knowledge_model_save"] = "knowledge_model_save"

    async def run(self, leo: LeoChat, window: Window) -> Any:
        await leo.knowledge.save_model(self.protocol, self.address, self.model, self.key)
        return await leo.knowledge.view()


class KnowledgeModelTest(_Model):
    """Ask the model for one vector. Gives KnowledgeTrial."""

    type: Literal["knowledge_model_test"] = "knowledge_model_test"

    async def run(self, leo: LeoChat, window: Window) -> KnowledgeTrial:
        return await leo.knowledge.try_model(self.protocol, self.address, self.model, self.key)
