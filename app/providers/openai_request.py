"""Builds `/chat/completions` bodies that OpenAI and its stricter compatibles accept."""

import base64
import json
from typing import Any, TypeAlias

from app.core.messages import ThinkingBlock, ToolCall
from app.core.provider import Request
from app.core.tools import ToolSpec
from app.providers.history import (
    ModelTurn,
    Picture,
    ResultTurn,
    Said,
    UserTurn,
    nine_letters,
    offered,
    picture_note,
    plain_id,
    turns,
)
from app.providers.models_known import (
    openai_effort,
    refuses_temperature,
    sees_no_pictures,
    two_way_effort,
    uses_completion_tokens,
)
from app.providers.shapes import is_object
from app.providers.tool_schema import reduce_schema
from app.providers.vendors import Quirks
from app.providers.wire import Address

Content: TypeAlias = str | list[dict[str, Any]]
LEVEL_TOKENS = {"low": 2048, "medium": 8192, "high": 24576}


def chat_body(address: Address, request: Request) -> dict[str, Any]:
    quirks = address.vendor.quirks
    body: dict[str, Any] = {"model": request.model, "messages": chat_messages(address, request), "stream": True}
    if quirks.stream_options:
        body["stream_options"] = {"include_usage": True}
    tools = offered(request, quirks.max_tools) if quirks.tools else ()
    if tools:
        body["tools"] = [chat_tool(tool, quirks) for tool in tools]
        if request.tool_choice == "none":
            body["tool_choice"] = "none"
    if request.max_tokens is not None:
        body["max_completion_tokens" if uses_completion_tokens(request.model) else quirks.max_tokens] = request.max_tokens
    if request.temperature is not None and not refuses_temperature(request.model):
        body["temperature"] = request.temperature
    return body | thinking_fields(quirks, request)


def chat_tool(tool: ToolSpec, quirks: Quirks) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": reduce_schema(tool.input_schema)}
    if tool.description:
        function["description"] = tool.description[: quirks.description]
    return {"type": "function", "function": function}


def thinking_fields(quirks: Quirks, request: Request) -> dict[str, Any]:
    """How this vendor is told to think, or not to; a level where it takes no budget, and the other way round."""
    thinking = request.thinking
    if thinking is None:
        return {}
    level = thinking if isinstance(thinking, str) else level_of(thinking)
    match quirks.thinking:
        case "effort" | "two-way" as style:
            effort = (two_way_effort if style == "two-way" else openai_effort)(request.model, level)
            return {"reasoning_effort": effort} if effort else {}
        case "openrouter":
            if level == "off":
                return {"reasoning": {"enabled": False}}
            return {"reasoning": {"max_tokens": thinking} if isinstance(thinking, int) else {"effort": level}}
        case "type":
            return {"thinking": {"type": "disabled" if level == "off" else "enabled"}}
        case "template":
            return {
                "chat_template_kwargs": {"enable_thinking": level != "off"},
                **({} if level == "off" else {"reasoning_effort": level}),
            }
        case _:
            return {}


def level_of(budget: int) -> str:
    return next((level for level, tokens in LEVEL_TOKENS.items() if budget <= tokens), "high") if budget > 0 else "off"


def chat_messages(address: Address, request: Request) -> list[dict[str, Any]]:
    """Where no tools are listed, calls and results are told as text: many servers refuse them without their definitions."""
    quirks = address.vendor.quirks
    tools = quirks.tools and bool(request.tools)
    pictures = quirks.images and not sees_no_pictures(request.model)
    out: list[dict[str, Any]] = [{"role": "system", "content": request.system}] if request.system.strip() else []
    for turn in turns(request, nine_letters if quirks.short_ids else plain_id):
        if isinstance(turn, UserTurn):
            _user(out, turn.parts, pictures, quirks)
        elif isinstance(turn, ModelTurn):
            if turn.text.strip() or turn.calls:  # thinking alone is refused as an empty message
                out.append(_assistant(turn, address, tools=tools))
        else:
            _results(out, turn, quirks, pictures, tools=tools)
    return _alternating(out) if quirks.alternate else out


