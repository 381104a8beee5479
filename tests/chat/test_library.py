"""Open conversations: what others do to them is seen, and what rests is let go of."""

import asyncio
import gc
import json
import weakref
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from app.chat.library import IDLE_KEPT, Library
from app.chat.refused import Refused
from app.chat.said import Said
from app.chat.session import Session
from app.core.events import MessageEnd, ModelEvent, TaskEnd
from app.core.provider import Request
from app.store import Store, StoreError
from tests.chat.stage import Page, rooms
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says


def library(store: Store, *replies: Reply) -> Library:
    provider = ScriptedProvider(*(replies or (Reply("so it is"),)))
    return Library(rooms(store, provider, ScriptedTools(t=says("done"))))


async def said(session: Session, text: str) -> None:
    await session.send(text)
    await session.tasks.wait()


def asked(session: Session) -> list[str]:
    return [m.text for m in session.messages if m.role == "user"]


async def test_what_another_process_said_is_shown_and_gone_on_from_and_nothing_is_sent_twice(tmp_path: Path) -> None:
    ours, theirs = Store.open(tmp_path), Store.open(tmp_path)
    here, there = library(ours), library(theirs)
    page = Page()
    try:
        async with asyncio.timeout(30):
            session = await here.session((await here.new()).id)
            page.watch(session)
            await said(session, "from here")
            other = await there.session(session.id)
            await said(other, "from there")
            assert await here.session(session.id) is session
            assert [m.text for m in page.messages if m.role == "user"] == ["from here", "from there"]
            await other.queue.add(session.messages[0].blocks, None)  # it waits there, for the person
            await session.queue.load()
            assert len(session.queue) == 1
            await other.send_now(other.queue.listed[0].id)
            await other.tasks.wait()
            await said(session, "from here again")
            assert asked(session) == ["from here", "from there", "from here", "from here again"]
            assert (len(session.queue), await ours.messages.siblings(session.id)) == (0, {})
    finally:
        await here.close()
        await there.close()
        theirs.close()
        ours.close()


async def test_where_another_processs_task_runs_no_branch_is_shown_and_no_summary_changed(tmp_path: Path) -> None:
    store, other = Store.open(tmp_path), Store.open(tmp_path)
    here = library(store)
    try:
        async with asyncio.timeout(30):
            session = await here.session((await here.new()).id)
            for text in ("one", "two"):
                await said(session, text)
            await session.tasks.compact()
            summary = session.messages[-1]
            await other.tasks.begin("task_other", session.id)
            for deed in (session.tree.switch(summary.id), session.tree.edit(summary.id, "Mine."), session.tasks.compact()):
                with pytest.raises(Refused, match="runs in another LeoChat"):
                    await deed
            assert (await store.messages.branch(session.id))[-1].id == summary.id
    finally:
        await here.close()
        other.close()
        store.close()


