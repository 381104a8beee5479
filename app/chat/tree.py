"""Walking and growing a conversation's tree: edit a message, ask again, show another branch. Nothing is overwritten."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.chat.queueing import reworded
from app.chat.refused import Refused
from app.chat.windows import Window
from app.core.messages import Block, Message, new_id, now_ms

if TYPE_CHECKING:
    from app.chat.session import Session


class Tree:
    """One session's tree of messages."""

    def __init__(self, session: "Session"):
        self._session = session

    async def edit(self, message_id: str, text: str, *, window: Window | None = None) -> str:
        """A sibling of a user message with the same attachments, and a task from there; of a summary, another at the end.

        What cannot be done is Refused before anything is stopped.
        """
        session = self._session
        old = self._at(message_id)
        if old.role != "user":
            raise Refused("invalid", "Only your own messages can be edited.")
        blocks = reworded(old.blocks, text)
        await self._stopped(message_id)
        if old.covers:
            return await self._put_otherwise(old, blocks)
        message = Message(id=new_id("msg"), role="user", blocks=blocks, parent_id=old.parent_id)
        await session.tasks.begin(message, window, first=lambda: self._go_to(old.parent_id))
        await session.retell()
        return message.id

    async def _put_otherwise(self, summary: Message, blocks: tuple[Block, ...]) -> str:
        """A summary in the person's words counts from now on; what was said since stays, and nobody is asked anything."""
        tasks = self._session.tasks
        if tasks.running:
            raise Refused("busy", "A task is running in this conversation.")
        own = {"usage": None, "model": None, "provider": None}  # the model's one was counted already
        message = summary.model_copy(update={"id": new_id("msg"), "blocks": blocks, "created_ms": now_ms(), **own})
        with tasks.alone():
            await tasks.free()
            await tasks.lay([message])
        return message.id

    async def regenerate(
        self, message_id: str, *, provider: str | None = None, model: str | None = None, window: Window | None = None
    ) -> None:
        """Another reply to the user message before `message_id`, also by another model, without `provider` of the same one.

        What cannot be done is Refused before anything is stopped.
        """
        session = self._session
        writing = session.live.message
        shown = [*session.messages, *([writing] if writing else [])]
        at = shown.index(self._at(message_id, shown))
        asked = next((m for m in reversed(shown[: at + 1]) if m.role == "user"), None)
        if asked is None:
            raise Refused("invalid", "There is no question before this reply.")
        await self._stopped(message_id)
        if provider or model:
            await session.set_options({"model": model, **({"provider": provider} if provider else {})})
        session.rooms.models.ask_again()
        await session.tasks.begin(None, window, first=lambda: self._fork(asked.id))
        await session.retell()

    async def switch(self, message_id: str) -> None:
        """Show the branch through this message, down to its newest end."""
        session = self._session
        if session.running:
            raise Refused("busy", "Stop the task first.")
        with session.tasks.alone():
            await session.tasks.free()
            await session.rooms.store.messages.set_head(session.id, message_id, deepest=True)
            await session.reload()
        session.emit(session.opened())

    async def _stopped(self, message_id: str) -> None:
        """Nothing runs; another window may have gone to another branch meanwhile."""
        await self._session.tasks.stop()
        self._at(message_id)

    def _at(self, message_id: str, shown: Sequence[Message] | None = None) -> Message:
        found = next((m for m in shown or self._session.messages if m.id == message_id), None)
        if found is None:
            raise Refused("not_found", "This message is not on the shown branch.")
        return found

    async def _fork(self, message_id: str) -> None:
        await self._go_to(message_id)
        self._session.forked = message_id

    async def _go_to(self, message_id: str | None) -> None:
        session = self._session
        await session.rooms.store.messages.set_head(session.id, message_id)
        session.messages = await session.rooms.store.messages.branch(session.id)