def _user(out: list[dict[str, Any]], parts: tuple[Said, ...], pictures: bool, quirks: Quirks) -> None:
    content = user_content(parts, pictures)
    if quirks.answer_results and out and out[-1]["role"] == "tool":
        out.append({"role": "assistant", "content": "(The results are in.)"})
    if out and out[-1]["role"] == "user":
        out[-1] = {"role": "user", "content": _joined(out[-1]["content"], content)}
    else:
        out.append({"role": "user", "content": content})


def user_content(parts: tuple[Said, ...], pictures: bool) -> Content:
    """One string where all is text: some servers take no lists."""
    if not pictures or not any(isinstance(part, Picture) for part in parts):
        return "\n\n".join(part if isinstance(part, str) else picture_note(Picture(part.media)) for part in parts)
    return [_part(part) for part in parts]


def _part(part: Said) -> dict[str, Any]:
    if isinstance(part, Picture):
        return {"type": "image_url", "image_url": {"url": data_url(part.media.media_type, part.media.data)}}
    return {"type": "text", "text": part if isinstance(part, str) else ""}


def data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _joined(before: Content, after: Content) -> Content:
    """Two contents as one, which stays a string where all is text: some servers take no lists."""
    parts = _as_list(before) + _as_list(after)
    text_only = all(part["type"] == "text" for part in parts)
    return "\n\n".join(part["text"] for part in parts) if text_only else parts


def _as_list(content: Content) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _assistant(turn: ModelTurn, address: Address, *, tools: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    calls = [_call(call, address) for call in turn.calls]
    if calls and tools:
        message["tool_calls"] = calls
    elif calls:
        named = "; ".join(f"{call.name} {json.dumps(call.arguments, ensure_ascii=False)}" for call in turn.calls)
        message["content"] = f"{turn.text}\n\n[called {named}]".strip()
    _add_thinking(message, turn, address)
    return message


def _call(call: ToolCall, address: Address) -> dict[str, Any]:
    sent: dict[str, Any] = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
    }
    if (
        call.opaque
        and (call.opaque.protocol, call.opaque.vendor) == ("openai-chat", address.origin)
        and is_object(call.opaque.data)
    ):
        sent |= call.opaque.data
    return sent


def _add_thinking(message: dict[str, Any], turn: ModelTurn, address: Address) -> None:
    """What came from here goes back as it came; where thinking beside calls is a must, a foreign reply gets a blank."""
    details: list[Any] = []
    texts: list[str] = []
    for block in turn.blocks:
        if (
            isinstance(block, ThinkingBlock)
            and block.opaque
            and (block.opaque.protocol, block.opaque.vendor) == ("openai-chat", address.origin)
        ):
            data = block.opaque.data
            if is_object(data):
                details += data.get("details") or ()
                texts += [block.text] if data.get("text") else []
    if details:
        message["reasoning_details"] = details
    if address.vendor.quirks.echo and (texts or turn.calls):
        message["reasoning_content"] = "".join(texts) or " "


def _results(out: list[dict[str, Any]], turn: ResultTurn, quirks: Quirks, pictures: bool, *, tools: bool) -> None:
    """Tool messages hold text only: pictures follow in a user message that says where they come from."""
    if not tools:
        told = [part for r in turn.results for part in (f"[result of {r.call.name}]\n{r.text}", *r.media)]
        _user(out, tuple(told), pictures, quirks)
        return
    for result in turn.results:
        message: dict[str, Any] = {"role": "tool", "tool_call_id": result.call.id, "content": result.text}
        if quirks.short_ids:
            message["name"] = result.call.name
        out.append(message)
    shown = [r for r in turn.results if r.media]
    if shown and not pictures:
        out[-1]["content"] += "".join(
            f"\n{picture_note(Picture(m.media))}" for r in shown for m in r.media if not isinstance(m, str)
        )
    elif shown:
        parts: list[Said] = []
        for result in shown:
            parts += [f"[from the result of {result.call.name}]", *result.media]
        _user(out, tuple(parts), True, quirks)


def _alternating(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """User and assistant strictly in turn, beginning with user (after system)."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if out and out[-1]["role"] == message["role"] and message["role"] != "system":
            out[-1] = {**out[-1], "content": _joined(out[-1]["content"], message["content"])}
        elif not (message["role"] == "assistant" and (not out or out[-1]["role"] == "system")):
            out.append(dict(message))
    return out
