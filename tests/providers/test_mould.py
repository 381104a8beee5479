"""A long reply is read by what its events have in common, and comes to the same as read one by one."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.messages import TextBlock, ThinkingBlock
from tests.providers.speaking import parsed
from tests.providers.test_streams import same_but_ids

ODD = ['"', "\\", "a", "\n", "🌍", "\ud83c", "\udf0d", "id", "text"]
WORDS = st.lists(st.text(max_size=6) | st.sampled_from(ODD), max_size=12)


def chat(delta: dict[str, Any], **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None, **more}
    return b"data: " + json.dumps({"id": "a", "model": "m", "choices": [choice], "usage": None}).encode() + b"\n\n"


def anthropic(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def chat_stream(words: list[str]) -> bytes:
    return b"".join([*(chat({"content": w}) for w in words), chat({}, finish_reason="stop"), b"data: [DONE]\n\n"])


def anthropic_stream(words: list[str]) -> bytes:
    deltas = [anthropic("content_block_delta", index=0, delta={"type": "text_delta", "text": w}) for w in words]
    stop = anthropic("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 3})
    start = anthropic("content_block_start", index=0, content_block={"type": "text", "text": ""})
    return b"".join([start, *deltas, anthropic("content_block_stop", index=0), stop, anthropic("message_stop")])


def one_by_one(body: bytes) -> Iterator[bytes]:
    """In pieces that never hold a whole event."""
    for event in body.split(b"\n\n")[:-1]:
        yield from (event[:9], event[9:], b"\n\n")


@pytest.mark.parametrize(("protocol", "stream"), [("openai-chat", chat_stream), ("anthropic", anthropic_stream)])
@given(words=WORDS)
def test_events_alike_read_together_come_to_the_same_as_read_one_by_one(protocol: str, stream: Any, words: list[str]) -> None:
    body = stream(words)
    together = parsed(protocol, [body])
    assert same_but_ids(together) == same_but_ids(parsed(protocol, one_by_one(body)))
    whole = "".join(words).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert together.text == whole


def test_the_same_bytes_after_a_thought_begin_a_text_of_their_own() -> None:
    text = chat({"content": "ab"})
    heard = parsed("openai-chat", [text + text + chat({"reasoning": "hm"}) + text + text + b"data: [DONE]\n\n"])
    kinds = [(type(b), b.text) for b in heard.blocks if isinstance(b, TextBlock | ThinkingBlock)]
    assert kinds == [(TextBlock, "abab"), (ThinkingBlock, "hm"), (TextBlock, "abab")]


def test_a_thought_cut_between_two_reads_is_not_overlooked() -> None:
    text, thought = chat({"content": "ab"}), chat({"reasoning": "hm"})
    heard = parsed("openai-chat", [text * 3 + thought[:30], thought[30:], text * 2 + b"data: [DONE]\n\n"])
    assert [b.type for b in heard.blocks] == ["text", "thinking", "text"]


@pytest.mark.parametrize(
    "event",
    [
        b'data: {"id":"\\u0061","choices":[{"delta":{"content":"\\u0061"}}],"usage":null}\n\n',
        b'data: {"id":"x\\"a","choices":[{"delta":{"content":"\\u0061"}}],"usage":null}\n\n',
        b'data: {"id":"a","choices":[{"delta":{"content":"a"}}],"usage":null}\n\n',
        b'data: {"a":1,"choices":[{"delta":{"content":"a"}}],"usage":null}\n\n',
    ],
)
def test_a_text_that_stands_elsewhere_too_is_read_from_its_own_place(event: bytes) -> None:
    other = event.replace(b'"content":"\\u0061"', b'"content":"b"').replace(b'"content":"a"', b'"content":"b"')
    elsewhere = event.replace(b'"id":"a"', b'"id":"c"').replace(b'x\\"a', b'x\\"c').replace(b'"a":1', b'"c":1')
    assert parsed("openai-chat", [event + event + other + elsewhere + b"data: [DONE]\n\n"]).text == "aaba"


def test_what_each_event_has_of_its_own_is_read() -> None:
    body = b"".join(chat({"content": "x"}, obfuscation="y" * i) for i in range(40))
    error = b'data: {"error":{"message":"boom"},"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
    heard = parsed("openai-chat", [body + error])
    assert heard.error is not None
    assert heard.text == "x" * 41
