"""Stand-ins that refuse what the real APIs refuse: each gives the faults of a request body, in the vendor's sense."""

import base64
import json
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class RefusalError(Exception):
    """What the vendor's 400 would say."""


def need(what: object, words: str) -> None:
    if not what:
        raise RefusalError(words)


def only(fields: dict[str, Any], *known: str) -> None:
    for key in fields:
        need(key in known, f"Unknown name {key!r}")


def function_schema(schema: dict[str, Any]) -> None:
    need(schema.get("type") == "object", "schema must have type object")
    need(isinstance(schema.get("properties"), dict), "object schema missing properties")
    for word in ("anyOf", "oneOf", "allOf", "enum", "not"):
        need(word not in schema, f"{word} at the top level")
    whole_schema(schema)


def whole_schema(node: Any) -> None:
    need("$ref" not in node, "a reference")
    if node.get("type") == "array":
        need(isinstance(node.get("items"), dict), "items: missing field")
    for sub in schemas_in(node):
        whole_schema(sub)


def schemas_in(node: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        *(node.get("properties") or {}).values(),
        *(node.get("anyOf") or ()),
        *(node.get("oneOf") or ()),
    ]
    return [*found, *([node["items"]] if isinstance(node.get("items"), dict) else [])]


def openai_chat(
    body: dict[str, Any], *, ids: str = r".{1,40}", extra: tuple[str, ...] = (), pictures: bool = True, longest: int = 10**6
) -> None:
    only(
        body,
        "model",
        "messages",
        "stream",
        "stream_options",
        "tools",
        "tool_choice",
        "max_tokens",
        "max_completion_tokens",
        "temperature",
        "reasoning_effort",
        *extra,
    )
    reasoning = re.match(r"o\d|gpt-5", body["model"])
    need(not (reasoning and "max_tokens" in body), "Unsupported parameter: 'max_tokens'")
    need(not (reasoning and "temperature" in body), "Unsupported value: 'temperature'")
    if "tools" in body:
        need(0 < len(body["tools"]) <= 128, "array too long or too short")
        for tool in body["tools"]:
            need(NAME.fullmatch(tool["function"]["name"]), "Invalid 'tools[0].function.name'")
            need(len(tool["function"].get("description", "")) <= longest, "description too long")
            function_schema(tool["function"]["parameters"])
    else:
        need(not any(m["role"] == "tool" or m.get("tool_calls") for m in body["messages"]), "tools= must be set to call tools")
        need("tool_choice" not in body, "tool_choice is only allowed when tools are specified")
    waiting: list[str] = []
    for message in body["messages"]:
        only(message, "role", "content", "tool_calls", "tool_call_id", "name", *extra)
        if message["role"] == "tool":
            need(
                message["tool_call_id"] in waiting,
                "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
            )
            need(isinstance(message["content"], str) and message["content"], "tool content")
            waiting.remove(message["tool_call_id"])
            continue
        need(not waiting, "An assistant message with 'tool_calls' must be followed by tool messages")
        need(message["content"] or message.get("tool_calls"), "empty content")
        for part in message["content"] if isinstance(message["content"], list) else ():
            openai_part(part, pictures)
        for call in message.get("tool_calls") or ():
            need(re.fullmatch(ids, call["id"]), f"tool call id {call['id']!r}")
            need(isinstance(json.loads(call["function"]["arguments"]), dict), "arguments are no object")
            need(NAME.fullmatch(call["function"]["name"]), "function name")
            waiting.append(call["id"])
        need(len(set(waiting)) == len(waiting), "ids given twice")
    need(not waiting, "An assistant message with 'tool_calls' must be followed by tool messages")


def openai_part(part: dict[str, Any], pictures: bool) -> None:
    if part["type"] == "text":
        need(part["text"], "empty text part")
        return
    need(pictures and part["type"] == "image_url", "unknown variant `image_url`, expected `text`")
    kind, _, data = part["image_url"]["url"].removeprefix("data:").partition(";base64,")
    need(kind in PICTURES and base64.b64decode(data, validate=True), "unsupported image")


def openai(body: dict[str, Any]) -> None:
    openai_chat(body, longest=1024)


def deepseek(body: dict[str, Any]) -> None:
    openai_chat(body, extra=("reasoning_content", "thinking"), pictures=False)
    for message in body["messages"]:
        parts = message["content"] if isinstance(message["content"], list) else [{"type": "image_url"}]
        need(any(part["type"] != "text" for part in parts), "messages: invalid type: sequence, expected a string")
        if message.get("tool_calls"):
            need(message.get("reasoning_content"), "Missing `reasoning_content` field in the assistant message")


def mistral(body: dict[str, Any]) -> None:
    need("stream_options" not in body, "Extra inputs are not permitted")
    openai_chat(body, ids=r"[a-zA-Z0-9]{9}")
    roles = [m["role"] for m in body["messages"]]
    need(("tool", "user") not in pairwise(roles), "Unexpected role 'user' after role 'tool'")


