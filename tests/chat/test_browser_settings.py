"""What the settings say of the browser holds at once, and private addresses are asked about in the conversation."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from app.chat.leochat import LeoChat, Run
from app.chat.said import ElicitationRequest
from app.chat.session import Session
from tests.chat.conftest import Watcher, results, said, watched

WISH = '[browser__browser_navigate url="http://127.0.0.1:9/"]'
NO_PROGRAM = "/nowhere/chrome that the settings name is not there"


async def answered(leo: LeoChat, session: Session, watcher: Watcher, action: Literal["accept", "decline"]) -> str:
    """The result of a call whose question is answered so."""
    before = len(watcher.of(ElicitationRequest))
    task = asyncio.ensure_future(said(session, WISH))
    async with asyncio.timeout(30):
        while len(watcher.of(ElicitationRequest)) == before:  # noqa: ASYNC110 - the watcher has no event for it
            await asyncio.sleep(0.01)
    question = watcher.of(ElicitationRequest)[-1].elicitation
    assert "127.0.0.1:9" in question.message
    leo.answer(question.request_id, action, {} if action == "accept" else None)
    await task
    return results(session)[-1].text


async def test_private_addresses_are_asked_about_and_settings_hold_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    leo = LeoChat(tmp_path / "home", Run(servers=(), bundled=("browser",), approve="all"), environ={})
    leo.start()
    try:
        assert await leo.host.ready(timeout=90)
        session, watcher = await watched(leo)
        await leo.set_setting("browser.program", "/nowhere/chrome")  # so that none has to be started
        assert "did not allow this address" in await answered(leo, session, watcher, "decline")
        assert NO_PROGRAM in await answered(leo, session, watcher, "accept")
        asked = len(watcher.of(ElicitationRequest))
        await said(session, WISH)  # the yes holds
        await leo.set_setting("network.open_hosts", ["127.0.0.1:10"])
        await said(session, WISH.replace(":9/", ":10/"))  # and so does the setting
        assert [NO_PROGRAM in result.text for result in results(session)[-2:]] == [True, True]
        assert len(watcher.of(ElicitationRequest)) == asked
    finally:
        await leo.close()