async def test_an_import_that_goes_on_with_an_open_conversation_is_seen_in_it(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    here = library(store)
    first = {"uuid": "m1", "sender": "human", "text": "the question", "created_at": "2025-01-01T10:00:00Z"}
    second = {"uuid": "m2", "sender": "assistant", "text": "its answer", "created_at": "2025-01-01T10:00:05Z"}
    export = {"uuid": "c1", "name": "grows", "chat_messages": [first]}
    page = Page()
    try:
        async with asyncio.timeout(30):
            report = await store.archive.import_bytes(json.dumps([export]).encode())
            page.watch(await here.session(report.conversations[0]))
            await store.archive.import_bytes(json.dumps([{**export, "chat_messages": [first, second]}]).encode())
            await here.caught_up()
        assert [m.text for m in page.messages] == ["the question", "its answer"]
    finally:
        await here.close()
        store.close()


async def test_what_rests_unwatched_is_let_go_of_and_what_is_watched_or_waits_stays(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    here = library(store, Reply("may I", calls=(call("t"),)), Reply("it was allowed"))
    page = Page()
    try:
        async with asyncio.timeout(60):
            waiting = await here.session((await here.new()).id)
            is_asked, looking = asyncio.Event(), Page()
            looking.on = lambda event: is_asked.set() if event.type == "approval_request" else None
            looking.watch(waiting)
            await waiting.send("do it")
            await is_asked.wait()
            looking.unwatch(waiting.id)
            watched = await here.session((await here.new()).id)
            page.watch(watched)
            rested = [weakref.ref(await here.session((await here.new()).id)) for _ in range(IDLE_KEPT + 4)]
            gc.collect()
            assert [ref() is None for ref in rested[:3]] == [True] * 3
            assert rested[-1]() is not None
            assert await here.session(watched.id) is watched
            assert await here.session(waiting.id) is waiting
            (open_call,) = waiting.live.approvals
            waiting.answer_approval(open_call, "once", "tool")
            await waiting.tasks.wait()
            assert waiting.messages[-1].text.strip() == "it was allowed"
    finally:
        await here.close()
        store.close()


async def test_what_the_queue_could_not_keep_is_refused_and_not_sent_after_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = asyncio.Event()

    async def before() -> None:
        await go.wait()

    store = Store.open(tmp_path)
    here = library(store, Reply("first", before=before), Reply("second"))

    async def full(*_: object, **__: object) -> None:
        raise StoreError("disk_full", "The disk is full.")

    try:
        async with asyncio.timeout(30):
            session = await here.session((await here.new()).id)
            await session.send("go")
            await session.send("waits")
            monkeypatch.setattr(store.kept, "change", full)
            queued = session.queue.listed[0].id
            for deed in (session.send("too much"), session.queue.remove(queued), session.queue.edit(queued, "other")):
                with pytest.raises(StoreError):
                    await deed
            assert [q.text for q in session.queue.listed] == ["waits"]
            monkeypatch.undo()
            go.set()
            await session.tasks.wait()
        assert asked(session) == ["go", "waits"]
    finally:
        await here.close()
        store.close()


class Held(ScriptedProvider):
    """Stands still in the middle of its reply until it is let go."""

    def __init__(self, *replies: Reply):
        super().__init__(*replies)
        self.go = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        async for number, event in enumerated(super().stream(request)):
            yield event
            if number == 3:
                await self.go.wait()


async def enumerated(events: AsyncGenerator[ModelEvent, None]) -> AsyncGenerator[tuple[int, ModelEvent], None]:
    number = 0
    async for event in events:
        yield number, event
        number += 1


async def half_said(store: Store, session: Session) -> None:
    """Until a part of the reply is kept."""
    while not await store.messages.partials(session.id):  # noqa: ASYNC110 - it is another process's to tell
        await asyncio.sleep(0.05)


async def until(page: Page, wanted: Callable[[Said], bool]) -> None:
    heard = asyncio.Event()
    page.on = lambda event: heard.set() if wanted(event) else None
    if not any(map(wanted, page.told)):
        await heard.wait()


def is_end(event: Said) -> bool:
    return isinstance(event, TaskEnd)


def is_reply(event: Said) -> bool:
    return isinstance(event, MessageEnd) and event.message.text.strip() == "so it is"


@pytest.mark.parametrize("stopped", [False, True])
async def test_another_processs_task_is_seen_as_one_followed_to_its_end_and_stopped_from_here(
    tmp_path: Path, *, stopped: bool
) -> None:
    ours, theirs = Store.open(tmp_path), Store.open(tmp_path)
    held = Held(Reply("one two three four five six"))
    here, there = library(ours), Library(rooms(theirs, held, ScriptedTools()))
    page = Page()
    try:
        async with asyncio.timeout(60):
            other = await there.session((await there.new()).id)
            await other.send("go")
            await half_said(ours, other)
            assert [row.running for row in (await here.listed()).conversations] == [True]
            session = await here.session(other.id)
            page.watch(session)
            assert session.info().running
            with pytest.raises(Refused, match="stop it first"):
                await session.tree.edit(session.messages[0].id, "otherwise")
            await session.send("me too")
            assert [q.text for q in session.queue.listed] == ["me too"]
            if stopped:
                await session.stop()
            else:
                held.go.set()
            await until(page, is_end)
            await other.tasks.wait()
            await session.tasks.settled()
            assert [e.reason for e in page.told if isinstance(e, TaskEnd)][:1] == ["cancelled" if stopped else "done"]
            reply = other.messages[-1]
            assert reply in page.messages
            if stopped:
                assert (session.info().running, session.info().interrupted) == (False, "cancelled")
                assert session.messages == other.messages
                assert [q.text for q in session.queue.listed] == ["me too"], "after a stop it waits for the person"
                await session.send_now(session.queue.listed[0].id)
            await until(page, is_reply)
            assert await ours.messages.get(session.id, reply.id) == reply, "what was read half is not written back"
            assert (asked(session), len(session.queue)) == (["go", "me too"], 0)
            await session.tasks.wait()
    finally:
        held.go.set()
        await here.close()
        await there.close()
        theirs.close()
        ours.close()


async def test_what_another_process_died_of_can_be_gone_on_with_and_closing_here_stops_nothing_there(tmp_path: Path) -> None:
    ours, theirs = Store.open(tmp_path), Store.open(tmp_path)
    here = library(ours)
    page = Page()
    try:
        async with asyncio.timeout(60):
            session = await here.session((await here.new()).id)
            await said(session, "one")
            await theirs.tasks.begin("task_other", session.id)
            page.watch(await here.session(session.id))
            assert session.info().running
            await here.close()
            assert await ours.tasks.stop_asked("task_other") is False
            await session.elsewhere.notice()
            theirs.close()  # its lock is gone, as when it is killed
            page.told.clear()
            await until(page, is_end)
            await session.tasks.settled()
            assert session.info().interrupted == "killed"
            await session.resume()
            await session.tasks.wait()
            assert session.info().interrupted is None
    finally:
        await here.close()
        ours.close()


async def test_a_task_whose_end_could_not_be_kept_does_not_lock_its_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(tmp_path)
    here = library(store)

    def full(*_: object, **__: object) -> None:
        raise StoreError("disk_full", "The disk is full.")

    try:
        async with asyncio.timeout(30):
            session = await here.session((await here.new()).id)
            monkeypatch.setattr(store.tasks, "ending", full)
            await said(session, "go")
            assert session.tasks.last_end
            assert session.tasks.last_end.reason == "error"
            monkeypatch.undo()
            assert not (await here.session(session.id)).info().running
            await said(session, "again")
        assert session.messages[-1].text.strip() == "so it is"
        assert (session.tasks.last_end.reason, session.info().interrupted) == ("done", None)
    finally:
        await here.close()
        store.close()
