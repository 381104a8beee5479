"""One conversation through every protocol in turn, with thinking and tools: each strict server accepts each request."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from app.core.messages import Message, TextBlock, ToolCall
from app.core.provider import Request
from app.providers.connect import connect
from tests.providers.speaking import Heard, hear, results, tool, user
from tests.providers.stand_in import Asked, Reply, StandIn, sse
from tests.providers.strict import RULES, RefusalError

VENDORS = ("anthropic", "openai", "gemini", "deepseek", "openrouter", "ollama", "mistral", "openai-chat")
MODELS = {"anthropic": "claude-sonnet-4-5", "openai": "gpt-5.1", "gemini": "gemini-3-pro-preview"}
RULE = {"openai": "openai-responses", "openai-chat": "openai"}


def chat(delta: dict[str, Any], finish: str) -> list[bytes]:
    return sse({"choices": [{"delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": finish}]}, "[DONE]")


def anthropic(*blocks: dict[str, Any], stop: str) -> list[bytes]:
    events: list[Any] = [{"type": "message_start", "message": {"usage": {"input_tokens": 1}}}]
    for index, block in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events.append({"type": "content_block_stop", "index": index})
    return sse(*events, {"type": "message_delta", "delta": {"stop_reason": stop}}, {"type": "message_stop"})


def responses(*items: dict[str, Any]) -> list[bytes]:
    done = [{"type": "response.output_item.done", "output_index": i, "item": item} for i, item in enumerate(items)]
    return sse(*done, {"type": "response.completed", "response": {"status": "completed"}})


def gemini(*parts: dict[str, Any]) -> list[bytes]:
    return sse({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})


def ollama(message: dict[str, Any]) -> list[bytes]:
    return [json.dumps({"message": message, "done": True, "done_reason": "stop"}).encode()]


def thinks_and_calls(vendor: str) -> list[bytes]:
    call = {"function": {"name": "files__read", "arguments": '{"path": "a.txt"}'}}
    match vendor:
        case "anthropic":
            thought = {"type": "thinking", "thinking": "hm", "signature": "signed by this stand-in"}
            use = {"type": "tool_use", "id": "toolu_1", "name": "files__read", "input": {"path": "a.txt"}}
            return anthropic(thought, {"type": "redacted_thinking", "data": "x"}, use, stop="tool_use")
        case "openai":
            sealed: dict[str, Any] = {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [],
                "encrypted_content": "sealed by this stand-in",
            }
            return responses(
                sealed,
                {
                    "type": "function_call",
                    "id": "fc",
                    "call_id": "call_1",
                    "name": "files__read",
                    "arguments": '{"path": "a.txt"}',
                },
            )
        case "gemini":
            thought = {"text": "hm", "thought": True}
            return gemini(
                thought,
                {"functionCall": {"name": "files__read", "args": {"path": "a.txt"}}, "thoughtSignature": "signed by gemini"},
            )
        case "ollama":
            return ollama(
                {"thinking": "hm", "tool_calls": [{"function": {"name": "files__read", "arguments": {"path": "a.txt"}}}]}
            )
        case "openrouter":
            detail = {"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}
            return chat(
                {"reasoning": "hm", "reasoning_details": [detail], "tool_calls": [{"index": 0, "id": "t1", **call}]},
                "tool_calls",
            )
        case _:
            return chat(
                {"reasoning_content": "hm", "tool_calls": [{"index": 0, "id": "functions.read:0", **call}]}, "tool_calls"
            )


def says(vendor: str) -> list[bytes]:
    text = f"I am {vendor}."
    match vendor:
        case "anthropic":
            return anthropic({"type": "text", "text": text}, stop="end_turn")
        case "openai":
            return responses({"type": "message", "content": [{"type": "output_text", "text": text}], "phase": "final_answer"})
        case "gemini":
            return gemini({"text": text, "thoughtSignature": "signed by gemini"})
        case "ollama":
            return ollama({"content": text})
        case _:
            return chat({"content": text}, "stop")


def strict_server(vendor: str) -> StandIn:
    """Calls a tool where the last word was the user's, answers where it was a tool's; refuses what breaks a rule."""

    def script(asked: Asked) -> Reply:
        try:
            RULES[RULE.get(vendor, vendor)](asked.body)
        except RefusalError as refusal:
            return Reply([json.dumps({"error": {"message": str(refusal)}}).encode()], status=400)
        turns = asked.body.get("messages") or asked.body.get("input") or asked.body["contents"]
        answered = any(
            word in json.dumps(turns[-1])
            for word in ("tool_result", "function_call_output", "functionResponse", '"role": "tool"')
        )
        return Reply(says(vendor) if answered else thinks_and_calls(vendor))

    return StandIn(script)


@pytest.fixture
def servers() -> Iterator[dict[str, StandIn]]:
    with ExitStack() as stack:
        yield {vendor: stack.enter_context(strict_server(vendor)) for vendor in VENDORS}


def kept(heard: Heard) -> Message:
    """As it comes back from the store."""
    message = Message(id="m", role="assistant", blocks=tuple(heard.blocks), stop_reason=heard.end.stop_reason)
    return Message.model_validate_json(message.model_dump_json())


async def one_task(vendor: str, server: StandIn, history: list[Message]) -> None:
    provider = connect(vendor, base_url=server.url, api_key="key")
    history.append(user(f"Read a.txt, {vendor}."))
    try:
        for _ in range(2):
            request = Request(MODELS.get(vendor, "a-model"), tuple(history), "Be kind.", (tool("files__read"),), thinking="low")
            heard = await hear(provider, request)
            assert heard.error is None, (vendor, heard.error, heard.error and heard.error.detail)
            history.append(kept(heard))
            if heard.calls:
                history.append(results((heard.calls[0].id, f"the file, read for {vendor}")))
    finally:
        await provider.aclose()
    assert [b.text for b in history[-1].blocks if isinstance(b, TextBlock)] == [f"I am {vendor}."]


async def test_a_conversation_goes_through_every_protocol_and_back(servers: dict[str, StandIn]) -> None:
    history: list[Message] = []
    for vendor in [*VENDORS, *reversed(VENDORS)]:
        await one_task(vendor, servers[vendor], history)
    assert len([b for m in history for b in m.blocks if isinstance(b, ToolCall)]) == 2 * len(VENDORS)


async def test_what_must_go_back_goes_back_verbatim_and_foreign_parts_are_left_out(servers: dict[str, StandIn]) -> None:
    history: list[Message] = []
    for vendor in VENDORS:
        await one_task(vendor, servers[vendor], history)
    seen = {vendor: json.dumps(server.asked[-1].body) for vendor, server in servers.items()}
    assert '"signature": "signed by this stand-in"' in seen["anthropic"]
    assert '{"type": "redacted_thinking", "data": "x"}' in seen["anthropic"]
    assert '"encrypted_content": "sealed by this stand-in"' in seen["openai"]
    assert '"thoughtSignature": "signed by gemini"' in seen["gemini"]
    assert '"reasoning_content": "hm"' in seen["deepseek"]
    assert '"reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}]' in seen["openrouter"]
    for vendor, body in seen.items():
        assert ("signed by this stand-in" in body) == (vendor == "anthropic")
        assert ("sealed by this stand-in" in body) == (vendor == "openai")
        assert ("signed by gemini" in body) == (vendor == "gemini")


async def test_the_prefix_of_a_request_stays_the_same_from_round_to_round(servers: dict[str, StandIn]) -> None:
    history: list[Message] = []
    for vendor in VENDORS:
        del history[:]
        await one_task(vendor, servers[vendor], history)
        first, second = (a.body for a in servers[vendor].asked[-2:])
        assert first.get("tools") == second.get("tools")
        turns = next(k for k in ("messages", "input", "contents") if k in first)
        assert second[turns][: len(first[turns])] == first[turns]
