"""What is sent while a task runs: it waits its turn, and is in the queue or in the conversation at any moment, never lost."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.chat.library import Library
from app.chat.queueing import reworded
from app.chat.refused import Refused
from app.chat.said import QueueChanged, Said
from app.chat.session import Session
from app.core.events import TaskEnd
from app.core.messages import ImageBlock, TextBlock, ToolResultBlock
from app.core.pairing import NOT_ALLOWED
from app.store import Store, StoreError
from tests.chat.stage import Page, opened, rooms
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL to be sent on Windows")


async def test_of_two_sent_at_the_same_moment_the_second_waits_for_the_first_ones_reply(tmp_path: Path) -> None:
    store, session = await opened(tmp_path, ScriptedProvider(Reply("one"), Reply("two")), ScriptedTools())
    page = Page()
    page.watch(session)
    try:
        async with asyncio.timeout(20):
            await asyncio.gather(session.send("first"), session.send("second"))
            await session.tasks.wait()
        said = [(m.role, m.text.strip()) for m in session.messages]
        assert said == [("user", "first"), ("assistant", "one"), ("user", "second"), ("assistant", "two")]
        assert ["second"] in [[q.text for q in e.queue] for e in page.told if isinstance(e, QueueChanged)]
    finally:
        store.close()


async def test_two_conversations_run_at_once_and_a_stop_of_one_leaves_the_other(tmp_path: Path) -> None:
    asked, go = [asyncio.Event(), asyncio.Event()], asyncio.Event()

    def waiting(number: int) -> ScriptedProvider:
        async def before() -> None:
            asked[number].set()
            await go.wait()

        return ScriptedProvider(Reply(f"reply {number}", before=before))

    store, one = await opened(tmp_path, waiting(0), ScriptedTools())
    other = Session(rooms(store, waiting(1), ScriptedTools()), await store.conversations.create())
    try:
        await other.load()
        async with asyncio.timeout(20):
            await asyncio.gather(one.send("a"), other.send("b"))
            await asyncio.gather(*(event.wait() for event in asked))
            assert [one.info().running, other.info().running] == [True, True]
            await one.stop()
            assert [one.info().running, other.info().running] == [False, True]
            go.set()
            await other.tasks.wait()
        assert other.messages[-1].text.strip() == "reply 1"
        assert one.info().interrupted == "cancelled"
    finally:
        store.close()


async def test_sent_now_goes_in_before_the_first_reply_also_where_another_waits(tmp_path: Path) -> None:
    """A stop may come before the reply has begun."""
    asked = asyncio.Event()

    async def never() -> None:
        asked.set()
        await asyncio.sleep(600)

    provider = ScriptedProvider(Reply("slow", before=never), Reply("both seen"))
    store, session = await opened(tmp_path, provider, ScriptedTools())
    try:
        async with asyncio.timeout(20):
            await session.send("first")
            await asked.wait()
            queued = await session.send("rather this")
            await session.send_now(queued)
            await session.tasks.wait()
        assert [m.text for m in provider.requests[-1].messages if m.role == "user"] == ["first", "rather this"]
        assert session.messages[-1].text.strip() == "both seen"
        assert len(session.queue) == 0
    finally:
        store.close()


async def test_a_change_that_is_refused_stops_nothing_and_an_empty_one_is_refused(tmp_path: Path) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def held() -> None:
        asked.set()
        await go.wait()

    store, session = await opened(tmp_path, ScriptedProvider(Reply("one"), Reply("two", before=held)), ScriptedTools())
    try:
        async with asyncio.timeout(20):
            await session.send("first")
            await session.tasks.wait()
            await session.send("second")
            await asked.wait()
            queued = await session.send("third")
            own, reply = session.messages[0].id, session.messages[1].id
            for deed in (
                session.tree.edit("msg_nobody", "x"),
                session.tree.edit(reply, "x"),
                session.tree.edit(own, "  "),
                session.tree.regenerate("msg_nobody"),
                session.queue.edit(queued, "\n"),
            ):
                with pytest.raises(Refused):
                    await deed
            assert session.running
            go.set()
            await session.tasks.wait()
        assert [m.text for m in session.messages if m.role == "user"] == ["first", "second", "third"]
        picture = ImageBlock(media_type="image/png", ref="f" * 40)
        assert reworded((picture, TextBlock(text="old")), "") == (picture,), "what is attached is enough to send"
    finally:
        store.close()


async def test_what_runs_in_another_process_is_not_deleted(tmp_path: Path) -> None:
    store, session = await opened(tmp_path, ScriptedProvider(Reply("one")), ScriptedTools())
    other = Store.open(tmp_path)  # its lock file is as another process's
    library = Library(session.rooms)
    try:
        await other.tasks.begin("task_other", session.id)
        with pytest.raises(Refused, match="runs in another LeoChat"):
            await library.delete(session.id)
        await other.tasks.end("task_other", "done")
        await library.delete(session.id)
        assert await store.conversations.all() == []
    finally:
        await library.close()
        other.close()
        store.close()


async def test_asked_again_of_another_model_the_provider_stays(tmp_path: Path) -> None:
    store, session = await opened(tmp_path, ScriptedProvider(Reply("one")), ScriptedTools())
    try:
        await session.set_options({"provider": "other", "model": "m1"})
        await session.send("hello")
        await session.tasks.wait()
        await session.tree.regenerate(session.messages[-1].id, model="m2")
        await session.tasks.wait()
        assert (session.info().provider, session.info().model) == ("other", "m2")
    finally:
        store.close()


async def killed(home: Path, *arguments: str, **environ: str) -> None:
    command = [sys.executable, "-m", "tests.chat.queue_killed", str(home), *arguments]
    env = {**os.environ, **environ}
    run = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == -9, f"it was not killed: {run.stderr}"


@posix
@pytest.mark.parametrize("goes_on", [True, False])
async def test_killed_while_the_person_is_asked_the_call_has_not_begun(tmp_path: Path, *, goes_on: bool) -> None:
    await killed(tmp_path, "asks")
    store = Store.open(tmp_path)
    try:
        tools = ScriptedTools(t=says("x"))
        session = Session(rooms(store, ScriptedProvider(Reply("done")), tools), (await store.conversations.all())[0])
        await session.load()
        page = Page()

        def allow(event: Said) -> None:
            if event.type == "approval_request":
                asyncio.get_running_loop().call_soon(session.approvals.answer, "c1", "once", "tool")

        page.on = allow
        page.watch(session)
        async with asyncio.timeout(20):
            await (session.resume() if goes_on else session.send("something else"))
            await session.tasks.wait()
        told = [b.text for m in session.messages for b in m.blocks if isinstance(b, ToolResultBlock)]
        assert (told, tools.runs) == ((["x"], ["t"]) if goes_on else ([NOT_ALLOWED], []))
        assert await session.journal.asked() == set()
    finally:
        store.close()


@posix
@pytest.mark.parametrize(("point", "waits"), [("chat.queue.taken", 1), ("store.append.written:4", 1), ("chat.queue.placed", 0)])
async def test_a_kill_between_queue_and_conversation_loses_nothing_and_says_nothing_twice(
    tmp_path: Path, point: str, waits: int
) -> None:
    await killed(tmp_path, LEOCHAT_FAILPOINT=point)
    store = Store.open(tmp_path)
    try:
        row = (await store.conversations.all())[0]
        provider = ScriptedProvider(Reply("went on"))
        session = Session(rooms(store, provider, ScriptedTools(t=says("x"))), row)
        await session.load()
        assert [q.text for q in session.queue.listed] == ["meanwhile"] * waits
        async with asyncio.timeout(20):
            await session.resume()
            await session.tasks.wait()
        assert [m.text for m in session.messages if m.role == "user"] == ["go", "meanwhile"]
        assert session.messages[-1].text.strip() == "went on"
        again = Session(session.rooms, row)
        await again.load()
        assert (len(again.queue), len(again.messages)) == (0, len(session.messages))
    finally:
        store.close()


async def test_what_could_not_be_placed_waits_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = asyncio.Event()

    async def told() -> None:
        await sent.wait()

    provider = ScriptedProvider(Reply("so", calls=(call("t"),), before=told), Reply("done"))
    tools = ScriptedTools(t=says("x"))
    tools.extra["t"] = {"never_asks": True}
    store, session = await opened(tmp_path, provider, tools)
    appending = store.messages.appending

    def full(conversation_id: str, message: object) -> object:
        if getattr(message, "role", "") == "user":
            raise StoreError("disk_full", "The disk is full.")
        return appending(conversation_id, message)  # pyright: ignore[reportArgumentType]

    try:
        async with asyncio.timeout(20):
            await session.send("go")
            await session.send("meanwhile")
            monkeypatch.setattr(store.messages, "appending", full)
            sent.set()
            end = await session.tasks.wait()
            assert isinstance(end, TaskEnd)
            assert (end.reason, end.error and end.error.message) == ("error", "The disk is full.")
            assert [q.text for q in session.queue.listed] == ["meanwhile"]
            monkeypatch.undo()
            await session.resume()
            await session.tasks.wait()
        assert [m.text for m in session.messages if m.role == "user"] == ["go", "meanwhile"]
        assert len(session.queue) == 0
    finally:
        store.close()


async def test_a_title_has_a_length_and_what_is_not_there_cannot_be_brought_back(tmp_path: Path) -> None:
    store, session = await opened(tmp_path, ScriptedProvider(Reply("x")), ScriptedTools())
    library = Library(session.rooms)
    try:
        await library.rename(session.id, "long " * 2000)
        row = await store.conversations.get(session.id)
        assert row
        assert 0 < len(row.title) <= 200
        for deed in (library.undelete("conv_nobody"), library.delete("conv_nobody"), library.rename("conv_nobody", "x")):
            with pytest.raises(Refused) as refused:
                await deed
            assert refused.value.kind == "not_found"
    finally:
        await library.close()
        store.close()
