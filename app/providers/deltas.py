"""Looks into one delta of a chat: what is said, thought and called there, in every spelling that servers use."""

from typing import Any

from app.providers.shapes import is_list, is_object, object_of

THOUGHTS = ("reasoning_content", "reasoning", "reasoning_text", "thinking", "thinking_content", "thought", "cot_summary")
"""DeepSeek, OpenRouter, GitHub Copilot and those after them. The first that says something counts: some say it twice."""


TEXTS = ("text", "content", "value", "thinking", "summary", "reasoning")
"""Where the text of an object is, a list of parts included."""


def listed(value: Any) -> list[Any]:
    """One object where a list of them belongs is the list's only member."""
    return value if is_list(value) else [value] if is_object(value) else []


def thought_of(delta: dict[str, Any]) -> str:
    for name in THOUGHTS:
        if (value := delta.get(name)) and (text := text_of(value)):
            return text
    return ""


def text_of(value: Any) -> str:
    """Text as it is, in an object, or in the parts of a list."""
    if isinstance(value, str):
        return value
    if is_list(value):
        return "".join(text_of(part) for part in value)
    if is_object(value):
        return next((text for name in TEXTS if (text := text_of(value.get(name)))), "")
    return ""


def content_parts(content: Any) -> list[tuple[bool, str]]:
    """`(is_thinking, text)` of content that is no plain text: parts of a list (Mistral), or one part alone."""
    found: list[tuple[bool, str]] = []
    for part in content if is_list(content) else (content,):
        kind = str(object_of(part).get("type") or "")
        if text := text_of(part):
            found.append(("think" in kind or "reason" in kind, text))
    return found


def call_fragments(delta: dict[str, Any]) -> list[dict[str, Any]]:
    """Pieces of tool calls in OpenAI's shape: also one object alone, without `function` around it, or in the old field."""
    found = [_shaped(fragment) for fragment in listed(delta.get("tool_calls")) if is_object(fragment)]
    if len(found) > 1 and not any(isinstance(fragment.get("index"), int) for fragment in found):
        found = [{**fragment, "index": at} for at, fragment in enumerate(found)]  # told apart by their places alone
    if is_object(old := delta.get("function_call")):
        found.append({"index": -1, "function": old})
    return found


def _shaped(fragment: dict[str, Any]) -> dict[str, Any]:
    index = fragment.get("index")
    if isinstance(index, str) and index.isdecimal():
        fragment = {**fragment, "index": int(index)}
    if not is_object(fragment.get("function")):
        fragment = {**fragment, "function": _function(fragment)}
    return fragment


def _function(fragment: dict[str, Any]) -> dict[str, Any]:
    """Name and arguments beside the id, or those of a call of a free-form tool."""
    custom = object_of(fragment.get("custom"))
    named = {
        **fragment,
        "arguments": fragment.get("arguments", custom.get("input")),
        "name": fragment.get("name") or custom.get("name"),
    }
    return {k: named[k] for k in ("name", "arguments") if named[k] is not None}
