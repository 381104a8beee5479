"""One turn with a tool over real HTTP, by two protocols: what travels, what is paired, what is counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.kill.asking import Outcome, ask
from tests.providers.stand_in import Asked, Reply, StandIn, sse

pytestmark = pytest.mark.timeout(180)
QUESTION = "¿Qué hay en lista.txt?"
SYSTEM = "Trabajas con los ficheros del usuario mediante tus herramientas."
LIST = "pan, leche, patatas"
ANSWER = f"El contenido de lista.txt es: {LIST}."
TOOL = "filesystem__read_text_file"
OPTIONS = (QUESTION, "--model", "local", "--system", SYSTEM, "--approve", "reads", "--no-servers", "--server", "filesystem")


def named(*events: dict[str, Any]) -> list[bytes]:
    """Server-sent events with their names, as the Messages API sends them."""
    return [f"event: {event['type']}\n".encode() + sse(event)[0] for event in events]


def message(*middle: dict[str, Any], stop: str, **usage: int) -> Reply:
    start: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "local",
        "content": [],
        "usage": usage,
    }
    return Reply(
        named(
            {"type": "message_start", "message": start},
            *middle,
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 20}},
            {"type": "message_stop"},
        )
    )


def messages_api(asked: Asked) -> Reply:
    """A server of the lesson's protocol: it asks for the file, and with its content it answers."""
    last = asked.body["messages"][-1]
    if isinstance(last["content"], list) and last["content"][0]["type"] == "tool_result":
        text = [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in ANSWER]
        block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        return message(block, *text, stop="end_turn", input_tokens=60, output_tokens=1, cache_read_input_tokens=512)
    block: dict[str, Any] = {"type": "tool_use", "id": "toolu_17", "name": TOOL, "input": {}}
    pieces = ['{"path"', ': "lis', 'ta.txt"}']
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": p}} for p in pieces
    ]
    return message(
        {"type": "content_block_start", "index": 0, "content_block": block}, *deltas, stop="tool_use", input_tokens=530
    )


def chat_api(asked: Asked) -> Reply:
    """The same by chat completions."""
    if asked.body["messages"][-1]["role"] == "tool":
        cached = {"prompt_tokens": 572, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 512}}
        return Reply(
            sse(*(chunk(content=piece) for piece in ANSWER), ended("stop"), {"choices": [], "usage": cached}, "[DONE]")
        )
    first = {"index": 0, "id": "call_17", "type": "function", "function": {"name": TOOL, "arguments": '{"path"'}}
    second = {"index": 0, "function": {"arguments": ': "lista.txt"}'}}
    return Reply(sse(chunk(tool_calls=[first]), chunk(tool_calls=[second]), ended("tool_calls"), "[DONE]"))


def chunk(**delta: Any) -> dict[str, Any]:
    return {"id": "c1", "model": "local", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def ended(reason: str) -> dict[str, Any]:
    return {"id": "c1", "model": "local", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents" / "LeoChat"
    root.mkdir(parents=True)
    (root / "lista.txt").write_text(LIST, encoding="utf-8")
    return tmp_path


def check(done: Outcome, call_id: str) -> None:
    assert done.code == 0, done.errors
    asking, result, answer = done.messages[-3:]
    call = next(block for block in asking["blocks"] if block["type"] == "tool_call")
    assert asking["stop_reason"] == "tool_use"
    assert (call["id"], call["arguments"]) == (call_id, {"path": "lista.txt"})
    assert result["blocks"][0]["tool_call_id"] == call_id
    assert LIST in result["blocks"][0]["text"]
    assert answer["blocks"] == [{"type": "text", "text": ANSWER}] or answer["blocks"][0]["text"] == ANSWER
    assert answer["stop_reason"] == "end"
    assert answer["usage"]["input_tokens"] == 572
    assert answer["usage"]["cached_input_tokens"] == 512
    assert answer["usage"]["output_tokens"] == 20
    assert done.events[-1] == {**done.events[-1], "type": "task_end", "reason": "done"}


def rounds(server: StandIn) -> list[Any]:
    """The requests of the task itself, which offer tools."""
    return [asked.body for asked in server.asked if asked.body and asked.body.get("tools")]


def test_the_turn_of_the_lesson_by_the_messages_api(folder: Path) -> None:
    with StandIn(messages_api) as server:
        done = ask(folder, *OPTIONS, "--provider", "anthropic", ANTHROPIC_BASE_URL=server.url)
    check(done, "toolu_17")
    first, second = rounds(server)
    assert [asked.path for asked in server.asked][:2] == ["/v1/messages"] * 2
    assert first["model"] == "local"
    assert SYSTEM in json.dumps(first["system"], ensure_ascii=False)
    assert QUESTION in json.dumps(first["messages"], ensure_ascii=False)
    assert TOOL in [tool["name"] for tool in first["tools"]]
    *_, called, answered = second["messages"]
    assert (called["role"], answered["role"]) == ("assistant", "user")
    assert [block["id"] for block in called["content"] if block["type"] == "tool_use"] == ["toolu_17"]
    assert [block["tool_use_id"] for block in answered["content"] if block["type"] == "tool_result"] == ["toolu_17"]
    assert second["tools"] == first["tools"]


def test_the_same_turn_by_chat_completions(folder: Path) -> None:
    with StandIn(chat_api) as server:
        done = ask(folder, *OPTIONS, "--base-url", f"{server.url}/v1")
    check(done, "call_17")
    first, second = rounds(server)
    assert server.asked[0].path == "/v1/chat/completions"
    assert first["messages"][0]["role"] in ("system", "developer")
    called, answered = second["messages"][-2:]
    assert [one["id"] for one in called["tool_calls"]] == ["call_17"]
    assert (answered["role"], answered["tool_call_id"]) == ("tool", "call_17")


def test_the_reply_is_printed_as_text_without_json(folder: Path) -> None:
    import os
    import subprocess
    import sys

    with StandIn(messages_api) as server:
        environ = {**os.environ, "LEOCHAT_DOCUMENTS": str(folder / "documents"), "ANTHROPIC_BASE_URL": server.url}
        command = [sys.executable, "-m", "app", "ask", "--home", str(folder / "home"), *OPTIONS, "--provider", "anthropic"]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, env=environ)
    assert done.returncode == 0, done.stderr
    assert ANSWER in done.stdout
    assert "read_text_file" in done.stderr
    assert "read_text_file" not in done.stdout
