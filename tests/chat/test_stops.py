"""A stop ends what a task waits for: the next try of a provider, a summary being written, a tool that does not listen."""

import asyncio
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil

from app.chat.leochat import LeoChat
from app.chat.models import Given
from app.chat.session import Session
from app.core.events import TaskEnd
from app.mcp_host.config import ServerConfig, accept_launch
from tests.chat.conftest import Opener, results, said, script, watched
from tests.kill.case import unpaired
from tests.mcp_host.desk import eventually
from tests.providers.stand_in import Asked, Reply, StandIn, sse

QUIET_SECONDS = 2.0
"""As promised; doubled below, since a busy computer runs the tests."""
STUBBORN = Path(__file__).with_name("stubborn.py")
BUSY = Reply([json.dumps({"error": {"message": "overloaded"}}).encode()], 503, {"Content-Type": "application/json"})


def answering(text: str) -> Reply:
    chunk = {"id": "1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}
    return Reply(sse(chunk, "[DONE]"))


async def stopped(session: Session) -> float:
    """Stop, and say how long it took until nothing ran."""
    began = time.monotonic()
    await session.stop()
    took = time.monotonic() - began
    assert not session.running
    assert unpaired(session.messages) == []
    return took


async def model(opened: Opener, server: StandIn) -> LeoChat:
    return await opened(given=Given(provider="custom", base_url=f"{server.url}/v1", model="m"))


async def test_while_it_waits_for_the_next_try(opened: Opener) -> None:
    down = [True]
    with StandIn(lambda asked: BUSY if down[0] else answering("Here I am.")) as server:
        session, watcher = await watched(await model(opened, server))
        await session.send("hello")
        await watcher.heard("retry")
        assert await stopped(session) < 2 * QUIET_SECONDS
        assert watcher.of(TaskEnd)[-1].reason == "cancelled"
        asked = len(server.asked)
        down[0] = False
        await session.resume()
        await session.tasks.wait()
        assert session.messages[-1].text == "Here I am."
        assert len(server.asked) >= asked + 1


async def test_while_a_summary_is_written(opened: Opener) -> None:
    writing = asyncio.Event()
    loop = asyncio.get_running_loop()

    def reply(asked: Asked) -> Reply:
        if "<conversation>" not in json.dumps(asked.body):
            return answering("An answer.")
        loop.call_soon_threadsafe(writing.set)
        return Reply([], cut=True, hold=held)

    held = threading.Event()
    with StandIn(reply) as server:
        session, _ = await watched(await model(opened, server))
        await said(session, "one")
        await said(session, "two")
        before = list(session.messages)
        compacting = asyncio.create_task(session.tasks.compact())
        async with asyncio.timeout(20):
            await writing.wait()
        assert await stopped(session) < 2 * QUIET_SECONDS
        held.set()
        await asyncio.gather(compacting, return_exceptions=True)
        assert session.messages == before
        await said(session, "three")
        assert session.messages[-1].text == "An answer."


async def test_a_tool_that_does_not_listen_is_ended_with_all_it_started(opened: Opener, tmp_path: Path) -> None:
    config = ServerConfig(name="stubborn", command=sys.executable, args=(str(STUBBORN), str(tmp_path / "child.txt")))
    leo = await opened(accept_launch(config), approve="all")
    session, watcher = await watched(leo)
    calls: list[dict[str, Any]] = [
        {"blocks": [{"type": "tool_call", "name": f"stubborn__{tool}", "arguments": {}}]} for tool in ("work", "quick")
    ]
    await session.send(script(tmp_path / "s.jsonl", *calls, {"blocks": [{"type": "text", "text": "done"}]}))
    await watcher.heard("tool_start")
    await eventually((tmp_path / "child.txt").exists)
    child = psutil.Process(int((tmp_path / "child.txt").read_text()))
    assert await stopped(session) < 2 * QUIET_SECONDS
    await eventually(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
    assert "unknown" in results(session)[-1].text
    await said(session, "and now the quick one")
    assert results(session)[-1].text == "quick"


async def test_a_server_that_listens_goes_on_as_it_was(opened: Opener, rude: ServerConfig, tmp_path: Path) -> None:
    leo = await opened(rude, approve="all")
    session, watcher = await watched(leo)
    await session.send("[rude__wait seconds=30]")
    await watcher.heard("tool_start")
    begun = {status.name: status.started_ms for status in leo.host.statuses()}
    await stopped(session)
    await asyncio.sleep(QUIET_SECONDS)  # what would end it comes within this time
    assert {status.name: status.started_ms for status in leo.host.statuses()} == begun
    await said(session, "[rude__look]")
    assert results(session)[-1].text == "looked"
