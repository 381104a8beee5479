"""The task loop: rounds, results, endings, limits, stopping and what is left on the disk."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from app.core.events import BlockDelta, BlockEnd, BlockStart, Event, ModelEnd, ModelEvent, PictureMade, TaskEnd
from app.core.loop import NO_CLOSING, UNCLOSED
from app.core.messages import ImageBlock, InvalidArguments, Message, TextBlock, ToolCall, ToolResultBlock, Usage
from app.core.pairing import INTERRUPTED, NOT_RUN, STOPPED
from app.core.ports import Decision
from app.core.provider import ProviderError, Request
from app.core.tools import CallContext, TextItem, ToolOutput
from tests.core.scripted import Reply, ScriptedApprover, ScriptedProvider, ScriptedTools, Stage, call, says


def results(messages: Sequence[Message]) -> dict[str, str]:
    return {b.tool_call_id: b.text for m in messages for b in m.blocks if isinstance(b, ToolResultBlock)}


def unpaired(messages: Sequence[Message]) -> list[str]:
    """Calls that do not have exactly one result in the very next message."""
    faults: list[str] = []
    for at, message in enumerate(messages):
        wanted = [c.id for c in message.calls]
        following = messages[at + 1] if at + 1 < len(messages) else None
        got = [b.tool_call_id for b in following.blocks if isinstance(b, ToolResultBlock)] if following else []
        if wanted and wanted != got:
            faults.append(f"{wanted} answered by {got}")
    return faults


def types(events: Sequence[Event]) -> list[str]:
    return [e.type for e in events]


async def test_a_plain_answer_is_one_round_and_done():
    stage = Stage(ScriptedProvider(Reply("Hello there")), ScriptedTools())
    assert (await stage.run()).reason == "done"
    assert [m.role for m in stage.history] == ["user", "assistant"]
    assert stage.history[-1].text == "Hello there"
    assert types(stage.journal.events)[-2:] == ["checkpoint", "task_end"]


async def test_calls_run_in_parallel_and_their_results_stand_in_call_order():
    both = asyncio.Barrier(2)

    async def slow(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        await both.wait()
        await asyncio.sleep(0.01 * arguments["rank"])
        return ToolOutput((TextItem(f"rank {arguments['rank']}"),))

    calls = (call("slow", "a", rank=2), call("slow", "b", rank=1))
    stage = Stage(ScriptedProvider(Reply(calls=calls), Reply("ok")), ScriptedTools(slow=slow))
    await stage.run()
    answer = stage.history[2]
    assert [b.tool_call_id for b in answer.blocks if isinstance(b, ToolResultBlock)] == ["a", "b"]


async def test_calls_of_a_serial_server_never_overlap():
    inside: list[int] = []

    async def careful(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        inside.append(1)
        assert len(inside) == 1
        await asyncio.sleep(0)
        inside.pop()
        return ToolOutput((TextItem("ok"),))

    tools = ScriptedTools(careful=careful)
    tools.extra["careful"] = {"serial": True}
    stage = Stage(ScriptedProvider(Reply(calls=(call("careful", "a"), call("careful", "b"))), Reply("ok")), tools)
    await stage.run()
    assert set(results(stage.history).values()) == {"ok"}


async def test_calls_make_a_tool_use_also_where_the_provider_says_stop():
    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),), stop="end"), Reply("ok")), ScriptedTools(t=says("x")))
    await stage.run()
    assert stage.history[1].stop_reason == "tool_use"


@pytest.mark.parametrize("stop", ["length", "content_filter", "refusal"])
async def test_every_other_ending_is_told_apart(stop: Any):
    stage = Stage(ScriptedProvider(Reply("half", stop=stop, detail="why")), ScriptedTools())
    assert (await stage.run()).reason == "done"
    assert (stage.history[-1].stop_reason, stage.history[-1].stop_detail) == (stop, "why")


async def test_an_unknown_tool_is_answered_to_the_model():
    stage = Stage(ScriptedProvider(Reply(calls=(call("nope"),)), Reply("ok")), ScriptedTools(t=says("x")))
    await stage.run()
    assert "no tool named nope" in results(stage.history)["c1"]
    assert "box__t" in results(stage.history)["c1"]


async def test_invalid_json_never_runs_and_never_asks():
    bad = ToolCall(id="c1", name="t", invalid=InvalidArguments(raw='{"a":', error="it ends too early"))
    approver = ScriptedApprover("ask")
    stage = Stage(ScriptedProvider(Reply(calls=(bad,)), Reply("ok")), ScriptedTools(t=says("x")), approver)
    await stage.run()
    assert stage.tools.runs == []
    assert approver.asked == []
    assert "not valid JSON" in results(stage.history)["c1"]


async def test_arguments_that_do_not_fit_are_named_before_anybody_is_asked():
    approver = ScriptedApprover("ask")
    stage = Stage(ScriptedProvider(Reply(calls=(call("t", n="x"),)), Reply("ok")), ScriptedTools(t=says("x")), approver)
    await stage.run()
    assert "`n`" in results(stage.history)["c1"]
    assert approver.asked == []


async def test_a_denied_call_is_a_result_with_the_reason():
    approver = ScriptedApprover("ask", Decision(False, "The user said no."))
    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),)), Reply("ok")), ScriptedTools(t=says("x")), approver)
    await stage.run()
    assert results(stage.history)["c1"] == "The user said no."
    assert stage.tools.runs == []
    assert [t for t in types(stage.events) if t.startswith("approval")] == ["approval_request", "approval_answer"]


async def test_a_bare_name_runs_the_one_tool_it_fits():
    stage = Stage(ScriptedProvider(Reply(calls=(call("show-it"),)), Reply("ok")), ScriptedTools(show_it=says("x")))
    await stage.run()
    assert stage.tools.runs == ["show_it"]
    assert stage.history[1].calls[0].name == "box__show_it"


async def test_a_long_result_is_cut_for_the_model_and_read_in_pages():
    text = "".join(f"line {n:05}\n" for n in range(1000))

    def page(stage: Stage) -> str:
        return next(iter(stage.blobs.kept))

    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),)), Reply("ok")), ScriptedTools(t=says(text)))
    await stage.run()
    shown = results(stage.history)["c1"]
    assert len(shown) <= 3000
    assert shown.startswith("line 00000")
    assert shown.endswith("line 00999\n")
    ref = page(stage)
    assert ref in shown
    again = Stage(
        ScriptedProvider(Reply(calls=(call("leochat__read_result", "r1", ref=ref, offset=5000),)), Reply("ok")),
        ScriptedTools(t=says(text)),
    )
    again.blobs = stage.blobs
    loop = again.loop()
    loop.calls.offer_read_result = True
    await loop.run()
    assert results(again.history)["r1"].startswith(text[5000:5100])
    assert any(s.name == "leochat__read_result" for s in stage.provider.requests[1].tools)


async def test_the_round_limit_ends_with_a_closing_answer_without_tools_allowed():
    stage = Stage(
        ScriptedProvider(*(Reply(calls=(call("t", f"c{n}", n=n),)) for n in range(3)), Reply("In short.")),
        ScriptedTools(t=says("x")),
        max_rounds=3,
    )
    assert (await stage.run()).reason == "round_limit"
    assert stage.history[-1].text == "In short."
    assert stage.provider.requests[-1].tool_choice == "none"
    assert stage.provider.requests[-1].tools
    assert len(stage.provider.requests) == 4


@pytest.mark.parametrize("calls", [(call("t", "c9"),), ()])
async def test_a_closing_answer_without_a_word_gets_a_plain_sentence(calls: tuple[ToolCall, ...]):
    closing = Reply(calls=calls)
    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),)), closing), ScriptedTools(t=says("x")), max_rounds=1)
    assert (await stage.run()).reason == "round_limit"
    last = stage.history[-1]
    assert (last.text, last.calls, last.stop_detail, stage.tools.runs) == (NO_CLOSING, (), UNCLOSED, ["t"])


async def test_the_same_call_again_and_again_is_told_then_ends():
    stage = Stage(
        ScriptedProvider(*(Reply(calls=(call("t", f"c{n}"),)) for n in range(5)), Reply("I stop.")),
        ScriptedTools(t=says("same")),
    )
    assert (await stage.run()).reason == "loop"
    told = results(stage.history)
    assert "same call 3 times" in told["c2"]
    assert "same call" not in told["c1"]


async def test_a_provider_that_dies_keeps_what_it_said_and_runs_no_half_call():
    error = ProviderError("network", "The connection was lost.")
    stage = Stage(ScriptedProvider(Reply("partial words", error=error)), ScriptedTools())
    end = await stage.run()
    assert end.reason == "error"
    assert end.error
    assert end.error.kind == "network"
    assert stage.history[-1].text.strip() == "partial words"
    assert stage.history[-1].stop_reason == "error"


async def test_a_broken_parser_is_an_error_of_the_task_not_a_crash():
    class Broken(ScriptedProvider):
        async def stream(self, request: Any) -> AsyncGenerator[ModelEvent, None]:
            raise ZeroDivisionError("oops")
            yield

    stage = Stage(Broken(Reply("x")), ScriptedTools())
    end = await stage.run()
    assert (end.reason, end.error and end.error.kind) == ("error", "internal")


async def test_a_tool_that_raises_is_an_error_result():
    async def broken(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        raise ZeroDivisionError("oops")

    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),)), Reply("ok")), ScriptedTools(t=broken))
    assert (await stage.run()).reason == "done"
    assert "ZeroDivisionError" in results(stage.history)["c1"]


async def test_a_queued_message_joins_at_the_next_round():
    stage = Stage(ScriptedProvider(Reply(calls=(call("t"),)), Reply("ok")), ScriptedTools(t=says("x")))

    async def while_it_runs(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        stage.queued.append(Message(id="u2", role="user", blocks=(TextBlock(text="and this"),)))
        return ToolOutput((TextItem("x"),))

    stage.tools = ScriptedTools(t=while_it_runs)
    await stage.run()
    assert [m.role for m in stage.history] == ["user", "assistant", "tool", "user", "assistant"]
    assert stage.history[3].parent_id == stage.history[2].id


async def stop_when(stage: Stage, wanted: str) -> TaskEnd:
    """Run and cancel as soon as an event of that type was told."""
    seen = asyncio.Event()
    tell = stage.events.append

    class Watching(list[Event]):
        def append(self, event: Event) -> None:
            tell(event)
            if event.type == wanted:
                seen.set()

    stage.events = Watching()
    task = asyncio.create_task(stage.loop().run())
    waiting = asyncio.create_task(seen.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
    task.cancel()
    waiting.cancel()
    async with asyncio.timeout(5):
        return await task


ALL_EVENTS = [
    "task_start", "round_start", "message_start", "block_start", "block_delta", "block_end",
    "model_end", "message_end", "tool_start", "tool_end", "checkpoint",
]  # fmt: skip


@pytest.mark.parametrize("at", ALL_EVENTS)
async def test_a_stop_at_any_event_leaves_a_usable_conversation(at: str):
    forever = asyncio.Event()

    async def hangs(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        await forever.wait()
        return ToolOutput()

    calls = (call("quick", "a"), call("hangs", "b"), call("hangs", "c"))
    stage = Stage(ScriptedProvider(Reply("let me see", calls=calls), Reply("ok")), ScriptedTools(quick=says("x"), hangs=hangs))
    end = await stop_when(stage, at)
    assert end.reason == "cancelled"
    assert unpaired(stage.history) == []
    stored = {m.id: m for m in stage.messages()}
    assert [m.id for m in stage.history if m.role != "user"] == list(dict.fromkeys(stored))
    assert types(stage.journal.events)[-2:] == ["checkpoint", "task_end"]


async def test_a_stop_while_the_person_is_asked_says_what_ran_and_what_did_not():
    forever = asyncio.Event()

    async def hangs(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        await forever.wait()
        return ToolOutput()

    class Asking(ScriptedApprover):
        def verdict(self, spec: Any, call: ToolCall) -> Any:
            return ("ask" if spec.tool == "asks" else "allow"), ""

    approver = Asking()
    approver.wait.clear()
    calls = (call("hangs", "h"), call("asks", "a"))
    stage = Stage(ScriptedProvider(Reply(calls=calls)), ScriptedTools(hangs=hangs, asks=says("x")), approver)
    await stop_when(stage, "approval_request")
    assert results(stage.history) == {"h": STOPPED, "a": NOT_RUN}
    assert types(stage.journal.events).count("approval_answer") == 1


async def test_calls_cut_off_by_a_crash_are_answered_and_only_safe_ones_run_again():
    asked = Message(
        id="a1",
        role="assistant",
        blocks=(call("box__risky", "r"), call("box__safe", "s")),
        stop_reason="tool_use",
        parent_id="u1",
    )
    user = Message(id="u1", role="user", blocks=(TextBlock(text="go"),))
    tools = ScriptedTools(risky=says("ran"), safe=says("read"))
    tools.extra["safe"] = {"read_only": True, "trusted": True}
    stage = Stage(ScriptedProvider(Reply("done")), tools, history=[user, asked])
    assert (await stage.run()).reason == "done"
    assert results(stage.history) == {"r": INTERRUPTED, "s": "read"}
    assert stage.tools.runs == ["safe"]


async def test_a_call_that_goes_on_at_its_server_is_taken_up_after_a_crash_and_nobody_is_asked_again():
    user = Message(id="u1", role="user", blocks=(TextBlock(text="go"),))
    asked = Message(id="a1", role="assistant", blocks=(call("box__risky", "r"),), stop_reason="tool_use", parent_id="u1")
    stage = Stage(ScriptedProvider(Reply("done")), ScriptedTools(risky=says("ran")), history=[user, asked])
    stage.approver = ScriptedApprover("ask", Decision(False))
    loop = stage.loop()
    loop.calls.continues = lambda call: call.id == "r"
    assert (await loop.run()).reason == "done"
    assert results(stage.history) == {"r": "ran"}
    assert stage.approver.asked == []


async def test_a_result_that_was_kept_before_a_crash_is_not_asked_for_again():
    user = Message(id="u1", role="user", blocks=(TextBlock(text="go"),))
    asked = Message(
        id="a1", role="assistant", blocks=(call("box__t", "one"), call("box__t", "two")), stop_reason="tool_use", parent_id="u1"
    )
    begun = Message(id="t1", role="tool", blocks=(ToolResultBlock(tool_call_id="one", text="kept"),), parent_id="a1")
    stage = Stage(ScriptedProvider(Reply("done")), ScriptedTools(t=says("again")), history=[user, asked, begun])
    await stage.run()
    assert results(stage.history) == {"one": "kept", "two": INTERRUPTED}
    assert stage.history[2].id == "t1"


async def test_a_call_cut_off_by_length_is_not_run_and_the_model_is_told():
    bad = ToolCall(id="c1", name="t", invalid=InvalidArguments(raw='{"a":', error="cut"))
    stage = Stage(ScriptedProvider(Reply(calls=(bad,), stop="length"), Reply("Shorter.")), ScriptedTools(t=says("x")))
    assert (await stage.run()).reason == "done"
    assert "cut off" in results(stage.provider.requests[1].messages)["c1"]
    assert (stage.history[1].stop_reason, stage.history[-1].text, stage.tools.runs) == ("length", "Shorter.", [])


async def test_calls_cut_off_by_length_again_and_again_come_to_an_end():
    bad = ToolCall(id="c1", name="t", invalid=InvalidArguments(raw='{"a":', error="cut"))
    stage = Stage(ScriptedProvider(Reply(calls=(bad,), stop="length")), ScriptedTools(t=says("x")))
    assert (await stage.run()).reason == "loop"
    assert (len(stage.provider.requests), stage.tools.runs) == (6, [])


async def test_two_calls_with_one_id_both_run_and_both_are_answered():
    async def echo(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        return ToolOutput((TextItem(str(arguments["v"])),))

    twice = (call("echo", "same", v=1), call("echo", "same", v=2))
    stage = Stage(ScriptedProvider(Reply(calls=twice), Reply("ok")), ScriptedTools(echo=echo))
    await stage.run()
    assert sorted(results(stage.history).values()) == ["1", "2"]
    assert unpaired(stage.history) == []


class Drawing(ScriptedProvider):
    """Draws one picture, then says a word."""

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        yield PictureMade(0, "image/png", b"PNG")
        yield BlockStart(1, TextBlock(text=""))
        yield BlockDelta(1, "There.")
        yield BlockEnd(1, TextBlock(text="There."))
        yield ModelEnd("end", Usage())


async def test_a_picture_that_a_model_draws_is_kept_and_said_as_a_block_of_its_reply():
    stage = Stage(Drawing(Reply("")), ScriptedTools())
    assert (await stage.run()).reason == "done"
    picture, words = stage.history[-1].blocks
    assert isinstance(picture, ImageBlock)
    kept = await stage.blobs.get(picture.ref)
    assert kept is not None
    assert (kept.data, kept.media_type) == (b"PNG", "image/png")
    assert words == TextBlock(text="There.")
    said = [e.block for e in stage.events if isinstance(e, BlockEnd)]
    assert said == [picture, words]
