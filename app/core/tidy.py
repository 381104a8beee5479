"""Values from outside made fit to be kept and told: no lone surrogates, and not nested without end."""

from typing import Any, cast

MAX_DEPTH = 100


def clean(text: str) -> str:
    """Without lone surrogates, which no store and no provider takes."""
    return text.encode("utf-8", "replace").decode("utf-8") if any("\ud800" <= c <= "\udfff" for c in text) else text


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
