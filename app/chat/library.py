"""All conversations: the list, opening one, search, branching and export."""

import asyncio
import contextlib
import re
from weakref import WeakValueDictionary

from app.chat.facts import ExportedFile, SearchHit
from app.chat.refused import Refused
from app.chat.rooms import Rooms
from app.chat.said import ConversationInfo, ConversationsChanged
from app.chat.session import Session
from app.store import ConversationRow

LIST_DELAY = 0.05
IDLE_KEPT = 12
"""Conversations kept open though nothing happens in them and nobody watches."""


class Library:
    """Every conversation of a home; the opened ones as live sessions."""

    def __init__(self, rooms: Rooms):
        self._rooms = rooms
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()
        """All there are: whoever still holds one finds no second one beside it."""
        self._kept: dict[str, Session] = {}
        """Those held here, the last used at the end."""
        self._opening: dict[str, asyncio.Task[Session]] = {}
        self._telling: asyncio.Task[None] | None = None

    async def new(self) -> ConversationInfo:
        """A new conversation; it is listed once it has a message."""
        row = await self._rooms.store.conversations.create()
        session = Session(self._rooms, row)
        await session.load()
        self._keep(session)
        return session.info()

    async def session(self, conversation_id: str) -> Session:
        """The live conversation, opened where it was not; Refused where there is none."""
        if session := self._sessions.get(conversation_id):
            self._keep(session)
            await self._caught_up(session)
            return session
        if conversation_id not in self._opening:
            self._opening[conversation_id] = asyncio.create_task(self._open(conversation_id))
        try:
            return await asyncio.shield(self._opening[conversation_id])
        finally:
            self._opening.pop(conversation_id, None)

    def live(self, conversation_id: str) -> Session | None:
        """The conversation if it is open."""
        return self._sessions.get(conversation_id)

    async def _open(self, conversation_id: str) -> Session:
        row = await self._rooms.store.conversations.get(conversation_id)
        if row is None or row.deleted_ms is not None:
            raise Refused("not_found", "There is no such conversation (any more).")
        session = Session(self._rooms, row)
        await session.load()
        session = self._sessions.setdefault(conversation_id, session)
        self._keep(session)
        if row.running:
            await session.elsewhere.notice()
        return session

    def _keep(self, session: Session) -> None:
        """Hold it, and let go of those that have rested longest."""
        self._sessions[session.id] = session
        self._kept.pop(session.id, None)
        self._kept[session.id] = session
        idle = [s.id for s in self._kept.values() if s.idle and s is not session]
        for conversation_id in idle[: max(len(idle) - IDLE_KEPT, 0)]:
            del self._kept[conversation_id]

    async def _caught_up(self, session: Session) -> None:
        if session.running:
            return
        row = await self._rooms.store.conversations.get(session.id)
        if row is None or session.running:
            return
        if row.head_id != session.head or (session.unfinished and not row.running):
            with session.tasks.alone():
                await session.catch_up(row)
        if row.running:
            await session.elsewhere.notice()

    async def caught_up(self) -> None:
        """What was taken in from outside is seen in open conversations too."""
        for session in list(self._sessions.values()):
            await self._caught_up(session)
        self.changed()

    async def listed(self) -> ConversationsChanged:
        """The list, newest first; conversations without a message are left out."""
        rows = await self._rooms.store.conversations.all()
        return ConversationsChanged(tuple(self._info(r) for r in rows if r.message_count or r.id in self._busy()))

    def _busy(self) -> set[str]:
        return {s.id for s in self._sessions.values() if s.running}

    def _info(self, row: ConversationRow) -> ConversationInfo:
        if session := self._sessions.get(row.id):
            return session.info().model_copy(update={"updated_ms": row.updated_ms})
        return Session(self._rooms, row).info().model_copy(update={"running": row.running})

    def changed(self) -> None:
        """Tell every window the list, once for many changes at a time."""
        if self._telling is None or self._telling.done():
            self._telling = asyncio.get_running_loop().create_task(self._tell_soon())

    async def _tell_soon(self) -> None:
        await asyncio.sleep(LIST_DELAY)
        self._rooms.windows.tell_all(await self.listed())

    async def rename(self, conversation_id: str, title: str) -> None:
        if not title.strip():
            raise Refused("invalid", "A title needs at least one letter.")
        await (await self.session(conversation_id)).rename(title)

    async def delete(self, conversation_id: str) -> None:
        """Out of the list, its task stopped; Refused (busy) while one runs in another process with this home."""
        session = await self.session(conversation_id)
        if not session.running:
            await session.tasks.free()
        await session.stop()
        await self._rooms.store.conversations.delete(conversation_id)
        self._sessions.pop(conversation_id, None)
        self._kept.pop(conversation_id, None)
        self.changed()

    async def undelete(self, conversation_id: str) -> None:
        if await self._rooms.store.conversations.get(conversation_id) is None:
            raise Refused("not_found", "There is no such conversation (any more).")
        await self._rooms.store.conversations.undelete(conversation_id)
        self.changed()

    async def branch(self, conversation_id: str, message_id: str) -> str:
        """A new conversation with a copy of everything up to this message."""
        store, source = self._rooms.store, await self.session(conversation_id)
        if await store.messages.get(conversation_id, message_id) is None:
            raise Refused("not_found", "This message is not in the conversation.")
        row = await store.conversations.create(source.row.options, title=source.row.title)
        await store.messages.copy_branch(conversation_id, message_id, row.id)
        self.changed()
        return row.id

    async def search(self, text: str) -> list[SearchHit]:
        hits = await self._rooms.store.search(text)
        return [
            SearchHit(
                conversation_id=h.conversation_id,
                title=h.title,
                snippet=_marked(h.snippet, h.marks),
                message_id=h.message_id,
                updated_ms=h.at_ms,
            )
            for h in hits
        ]

    async def export(self, conversation_id: str, kind: str) -> ExportedFile:
        """The shown branch as Markdown to read, or the whole as JSON that can be imported again."""
        session = await self.session(conversation_id)
        stem = re.sub(r"[^\w\- ]+", "", session.row.title).strip()[:60] or "conversation"
        if kind == "markdown":
            text = await self._rooms.store.archive.markdown(conversation_id)
            return ExportedFile(name=f"{stem}.md", media_type="text/markdown", text=text)
        text = await self._rooms.store.archive.json_text([conversation_id])
        return ExportedFile(name=f"{stem}.json", media_type="application/json", text=text)

    async def grants_changed(self) -> None:
        """Open sessions read again what is allowed."""
        for session in list(self._sessions.values()):
            await session.approvals.load()

    async def close(self) -> None:
        """Stop every task and let what is being kept be kept."""
        for session in list(self._sessions.values()):
            session.elsewhere.close()
            await session.tasks.stop()
            await session.tasks.quiet()
        if self._telling:
            self._telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._telling


def _marked(snippet: str, marks: tuple[tuple[int, int], ...]) -> str:
    for start, end in sorted(marks, reverse=True):
        snippet = f"{snippet[:start]}\x02{snippet[start:end]}\x03{snippet[end:]}"
    return snippet
