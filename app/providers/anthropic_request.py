"""Builds bodies for the Messages API: turns that alternate, results first, thinking with its signature, cache marks."""

import base64
from typing import Any

import orjson

from app.core.messages import TextBlock, ThinkingBlock, ToolCall
from app.core.provider import Request
from app.core.tools import ToolSpec
from app.providers.history import Document, ModelTurn, Result, ResultTurn, Said, Turn, UserTurn, called, turns
from app.providers.models_known import claude_version
from app.providers.shapes import is_object
from app.providers.tool_schema import reduce_schema
from app.providers.wire import Address

BUDGETS = {"low": 2048, "medium": 8192, "high": 24576}
LEAST_BUDGET = 1024
CHARS_A_TOKEN = 4
MARK = {"type": "ephemeral"}


def messages_body(address: Address, request: Request) -> dict[str, Any]:
    known = claude_version(request.model)
    origin = address.origin
    all_turns = [turn for turn in turns(request, documents=known is not None) if _says(turn, origin)]
    messages = _messages(all_turns, origin)
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens or default_max_tokens(request.model),
        "messages": messages,
        "stream": True,
    }
    if request.system.strip():
        body["system"] = [{"type": "text", "text": request.system}]
    if tools := request.tools or called(all_turns):
        body["tools"] = [_tool(tool) for tool in tools]
        if request.tool_choice == "none" or not request.tools:
            body["tool_choice"] = {"type": "none"}
    body |= _thinking(request, known, body["max_tokens"], all_turns, origin)
    budget = body.get("thinking", {}).get("budget_tokens")
    if budget and budget >= body["max_tokens"]:
        body["max_tokens"] = budget + (request.max_tokens or 4096)
    thinks = body.get("thinking", {}).get("type") in ("enabled", "adaptive")
    if request.temperature is not None and not thinks and not (known and known[1] >= 4.7):
        body["temperature"] = min(1.0, request.temperature)
    if known:
        _mark_prefix(body, known)
    return body


def default_max_tokens(model: str) -> int:
    """The API wants a number; the largest the model surely takes (Anthropic, "Models overview")."""
    known = claude_version(model)
    if known is None:
        return 8192
    version = known[1]
    if version < 3.5:
        return 4096
    if version < 3.7:
        return 8192
    return 32000


def _tool(tool: ToolSpec) -> dict[str, Any]:
    sent: dict[str, Any] = {"name": tool.name, "input_schema": reduce_schema(tool.input_schema)}
    if tool.description:
        sent["description"] = tool.description
    return sent


