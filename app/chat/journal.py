"""The loop's journal on the store: a message's end stores the message, a checkpoint syncs all before it."""

from pydantic import JsonValue

from app.chat.queueing import Queue
from app.core.events import ApprovalAnswer, ApprovalRequest, Checkpoint, Event, MessageEnd, TaskEnd, TaskStart
from app.core.messages import Message
from app.store import Store, Work


class StoreJournal:
    """One conversation's journal. Only the events that must survive are written; a user's message is synced at once."""

    def __init__(self, store: Store, conversation_id: str, queue: Queue):
        self._store = store
        self._conversation_id = conversation_id
        self._queue = queue
        self.task_id = ""
        self._asked = f"asked.{conversation_id}"
        self.seq = 0

    async def append(self, *events: Event) -> None:
        works = [work for event in events for work in self._works(event)]
        if works:
            await self._store.together(*works, durable=any(map(_is_durable, events)))
        for event in events:
            if isinstance(event, MessageEnd):
                self._queue.placed(event.message.id)

    def _works(self, event: Event) -> list[Work[None]]:
        store, conversation = self._store, self._conversation_id
        match event:
            case MessageEnd(message=message):
                return [store.messages.appending(conversation, message), *self._queue.placing(message.id)]
            case Checkpoint(reason=reason):
                return [store.tasks.checkpointing(conversation, reason, self.seq)]
            case TaskStart(task_id=task_id):
                self.task_id = task_id
                return [store.tasks.beginning(task_id, conversation)]
            case TaskEnd(reason=reason, error=error):
                return [store.tasks.ending(self.task_id, reason, error)]
            case ApprovalRequest(call=call):
                return [store.kept.changing(self._asked, lambda kept: [*_others(kept, call.id), call.id])]
            case ApprovalAnswer(call_id=call_id):
                return [store.kept.changing(self._asked, lambda kept: _others(kept, call_id) or None)]
            case _:
                return []

    async def asked(self) -> set[str]:
        """What a crash left open, forgotten before anything of it can run: it would count as not begun for ever."""
        if not (kept := _others(await self._store.kept.get(self._asked))):
            return set()
        await self._store.kept.change(self._asked, lambda _kept: None, durable=True)
        return set(map(str, kept))

    async def draft(self, message: Message) -> None:
        await self._store.messages.save_partial(self._conversation_id, message)


def _others(kept: JsonValue, call_id: str = "") -> list[JsonValue]:
    return [one for one in kept if one != call_id] if isinstance(kept, list) else []


def _is_durable(event: Event) -> bool:
    return not isinstance(event, MessageEnd) or event.message.role == "user"
