"""Values from outside made fit to be kept and told: no lone surrogates, and not nested without end."""

import re
from typing import Any, cast

MAX_DEPTH = 100
_LONE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """With U+FFFD for each lone surrogate, which no store and no provider takes."""
    return _LONE.sub("\ufffd", text)


def tidy(value: Any, depth: int = 0) -> Any:
    """The same JSON value with clean strings; ValueError where it is nested more than 100 deep."""
    if isinstance(value, str):
        return clean(value)
    if depth > MAX_DEPTH:
        raise ValueError(f"nested more than {MAX_DEPTH} deep")
    if isinstance(value, dict):
        return {clean(str(k)): tidy(v, depth + 1) for k, v in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [tidy(v, depth + 1) for v in cast("list[Any]", value)]
    return value