def _thinking(
    request: Request, known: tuple[str, float] | None, max_tokens: int, all_turns: list[Turn], origin: str
) -> dict[str, Any]:
    """Adaptive thinking with an effort from 4.6 on, a budget before; no word where the model cannot or nothing was asked."""
    asked = request.thinking
    if asked is None:
        return {}
    if asked == "off" or asked == 0:
        return {"thinking": {"type": "disabled"}}
    if known and known[1] < 3.7:
        return {}
    if known and known[1] >= 4.6:
        level = asked if isinstance(asked, str) else next((name for name, tokens in BUDGETS.items() if asked <= tokens), "high")
        return {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": level}}
    if _in_foreign_loop(all_turns, origin):
        return {}
    budget = BUDGETS[asked] if isinstance(asked, str) else asked
    return {"thinking": {"type": "enabled", "budget_tokens": max(LEAST_BUDGET, budget)}}


def _in_foreign_loop(all_turns: list[Turn], origin: str) -> bool:
    """In the middle of tool calls, one of whose replies has no thinking of this model before it: a budget would be refused.

    Words of the user right after results are part of the same message on the wire, so they end no loop.
    """
    begun = [
        at
        for at, turn in enumerate(all_turns)
        if isinstance(turn, UserTurn) and not (at and isinstance(all_turns[at - 1], ResultTurn))
    ]
    replies = [turn for turn in all_turns[max(begun, default=-1) + 1 :] if isinstance(turn, ModelTurn) and turn.calls]
    return not all(any(isinstance(b, ThinkingBlock) and _thought(b, origin) for b in turn.blocks[:1]) for turn in replies)


def _says(turn: Turn, origin: str) -> bool:
    """Whether anything of a turn goes out: a reply of foreign thinking alone is no message on the wire."""
    return not isinstance(turn, ModelTurn) or any(_block(block, origin) for block in turn.blocks)


def _messages(all_turns: list[Turn], origin: str) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for turn in all_turns:
        if isinstance(turn, ModelTurn):
            _add(out, "assistant", [sent for block in turn.blocks if (sent := _block(block, origin))])
        elif isinstance(turn, ResultTurn):
            _add(out, "user", [_result(result) for result in turn.results])
        else:
            _add(out, "user", [_part(part) for part in turn.parts])
    if out and out[0]["role"] == "assistant":
        out.insert(0, {"role": "user", "content": [{"type": "text", "text": "(the conversation goes on)"}]})
    if out and out[-1]["role"] == "assistant":
        out.append({"role": "user", "content": [{"type": "text", "text": "Go on."}]})
    return out


def _add(out: list[dict[str, Any]], role: str, content: list[dict[str, Any]]) -> None:
    if not content:
        return
    if out and out[-1]["role"] == role:
        out[-1]["content"] += content
    else:
        out.append({"role": role, "content": content})


def _block(block: TextBlock | ThinkingBlock | ToolCall, origin: str) -> dict[str, Any] | None:
    if isinstance(block, ToolCall):
        return {"type": "tool_use", "id": block.id, "name": block.name, "input": block.arguments}
    if isinstance(block, ThinkingBlock):
        return _thought(block, origin)
    data = block.opaque.data if block.opaque and (block.opaque.protocol, block.opaque.vendor) == ("anthropic", origin) else None
    if is_object(data) and is_object(data.get("block")):
        return dict(data["block"])
    if not block.text.strip():
        return None
    sent: dict[str, Any] = {"type": "text", "text": block.text}
    return {**sent, "citations": data["citations"]} if is_object(data) and data.get("citations") else sent


def _thought(block: ThinkingBlock, origin: str) -> dict[str, Any] | None:
    """Thinking goes back only with the signature or the secret that this endpoint gave for it."""
    if (
        not block.opaque
        or (block.opaque.protocol, block.opaque.vendor) != ("anthropic", origin)
        or not is_object(block.opaque.data)
    ):
        return None
    if "redacted" in block.opaque.data:
        return {"type": "redacted_thinking", "data": block.opaque.data["redacted"]}
    return {"type": "thinking", "thinking": block.text, "signature": block.opaque.data.get("signature")}


def _result(result: Result) -> dict[str, Any]:
    content: Any = result.text
    if result.media:
        content = [{"type": "text", "text": result.text}, *(_part(part) for part in result.media)]
    sent: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.call.id, "content": content}
    return {**sent, "is_error": True} if result.is_error else sent


def _part(part: Said) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    source = {"type": "base64", "media_type": part.media.media_type, "data": base64.b64encode(part.media.data).decode()}
    return {"type": "document" if isinstance(part, Document) else "image", "source": source}


def _mark_prefix(body: dict[str, Any], known: tuple[str, float]) -> None:
    """Cache marks at the end of what stays (tools, system) and of the last two user turns, where it is long enough."""
    least = least_cached(known) * CHARS_A_TOKEN
    stable = len(orjson.dumps([body.get("tools"), body.get("system")]))
    if stable >= least:
        (body.get("system") or body["tools"])[-1]["cache_control"] = MARK
    if stable + len(orjson.dumps(body["messages"])) < least:
        return
    asked = [message for message in body["messages"] if message["role"] == "user"]
    for message in asked[-2:]:
        message["content"][-1]["cache_control"] = MARK


def least_cached(known: tuple[str, float]) -> int:
    """Tokens below which the API keeps nothing (Anthropic, "Prompt caching": minimum lengths by model)."""
    family, version = known
    if family == "haiku":
        return 4096 if version >= 4.5 else 2048
    return 4096 if family == "opus" and version >= 4.5 else 1024
