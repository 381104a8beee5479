"""The loop's journal on the store: a message's end stores the message, a checkpoint syncs all before it."""

from app.core.events import Checkpoint, Event, MessageEnd, TaskEnd, TaskStart
from app.core.messages import Message
from app.store import Store


class StoreJournal:
    """One conversation's journal. Only the events that must survive are written; a user's message is synced at once."""

    def __init__(self, store: Store, conversation_id: str):
        self._store = store
        self._conversation_id = conversation_id
        self._task_id = ""
        self.seq = 0

    async def append(self, event: Event) -> None:
        match event:
            case MessageEnd(message=message):
                await self._store.messages.append(self._conversation_id, message, durable=message.role == "user")
            case Checkpoint(reason=reason):
                await self._store.tasks.checkpoint(self._conversation_id, reason, self.seq)
            case TaskStart(task_id=task_id):
                self._task_id = task_id
                await self._store.tasks.begin(task_id, self._conversation_id)
            case TaskEnd(reason=reason, error=error):
                await self._store.tasks.end(self._task_id, reason, error)
            case _:
                pass

    async def draft(self, message: Message) -> None:
        await self._store.messages.save_partial(self._conversation_id, message)
