"""Asking a provider in tests: requests, the events of an answer, and a parser fed without a network."""

from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from app.core.events import BlockDelta, BlockEnd, BlockStart, ModelEnd, ModelEvent, PictureMade, Retry
from app.core.messages import Block, Message, TextBlock, ThinkingBlock, ToolCall, ToolResultBlock, Usage
from app.core.provider import Provider, ProviderError, Request
from app.core.tools import ToolSpec
from app.providers.body import BodyReader
from app.providers.connect import find_vendor, wire_of
from app.providers.vendors import PROTOCOLS, ProtocolName
from app.providers.wire import Address

NO_USAGE = Usage()


@dataclass
class Heard:
    """An answer as the loop would fold it."""

    events: list[ModelEvent] = field(default_factory=list[ModelEvent])
    error: ProviderError | None = None

    @property
    def blocks(self) -> list[Block]:
        return [e.block for e in sorted((e for e in self.events if isinstance(e, BlockEnd)), key=lambda e: e.index)]

    @property
    def text(self) -> str:
        return "".join(b.text for b in self.blocks if isinstance(b, TextBlock))

    @property
    def thinking(self) -> str:
        return "".join(b.text for b in self.blocks if isinstance(b, ThinkingBlock))

    @property
    def calls(self) -> list[ToolCall]:
        return [b for b in self.blocks if isinstance(b, ToolCall)]

    @property
    def pictures(self) -> list[tuple[int, str, bytes]]:
        return [(e.index, e.media_type, e.data) for e in self.events if isinstance(e, PictureMade)]

    @property
    def end(self) -> ModelEnd:
        assert self.error is None, self.error
        last = self.events[-1]
        assert isinstance(last, ModelEnd)
        return last

    @property
    def retries(self) -> list[Retry]:
        return [e for e in self.events if isinstance(e, Retry)]

    def check_order(self) -> None:
        """Every block begins once, its deltas come between, and they add up to what its end says."""
        parts: dict[int, list[str]] = {}
        over: set[int] = set()
        for event in self.events:
            if isinstance(event, BlockStart):
                assert event.index == len(parts), "indexes rise by one"
                parts[event.index] = []
            elif isinstance(event, PictureMade):
                assert event.index == len(parts), "indexes rise by one"
                parts[event.index] = []
                over.add(event.index)
            elif isinstance(event, BlockDelta):
                assert event.index not in over
                parts[event.index].append(event.text)
            elif isinstance(event, BlockEnd):
                assert event.index not in over
                over.add(event.index)
                if isinstance(event.block, TextBlock | ThinkingBlock):
                    assert event.block.text == "".join(parts[event.index])
        assert over == set(parts), "every block that began ended"


async def hear(provider: Provider, request: Request) -> Heard:
    heard = Heard()
    try:
        async with aclosing(provider.stream(request)) as events:
            async for event in events:
                heard.events.append(event)
    except ProviderError as error:
        heard.error = error
    heard.check_order()
    return heard


def parsed(protocol: str, pieces: Iterable[bytes], request: Request | None = None, vendor: str = "custom") -> Heard:
    """What a body says, read in these pieces."""
    wire = wire_of(protocol_name(protocol))
    reading = wire.reading(Address(find_vendor(vendor), "http://model.test/v1", "key"), request or ask("Go on."))
    reader = BodyReader(reading.take, reading.mould)
    heard = Heard()
    try:
        for piece in pieces:
            reader.feed(piece)
        reader.close()
        reading.end(reader.done)
        heard.events = list(reading.reply.events)
    except ProviderError as error:
        heard.error = error
        heard.events = reading.reply.abandon()
    heard.check_order()
    return heard


def protocol_name(name: str) -> ProtocolName:
    return next(p for p in PROTOCOLS if p == name)


def user(text: str, **more: Any) -> Message:
    return Message(id="m_user", role="user", blocks=(TextBlock(text=text),), **more)


def assistant(*blocks: Block, **more: Any) -> Message:
    return Message(id="m_model", role="assistant", blocks=blocks, **more)


def results(*pairs: tuple[str, str]) -> Message:
    return Message(id="m_tool", role="tool", blocks=tuple(ToolResultBlock(tool_call_id=i, text=t) for i, t in pairs))


def ask(*messages: str | Message, **more: Any) -> Request:
    said = tuple(user(m) if isinstance(m, str) else m for m in messages)
    return Request(model=more.pop("model", "test-model"), messages=said, **more)


def tool(name: str, schema: dict[str, Any] | None = None, description: str = "Does it.") -> ToolSpec:
    server, _, bare = name.rpartition("__")
    return ToolSpec(
        name=name, server=server or "files", tool=bare, description=description, input_schema=schema or {"type": "object"}
    )
