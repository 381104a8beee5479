"""Messages sent while a task runs: shown, changeable, kept over a crash, and joined at the next round."""

import functools
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue, TypeAdapter

from app.chat.refused import Refused
from app.chat.said import Attachment, QueueChanged, QueuedMessage, Said
from app.core.messages import Block, FileBlock, ImageBlock, Message, Origin, TextBlock, new_id
from app.store import Store, StoreError, Work, failpoint

Kept = list[Any]
"""The queue as it is kept: messages as JSON, oldest first."""


class Queue:
    """One conversation's queue, oldest first.

    What is taken out stays kept until its message is: both change in one transaction of the journal, so that no moment
    has it in neither place.
    """

    def __init__(self, store: Store, conversation_id: str, emit: Callable[[Said], None]):
        self._store = store
        self._key = f"queue.{conversation_id}"
        self._emit = emit
        self._messages: list[Message] = []
        self._leaving: list[Message] = []

    async def load(self) -> None:
        """What was queued when the app ended."""
        kept = await self._store.kept.get(self._key)
        self._messages = _reader().validate_python(kept) if kept else []

    @property
    def listed(self) -> tuple[QueuedMessage, ...]:
        return tuple(_shown(m) for m in self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    async def add(self, blocks: tuple[Block, ...], origin: Origin | None) -> str:
        message = Message(id=new_id("msg"), role="user", blocks=blocks, origin=origin)
        self._messages.append(message)
        try:
            await self._change(lambda kept: [*kept, message.model_dump(mode="json")])
        except StoreError:
            if message in self._messages:  # it was refused: sent again by the person it would go in twice
                self._messages.remove(message)
                raise
        return message.id

    async def remove(self, queued_id: str) -> Message:
        message = self._find(queued_id)
        at = self._messages.index(message)
        self._messages.remove(message)
        try:
            await self._change(lambda kept: _without(kept, queued_id))
        except StoreError:
            self._messages.insert(at, message)
            raise
        return message

    async def edit(self, queued_id: str, text: str) -> None:
        message = self._find(queued_id)
        edited = message.model_copy(update={"blocks": reworded(message.blocks, text), "origin": None})
        self._messages[self._messages.index(message)] = edited
        try:
            await self._change(lambda kept: [edited.model_dump(mode="json") if m["id"] == queued_id else m for m in kept])
        except StoreError:
            self._messages = [message if m is edited else m for m in self._messages]
            raise

    async def first(self, queued_id: str) -> None:
        """Move one to the front."""
        message = self._find(queued_id)
        self._messages.remove(message)
        self._messages.insert(0, message)
        await self._change(lambda kept: [*(m for m in kept if m["id"] == queued_id), *_without(kept, queued_id)])

    def take(self) -> list[Message]:
        """All of them, out of the queue, to be placed in the conversation."""
        if self._messages:
            self._leaving += self._messages
            self._messages = []
            self._emit(QueueChanged(()))
            failpoint("chat.queue.taken")
        return list(self._leaving)

    def placing(self, message_id: str) -> list[Work[None]]:
        """What belongs into the transaction that keeps this message in the conversation."""
        if not any(m.id == message_id for m in self._leaving):
            return []
        return [self._store.kept.changing(self._key, lambda kept: _without(_listed(kept), message_id) or None)]

    def placed(self, message_id: str) -> None:
        """It is in the conversation."""
        left = [m for m in self._leaving if m.id != message_id]
        if len(left) < len(self._leaving):
            self._leaving = left
            failpoint("chat.queue.placed")

    def put_back(self) -> None:
        """What was taken and not placed, since the task broke off, waits again."""
        if self._leaving:
            self._messages, self._leaving = [*self._leaving, *self._messages], []
            self._emit(QueueChanged(self.listed))

    def _find(self, queued_id: str) -> Message:
        found = next((m for m in self._messages if m.id == queued_id), None)
        if found is None:
            raise Refused("not_found", "This message is not in the queue any more; it was sent or removed.")
        return found

    async def _change(self, how: Callable[[Kept], Kept]) -> None:
        await self._store.kept.change(self._key, lambda kept: how(_listed(kept)) or None, durable=True)
        self._emit(QueueChanged(self.listed))


def reworded(blocks: tuple[Block, ...], text: str) -> tuple[Block, ...]:
    """A message's blocks with another text and the same attachments; Refused where nothing would be left to send."""
    kept = tuple(b for b in blocks if not isinstance(b, TextBlock))
    if not kept and not text.strip():
        raise Refused("invalid", "There is nothing to send.")
    return (*kept, TextBlock(text=text)) if text.strip() else kept


@functools.cache
def _reader() -> TypeAdapter[list[Message]]:
    return TypeAdapter(list[Message])


def _listed(kept: JsonValue) -> Kept:
    return kept if isinstance(kept, list) else []


def _without(kept: Kept, message_id: str) -> Kept:
    return [m for m in kept if m["id"] != message_id]


def _shown(message: Message) -> QueuedMessage:
    files = [
        Attachment(ref=b.ref, media_type=b.media_type, name=b.name or b.ref, size=getattr(b, "size", None) or 0)
        for b in message.blocks
        if isinstance(b, ImageBlock | FileBlock)
    ]
    label = message.origin.label if message.origin else None
    return QueuedMessage(id=message.id, text=message.text, label=label, attachments=tuple(files))
