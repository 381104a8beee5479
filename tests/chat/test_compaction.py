"""Room in a long conversation: old results first, then a summary, and an overflow is no end."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from app.chat.compaction import EXCERPT, HEAD, Compaction
from app.chat.composing import Composer
from app.chat.context import PRUNED, boundary, budget, message_tokens, sent, text_tokens
from app.chat.reach import Reach, told_window
from app.chat.rooms import Choice
from app.core.events import MessageEnd, ModelEvent
from app.core.messages import Message, TextBlock, ToolCall, ToolResultBlock
from app.core.provider import ProviderError, Request
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, Stage, says

WINDOW = 4000


def conversation(rounds: int, chars: int) -> list[Message]:
    """A question, then rounds of a call with a long result."""
    made = [Message(id="u0", role="user", blocks=(TextBlock(text="Count the lions."),))]
    for n in range(rounds):
        asked = ToolCall(id=f"c{n}", name="box__t", arguments={"n": n})
        got = ToolResultBlock(tool_call_id=f"c{n}", text="x" * chars)
        made.append(Message(id=f"a{n}", role="assistant", blocks=(asked,), parent_id=made[-1].id))
        made.append(Message(id=f"t{n}", role="tool", blocks=(got,), parent_id=made[-1].id))
    made.append(Message(id="u1", role="user", blocks=(TextBlock(text="And now?"),), parent_id=made[-1].id))
    return made


class Small(ScriptedProvider):
    """Refuses what does not fit its window, as the real ones do."""

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        if sum(message_tokens(m) for m in request.messages) > WINDOW:
            raise ProviderError("context_overflow", "too long", status=400)
        async for event in super().stream(request):
            yield event


def staged(provider: ScriptedProvider, history: list[Message], window: int | None) -> tuple[Stage, Any]:
    stage = Stage(provider, ScriptedTools(t=says("short")), history=history)
    loop = stage.loop()
    reach = Reach(window)
    loop.compose = Composer(Choice("scripted", "m"), stage.blobs, reach)
    loop.make_room = Compaction("m", reach, None, "")
    return stage, loop


def paired(messages: Sequence[Message]) -> bool:
    calls = [c.id for m in messages for c in m.calls]
    return calls == [b.tool_call_id for m in messages for b in m.blocks if isinstance(b, ToolResultBlock)]


async def test_old_results_are_pruned_first_and_no_summary_is_made():
    history = conversation(4, 3500)
    stage, loop = staged(Small(Reply("Four.")), history, WINDOW)
    assert (await loop.run()).reason == "done"
    asked = stage.provider.requests[0].messages
    assert PRUNED in [b.text for m in asked for b in m.blocks if isinstance(b, ToolResultBlock)]
    assert paired(asked)
    assert not any(m.covers for m in loop.history)


async def test_a_full_conversation_goes_on_from_a_summary_with_everything_still_there():
    long = Message(id="u2", role="user", blocks=(TextBlock(text="y" * 6000),), parent_id="u1")
    history = [*conversation(40, 150), long]
    before = list(history)
    stage, loop = staged(Small(Reply("The user counts lions."), Reply("Forty.")), history, WINDOW)
    assert (await loop.run()).reason == "done"
    assert loop.history[: len(before)] == before
    summary = next(m for m in loop.history if m.covers)
    assert "The user counts lions." in summary.text
    asked = stage.provider.requests[-1].messages
    assert asked[0].id == summary.id
    assert asked[-1].id == "u2"
    assert paired(asked)
    assert sum(message_tokens(m) for m in asked) < WINDOW


@pytest.mark.parametrize(("tries", "begins", "tokens"), [(1, HEAD + "Lions.", 2), (2, EXCERPT + "user: Count the lions.", 2)])
async def test_a_model_that_thinks_its_summary_away_is_asked_once_more_and_then_bricks_nothing(
    tries: int, begins: str, tokens: int
):
    """Some spend all the tokens they are given before the first word."""
    replies = [*(Reply("", stop="length") for _ in range(tries)), *([Reply("Lions.")] if tries == 1 else []), Reply("Forty.")]
    long = Message(id="u2", role="user", blocks=(TextBlock(text="y" * 6000),), parent_id="u1")
    stage, loop = staged(Small(*replies), [*conversation(40, 150), long], WINDOW)
    assert (await loop.run()).reason == "done"
    summary = next(m for m in loop.history if m.covers)
    assert summary.text.startswith(begins)
    assert summary.usage
    assert summary.usage.output_tokens == tokens, "what all tries took is counted"
    asked = stage.provider.requests
    assert (asked[1].max_tokens or 0) > (asked[0].max_tokens or 0)
    assert sum(message_tokens(m) for m in asked[-1].messages) < WINDOW
    assert paired(asked[-1].messages)


async def test_an_overflow_of_an_unknown_window_leads_to_a_summary_and_one_more_try():
    history = conversation(40, 600)
    stage, loop = staged(Small(Reply("Lions were counted."), Reply("Forty.")), history, None)
    end = await loop.run()
    assert end.reason == "done"
    assert loop.history[-1].text == "Forty."
    assert len([m for m in loop.history if m.covers]) == 1
    assert any(isinstance(e, MessageEnd) and e.message.covers for e in stage.journal.events)


async def test_even_one_message_too_long_for_the_window_does_not_brick_the_conversation():
    history = [Message(id="u0", role="user", blocks=(TextBlock(text="z" * 40_000),))]
    _, loop = staged(Small(Reply("Many z."), Reply("I saw a part of it.")), history, None)
    assert (await loop.run()).reason == "done"
    assert loop.history[0].text == "z" * 40_000


def test_what_is_covered_by_a_summary_is_not_sent_and_a_second_summary_covers_the_first():
    history = conversation(3, 10)
    first = Message(id="s1", role="user", blocks=(TextBlock(text="sum"),), covers="t1", parent_id="u1")
    assert [m.id for m in sent([*history, first])] == ["s1", "a2", "t2", "u1"]
    more = Message(id="u2", role="user", blocks=(TextBlock(text="more"),), parent_id="s1")
    second = Message(id="s2", role="user", blocks=(TextBlock(text="sum of sums"),), covers="u1", parent_id="u2")
    assert [m.id for m in sent([*history, first, more, second])] == ["s2", "u2"]


@pytest.mark.parametrize("room", [0, 50, 500, 5000])
def test_a_boundary_never_parts_a_call_from_its_result(room: int):
    history = conversation(10, 400)
    covered = boundary(history, room)
    assert covered > 0
    assert history[covered].role != "tool"


def test_the_budget_leaves_room_for_the_reply():
    assert budget(8192, None) == int((8192 - 2048) * 0.8)
    assert budget(200_000, 8000) == int(192_000 * 0.8)


def test_languages_without_spaces_are_not_counted_too_low():
    assert text_tokens("a" * 400) < 120
    assert text_tokens("你" * 400) > 250


REFUSALS = [
    ("request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096),
    ("This model's maximum context length is 32768 tokens. However, you requested 40960 tokens (36864 in the messages)", 32768),
    ("prompt is too long: 208,310 tokens > 200,000 maximum", 200_000),
    ("The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
    ("size limit exceeded by 25836 tokens. The limit for this model is 288000 tokens.", 288_000),
    ("`inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2383 `inputs` tokens", 2048),
    ("the model is loaded with context length of only 4096 tokens", 4096),
    ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32768),
    ("prompt too long; exceeded max context length by 1119046 tokens", None),
    ("Your input exceeds the context window of this model.", None),
]


@pytest.mark.parametrize(("said", "window"), REFUSALS)
def test_the_window_is_read_from_a_refusal_in_any_wording(said: str, window: int | None):
    assert told_window(said) == window


class Tight(ScriptedProvider):
    """Loaded with less than anybody knows, and strict; `says` so with a number or without."""

    def __init__(self, *replies: Reply, window: int, says: str):
        super().__init__(*replies)
        self.window, self.says = window, says

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        assert paired(request.messages)
        if sum(message_tokens(m) for m in request.messages) > self.window:
            raise ProviderError("context_overflow", self.says.format(self.window), status=400)
        async for event in super().stream(request):
            yield event


@pytest.mark.parametrize("says", ["maximum context length is {} tokens", "too long"])
@pytest.mark.parametrize("known", [None, 8192])
async def test_a_window_smaller_than_anybody_knew_is_learnt_and_held_even_in_one_round_of_huge_results(
    known: int | None, says: str
):
    """A local server that was loaded with less than the usual: what it refuses once it is not sent again."""
    history = conversation(1, 9000)[:3]
    calls = tuple(ToolCall(id=f"d{n}", name="box__t", arguments={"n": n}) for n in range(3))
    history[1] = history[1].model_copy(update={"blocks": calls})
    blocks = tuple(ToolResultBlock(tool_call_id=c.id, text=f"begin {'w ' * 4500}") for c in calls)
    history[2] = history[2].model_copy(update={"blocks": blocks})
    model = Tight(Reply("Counted."), window=2048, says=says)
    for question in ("And?", "And then?"):
        _, loop = staged(model, history, known)
        ends = [(await loop.run()).reason]
        while ends[-1] == "error" and len(ends) < 4:  # where no number is named it gets smaller with every try
            ends.append((await loop.run()).reason)
        assert ends[-1] == "done"
        if "{}" in says:
            assert ends == ["done"], "what was named is held at once"
        history = [*loop.history, Message(id=question, role="user", blocks=(TextBlock(text=question),))]
    assert next(b.text for m in history for b in m.blocks if isinstance(b, ToolResultBlock)).count("w ") == 4500
