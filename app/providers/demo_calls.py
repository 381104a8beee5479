"""Reads `[tool_name key="value" n=3 list=["a"]]`, which card buttons send: the demo model calls what it names."""

import json
from dataclasses import dataclass
from typing import Any

NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")


@dataclass(frozen=True, slots=True)
class Wish:
    """A tool by the name it was written with."""

    name: str
    arguments: dict[str, Any]


def bracketed(text: str) -> list[Wish]:
    """Every bracketed call in a text, in order. What only looks like one (a link, a remark) is left alone."""
    found: list[Wish] = []
    at = text.find("[")
    while at >= 0:
        read = _call(text, at + 1)
        if read is not None:
            found.append(read[0])
        at = text.find("[", read[1] if read else at + 1)
    return found


def _call(text: str, at: int) -> tuple[Wish, int] | None:
    name, at = _word(text, at)
    if not name or name[0].isdigit() or name[0] == "-":
        return None
    arguments: dict[str, Any] = {}
    while True:
        at = _blank(text, at)
        if text.startswith("]", at):  # "[sic]" and "[x]" are no calls
            return (Wish(name, arguments), at + 1) if arguments or "_" in name else None
        key, at = _word(text, at)
        at = _blank(text, at)
        if not key or not text.startswith("=", at):
            return None
        read = _value(text, _blank(text, at + 1))
        if read is None:
            return None
        arguments[key], at = read


def _word(text: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(text) and text[end] in NAME:
        end += 1
    return text[at:end], end


def _blank(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] == ","):
        at += 1
    return at


def _value(text: str, at: int) -> tuple[Any, int] | None:
    """A JSON value, a 'quoted' one, or a bare word."""
    if text.startswith("'", at):
        end = text.find("'", at + 1)
        return (text[at + 1 : end], end + 1) if end > 0 else None
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, at)
    except ValueError:
        pass
    if text.startswith('"', at):  # a backslash that JSON does not know: take it as it is
        end = text.find('"', at + 1)
        return (text[at + 1 : end], end + 1) if end > 0 else None
    end = at
    while end < len(text) and not text[end].isspace() and text[end] not in "],":
        end += 1
    return (text[at:end], end) if end > at else None


def fitted(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A button writes `rounds="5"`; what the tool wants as a number or a truth value becomes one, as a model would have it."""
    properties: dict[str, Any] = schema.get("properties") or {}
    return {key: _fit(value, properties.get(key) or {}) for key, value in arguments.items()}


def _fit(value: Any, schema: dict[str, Any]) -> Any:
    if not isinstance(value, str):
        return value
    kinds = {schema.get("type")} if isinstance(schema.get("type"), str) else {s.get("type") for s in schema.get("anyOf") or ()}
    if "string" in kinds or not kinds & {"integer", "number", "boolean", "array", "object"}:
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
