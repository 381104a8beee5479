"""The system's notification: when a task ends or asks while the window is out of sight, and only then; and the list's badge."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from app.chat.leochat import LeoChat, Run
from app.chat.rooms import Limits
from app.chat.said import Said, ShowConversation
from app.chat.shell import NoShell
from app.core.provider import ProviderError
from app.core.ui_commands import ShowNotification
from tests.chat.conftest import said, watched
from tests.chat.stage import Page, opened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says
from tests.mcp_host.desk import eventually


async def test_a_question_and_an_end_are_told_with_their_words_and_the_row_waits(tmp_path: Path) -> None:
    lost = Reply("half", error=ProviderError("network", "The connection was lost."))
    provider = ScriptedProvider(Reply("let me", calls=(call("t"),)), lost)
    store, session = await opened(tmp_path, provider, ScriptedTools(t=says("x")), Limits())
    told: list[str] = []
    session.rooms.notify = lambda _title, body, _conversation: told.append(body)
    asked = asyncio.Event()
    page = Page()
    page.on = lambda event: asked.set() if event.type == "approval_request" else None
    page.watch(session)
    try:
        await session.send("go")
        async with asyncio.timeout(20):
            await asked.wait()
            assert session.info().waiting
            session.answer_approval(next(iter(session.live.approvals)), "once", "tool")
            await session.tasks.wait()
        assert not session.info().waiting
        assert told == ["box asks: t", "The connection was lost."]
    finally:
        store.close()


class Desktop(NoShell):
    """Keeps what it was asked to show."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.opens: Callable[[], None] | None = None

    async def notify(self, title: str, body: str, opens: Callable[[], None] | None = None) -> None:
        self.shown.append(body)
        self.opens = opens


async def test_it_is_shown_while_no_window_is_in_sight_and_a_click_opens_the_conversation(tmp_path: Path) -> None:
    desktop = Desktop()
    leo = LeoChat(tmp_path, Run(servers=(), bundled=(), offline=True), desktop, environ={})
    leo.start()
    session, watcher = await watched(leo)
    told: list[Said] = []
    execute = watcher.tell

    def tell(conversation_id: str | None, event: Said, seq: int = 0) -> None:
        told.append(event)
        execute(conversation_id, event, seq)

    watcher.tell = tell
    try:
        leo.windows.focus(watcher, focused=True, visible=True)
        await said(session, "hello")
        assert desktop.shown == []
        leo.windows.focus(watcher, focused=True, visible=False)
        await said(session, "hello again")
        await eventually(lambda: desktop.shown == ["Done."])
        assert desktop.opens
        desktop.opens()
        assert [e.conversation_id for e in told if isinstance(e, ShowConversation)] == [session.id]
        await session.ui_host.perform(ShowNotification(message="Saved"), {"message": "Saved"}, "leochat", clicked=False)
        await eventually(lambda: desktop.shown == ["Done.", "Saved"])
        desktop.opens()
        assert [e.conversation_id for e in told if isinstance(e, ShowConversation)] == [session.id] * 2
        leo.settings.set("general.notifications", False)
        await said(session, "and again")
        assert desktop.shown == ["Done.", "Saved"]
    finally:
        await leo.close()
