"""Arguments that do not fit a tool of ours, in the words in which its server would tell it, before anybody is asked."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from mcp_servers.coaxed import coaxed
from mcp_servers.misfits import given_as, place_of, slip, told, without_long_arguments

MOST = 50
"""Faults that are looked at."""

_KINDS = {
    "integer": "a whole number", "number": "a number", "string": "text", "boolean": "true or false", "array": "a list",
    "object": "an object", "null": "null",
}  # fmt: skip
_LIMITS: dict[str, Callable[[Any], str]] = {
    "minimum": lambda limit: f"must be at least {limit}",
    "maximum": lambda limit: f"must be at most {limit}",
    "exclusiveMinimum": lambda limit: f"must be more than {limit}",
    "exclusiveMaximum": lambda limit: f"must be less than {limit}",
    "minItems": lambda limit: f"needs at least {limit} {'entry' if limit == 1 else 'entries'}",
    "maxItems": lambda limit: f"may have at most {limit} entries",
    "minLength": lambda limit: "must not be empty" if limit == 1 else f"needs at least {limit} characters",
    "maxLength": lambda limit: f"may have at most {limit} characters",
}


def unfit(tool: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> str | None:
    """Why the call would be refused; None where it would be made. What the server takes as meant is no fault."""
    if fault := slip(tool, arguments, schema):
        return without_long_arguments(fault, arguments)
    given = coaxed(arguments, schema)
    errors = cast("Any", Draft202012Validator(schema)).iter_errors(given)
    faults: dict[str, list[str]] = {}
    for error in islice(cast("list[ValidationError]", errors), MOST):
        for where, words in _faults(error):
            if words not in faults.setdefault(where, []):
                faults[where].append(words)
    return without_long_arguments(told(tool, faults, arguments, schema), arguments) if faults else None


def _faults(error: ValidationError) -> list[tuple[str, str]]:
    path = list(error.absolute_path)
    if error.validator == "required":
        known, wanted = cast("Mapping[str, Any]", error.instance), cast("list[str]", error.validator_value)
        return [(place_of([*path, name]), "is missing") for name in wanted if name not in known]
    if error.validator in ("anyOf", "oneOf") and error.context:
        inner = [pair for one in error.context for pair in _faults(one)]
        return [(where, words) for where, words in inner if where == place_of(path)] or inner
    return [(place_of(path), _words(error))]


def _words(error: ValidationError) -> str:
    kind, wanted = str(error.validator), cast("Any", error.validator_value)
    if kind == "type":
        kinds = cast("list[str]", wanted if isinstance(wanted, list) else [wanted])
        return f"must be {' or '.join(_KINDS.get(one, one) for one in kinds)}{given_as(error.instance)}"
    if kind == "enum":
        choices = " or ".join(f'"{one}"' for one in cast("list[Any]", wanted))
        return f"must be one of {choices}{given_as(error.instance)}"
    if kind in _LIMITS:
        shown = "" if kind.endswith(("Items", "Length")) else given_as(error.instance)
        return f"{_LIMITS[kind](wanted)}{shown}"
    return f"does not fit: {error.message[:200]}"
