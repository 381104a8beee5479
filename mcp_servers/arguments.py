"""How the bundled servers describe arguments: plain JSON types that small models get right."""

from typing import Any, cast

from pydantic import Field
from pydantic.fields import FieldInfo


def argument(description: str, **limits: Any) -> FieldInfo:
    """A described argument; `limits` are pydantic's (`ge`, `le`, `min_length`, `examples`, ...).

    `int | None` is published as a plain optional integer: an `anyOf` with null makes some
    models send the word "null", and some providers refuse it.
    """
    return cast("FieldInfo", Field(description=description, json_schema_extra=_plain, **limits))


def _plain(schema: dict[str, Any]) -> None:
    schema.pop("title", None)
    choices = cast("list[dict[str, Any]]", schema.get("anyOf", []))
    kept = [choice for choice in choices if choice.get("type") != "null"]
    if len(kept) == 1 and len(kept) < len(choices):
        del schema["anyOf"]
        for key, value in kept[0].items():
            schema.setdefault(key, value)
    if schema.get("default", 0) is None:
        del schema["default"]
