"""Builds bodies for Gemini's API: roles user and model, results as function responses, signatures where they came."""

import base64
import re
from typing import Any

from app.core.messages import TextBlock, ThinkingBlock, ToolCall
from app.core.provider import Request
from app.core.tools import ToolSpec
from app.providers.history import ModelTurn, Result, Said, UserTurn, offered, picture_note, turns
from app.providers.shapes import is_object
from app.providers.tool_schema import GEMINI, reduce_schema
from app.providers.wire import Address

NO_SIGNATURE = "skip_thought_signature_validator"
"""Stands in for the signature of a call that another model made (Gemini API, "Thought signatures")."""
BUDGETS = {"low": 2048, "medium": 8192, "high": 24576}
MAX_TOOLS = 512
MAX_DESCRIPTION = 10_000


def gemini_body(address: Address, request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"contents": _contents(address, request)}
    if request.system.strip():
        body["systemInstruction"] = {"parts": [{"text": request.system}]}
    tools = offered(request, MAX_TOOLS)
    if tools:
        body["tools"] = [{"functionDeclarations": [_declaration(tool) for tool in tools]}]
        if request.tool_choice == "none":
            body["toolConfig"] = {"functionCallingConfig": {"mode": "NONE"}}
    config: dict[str, Any] = {}
    if request.max_tokens is not None:
        config["maxOutputTokens"] = request.max_tokens
    if request.temperature is not None:
        config["temperature"] = request.temperature
    if thinking := _thinking(request):
        config["thinkingConfig"] = thinking
    return {**body, "generationConfig": config} if config else body


def version(model: str) -> float:
    found = re.search(r"gemini-(\d+(?:\.\d+)?)", model)
    return float(found.group(1)) if found else 0.0


def _thinking(request: Request) -> dict[str, Any]:
    """A level from 3 on, a budget for 2.5 (which Pro cannot set to 0), nothing for older ones."""
    asked, number = request.thinking, version(request.model)
    if asked is None or number < 2.5:
        return {}
    off = asked == "off" or asked == 0
    if number >= 3:
        if off:
            return {"thinkingLevel": "minimal" if "flash" in request.model else "low"}
        level = asked if isinstance(asked, str) else next((name for name, tokens in BUDGETS.items() if asked <= tokens), "high")
        return {
            "thinkingLevel": "high" if level == "medium" and "flash" not in request.model else level,
            "includeThoughts": True,
        }
    if off:
        return {"thinkingBudget": 128 if "pro" in request.model else 0}
    return {"thinkingBudget": BUDGETS[asked] if isinstance(asked, str) else asked, "includeThoughts": True}


def _declaration(tool: ToolSpec) -> dict[str, Any]:
    """`parameters` is left out where there are none: an object without properties is refused."""
    sent: dict[str, Any] = {"name": tool.name, "description": (tool.description or tool.title or tool.tool)[:MAX_DESCRIPTION]}
    schema = reduce_schema(tool.input_schema, GEMINI)
    return {**sent, "parameters": schema} if schema["properties"] else sent


def _contents(address: Address, request: Request) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    strict = version(request.model) >= 3
    for turn in turns(request, documents=True):
        if isinstance(turn, UserTurn):
            _add(out, "user", [_part(part) for part in turn.parts])
        elif isinstance(turn, ModelTurn):
            _add(out, "model", _model_parts(turn, address.origin, strict))
        else:
            _add(out, "user", [part for result in turn.results for part in _result(result, address.origin)])
    if out and out[0]["role"] == "model":
        out.insert(0, {"role": "user", "parts": [{"text": "(the conversation goes on)"}]})
    return out


def _add(out: list[dict[str, Any]], role: str, parts: list[dict[str, Any]]) -> None:
    """Results and the words that follow them stay apart: a turn of function responses holds nothing else but their media."""
    if not parts:
        return
    responses = any("functionResponse" in part for part in parts)
    if out and out[-1]["role"] == role and not responses and not any("functionResponse" in part for part in out[-1]["parts"]):
        out[-1]["parts"] += parts
    else:
        out.append({"role": role, "parts": parts})


def _model_parts(turn: ModelTurn, origin: str, strict: bool) -> list[dict[str, Any]]:
    parts = [part for block in turn.blocks if (part := _block(block, origin))]
    calls = [part for part in parts if "functionCall" in part]
    if strict and calls and "thoughtSignature" not in calls[0]:
        calls[0]["thoughtSignature"] = NO_SIGNATURE
    return parts


def _block(block: TextBlock | ThinkingBlock | ToolCall, origin: str) -> dict[str, Any] | None:
    own = block.opaque is not None and (block.opaque.protocol, block.opaque.vendor) == ("gemini", origin)
    data: Any = block.opaque.data if own and block.opaque else None
    signature = data.get("signature") if is_object(data) else None
    signed = {"thoughtSignature": signature} if signature else {}
    if isinstance(block, ToolCall):
        call: dict[str, Any] = {"name": block.name, "args": block.arguments}
        return {"functionCall": {**call, "id": block.id} if _has_id(block, origin) else call, **signed}
    if is_object(data) and is_object(data.get("part")):
        return dict(data["part"])
    if isinstance(block, ThinkingBlock):
        return {"text": block.text, "thought": True, **signed} if signed else None
    return {"text": block.text, **signed} if block.text.strip() or signed else None


def _has_id(call: ToolCall, origin: str) -> bool:
    opaque = call.opaque
    return (
        opaque is not None
        and (opaque.protocol, opaque.vendor) == ("gemini", origin)
        and is_object(opaque.data)
        and bool(opaque.data.get("id"))
    )


def _result(result: Result, origin: str) -> list[dict[str, Any]]:
    response: dict[str, Any] = {"name": result.call.name, "response": {"error" if result.is_error else "output": result.text}}
    if _has_id(result.call, origin):
        response["id"] = result.call.id
    return [{"functionResponse": response}, *(_part(part) for part in result.media)]


def _part(part: Said) -> dict[str, Any]:
    if isinstance(part, str):
        return {"text": part}
    if part.media.media_type == "image/gif":  # not among the types the API reads
        return {"text": picture_note(part)}
    return {"inlineData": {"mimeType": part.media.media_type, "data": base64.b64encode(part.media.data).decode()}}
