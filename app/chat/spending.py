"""What a conversation has used: tokens and cost summed, and what its next request begins with."""

from collections.abc import Sequence
from typing import Any

from app.core.messages import Message, Usage
from app.store import Store


class Spending:
    """`usage` of all replies, on other branches too; `used`: tokens of the last request with its reply, None unknown."""

    def __init__(self, store: Store, conversation_id: str):
        self._store = store
        self._conversation_id = conversation_id
        self.usage = Usage()
        self.used: int | None = None

    async def load(self, shown: Sequence[Message]) -> None:
        """As it is kept; `shown` is the branch that the next request is made of."""
        self.usage = (await self._store.usage.of_conversation(self._conversation_id)).usage
        counted = [m.usage for m in shown if m.usage and m.usage.input_tokens is not None and not m.covers]
        self.used = _used(counted[-1]) if counted else None

    def count(self, message: Message) -> None:
        """One more that was kept."""
        usage = message.usage
        if usage is None:
            return
        self.usage = plus(self.usage, usage)
        if usage.input_tokens is not None and not message.covers:  # a summary's request says nothing of the next one's size
            self.used = _used(usage)

    async def lost(self, message: Message) -> None:
        """What was spent for a reply that is not kept."""
        await self._store.usage.add(self._conversation_id, message)
        self.usage = plus(self.usage, message.usage)


def plus(one: Usage | None, other: Usage | None) -> Usage:
    """The sum; what neither says stays unknown."""
    pair = (one or Usage(), other or Usage())
    return Usage(**{field: _sum(*(getattr(usage, field) for usage in pair)) for field in Usage.model_fields})


def _used(usage: Usage) -> int:
    return (usage.input_tokens or 0) + (usage.output_tokens or 0)


def _sum(one: float | None, other: float | None) -> Any:
    return other if one is None else one if other is None else one + other
