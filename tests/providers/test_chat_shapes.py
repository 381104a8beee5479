"""What single vendors of the chat protocol send: the reply, why it ended, what it used, or the kind of its error."""

import json
from typing import Any

import pytest

from app.providers.stops import stop_of
from tests.providers.shape import ONE, TWO, USED, Shape
from tests.providers.test_odd_streams import DONE, HI, STOP, chat, delta, sse


def fragment(index: Any = None, call_id: Any = None, name: Any = None, arguments: Any = None) -> dict[str, Any]:
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    return {k: v for k, v in (("index", index), ("id", call_id), ("function", function)) if v is not None}


def called(name: str, *chunks: Any, calls: tuple[Any, ...] = ONE, stop: str = "tool_use") -> Shape:
    return Shape(name, chat(*(delta(tool_calls=chunk) for chunk in chunks)), calls=calls, stop=stop)


def ending(word: Any, stop: str = "end") -> Shape:
    return Shape(f"ended by {word}", sse(HI, {"choices": [{"index": 0, "finish_reason": word}]}, DONE), text="hi", stop=stop)


WHOLE = {
    "object": "chat.completion",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi", "reasoning_content": "hm"}}
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
}
CHAT = [
    Shape(
        "MiniMax closes with the whole message and the only usage",
        sse(delta(role="assistant", reasoning_content="hm"), delta(content="h"), delta(content="i"), WHOLE),
        text="hi",
        thinking="hm",
        usage=USED,
    ),
    Shape(
        "OpenAI refuses in words of their own",
        chat(delta(content="", refusal="I will "), delta(refusal="not.")),
        detail="I will not.",
    ),
    Shape(
        "MiniMax thinks in tags and apart",
        chat(delta(content="<think>hm", reasoning_content="hm"), delta(content="</think>\n\nhi")),
        text="hi",
        thinking="hm",
    ),
    Shape(
        "Copilot's second choice has the call",
        json.dumps(
            {
                "choices": [
                    {"message": {"content": "hi"}, "finish_reason": "tool_calls"},
                    {
                        "message": {"tool_calls": [fragment(call_id="a", name="f", arguments='{"n":1}')]},
                        "finish_reason": "tool_calls",
                    },
                ]
            }
        ).encode(),
        text="hi",
        calls=ONE,
        stop="tool_use",
    ),
    Shape(
        "a server that counts choices in text", sse({"choices": [{"index": "0", "delta": {"content": "hi"}}]}, STOP), text="hi"
    ),
    Shape(
        "a server that counts choices from one",
        sse(*({"choices": [{**c["choices"][0], "index": 1}]} for c in (HI, STOP))),
        text="hi",
    ),
    Shape(
        "DashScope's word null is no end",
        sse({"choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": "null"}]}),
        text="hi",
        error="network",
    ),
    Shape(
        "Databricks's reasoning parts",
        chat(delta(content=[{"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}]), HI),
        text="hi",
        thinking="hm",
    ),
    Shape(
        "Bedrock's gpt-oss thinks in tags of its own",
        chat(delta(content="<reasoning>hm</reasoning>hi")),
        text="hi",
        thinking="hm",
    ),
    Shape("Kimi-VL's tags", chat(delta(content="◁think▷hm◁/th"), delta(content="ink▷hi")), text="hi", thinking="hm"),
    Shape(
        "OpenRouter's error beside a choice that failed",
        sse(
            HI,
            {
                "error": {"code": 502, "message": "Provider disconnected"},
                "choices": [{"delta": {"content": ""}, "finish_reason": "error"}],
            },
        ),
        text="hi",
        error="internal",
    ),
    Shape("OpenRouter's comments", b": OPENROUTER PROCESSING\n\n" * 3 + chat(HI), text="hi"),
    Shape(
        "Azure's filter results before and after",
        chat(
            {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
            HI,
            {"choices": [{"index": 0, "finish_reason": None, "content_filter_offsets": {"check_offset": 1}}]},
        ),
        text="hi",
    ),
    Shape(
        "Azure's filter cuts the reply",
        sse(
            HI,
            {
                "choices": [
                    {
                        "index": 0,
                        "delta": {},
                        "finish_reason": "content_filter",
                        "content_filter_results": {"hate": {"filtered": True}},
                    }
                ]
            },
        ),
        text="hi",
        stop="content_filter",
    ),
    Shape(
        "Cerebras's error with a status of its own",
        sse(
            HI,
            {
                "message": "Tokens per minute limit exceeded",
                "type": "too_many_tokens_error",
                "code": "token_quota_exceeded",
                "status_code": 429,
            },
        ),
        text="hi",
        error="rate_limit",
    ),
    Shape(
        "Groq's usage apart",
        sse(HI, {**STOP, "x_groq": {"usage": {"prompt_tokens": 5, "completion_tokens": 2}}}),
        text="hi",
        usage=USED,
    ),
    Shape(
        "xAI counts thinking beside",
        sse(
            HI,
            {
                **STOP,
                "usage": {
                    "prompt_tokens": 5,
                    "completion_tokens": 2,
                    "total_tokens": 10,
                    "completion_tokens_details": {"reasoning_tokens": 3},
                },
            },
        ),
        text="hi",
        usage={"output_tokens": 5, "thinking_tokens": 3},
    ),
    Shape(
        "Kimi's usage in the choice",
        sse(
            HI,
            {
                "choices": [
                    {"index": 0, "delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 5, "completion_tokens": 2}}
                ]
            },
        ),
        text="hi",
        usage=USED,
    ),
    Shape("no usage at all is unknown", chat(HI), text="hi", usage={"input_tokens": None, "output_tokens": None}),
    Shape(
        "llama.cpp's error line",
        sse(HI) + b'error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n',
        text="hi",
        error="overloaded",
    ),
    Shape(
        "LM Studio's error event",
        sse(HI) + b'event: error\ndata: {"error":{"message":"Failed to parse tool call"}}\n\n',
        text="hi",
        error="bad_request",
    ),
    called(
        "calls of one list without index, ids or arguments",
        [fragment(name="f"), fragment(name="g")],
        calls=(("f", {}), ("g", {})),
    ),
    called(
        "the head of the second call with the first one's index, its tail with its own",
        [fragment(0, "a", "f", '{"n":1}')],
        [fragment(0, "b", "g", "")],
        [fragment(1, None, None, '{"m":2}')],
        calls=TWO,
    ),
    called(
        "a known id after its index was taken",
        [fragment(0, "a", "f", '{"n":')],
        [fragment(0, "b", "g", '{"m":')],
        [fragment(0, "a", None, "1}")],
        [fragment(0, "b", None, "2}")],
        calls=TWO,
    ),
    called("an id and a name in each fragment (vLLM)", *([fragment(0, "a", "f", part)] for part in ('{"n"', ":", "1}"))),
    called(
        "names null and ids empty later (Qwen)",
        [fragment(0, "a", "f", "")],
        [{"index": 0, "id": "", "function": {"name": None, "arguments": '{"n":1}'}}],
    ),
    called(
        "Gemini's OpenAI endpoint: two calls of one name without ids",
        [fragment(0, "", "f", '{"n":1}')],
        [fragment(0, "", "f", '{"n":2}')],
        calls=(*ONE, ("f", {"n": 2})),
    ),
    called(
        "Ollama: whole calls, each at index 0 with its id",
        [fragment(0, "a", "f", '{"n":1}')],
        [fragment(0, "b", "g", '{"m":2}')],
        calls=TWO,
    ),
    called(
        "arguments that hold all that was said so far",
        *([fragment(0, "a", "f", part)] for part in ('{"n', '{"n":1', '{"n":1}')),
    ),
    called(
        "a name that holds all that was said so far",
        [fragment(0, "a", "f_o")],
        [fragment(0, None, "f_one", '{"n":1}')],
        calls=(("f_one", {"n": 1}),),
    ),
    called("a name in pieces", [fragment(0, "a", "f_")], [fragment(0, None, "one", '{"n":1}')], calls=(("f_one", {"n": 1}),)),
    called("gpt-oss's markup after the name", [fragment(0, "a", "functions.f<|channel|>commentary", '{"n":1}')]),
    called("a free-form call", [{"index": 0, "id": "a", "type": "custom", "custom": {"name": "f", "input": '{"n":1}'}}]),
    called("TGI: one object, arguments an object", {"index": 0, "id": "a", "function": {"name": "f", "arguments": {"n": 1}}}),
    ending("eos"),
    ending("max_tokens_reached", "length"),
    ending("guardrails_blocked", "content_filter"),
    ending("sensitive", "content_filter"),
    ending("model_context_window_exceeded", "length"),
]


@pytest.mark.parametrize("shape", CHAT, ids=lambda shape: f"{shape.protocol}: {shape.name}")
def test_what_vendors_are_known_to_send_is_understood(shape: Shape) -> None:
    shape.check()


def test_a_call_whose_name_holds_a_word_for_its_fault_is_no_reply() -> None:
    assert stop_of("function_call_filter: MALFORMED_FUNCTION_CALL") == "error"
