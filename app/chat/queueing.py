"""Messages sent while a task runs: shown, changeable, kept over a crash, and joined at the next round."""

from collections.abc import Callable

from pydantic import TypeAdapter

from app.chat.refused import Refused
from app.chat.said import Attachment, QueueChanged, QueuedMessage, Said
from app.core.messages import Block, FileBlock, ImageBlock, Message, Origin, TextBlock, new_id
from app.store import Store

_kept: TypeAdapter[list[Message]] = TypeAdapter(list[Message])


class Queue:
    """One conversation's queue, oldest first."""

    def __init__(self, store: Store, conversation_id: str, emit: Callable[[Said], None]):
        self._store = store
        self._key = f"queue.{conversation_id}"
        self._emit = emit
        self._messages: list[Message] = []

    async def load(self) -> None:
        """What was queued when the app ended."""
        kept = await self._store.kept.get(self._key)
        self._messages = _kept.validate_python(kept) if kept else []

    @property
    def listed(self) -> tuple[QueuedMessage, ...]:
        return tuple(_shown(m) for m in self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    async def add(self, blocks: tuple[Block, ...], origin: Origin | None) -> str:
        message = Message(id=new_id("msg"), role="user", blocks=blocks, origin=origin)
        self._messages.append(message)
        await self._changed()
        return message.id

    async def remove(self, queued_id: str) -> Message:
        message = self._find(queued_id)
        self._messages.remove(message)
        await self._changed()
        return message

    async def edit(self, queued_id: str, text: str) -> None:
        message = self._find(queued_id)
        kept = tuple(b for b in message.blocks if not isinstance(b, TextBlock))
        edited = message.model_copy(update={"blocks": (*kept, TextBlock(text=text)), "origin": None})
        self._messages[self._messages.index(message)] = edited
        await self._changed()

    async def first(self, queued_id: str) -> None:
        """Move one to the front."""
        message = self._find(queued_id)
        self._messages.remove(message)
        self._messages.insert(0, message)
        await self._changed()

    async def take(self) -> list[Message]:
        """All of them, out of the queue."""
        taken, self._messages = self._messages, []
        if taken:
            await self._changed()
        return taken

    def _find(self, queued_id: str) -> Message:
        found = next((m for m in self._messages if m.id == queued_id), None)
        if found is None:
            raise Refused("not_found", "This message is not in the queue any more; it was sent or removed.")
        return found

    async def _changed(self) -> None:
        if self._messages:
            await self._store.kept.set(self._key, _kept.dump_python(self._messages, mode="json"))
        else:
            await self._store.kept.remove(self._key)
        self._emit(QueueChanged(self.listed))


def _shown(message: Message) -> QueuedMessage:
    files = [
        Attachment(ref=b.ref, media_type=b.media_type, name=b.name or b.ref, size=getattr(b, "size", None) or 0)
        for b in message.blocks
        if isinstance(b, ImageBlock | FileBlock)
    ]
    label = message.origin.label if message.origin else None
    return QueuedMessage(id=message.id, text=message.text, label=label, attachments=tuple(files))
