"""What a window still has to be told: deltas of a block joined, bounded, given up for a fresh start when it is too slow."""

import asyncio
from typing import Any

import orjson

from app.chat.said import Opened, Said
from app.core.events import BlockDelta, writer

FLUSH_SECONDS = 0.008
MAX_FRAMES = 2000
MAX_CHARS = 4 * 1024 * 1024


class Joined:
    """One or more deltas of the same block; goes out as one frame under the last one's number."""

    __slots__ = ("conversation_id", "index", "parts", "seq")

    def __init__(self, conversation_id: str | None, index: int, text: str, seq: int):
        self.conversation_id = conversation_id
        self.index = index
        self.parts = [text]
        self.seq = seq

    def encode(self) -> bytes:
        event = {"type": "block_delta", "index": self.index, "text": "".join(self.parts)}
        return orjson.dumps({"conversation_id": self.conversation_id, "seq": self.seq, "event": event})


class Outbox:
    """Filled by `tell` without ever waiting, emptied by the socket's writer."""

    def __init__(self) -> None:
        self._items: list[Joined | bytes] = []
        self._owners: list[str | None] = []
        self._chars = 0
        self._some = asyncio.Event()
        self.behind: set[str] = set()
        """Conversations whose frames were given up; the writer starts them afresh once it has room."""

    def tell(self, conversation_id: str | None, event: Said, seq: int) -> None:
        """Queue one event."""
        if conversation_id in self.behind:
            return
        if type(event) is BlockDelta:
            self._tell_delta(conversation_id, event, seq)
        elif type(event) is Opened:
            self._start_over(conversation_id, seq, event)
            return
        else:
            self.put(_frame(conversation_id, seq, event), conversation_id)
        if self._chars > MAX_CHARS or len(self._items) > MAX_FRAMES:
            self._give_up()

    def _tell_delta(self, conversation_id: str | None, event: BlockDelta, seq: int) -> None:
        self._chars += len(event.text)
        last = self._items[-1] if self._items else None
        if type(last) is Joined and last.index == event.index and last.conversation_id == conversation_id:
            last.parts.append(event.text)
            last.seq = seq
            return
        self._items.append(Joined(conversation_id, event.index, event.text, seq))
        self._owners.append(conversation_id)
        self._some.set()

    def _start_over(self, conversation_id: str | None, seq: int, event: Opened) -> None:
        """The whole replaces what was queued of it, and counts for nothing: it cannot be made smaller by giving it up."""
        kept = [(i, o) for i, o in zip(self._items, self._owners, strict=True) if o != conversation_id]
        self._items, self._owners = [i for i, _ in kept], [o for _, o in kept]
        self._count()
        self._items.append(_frame(conversation_id, seq, event))
        self._owners.append(conversation_id)
        self._some.set()

    def _count(self) -> None:
        self._chars = sum(len(i) if isinstance(i, bytes) else sum(map(len, i.parts)) for i in self._items)

    def put(self, frame: bytes, conversation_id: str | None = None) -> None:
        """Queue an encoded frame (a reply, say)."""
        self._items.append(frame)
        self._owners.append(conversation_id)
        self._chars += len(frame)
        self._some.set()

    def _give_up(self) -> None:
        """Drop every conversation's frames; what belongs to none (replies, lists) stays."""
        self.behind |= {owner for owner in self._owners if owner is not None}
        kept = [(i, o) for i, o in zip(self._items, self._owners, strict=True) if o is None]
        self._items, self._owners = [i for i, _ in kept], [o for _, o in kept]
        self._count()
        self._some.set()

    async def wait(self) -> None:
        """Until there is something."""
        await self._some.wait()

    def take(self) -> list[bytes]:
        """All that is queued, encoded."""
        items, self._items, self._owners, self._chars = self._items, [], [], 0
        self._some.clear()
        return [i.encode() if isinstance(i, Joined) else i for i in items]


def _frame(conversation_id: str | None, seq: int, event: Said) -> bytes:
    head = orjson.dumps({"conversation_id": conversation_id, "seq": seq})[:-1]
    return head + b',"event":' + writer(type(event)).dump_json(event) + b"}"


def encode_reply(reply: dict[str, Any]) -> bytes:
    """A reply as JSON; values of our own types by their fields."""
    return orjson.dumps(reply, default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, tuple | set | frozenset):
        return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    raise TypeError(f"{type(value).__name__} cannot be told to a window")
