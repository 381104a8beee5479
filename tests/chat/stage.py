"""One session on a real store with a scripted model and scripted tools: what a conversation is made of, without servers."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from app.chat.rooms import Choice, Limits, Rooms
from app.chat.said import Opened, Said
from app.chat.session import Session
from app.chat.windows import Window
from app.core.events import MessageEnd
from app.core.messages import Media, Message
from app.core.provider import Provider
from app.core.tools import Toolbox
from app.store import Store


class Source:
    """The one provider there is."""

    def __init__(self, provider: Provider, window: int | None = None):
        self._provider = provider
        self.window = window

    def choice(self) -> Choice:
        return Choice("scripted", "m")

    async def connect(self, provider: str) -> Provider:
        await asyncio.sleep(0)
        return self._provider

    def reads(self, provider: str, model: str, media: Media) -> bool:
        return media.media_type.startswith("text/")

    def ask_again(self) -> None: ...

    def context_window(self, provider: str, model: str) -> int | None:
        return self.window


class Page(Window):
    """A window that folds what it is told into messages, as the page does."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Said] = []
        self.messages: list[Message] = []
        self.seq = 0
        self.on: Callable[[Said], None] = lambda _event: None

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        if conversation_id is None:
            return
        self.told.append(event)
        self.seq = seq
        if isinstance(event, Opened):
            self.messages = [m for m in event.messages if m.role == "user" or m.stop_reason or m.role == "tool"]
        elif isinstance(event, MessageEnd):
            if any(m.id == event.message.id for m in self.messages[-3:]):
                self.messages = [m for m in self.messages if m.id != event.message.id]
            self.messages.append(event.message)
        self.on(event)


def rooms(store: Store, provider: Provider, toolbox: Toolbox, limits: Limits | None = None, window: int | None = None) -> Rooms:
    """A person is there to be asked."""
    return Rooms(
        store=store,
        toolbox=toolbox,
        models=Source(provider, window),
        attended=lambda: True,
        limits=lambda: limits or Limits(),
    )


async def opened(home: Path, provider: Provider, toolbox: Toolbox, limits: Limits | None = None) -> tuple[Store, Session]:
    """A new conversation; the store is the caller's to close."""
    store = Store.open(home)
    session = Session(rooms(store, provider, toolbox, limits), await store.conversations.create())
    await session.load()
    return store, session


async def reopened(store: Store, session: Session) -> list[Message]:
    """The shown branch as a next start would find it."""
    return await store.messages.branch(session.id)
