"""Stop, from the socket: at every event of a task with three tools in a process of their own, all is quiet in time."""

import asyncio
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import psutil
import pytest

from app.chat.leochat import LeoChat, Run
from app.mcp_host.config import ServerConfig, accept_launch
from app.web.server import Server
from tests.chat.conftest import RUDE, script
from tests.core.test_loop import unpaired
from tests.web.conftest import Line, open_line

QUIET = 2.0
PATIENCE = 3.0
"""How much longer a loaded computer may take."""
EVENTS = (
    "task_start",
    "round_start",
    "message_start",
    "block_delta",
    "model_end",
    "approval_request",
    "tool_start",
    "tool_end",
)


@pytest.fixture
async def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Server]:
    """Served, with a server whose tools wait."""
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    config = accept_launch(ServerConfig(name="rude", command=sys.executable, args=(str(RUDE),)))
    leo = LeoChat(tmp_path / "home", Run(servers=(config,), bundled=(), offline=True), environ={})
    served = Server(leo)
    await served.start()
    leo.start()
    assert await leo.host.ready(timeout=90)
    yield served
    await leo.close()
    await served.stop()


async def begun(line: Line, folder: Path, *, asks: bool) -> str:
    conversation = (await line.ask("new_conversation"))["data"]["conversation_id"]
    await line.ask("set_setting", name="approvals.mode", value="ask" if asks else "all")
    waits = [{"type": "tool_call", "name": "wait", "arguments": {"seconds": s}} for s in (0.01, 60, 60)]
    words = {"type": "text", "deltas": ["let ", "me ", "wait "] * 5}
    text = script(folder / "s.jsonl", {"blocks": [words, *waits], "delay_ms": 2}, {"blocks": [{"type": "text", "text": "ok"}]})
    await line.ask("send_message", conversation_id=conversation, text=text)
    return conversation


async def heard(line: Line, kind: str) -> None:
    if not any(f["event"]["type"] == kind for f in line.frames):
        await line.until(kind)


async def test_a_stop_at_any_event_is_told_and_leaves_nothing_running(busy: Server, tmp_path: Path) -> None:
    line = await open_line(busy)
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    for kind in EVENTS:
        line.frames.clear()
        conversation = await begun(line, tmp_path, asks=kind == "approval_request")
        await heard(line, kind)
        pressed = time.monotonic()
        stopped = await line.ask("stop", conversation_id=conversation)
        await heard(line, "task_end")
        took = time.monotonic() - pressed
        assert stopped["ok"]
        assert took < QUIET + PATIENCE, f"a stop at {kind} took {took:.1f} s"
        session = await busy.leo.library.session(conversation)
        assert session.tasks.last_end
        assert session.tasks.last_end.reason == "cancelled"
        assert unpaired(session.messages) == []
        assert {p.pid for p in psutil.Process().children(recursive=True)} <= before
        await line.ask("close", conversation_id=conversation)


async def test_a_stopped_conversation_goes_on(busy: Server, tmp_path: Path) -> None:
    line = await open_line(busy)
    conversation = await begun(line, tmp_path, asks=False)
    await heard(line, "tool_start")
    await line.ask("stop", conversation_id=conversation)
    line.frames.clear()
    await line.ask("resume", conversation_id=conversation)
    async with asyncio.timeout(30):
        await heard(line, "task_end")
    assert line.frames[-1]["event"]["reason"] == "done" or any(f["event"].get("reason") == "done" for f in line.frames)