def perplexity(body: dict[str, Any]) -> None:
    need("tools" not in body and "stream_options" not in body, "tools are not supported")
    roles = [m["role"] for m in body["messages"] if m["role"] != "system"]
    need(
        roles[0] == "user" and all(a != b for a, b in pairwise(roles)),
        "user and assistant messages should alternate",
    )
    need(set(roles) <= {"user", "assistant"}, "unknown role")
    openai_chat(body)


def openrouter(body: dict[str, Any]) -> None:
    openai_chat(body, extra=("reasoning", "reasoning_details"))


def anthropic(body: dict[str, Any]) -> None:
    only(
        body,
        "model",
        "max_tokens",
        "messages",
        "stream",
        "system",
        "tools",
        "tool_choice",
        "temperature",
        "thinking",
        "output_config",
    )
    need(isinstance(body.get("max_tokens"), int), "max_tokens: Field required")
    thinking: dict[str, Any] = body.get("thinking") or {}
    if thinking.get("type") == "enabled":
        need(
            1024 <= thinking["budget_tokens"] < body["max_tokens"], "`max_tokens` must be greater than `thinking.budget_tokens`"
        )
    need(
        not (thinking.get("type") in ("enabled", "adaptive") and "temperature" in body),
        "`temperature` may only be set to 1 when thinking is enabled",
    )
    for tool in body.get("tools", ()):
        need(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool["name"]), "tools.0.name")
        function_schema(tool["input_schema"])
    need("tools" not in body or body["tools"], "tools: empty")
    need(
        "tools" in body or '"type": "tool_use"' not in json.dumps(body["messages"]),
        "Requests with `tool_use` must define tools",
    )
    marks = json.dumps(body).count('"cache_control"')
    need(marks <= 4, "A maximum of 4 blocks with cache_control may be provided")
    messages = body["messages"]
    need(
        [m["role"] for m in messages] == [("user", "assistant")[i % 2] for i in range(len(messages))],
        "roles must alternate, starting with user",
    )
    need(messages[-1]["role"] == "user", "This model does not support assistant message prefill")
    asked: list[str] = []
    ever: set[str] = set()
    for message in messages:
        blocks = message["content"]
        need(blocks, "all messages must have non-empty content")
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        need(answered == asked, f"`tool_use` ids were found without `tool_result` blocks immediately after: {asked}")
        need([b["type"] for b in blocks[: len(answered)]] == ["tool_result"] * len(answered), "tool results come first")
        asked = [b["id"] for b in blocks if b["type"] == "tool_use"]
        for block in blocks:
            anthropic_block(block, ever)
        if asked and thinking.get("type") == "enabled" and message in messages[last_asked(messages) :]:
            need(
                blocks[0]["type"] in ("thinking", "redacted_thinking"),
                "Expected `thinking` or `redacted_thinking`, but found `tool_use`",
            )
    need(not asked, "the last call has no result")


def last_asked(messages: list[dict[str, Any]]) -> int:
    return max(
        i for i, m in enumerate(messages) if m["role"] == "user" and not any(b["type"] == "tool_result" for b in m["content"])
    )


def anthropic_block(block: dict[str, Any], ever: set[str]) -> None:
    match block["type"]:
        case "text":
            need(block["text"].strip(), "text content blocks must contain non-whitespace text")
        case "thinking":
            need(block["signature"] == "signed by this stand-in", "Invalid `signature` in `thinking` block")
        case "redacted_thinking":
            need(block["data"], "redacted_thinking.data")
        case "tool_use":
            need(NAME.fullmatch(block["name"]), "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
            need(re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]) and block["id"] not in ever, "`tool_use` ids must be unique")
            need(isinstance(block["input"], dict), "tool_use.input: Input should be a valid dictionary")
            ever.add(block["id"])
        case "tool_result":
            given: Any = block["content"]
            parts: Any = [{"type": "text", "text": given}] if isinstance(given, str) else given
            for part in parts:
                need(part["type"] != "text" or part["text"], "text content blocks must be non-empty")
        case kind:
            need(kind in ("image", "document"), f"unknown block {kind}")


