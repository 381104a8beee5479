"""Builds `/responses` bodies: nothing stored by the vendor, reasoning items before what they led to."""

import json
from typing import Any

from app.core.messages import TextBlock, ThinkingBlock, ToolCall
from app.core.provider import Request
from app.core.tools import ToolSpec
from app.providers.history import Document, ModelTurn, Result, Said, UserTurn, offered, picture_note, turns
from app.providers.models_known import openai_effort, refuses_temperature, sees_no_pictures, thinks
from app.providers.openai_request import data_url, level_of
from app.providers.shapes import is_object
from app.providers.tool_schema import reduce_schema
from app.providers.wire import Address

LEAST_OUTPUT = 16


def responses_body(address: Address, request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"model": request.model, "input": _input(address, request), "stream": True, "store": False}
    if request.system.strip():
        body["instructions"] = request.system
    tools = offered(request, address.vendor.quirks.max_tools)
    if tools:
        body["tools"] = [_tool(tool, address.vendor.quirks.description) for tool in tools]
        if request.tool_choice == "none":
            body["tool_choice"] = "none"
    if request.max_tokens is not None:
        body["max_output_tokens"] = max(LEAST_OUTPUT, request.max_tokens)
    if request.temperature is not None and not refuses_temperature(request.model):
        body["temperature"] = request.temperature
    if thinks(request.model) and not address.vendor.local:
        body["include"] = ["reasoning.encrypted_content"]
    return body | _reasoning(request)


def _reasoning(request: Request) -> dict[str, Any]:
    if request.thinking is None:
        return {}
    level = request.thinking if isinstance(request.thinking, str) else level_of(request.thinking)
    effort = openai_effort(request.model, level)
    if effort is None:
        return {}
    return {"reasoning": {"effort": effort} if level == "off" else {"effort": effort, "summary": "auto"}}


def _tool(tool: ToolSpec, limit: int | None) -> dict[str, Any]:
    sent: dict[str, Any] = {
        "type": "function",
        "name": tool.name,
        "parameters": reduce_schema(tool.input_schema),
        "strict": False,
    }
    return {**sent, "description": tool.description[:limit]} if tool.description else sent


def _input(address: Address, request: Request) -> list[dict[str, Any]]:
    pictures = address.vendor.quirks.images and not sees_no_pictures(request.model)
    out: list[dict[str, Any]] = []
    for turn in turns(request, documents=address.vendor.name in ("openai", "azure")):
        if isinstance(turn, UserTurn):
            out.append({"role": "user", "content": [_part(part, pictures) for part in turn.parts]})
        elif isinstance(turn, ModelTurn):
            out += _items(turn, address.origin, request.model)
        else:
            out += [_result(result, pictures) for result in turn.results]
    return out


def _items(turn: ModelTurn, origin: str, model: str) -> list[dict[str, Any]]:
    items = [item for block in turn.blocks if (item := _item(block, origin, model))]
    while items and items[-1].get("type") == "reasoning":  # refused without the item it led to
        items.pop()
    return items


def _item(block: TextBlock | ThinkingBlock | ToolCall, origin: str, model: str) -> dict[str, Any] | None:
    if isinstance(block, ToolCall):
        return {
            "type": "function_call",
            "call_id": block.id,
            "name": block.name,
            "arguments": json.dumps(block.arguments, ensure_ascii=False),
        }
    own = block.opaque is not None and (block.opaque.protocol, block.opaque.vendor) == ("openai-responses", origin)
    data = block.opaque.data if own and block.opaque else None
    if is_object(data) and is_object(data.get("item")):
        return dict(data["item"]) if data.get("model", model) == model else None
    if isinstance(block, ThinkingBlock) or not block.text.strip():
        return None
    sent: dict[str, Any] = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": block.text, "annotations": []}],
    }
    return {**sent, "phase": data["phase"]} if is_object(data) and data.get("phase") else sent


def _result(result: Result, pictures: bool) -> dict[str, Any]:
    output: Any = result.text
    if result.media:
        output = [{"type": "input_text", "text": result.text}, *(_part(part, pictures) for part in result.media)]
    return {"type": "function_call_output", "call_id": result.call.id, "output": output}


def _part(part: Said, pictures: bool) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    url = data_url(part.media.media_type, part.media.data)
    if isinstance(part, Document):
        return {"type": "input_file", "filename": part.media.name or "document.pdf", "file_data": url}
    return {"type": "input_image", "image_url": url} if pictures else {"type": "input_text", "text": picture_note(part)}
