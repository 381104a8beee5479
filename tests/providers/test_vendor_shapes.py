"""What Gemini, Anthropic and Ollama are known to send: the reply, why it ended, what it used, or the kind of its error."""

import json
from typing import Any

import pytest

from tests.providers.shape import ONE, TWO, USED, Shape
from tests.providers.speaking import parsed
from tests.providers.test_odd_streams import events, sse


def gemini(name: str, *chunks: Any, **more: Any) -> Shape:
    return Shape(name, sse(*chunks), protocol="gemini", **more)


def parts(*said: Any, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(said)}, **more}]}


def piece(path: str, text: str, more: bool) -> dict[str, Any]:
    told = {"jsonPath": path, "stringValue": text, **({"willContinue": True} if more else {})}
    return parts({"functionCall": {"partialArgs": [told], "willContinue": True}})


GSTOP = {"candidates": [{"finishReason": "STOP"}]}
GEMINI = [
    gemini(
        "empty candidates and a blocked prompt",
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 5}},
        stop="content_filter",
        usage={"input_tokens": 5},
    ),
    gemini(
        "blocked in the middle",
        parts({"text": "hi"}),
        {"promptFeedback": {"blockReason": "OTHER"}},
        text="hi",
        stop="content_filter",
    ),
    gemini("nothing said and stopped", parts({"text": ""}, finishReason="STOP")),
    gemini("a candidate with no content", {"candidates": [{"finishReason": "MAX_TOKENS", "index": 0}]}, stop="length"),
    gemini(
        "a malformed call",
        parts({"text": "hi"}),
        {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "print(x"}]},
        text="hi",
        error="protocol",
    ),
    gemini(
        "a call in a namespace",
        parts({"functionCall": {"name": "default_api:f", "args": {"n": 1}}}),
        GSTOP,
        calls=ONE,
        stop="tool_use",
    ),
    gemini(
        "thought, text and two calls in one chunk",
        parts(
            {"text": "hm", "thought": True},
            {"text": "hi"},
            {"functionCall": {"name": "f", "args": {"n": 1}}, "thoughtSignature": "s"},
            {"functionCall": {"name": "g", "args": {"m": 2}}},
            finishReason="STOP",
        ),
        text="hi",
        thinking="hm",
        calls=TWO,
        stop="tool_use",
    ),
    gemini(
        "arguments in pieces, two calls",
        parts({"functionCall": {"name": "f", "willContinue": True}}),
        piece("$.place.city", "New ", True),
        piece("$.place.city", "Delhi", False),
        piece("$.days[1]", "Monday", False),
        parts(
            {
                "functionCall": {
                    "partialArgs": [{"jsonPath": "$['n']", "numberValue": 1}, {"jsonPath": "$.no", "nullValue": "NULL_VALUE"}],
                    "willContinue": True,
                }
            }
        ),
        parts({"functionCall": {}}),
        parts({"functionCall": {"name": "g", "args": {"m": 2}}}, finishReason="STOP"),
        calls=(("f", {"place": {"city": "New Delhi"}, "days": [None, "Monday"], "n": 1, "no": None}), ("g", {"m": 2})),
        stop="tool_use",
    ),
    gemini(
        "arguments in pieces, cut off",
        parts({"functionCall": {"name": "f", "willContinue": True}}),
        piece("$.a", "x", True),
        {"candidates": [{"finishReason": "MAX_TOKENS"}]},
        stop="length",
    ),
    gemini(
        "thoughts and the tool's prompt are counted",
        parts({"text": "hi"}),
        {
            **GSTOP,
            "usageMetadata": {
                "promptTokenCount": 5,
                "toolUsePromptTokenCount": 4,
                "candidatesTokenCount": 2,
                "thoughtsTokenCount": 3,
            },
        },
        text="hi",
        usage={"input_tokens": 9, "output_tokens": 5, "thinking_tokens": 3},
    ),
    gemini(
        "an error in a list",
        [
            {
                "error": {
                    "code": 429,
                    "status": "RESOURCE_EXHAUSTED",
                    "message": "Quota exceeded for metric: x. Please retry in 5s.",
                }
            }
        ],
        error="rate_limit",
    ),
]


def anthropic(name: str, *payloads: Any, **more: Any) -> Shape:
    return Shape(name, events(*payloads), protocol="anthropic", **more)


def begin(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def more(index: int, kind: str, **said: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **said}}


