"""Arguments in the shape a schema asks for, where a small model left no doubt about what it means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

_WORDS = {"true": True, "false": False}


def coaxed(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments: one thing where a list of them is asked for becomes that list, JSON within text is read where a list
    or an object is asked for, "true" and "5" become what they say. All else stays, for the schema to judge."""
    try:
        return _members(arguments, schema, cast("Mapping[str, Any]", schema.get("$defs", {})))
    except RecursionError:  # a schema that holds itself, and arguments nested as deeply
        return dict(arguments)


def _members(given: Mapping[str, Any], schema: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
    known = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    return {name: _coaxed(value, known[name], defs) if name in known else value for name, value in given.items()}


def _coaxed(value: Any, wanted: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
    wanted = cast("Mapping[str, Any]", defs.get(str(wanted["$ref"]).rpartition("/")[2], {}) if "$ref" in wanted else wanted)
    kind = wanted.get("type")
    if kind == "array":
        items = cast("Mapping[str, Any]", wanted.get("items", {}))
        read: Any = _read(value)
        if _is_one(read, items):
            read = [read]
        if not isinstance(read, list) or not {"$ref", "type"} & set(items):
            return cast("Any", read)
        return [_coaxed(one, items, defs) for one in cast("list[Any]", read)]
    if kind == "object":
        read = _read(value)
        if isinstance(read, list):
            return value
        return _members(cast("Mapping[str, Any]", read), wanted, defs) if isinstance(read, dict) else read
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
