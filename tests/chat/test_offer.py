"""The tools of bundled servers are there for the very first message of the very first start."""

from pathlib import Path

import pytest

from app.chat.leochat import LeoChat, Run
from tests.chat.conftest import results, said


async def test_a_message_sent_at_once_finds_the_bundled_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    leo = LeoChat(tmp_path / "home", Run(servers=(), bundled=("shop",), offline=True), environ={})
    leo.start()
    try:
        session = await leo.library.session((await leo.library.new()).id)
        await said(session, "[cart_view]")
        assert [r.is_error for r in results(session)] == [False]
    finally:
        await leo.close()
