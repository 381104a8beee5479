"""Every way a task can rest before its end: said, closed with an answer, and gone on from."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from app.chat.refused import Refused
from app.chat.rooms import Limits
from app.chat.session import Session
from app.core.events import ModelEvent, RoundStart, TaskEnd
from app.core.messages import InvalidArguments, Message, ToolCall, ToolResultBlock, Usage
from app.core.provider import ProviderError, Request
from app.core.tools import CallContext, TextItem, ToolOutput
from app.store import ConversationRow, Store
from tests.chat.stage import Page, opened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says
from tests.core.test_loop import unpaired


class Priced(ScriptedProvider):
    """A dollar a reply; closes when tools are forbidden."""

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        async for event in super().stream(request):
            if event.type == "model_end":
                event.usage = Usage(input_tokens=1, output_tokens=1, cost=1.0)
            yield event


def endless(*, same: bool) -> list[Reply]:
    """Calls that go on, equal or not, with a closing answer at the end of each five."""
    return [Reply("and on", calls=(call("t", f"c{n}", n=0 if same else n),)) for n in range(5)]


async def slow(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
    await asyncio.sleep(0.05)
    return ToolOutput((TextItem("x"),))


async def rested(folder: Path, provider: ScriptedProvider, limits: Limits, tools: ScriptedTools) -> tuple[Store, Session, Page]:
    tools.extra["t"] = {"never_asks": True}
    store, session = await opened(folder, provider, tools, limits)
    page = Page()
    page.watch(session)
    await session.send("go")
    async with asyncio.timeout(30):
        await session.tasks.wait()
    return store, session, page


@pytest.mark.parametrize(
    ("reason", "limits", "calls"),
    [
        ("round_limit", Limits(rounds=2), 2),
        ("limit", Limits(task_cost=1.5), 2),
        ("limit", Limits(task_seconds=0.12), None),
        ("loop", Limits(), 5),
    ],
)
async def test_a_limit_ends_with_a_closing_answer_and_resume_goes_on(
    tmp_path: Path, reason: str, limits: Limits, calls: int | None
) -> None:
    closing = Reply("In short: not done yet.")
    replies = [*endless(same=reason == "loop")[:calls], closing, Reply("Now it is done.")]
    provider = Priced(*replies) if calls else Timed(*replies)
    store, session, page = await rested(tmp_path, provider, limits, ScriptedTools(t=slow if calls is None else says("x")))
    try:
        assert session.info().interrupted == reason
        assert [e.reason for e in page.told if isinstance(e, TaskEnd)] == [reason]
        assert provider.requests[-1].tool_choice == "none"
        assert provider.requests[-1].tools, "the tools stay listed, since the history has calls"
        assert session.messages[-1].text == closing.text
        await session.resume()
        await session.tasks.wait()
        assert session.messages[-1].text == "Now it is done."
        assert session.info().interrupted is None
        assert unpaired(session.messages) == []
    finally:
        store.close()


class Timed(ScriptedProvider):
    """Calls on as long as it may; its last two replies come when it may not, and after."""

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        if request.tool_choice == "none":
            self._replies = self._replies[-2:]
        elif len(self._replies) == 3:
            self._replies.insert(0, Reply("more", calls=(call("t", f"d{len(self.requests)}", n=len(self.requests)),)))
        async for event in super().stream(request):
            yield event


async def test_after_an_error_resume_asks_again(tmp_path: Path) -> None:
    lost = Reply("half a", error=ProviderError("network", "The connection was lost."))
    store, session, _ = await rested(tmp_path, Priced(lost, Reply("whole now")), Limits(), ScriptedTools(t=says("x")))
    try:
        assert session.info().interrupted == "error"
        await session.resume()
        await session.tasks.wait()
        assert session.messages[-1].text == "whole now"
        assert session.info().interrupted is None
    finally:
        store.close()


async def test_rounds_are_counted_afresh_after_going_on(tmp_path: Path) -> None:
    replies = [*endless(same=False)[:2], Reply("Pause."), *endless(same=False)[2:4], Reply("Pause again.")]
    store, session, page = await rested(tmp_path, Priced(*replies), Limits(rounds=2), ScriptedTools(t=says("x")))
    try:
        await session.resume()
        await session.tasks.wait()
        assert [e.round for e in page.told if isinstance(e, RoundStart)] == [1, 2, 1, 2]
        assert session.info().interrupted == "round_limit"
    finally:
        store.close()


async def test_what_cannot_be_summed_up_is_said_and_bricks_nothing(tmp_path: Path) -> None:
    store, session, _ = await rested(tmp_path, Priced(Reply("hello")), Limits(), ScriptedTools(t=says("x")))
    try:
        with pytest.raises(Refused):
            await (await _empty(store, session)).tasks.compact()
        await session.send("and more")
        await session.tasks.wait()
        assert session.tasks.last_end
        assert session.tasks.last_end.reason == "done"
    finally:
        store.close()


async def _empty(store: Store, session: Session) -> Session:
    other = Session(session.rooms, await store.conversations.create())
    await other.load()
    return other


async def test_a_summary_costs_what_it_costs_and_a_stopped_one_leaves_nothing_to_go_on_with(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def never() -> None:
        asked.set()
        await asyncio.sleep(600)

    provider = Priced(Reply("one"), Reply("two"), Reply("In short."), Reply("three"), Reply("late", before=never))
    store, session, _ = await rested(tmp_path, provider, Limits(), ScriptedTools())
    try:
        await session.send("and more")
        await session.tasks.wait()
        await session.tasks.compact()
        summary = session.messages[-1]
        assert (summary.covers is not None, summary.model, session.cost) == (True, "m", 3.0)
        edited = await session.tree.edit(summary.id, "In my words.")
        assert (session.messages[-1].id, session.cost) == (edited, 3.0)
        await session.reload()
        assert (session.cost, (await store.usage.by_model())[0].replies) == (3.0, 3)
        await session.send("again")
        await session.tasks.wait()
        async with asyncio.timeout(20):
            stopping = asyncio.create_task(session.tasks.compact())
            await asked.wait()
            await session.stop()
            await asyncio.gather(stopping, return_exceptions=True)
        assert (session.info().interrupted, (await _row(store, session)).last_reason) == (None, "done"), "nor in the list"
        for found in (session, Session(session.rooms, await _row(store, session))):
            await found.load()
            with pytest.raises(Refused, match="nothing to go on with"):
                await found.resume()
        assert session.messages[-1].text == "three"
    finally:
        store.close()


async def test_what_a_summary_took_that_came_to_nothing_is_counted_and_the_conversation_is_as_it_was(tmp_path: Path) -> None:
    provider = Priced(Reply("one"), Reply("two"), Reply("", stop="length"))
    store, session, _ = await rested(tmp_path, provider, Limits(), ScriptedTools())
    try:
        await session.send("and more")
        await session.tasks.wait()
        before = list(session.messages)
        with pytest.raises(Refused, match="no summary"):
            await session.tasks.compact()
        assert (session.messages, session.info().interrupted) == (before, None)
        assert (session.cost, len(provider.requests)) == (4.0, 4)
        await session.reload()
        assert session.cost == 4.0
    finally:
        store.close()


async def _row(store: Store, session: Session) -> ConversationRow:
    row = await store.conversations.get(session.id)
    assert row
    return row


async def test_what_rests_after_a_call_cut_off_by_length_is_gone_on_with(tmp_path: Path) -> None:
    store, session = await opened(tmp_path, ScriptedProvider(Reply("Shorter now.")), ScriptedTools(t=says("x")))
    bad = ToolCall(id="c1", name="t", invalid=InvalidArguments(raw='{"a":', error="cut"))
    cut = Message(id="a", role="assistant", blocks=(bad,), stop_reason="length")
    try:
        answer = Message(id="r", role="tool", parent_id="a", blocks=(ToolResultBlock(tool_call_id="c1", text="cut off"),))
        await session.tasks.lay([cut, answer])
        await session.resume()
        await session.tasks.wait()
        assert [(m.role, m.text) for m in session.messages[2:]] == [("assistant", "Shorter now.")]
        with pytest.raises(Refused, match="nothing to go on with"):
            await session.resume()
    finally:
        store.close()
