"""What servers of the Responses API are known to send: the reply, why it ended, what it used, or the kind of its error."""

from typing import Any

import pytest

from tests.providers.shape import ONE, TWO, USED, Shape
from tests.providers.test_odd_streams import events


def responses(name: str, *payloads: Any, **more: Any) -> Shape:
    return Shape(name, events(*payloads), protocol="openai-responses", **more)


def done(*output: Any, status: str = "completed", **fields: Any) -> dict[str, Any]:
    return {"type": f"response.{status}", "response": {"status": status, "output": list(output), **fields}}


def item(event: str, index: int, **fields: Any) -> dict[str, Any]:
    return {"type": f"response.output_item.{event}", "output_index": index, "item": fields}


def call_item(name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "id": f"fc_{name}", "call_id": f"c_{name}", "name": name, "arguments": arguments, **more}


RHI = {"type": "response.output_text.delta", "output_index": 0, "item_id": "m", "delta": "hi"}
RHM = {"type": "response.reasoning_text.delta", "output_index": 0, "item_id": "r", "delta": "hm"}
F, G = call_item("f", '{"n":1}'), call_item("g", '{"m":2}')
RESPONSES = [
    responses(
        "a call that only the summary holds",
        RHI,
        done({"type": "message", "content": [{"type": "output_text", "text": "hi"}]}, F),
        text="hi",
        calls=ONE,
        stop="tool_use",
    ),
    responses(
        "items of one number",
        item("added", 0, type="reasoning"),
        RHM,
        item("done", 0, type="reasoning"),
        item("added", 0, type="message"),
        RHI,
        item("done", 0, type="message", content=[{"type": "output_text", "text": "hi"}]),
        item("added", 0, **F),
        item("done", 0, **F),
        item("added", 0, **G),
        item("done", 0, **G),
        done(F, G),
        text="hi",
        thinking="hm",
        calls=TWO,
        stop="tool_use",
    ),
    responses(
        "a finished message of a number that thinking had",
        RHM,
        item("done", 0, type="message", content=[{"type": "output_text", "text": "hi"}]),
        done(),
        text="hi",
        thinking="hm",
    ),
    responses(
        "ids that change from event to event",
        item("added", 1, **{**F, "id": "x1", "arguments": ""}),
        {"type": "response.function_call_arguments.delta", "output_index": 1, "item_id": "x2", "delta": '{"n":1}'},
        item("done", 1, **{**F, "id": "x3"}),
        done({**F, "id": "x4"}),
        calls=ONE,
        stop="tool_use",
    ),
    responses(
        "arguments before their call",
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": '{"n":1}'},
        item("added", 0, **{**F, "arguments": ""}),
        item("done", 0, **F),
        done(),
        calls=ONE,
        stop="tool_use",
    ),
    responses(
        "a refusal",
        {"type": "response.refusal.delta", "delta": "I will not."},
        done({"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]}),
        stop="refusal",
        detail="I will not.",
    ),
    responses(
        "two calls of one number, told apart by their ids",
        item("added", 0, **{**F, "arguments": ""}),
        item("added", 0, **{**G, "arguments": ""}),
        *(
            {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": f"fc_{name}", "delta": piece}
            for name, piece in (("f", '{"n"'), ("g", '{"m"'), ("f", ":1}"), ("g", ":2}"))
        ),
        {"type": "response.function_call_arguments.done", "output_index": 0, "item_id": "fc_f", "arguments": F["arguments"]},
        item("done", 0, **F),
        item("done", 0, **G),
        done(F, G),
        calls=TWO,
        stop="tool_use",
    ),
    responses(
        "cut by length",
        RHI,
        done(
            status="incomplete",
            incomplete_details={"reason": "max_output_tokens"},
            usage={"input_tokens": 5, "output_tokens": 2},
        ),
        text="hi",
        stop="length",
        usage=USED,
    ),
    responses(
        "cut by a filter",
        RHI,
        done(status="incomplete", incomplete_details={"reason": "content_filter"}),
        text="hi",
        stop="content_filter",
    ),
    responses(
        "failed",
        RHI,
        done(status="failed", error={"code": "rate_limit_exceeded", "message": "Rate limit reached"}),
        text="hi",
        error="rate_limit",
    ),
    responses("failed without a word", done(status="failed", error=None), error="internal"),
    responses(
        "queued first, with a search and its notes",
        {"type": "response.queued", "response": {"status": "queued"}},
        item("added", 0, type="web_search_call", id="w"),
        {"type": "response.web_search_call.searching", "output_index": 0},
        item("done", 0, type="web_search_call", id="w", status="completed"),
        {**RHI, "output_index": 1},
        {"type": "response.output_text.annotation.added", "output_index": 1, "annotation": {"type": "url_citation"}},
        done(),
        text="hi",
    ),
    responses(
        "a free-form call",
        item("added", 0, type="custom_tool_call", call_id="c", name="f", input=""),
        {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": '{"n":'},
        item("done", 0, type="custom_tool_call", call_id="c", name="f", input='{"n":1}'),
        done(),
        calls=ONE,
        stop="tool_use",
    ),
    responses(
        "an older name for thinking",
        {"type": "response.reasoning_summary.delta", "output_index": 0, "delta": {"text": "hm"}},
        {**RHI, "output_index": 1},
        done(),
        text="hi",
        thinking="hm",
    ),
    responses(
        "parts of a summary are paragraphs",
        *(
            {"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": at, "delta": word}
            for at, word in enumerate("ab")
        ),
        done(),
        thinking="a\n\nb",
    ),
    responses("no end", RHI, text="hi", error="network"),
]


@pytest.mark.parametrize("shape", RESPONSES, ids=lambda shape: shape.name)
def test_what_servers_of_the_responses_api_are_known_to_send_is_understood(shape: Shape) -> None:
    shape.check()
