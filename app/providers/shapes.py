"""Looks at JSON values whose shape others decide: an object, a list, or an empty one where it is neither."""

from typing import Any, TypeGuard, cast


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return value.__class__ is dict


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return value.__class__ is list


def object_of(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items_of(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