def openai_responses(body: dict[str, Any]) -> None:
    only(
        body,
        "model",
        "input",
        "instructions",
        "stream",
        "store",
        "tools",
        "tool_choice",
        "max_output_tokens",
        "temperature",
        "include",
        "reasoning",
    )
    need(body["store"] is False, "store")
    need("include" not in body or re.match(r"o\d|gpt-5", body["model"]), "Encrypted content is not supported with this model")
    for tool in body.get("tools", ()):
        function_schema(tool["parameters"])
    need("tools" not in body or 0 < len(body["tools"]) <= 128, "tools")
    open_calls: list[str] = []
    items = body["input"]
    for at, item in enumerate(items):
        match item.get("type", "message"):
            case "reasoning":
                need(item.get("encrypted_content") == "sealed by this stand-in", "The encrypted content could not be verified")
                need(
                    at + 1 < len(items) and items[at + 1].get("type") != "function_call_output",
                    "'reasoning' was provided without its required following item",
                )
            case "function_call":
                need(NAME.fullmatch(item["name"]), "Invalid 'input[0].name'")
                need(len(item["call_id"]) <= 64 and item["call_id"] not in open_calls, "call_id")
                open_calls.append(item["call_id"])
            case "function_call_output":
                need(item["call_id"] in open_calls, "No tool call found for function call output")
                open_calls.remove(item["call_id"])
            case _:
                need(item["content"], "empty message")
                kinds = {"user": ("input_text", "input_image", "input_file"), "assistant": ("output_text",)}[item["role"]]
                need(all(p["type"] in kinds for p in item["content"]), "Invalid value: content type")
    need(not open_calls, f"No tool output found for function call {open_calls}")


GEMINI_SCHEMA = (
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "minimum",
    "maximum",
    "propertyOrdering",
)


def gemini(body: dict[str, Any], *, strict: bool = True) -> None:
    only(body, "contents", "systemInstruction", "tools", "toolConfig", "generationConfig")
    for tool in body.get("tools", ()):
        need(tool["functionDeclarations"], "functionDeclarations: empty")
        for declared in tool["functionDeclarations"]:
            if "parameters" in declared:
                need(declared["parameters"].get("properties"), "parameters.properties: should be non-empty for OBJECT type")
                gemini_schema(declared["parameters"])
    contents = body["contents"]
    need(contents and contents[0]["role"] == "user", "contents must begin with user")
    for before, content in zip([None, *contents], contents, strict=False):
        parts = content["parts"]
        need(parts and content["role"] in ("user", "model"), "Please use a valid role: user, model.")
        calls: list[dict[str, Any]] = [p for p in before["parts"] if "functionCall" in p] if before else []
        answers = [p for p in parts if "functionResponse" in p]
        need(len(calls) == len(answers), "number of function response parts must equal the number of function call parts")
        need(
            [c["functionCall"]["name"] for c in calls] == [a["functionResponse"]["name"] for a in answers], "names of responses"
        )
        for part in parts:
            need("text" not in part or part["text"] or "thoughtSignature" in part, "empty text")
            need("inlineData" not in part or part["inlineData"]["mimeType"] != "image/gif", "Unsupported MIME type: image/gif")
        own = [p for p in parts if "functionCall" in p]
        need(all(NAME.fullmatch(p["functionCall"]["name"]) for p in own), "Invalid function name")
        if strict and own:
            need(own[0].get("thoughtSignature"), "Function call is missing a thought_signature")
            need(
                own[0]["thoughtSignature"] in ("signed by gemini", "skip_thought_signature_validator"),
                "Thought signature is not valid",
            )
    need(not any("functionCall" in p for p in contents[-1]["parts"]), "the last call has no response")


def gemini_schema(node: dict[str, Any]) -> None:
    only(node, *GEMINI_SCHEMA)
    need("anyOf" in node or isinstance(node.get("type"), str), "schema without a type")
    need(node.get("type") != "array" or isinstance(node.get("items"), dict), "items: missing field")
    need("enum" not in node or (node["type"] == "string" and all(isinstance(v, str) and v for v in node["enum"])), "enum")
    need(set(node.get("required") or ()) <= set(node.get("properties") or {}), "required names an unknown property")
    for sub in schemas_in(node):
        gemini_schema(sub)


def ollama(body: dict[str, Any]) -> None:
    only(body, "model", "messages", "stream", "tools", "think", "options", "keep_alive", "format")
    for message in body["messages"]:
        only(message, "role", "content", "images", "tool_calls", "tool_name", "thinking")
        need(isinstance(message["content"], str), "json: cannot unmarshal array into Go struct field .content of type string")
        for call in message.get("tool_calls") or ():
            need(isinstance(call["function"]["arguments"], dict), "arguments must be an object")
            need(NAME.fullmatch(call["function"]["name"]), "function name")
        for image in message.get("images") or ():
            need(base64.b64decode(image, validate=True), "illegal base64 data")


RULES: dict[str, Callable[[dict[str, Any]], None]] = {
    "openai-chat": openai_chat,
    "openai": openai,
    "deepseek": deepseek,
    "moonshot": deepseek,
    "mistral": mistral,
    "perplexity": perplexity,
    "openrouter": openrouter,
    "anthropic": anthropic,
    "openai-responses": openai_responses,
    "gemini": gemini,
    "ollama": ollama,
}
