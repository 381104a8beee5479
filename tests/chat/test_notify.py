"""The system's notification: when a task ends or asks while the window is out of sight, and only then; and the list's badge."""

import asyncio
from pathlib import Path

from app.chat.rooms import Limits
from app.core.provider import ProviderError
from tests.chat.stage import Page, opened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says


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