def over(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ended(word: str, **usage: int) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": word}, "usage": usage}


STARTED: Any = {
    "type": "message_start",
    "message": {"usage": {"input_tokens": 5, "cache_read_input_tokens": 3, "output_tokens": 1}},
}
AHI = (begin(0, type="text", text=""), more(0, "text_delta", text="hi"), over(0))
ATOOL = (begin(0, type="tool_use", id="t", name="f", input={}), more(0, "input_json_delta", partial_json='{"n":1}'), over(0))
ANTHROPIC = [
    *(
        anthropic(f"ended by {word}", *AHI, ended(word), text="hi", stop=stop)
        for word, stop in (
            ("pause_turn", "end"),
            ("compaction", "end"),
            ("model_context_window_exceeded", "length"),
            ("refusal", "refusal"),
            ("stop_sequence", "end"),
        )
    ),
    anthropic(
        "pings and a beginning told twice",
        STARTED,
        {"type": "ping"},
        STARTED,
        *AHI,
        ended("end_turn", output_tokens=2),
        {"type": "message_stop"},
        text="hi",
        usage={"input_tokens": 8, "output_tokens": 2, "cached_input_tokens": 3},
    ),
    anthropic(
        "input counted at the end",
        {"type": "message_start", "message": {"usage": {"input_tokens": 0, "output_tokens": 0}}},
        *AHI,
        ended("end_turn", input_tokens=5, output_tokens=2),
        text="hi",
        usage=USED,
    ),
    anthropic(
        "nothing counted at the end",
        STARTED,
        *AHI,
        ended("end_turn", input_tokens=0, output_tokens=2),
        text="hi",
        usage={"input_tokens": 8, "output_tokens": 2},
    ),
    anthropic(
        "the whole message once more",
        *AHI,
        {"type": "message", "content": [{"type": "text", "text": "hi"}], "stop_reason": "end_turn"},
        text="hi",
    ),
    anthropic(
        "a block that begins with what is said again",
        begin(0, type="text", text="hi"),
        more(0, "text_delta", text="hi"),
        over(0),
        ended("end_turn"),
        text="hi",
    ),
    anthropic("one number for all blocks", *ATOOL, *AHI, ended("tool_use"), text="hi", calls=ONE, stop="tool_use"),
    anthropic(
        "a compaction block",
        begin(0, type="compaction", content=None),
        more(0, "compaction_delta", content="sum"),
        over(0),
        *AHI,
        ended("end_turn"),
        text="hi",
    ),
    anthropic(
        "server tools are not ours to run",
        begin(0, type="server_tool_use", id="s", name="web_search", input={}),
        more(0, "input_json_delta", partial_json='{"query":"x"}'),
        over(0),
        begin(1, type="web_search_tool_result", tool_use_id="s", content=[]),
        over(1),
        *AHI,
        ended("end_turn"),
        text="hi",
    ),
    anthropic(
        "an error after the beginning",
        STARTED,
        *AHI,
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        text="hi",
        error="overloaded",
    ),
    anthropic(
        "no money left",
        {"type": "error", "error": {"type": "billing_error", "message": "Your account has a problem."}},
        error="balance",
    ),
    anthropic("no time left", {"type": "error", "error": {"type": "timeout_error", "message": "Timed out"}}, error="timeout"),
]


def ndjson(name: str, *payloads: Any, **more: Any) -> Shape:
    return Shape(name, b"".join(json.dumps(p).encode() + b"\n" for p in payloads), protocol="ollama", **more)


OHI = {"message": {"role": "assistant", "content": "hi"}, "done": False}
OEND: Any = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
OLLAMA = [
    ndjson(
        "thinking, then a call beside text",
        {"message": {"thinking": "hm"}},
        {"message": {"content": "hi", "tool_calls": [{"function": {"index": 0, "name": "f", "arguments": {"n": 1}}}]}},
        OEND,
        text="hi",
        thinking="hm",
        calls=ONE,
        stop="tool_use",
    ),
    ndjson(
        "a prompt from the cache is not counted",
        OHI,
        {**OEND, "eval_count": 2},
        text="hi",
        usage={"input_tokens": None, "output_tokens": 2},
    ),
    ndjson("cut by length", OHI, {**OEND, "done_reason": "length"}, text="hi", stop="length"),
    ndjson(
        "a broken model",
        OHI,
        {"error": "an error was encountered while running the model: unexpected EOF"},
        text="hi",
        error="internal",
    ),
    ndjson("no end", OHI, text="hi", error="network"),
]


@pytest.mark.parametrize("shape", [*GEMINI, *ANTHROPIC, *OLLAMA], ids=lambda shape: f"{shape.protocol}: {shape.name}")
def test_what_vendors_are_known_to_send_is_understood(shape: Shape) -> None:
    shape.check()


def test_the_empty_call_that_ends_one_told_in_pieces_leaves_nothing_behind_to_be_sent_back() -> None:
    body = (
        parts({"functionCall": {"name": "f", "willContinue": True}}),
        piece("$.a", "x", False),
        parts({"functionCall": {}}, finishReason="STOP"),
    )
    heard = parsed("gemini", [sse(*body)])
    assert [(c.name, c.arguments) for c in heard.calls] == [("f", {"a": "x"})]
    assert heard.blocks == list(heard.calls)
