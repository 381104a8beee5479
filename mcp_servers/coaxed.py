"""Arguments in the shape a schema asks for, where a small model left no doubt about what it means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

_WORDS = {"true": True, "false": False}


def coaxed(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments: one thing where a list of them is asked for becomes that list, JSON within text is read where a list
    or an object is asked for, "true" and "5" become what they say. All else stays, for the schema to judge."""
    known = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    return {name: _coaxed(value, known[name]) if name in known else value for name, value in arguments.items()}


def _coaxed(value: Any, wanted: Mapping[str, Any]) -> Any:
    kind = wanted.get("type")
    if kind == "array":
        read = _read(value)
        return [read] if _is_one(read, cast("Mapping[str, Any]", wanted.get("items", {}))) else read
    if kind == "object":
        read = _read(value)
        return value if isinstance(read, list) else read
    if isinstance(value, str):
        text = value.strip().lower()
        if kind == "boolean":
            return _WORDS.get(text, value)
        if kind in ("integer", "number"):
            return _number(text, value, whole=kind == "integer")
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _is_one(value: Any, items: Mapping[str, Any]) -> bool:
    if isinstance(value, str):
        return items.get("type") == "string"
    return isinstance(value, dict) and (items.get("type") == "object" or "$ref" in items)


def _read(value: Any) -> Any:
    """What a text holds that is JSON of a list or an object; all else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _number(text: str, value: str, *, whole: bool) -> Any:
    try:
        return int(text) if whole or text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        return value
