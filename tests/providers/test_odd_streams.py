"""Shapes that servers send now and then, in every protocol: understood where that can be, else told as what they are."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from app.providers.stops import stop_of
from tests.providers.speaking import Heard, parsed

DONE = "[DONE]"
STOP: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
HI: dict[str, Any] = {"choices": [{"index": 0, "delta": {"content": "hi"}}]}
CALL = {"id": "a", "function": {"name": "f", "arguments": '{"n":1}'}}


@dataclass(frozen=True)
class Odd:
    """`body` and what it comes to: text, thinking and calls, and the kind of the error if there is one."""

    name: str
    body: bytes
    text: str = "hi"
    thinking: str = ""
    calls: tuple[Any, ...] = ()
    error: str | None = None
    protocol: str = "openai-chat"


def sse(*payloads: Any, end: str = "\n\n") -> bytes:
    return "".join(f"data: {p if isinstance(p, str) else json.dumps(p)}{end}" for p in payloads).encode()


def delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields}]}


def chat(*payloads: Any) -> bytes:
    return sse(*payloads, STOP, DONE)


def said(name: str, *deltas: Any, **more: Any) -> Odd:
    return Odd(name, chat(*deltas), **more)


def called(name: str, *fragments: Any, calls: tuple[Any, ...] = (("f", {"n": 1}),)) -> Odd:
    return Odd(name, chat(*(delta(tool_calls=f) for f in fragments)), text="", calls=calls)


NOTHING = dict.fromkeys(("role", "tool_calls", "reasoning", "reasoning_content", "reasoning_details", "refusal", "audio"))
NULLS = {
    **dict.fromkeys(("id", "object", "usage", "error", "model", "x_groq")),
    "choices": [{"index": None, "delta": {"content": "hi", **NOTHING, "function_call": None}, "finish_reason": None}],
}
CHAT = [
    said("null in every field", NULLS),
    said("choices null", {"choices": None}, HI),
    said("choices one object", {"choices": HI["choices"][0]}),
    said("a choice null", {"choices": [None]}, HI),
    said("delta null", {"choices": [{"delta": None}]}, HI),
    said("delta plain text", {"choices": [{"delta": "hi"}]}),
    said("text of the older protocol", {"choices": [{"index": 0, "text": "hi"}]}),
    said("a second choice", {"choices": [HI["choices"][0], {"index": 1, "delta": {"content": "no"}}]}),
    said("content a list", delta(content=[{"type": "text", "text": "h"}, {"type": "reference"}, "i", None])),
    said("content one part", delta(content={"type": "text", "text": "hi"})),
    said("content with a value in it", delta(content=[{"type": "text", "text": {"value": "hi"}}])),
    said("content a number", delta(content=5), HI),
    said("the whole message once more at the end", HI, {"choices": [{"delta": {}, "message": {"content": "hi"}}]}),
    said("NaN and numbers too large", '{"n": NaN, "created": 1' + "0" * 40 + ', "choices": [{"delta": {"content": "hi"}}]}'),
    said("data that is a number", "5", HI),
    *(said(f"thoughts in {name}", delta(**{name: "hm"}), HI, thinking="hm") for name in ("thinking", "reasoning_text")),
    said("thoughts said twice", delta(reasoning="hm", reasoning_content="hm"), HI, thinking="hm"),
    said("thoughts in an object", delta(reasoning={"content": "hm"}), HI, thinking="hm"),
    said("thoughts in a list", delta(reasoning_content=[{"type": "text", "text": "hm"}]), HI, thinking="hm"),
    said("thoughts in capital tags", delta(content="<TH"), delta(content="INK>hm</THINK>hi"), thinking="hm"),
    said("thoughts in Mistral's tags", delta(content="[THINK]hm[/TH"), delta(content="INK]hi"), thinking="hm"),
    called("calls one object", {"index": 0, **CALL}),
    called("a call null", [None], [{"index": 0, **CALL}]),
    called("a call without function around it", [{"id": "a", "name": "f", "arguments": '{"n":1}'}]),
    called("a function null at first", [{"index": 0, "id": "a", "function": None}], [{"index": 0, **CALL}]),
    called("ids that are numbers", [{"index": 0, **CALL, "id": 5}]),
    called(
        "indexes that are text",
        [{"index": "0", "id": "a", "function": {"name": "f", "arguments": '{"n":'}}, {"index": "1", **CALL, "id": "b"}],
        [{"index": "0", "function": {"arguments": "2}"}}],
        calls=(("f", {"n": 2}), ("f", {"n": 1})),
    ),
    called(
        "pieces told apart by id alone",
        [{"id": "a", "function": {"name": "f", "arguments": '{"n":'}}],
        [{"id": "b", "function": {"name": "g", "arguments": '{"m":'}}],
        [{"id": "a", "function": {"arguments": "1}"}}],
        [{"id": "b", "function": {"arguments": "2}"}}],
        calls=(("f", {"n": 1}), ("g", {"m": 2})),
    ),
]
FRAMES = [
    Odd("no finish but the end mark", sse(HI, DONE)),
    Odd("the end mark in small letters", sse(HI, "[done]")),
    Odd("the end mark as JSON", sse(HI, '"[DONE]"')),
    Odd("framed twice", b"data: " + sse(HI) + sse(STOP)),
    Odd("space before the field", b" " + sse(HI) + sse(STOP)),
    Odd("a tab after the colon", chat(HI).replace(b"data: ", b"data:\t")),
    Odd("no blank lines", sse(HI, STOP, DONE, end="\n")),
    Odd("no last line break", sse(HI, STOP).rstrip()),
    Odd("nothing but the end", sse(DONE), text="", error="network"),
    Odd("an empty chunk and the end", sse({"choices": []}, DONE), text="", error="network"),
    Odd("an event cut off after the end was said", sse(HI, STOP) + b'data: {"choices":[],"usa'),
    Odd("a list of chunks as one document", json.dumps([HI, STOP]).encode()),
    Odd("chunks as lines of JSON", b"\n".join(json.dumps(p).encode() for p in (HI, STOP))),
    Odd("cut in the middle of an event", sse(HI) + b'data: {"choices":[{"del', error="network"),
    Odd("no end", sse(HI), error="network"),
    Odd("nothing at all", b"", text="", error="network"),
    Odd("comments only", b": wait\n\n: wait\n\n", text="", error="network"),
    Odd("plain words", b"Internal Server Error\n", text="", error="protocol"),
    Odd("a web page as an event", sse(HI, "<html>502</html>"), error="network"),
    Odd("a web page in the middle", sse(HI) + b"<html>502 Bad Gateway</html>", error="network"),
]
ERRORS: list[tuple[str, Any, str]] = [
    ("an object", {"error": {"message": "x", "type": "server_error"}}, "internal"),
    ("a string", {"error": "Overloaded"}, "overloaded"),
    ("a list", {"error": [{"message": "Rate limit reached"}]}, "rate_limit"),
    ("a flag", {"error": True, "message": "model is overloaded"}, "overloaded"),
    (
        "an object that says it is one",
        {"object": "error", "message": "maximum context length is 10", "code": 400},
        "context_overflow",
    ),
    ("a type that says it is one", {"type": "error", "message": "x"}, "bad_request"),
    ("several", {"errors": [{"code": 7000, "message": "no route"}]}, "bad_request"),
    ("a detail", {"detail": "Not Found"}, "bad_request"),
    ("a message", {"message": "Unauthorized"}, "auth"),
    ("a code and a msg", {"code": 1113, "msg": "Insufficient balance", "success": False}, "balance"),
    ("MiniMax's own", {"base_resp": {"status_code": 1004, "status_msg": "login fail"}, "choices": None}, "auth"),
    ("Groq's own", {"choices": [], "x_groq": {"error": "Failed to call a function"}}, "bad_request"),
    ("beside a choice", {"choices": [{"index": 0, "delta": {}, "error": {"code": 502, "message": "upstream"}}]}, "internal"),
    ("a finish reason", {"choices": [{"index": 0, "delta": {}, "finish_reason": "ERROR"}]}, "internal"),
]
FAILED = [Odd(f"an error: {name}", sse(HI, payload, DONE), error=kind) for name, payload, kind in ERRORS]


def events(*payloads: dict[str, Any]) -> bytes:
    return b"".join(f"event: {p.get('type')}\n".encode() + sse(p) for p in payloads)


def anthropic(name: str, *payloads: Any, **more: Any) -> Odd:
    return Odd(name, events(*payloads), protocol="anthropic", **more)


TEXT: Any = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}}
OVER: Any = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}
TOOL: Any = {
    "type": "content_block_start",
    "index": 1,
    "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}},
}


def arguments(value: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": value}}


ONE: tuple[Any, ...] = (("f", {"n": 1}),)
ANTHROPIC = [
    anthropic("no beginning and no end of the block", TEXT, OVER),
    anthropic("null in every place", {"type": "message_start", "message": None}, {**TEXT, "delta": None}, TEXT, OVER),
    anthropic("a block null", {"type": "content_block_start", "index": 0, "content_block": None}, TEXT, OVER),
    anthropic("an event of a new kind", {"type": "brand_new", "x": 1}, {"type": "ping"}, TEXT, OVER),
    anthropic("a delta without a type", {**TEXT, "delta": {"text": "hi"}}, OVER),
    anthropic(
        "arguments in pieces",
        TOOL,
        arguments(""),
        arguments('{"n"'),
        arguments(None),
        arguments(":1}"),
        OVER,
        text="",
        calls=ONE,
    ),
    anthropic("arguments as an object", TOOL, arguments({"n": 1}), OVER, text="", calls=ONE),
    anthropic("a flat error", TEXT, {"type": "error", "message": "Overloaded"}, error="overloaded"),
    anthropic("an error of another kind of server", {"detail": "Not Found"}, text="", error="bad_request"),
    anthropic("no end", TEXT, error="network"),
    Odd("a whole message of text", b'{"type":"message","content":"hi","stop_reason":"end_turn"}', protocol="anthropic"),
    Odd("another protocol's stream", chat(HI), protocol="anthropic", text="", error="network"),
]


def gemini(name: str, *parts: Any, end: Any = None, **more: Any) -> Odd:
    first = {"candidates": [{"content": {"parts": list(parts)}}]}
    return Odd(name, sse(first, end or {"candidates": [{"finishReason": "STOP"}]}), protocol="gemini", **more)


FCALL = {"name": "f", "args": {"n": 1}}
GEMINI = [
    gemini("a part null", None, {"text": "hi", "thought": None, "functionCall": None, "thoughtSignature": None}),
    gemini("a candidate null", {"text": "hi"}, end={"candidates": [None, {"finishReason": "STOP", "content": None}]}),
    gemini("names in snake case", {"text": "hi"}, end={"candidates": [{"finish_reason": "stop"}]}),
    gemini("a call in snake case", {"function_call": FCALL}, text="", calls=ONE),
    gemini("arguments as text", {"functionCall": {"name": "f", "args": '{"n":1}'}}, text="", calls=ONE),
    gemini("a thought that is its text", {"thought": "hm"}, {"text": "hi"}, thinking="hm"),
    gemini("an error at the end", {"text": "hi"}, end={"error": {"code": 503, "status": "UNAVAILABLE"}}, error="overloaded"),
    Odd(
        "wrapped",
        sse({"response": {"candidates": [{"content": {"parts": [{"text": "hi"}]}, "finishReason": "STOP"}]}}),
        protocol="gemini",
    ),
]


def lines(*payloads: Any) -> bytes:
    return b"".join(json.dumps(p).encode() + b"\n" for p in payloads)


def ollama(name: str, body: bytes, **more: Any) -> Odd:
    return Odd(name, body, protocol="ollama", **more)


SAID = {"message": {"content": "hi"}, "done": False}
LAST = {"message": {"content": "", "thinking": None, "tool_calls": None}, "done": True, "done_reason": "stop"}
OCALL: Any = {"function": {"name": "f", "arguments": {"n": 1}}}
OLLAMA = [
    ollama("a message null", lines({"message": None, "done": False}, SAID, LAST)),
    ollama("the other endpoint's field", lines({"response": "hi", "done": False}, LAST)),
    ollama("content a list", lines({"message": {"content": [{"type": "text", "text": "hi"}]}}, LAST)),
    ollama("calls one object", lines({"message": {"tool_calls": OCALL}}, LAST), text="", calls=ONE),
    ollama("a call null and one as text", lines({"message": {"tool_calls": [None, OCALL]}}, LAST), text="", calls=ONE),
    ollama("documents over several lines", json.dumps(SAID, indent=2).encode() + b"\n" + json.dumps(LAST, indent=2).encode()),
    ollama("documents without a line break", json.dumps(SAID).encode() + json.dumps(LAST).encode()),
    ollama("an error in words", lines(SAID, {"error": "CUDA error"}), error="bad_request"),
    ollama("a line cut off", lines(SAID, LAST)[:-20], error="network"),
]


def responses(name: str, *payloads: Any, **more: Any) -> Odd:
    return Odd(name, events(*payloads), protocol="openai-responses", **more)


RTEXT = {"type": "response.output_text.delta", "item_id": "i", "delta": "hi"}
REND: Any = {"type": "response.completed", "response": {"status": "completed", "output": None, "usage": None}}
RCALL: Any = {"id": "x", "type": "function_call", "call_id": "c", "name": "f", "arguments": ""}
ADDED = {"type": "response.output_item.added", "item": RCALL}
RESPONSES = [
    responses("no indexes and nothing at the end", RTEXT, REND),
    responses("an item null", {"type": "response.output_item.added", "item": None}, RTEXT, REND),
    responses("the text only when it is done", {"type": "response.output_text.done", "output_index": 0, "text": "hi"}, REND),
    responses(
        "arguments only when they are done",
        {**ADDED, "output_index": 0},
        {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": '{"n":1}'},
        REND,
        text="",
        calls=ONE,
    ),
    responses(
        "two calls known by their ids",
        ADDED,
        {"type": "response.function_call_arguments.delta", "item_id": "x", "delta": '{"n":1}'},
        {"type": "response.output_item.added", "item": {**RCALL, "id": "y", "call_id": "d", "name": "g"}},
        {"type": "response.function_call_arguments.delta", "item_id": "y", "delta": '{"m":2}'},
        REND,
        text="",
        calls=(*ONE, ("g", {"m": 2})),
    ),
    responses(
        "an error of its own", RTEXT, {"type": "response.error", "error": {"code": "rate_limit_exceeded"}}, error="rate_limit"
    ),
    responses("an error of another kind of server", {"detail": "Not Found"}, text="", error="bad_request"),
]
ALL = [*CHAT, *FRAMES, *FAILED, *ANTHROPIC, *GEMINI, *OLLAMA, *RESPONSES]


def heard_of(odd: Odd, size: int) -> Heard:
    pieces = [odd.body[i : i + size] for i in range(0, len(odd.body), size)]
    return parsed(odd.protocol, pieces or [b""])


@pytest.mark.parametrize("odd", ALL, ids=lambda odd: f"{odd.protocol}: {odd.name}")
def test_what_an_odd_server_says_is_understood(odd: Odd) -> None:
    for size in (len(odd.body) or 1, 7, 1):
        heard = heard_of(odd, size)
        calls = tuple((c.name, c.arguments) for c in heard.calls if c.invalid is None)
        kind = heard.error.kind if heard.error else None
        assert (heard.text, heard.thinking, calls, kind) == (odd.text, odd.thinking, odd.calls, odd.error)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        *((w, "end") for w in ("stop", "STOP", "end_turn", "eos_token", "FINISH_REASON_STOP", "", None, "new thing", 5)),
        *((w, "tool_use") for w in ("tool_calls", "TOOL_CALLS", "tool-calls", "toolUse", "function_call")),
        *(
            (w, "length")
            for w in ("length", "MAX_TOKENS", "max_output_tokens", "FinishReason.MAX_TOKENS", "context_length_exceeded")
        ),
        *((w, "content_filter") for w in ("content-filter", "ContentFilter", "SAFETY", "FINISH_REASON_SAFETY", "recitation")),
        *((w, "refusal") for w in ("refusal", "REFUSAL")),
        *((w, "error") for w in ("error", "network_error", "insufficient_system_resource", "Aborted")),
    ],
)
def test_why_a_reply_ended_is_understood_in_any_spelling(word: Any, reason: str) -> None:
    assert stop_of(word) == reason
