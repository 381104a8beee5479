"""Thinking in its many forms: shown as thinking, and kept beside it what must go back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.messages import ThinkingBlock
from app.providers.think_tags import ThinkTags
from tests.providers.speaking import parsed
from tests.providers.stand_in import sse


def chat(*deltas: dict[str, Any], vendor: str = "custom") -> Any:
    chunks = [{"choices": [{"delta": delta}]} for delta in deltas]
    return parsed("openai-chat", sse(*chunks, {"choices": [{"delta": {}, "finish_reason": "stop"}]}), vendor=vendor)


def split(pieces: list[str]) -> tuple[str, str]:
    tags = ThinkTags()
    parts = [part for piece in pieces for part in tags.feed(piece)] + tags.close()
    return "".join(t for thinking, t in parts if thinking), "".join(t for thinking, t in parts if not thinking)


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("<think>\nhm\n</think>\n\nYes.", "hm", "Yes."),
        ("\n <thinking>a <b> c</thinking>Yes.", "a <b> c", "Yes."),
        ("<think>\n\n</think>\n\nYes.", "", "Yes."),
        ("<think>never closed", "never closed", ""),
        ("Use <think> tags.", "", "Use <think> tags."),
        ("<thin", "", "<thin"),
        ("<think>a</think>b <think>c</think>", "a", "b <think>c</think>"),
        ("x < y", "", "x < y"),
    ],
)
def test_tags_at_the_start_of_the_text_mark_thinking(text: str, thinking: str, answer: str) -> None:
    assert split([text]) == (thinking, answer)
    assert split(list(text)) == (thinking, answer)


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "think", ">", " ", "\n", "a", "</", "/"]), max_size=14), st.data())
def test_tags_cut_anywhere_give_the_same_split(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    places = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    assert split([text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]) == split([text])


@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("Is it? a < b, yes.</think>\n\nYes.", "Is it? a < b, yes.", "Yes."),
        ("\n</think>\n\nYes.", "", "Yes."),
        ("hm\n</thinking>\nYes. </think>\n", "hm\n", "Yes. </think>\n"),
        ("All of it.</think>", "All of it.", ""),
        ("Use <think> and </think>\nso.", "", "Use <think> and </think>\nso."),
        ("Close with </think>, so.", "", "Close with </think>, so."),
        ("```\n</think>\n```\n</think>\n", "", "```\n</think>\n```\n</think>\n"),
        ("x </thin", "", "x </thin"),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 100])
def test_text_before_a_closing_tag_that_nothing_opened_was_thinking(text: str, thinking: str, answer: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    heard = chat(*({"content": piece} for piece in pieces))
    assert (heard.thinking, heard.text) == (thinking, answer)
    lines = b"".join(json.dumps({"message": {"content": piece}, "done": False}).encode() + b"\n" for piece in pieces)
    heard = parsed("ollama", [lines + b'{"message":{"content":""},"done":true,"done_reason":"stop"}\n'])
    assert (heard.thinking, heard.text) == (thinking, answer)


def test_a_call_after_such_thinking_is_a_call_and_thinking_told_apart_leaves_the_text_alone() -> None:
    call = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]}
    heard = chat({"content": "hm"}, {"content": "</think>"}, call)
    assert [(b.type) for b in heard.blocks] == ["thinking", "tool_call"]
    assert chat({"reasoning": "hm"}, {"content": "It prints\n</think>\nthen."}).text == "It prints\n</think>\nthen."


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_a_reasoning_field_is_thinking(field: str) -> None:
    heard = chat({field: "hm "}, {field: "so", "content": ""}, {"content": "Yes."})
    assert (heard.thinking, heard.text) == ("hm so", "Yes.")


def test_the_same_thought_in_two_fields_is_said_once() -> None:
    assert chat({"reasoning": "hm", "reasoning_content": "hm"}).thinking == "hm"


def test_reasoning_details_are_kept_in_order_with_the_signature_that_comes_last() -> None:
    text = {"type": "reasoning.text", "index": 0, "format": "anthropic-claude-v1"}
    heard = chat(
        {"reasoning": "h", "reasoning_details": [{**text, "text": "h"}]},
        {"reasoning": "m", "reasoning_details": [{**text, "text": "m"}]},
        {"reasoning_details": [{**text, "signature": "sig"}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x", "index": 1}]},
        {"content": "Yes."},
    )
    (block,) = [b for b in heard.blocks if isinstance(b, ThinkingBlock)]
    assert block.text == "hm"
    assert block.opaque is not None
    assert block.opaque.data == {
        "details": [{**text, "text": "hm", "signature": "sig"}, {"type": "reasoning.encrypted", "data": "x", "index": 1}]
    }


def test_thoughts_in_a_list_of_content_are_thinking() -> None:
    heard = chat(
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]},
        {"content": [{"type": "text", "text": "Yes."}]},
    )
    assert (heard.thinking, heard.text) == ("hm", "Yes.")


def test_thinking_and_text_in_turn_are_blocks_in_turn() -> None:
    kinds = [b.type for b in chat({"reasoning": "a"}, {"content": "b"}, {"reasoning": "c"}, {"content": "d"}).blocks]
    assert kinds == ["thinking", "text", "thinking", "text"]


def test_what_a_block_keeps_survives_the_store() -> None:
    block = chat({"reasoning_content": "hm"}, {"content": "x"}, vendor="deepseek").blocks[0]
    assert ThinkingBlock.model_validate_json(block.model_dump_json()) == block
    assert json.loads(block.model_dump_json())["opaque"]["vendor"] == "model.test/v1"
