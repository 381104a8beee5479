"""Whether values fit a tool's schema, said so that a model can mend them."""

import json
import time
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError
from jsonschema.exceptions import best_match as _best_match  # pyright: ignore[reportUnknownVariableType]
from jsonschema.protocols import Validator
from jsonschema.validators import extend as _extend  # pyright: ignore[reportUnknownVariableType]
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from app.mcp_host.held import holds_over

# A check holds up everything else, and a few lines of schema can ask for more steps than there is time.
SECONDS = 0.03
SCHEMA_VALUES = 5_000
# Judging a schema itself takes 0.2 ms a value: a larger one is believed to be one.
JUDGED_VALUES = 250
# What can take for ever at one step: regular expressions, and comparing each item with each other.
LEFT_OUT = ("pattern", "patternProperties", "format", "uniqueItems")


class TooMuchError(ValueError):
    """A check that took too long."""


class ArgumentCheck:
    """Compiled checks by schema. What is broken, or too large to be judged in no time, is left to the server."""

    def __init__(self) -> None:
        self._compiled: dict[str, Validator | None] = {}

    def __call__(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
        """Words naming the argument that does not fit, or None."""
        found = self.misfit(schema, arguments)
        if found is None:
            return None
        path, reason = found
        return f"The argument `{path}` does not fit: {reason}." if path else f"The arguments do not fit: {reason}."

    def misfit(self, schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[str, str] | None:
        """The field that does not fit, by its path, and why."""
        validator = self._validator(schema)
        if validator is None:
            return None
        until = _until.set(time.thread_time() + SECONDS)
        try:
            error = cast("ValidationError | None", _best_match(validator.iter_errors(arguments)))
        except (Unresolvable, UnknownType, RecursionError, TypeError, ValueError, AttributeError):
            return None
        finally:
            _until.reset(until)
        return None if error is None else _where_and_why(error)

    def _validator(self, schema: dict[str, Any]) -> Validator | None:
        if holds_over(schema, SCHEMA_VALUES):
            return None
        try:
            key = json.dumps(schema, sort_keys=True)
        except (TypeError, ValueError, RecursionError):
            return None
        if key not in self._compiled:
            self._compiled[key] = _compile(schema)
        return self._compiled[key]


def _compile(schema: dict[str, Any]) -> Validator | None:
    try:
        kind = validator_for(schema, default=Draft202012Validator)
        if not holds_over(schema, JUDGED_VALUES):
            kind.check_schema(schema)
        counted = {name: _counted(judge) for name, judge in cast("Any", kind).VALIDATORS.items()}
        lenient = cast("type[Validator]", _extend(kind, {**counted, **dict.fromkeys(LEFT_OUT, _accept)}))
        return lenient(schema, registry=Registry())
    except (SchemaError, Unresolvable, RecursionError, TypeError, ValueError, AttributeError):
        return None


def _accept(validator: Any, value: Any, instance: Any, schema: Any) -> Iterable[ValidationError]:
    del validator, value, instance, schema
    return ()


_until: ContextVar[float] = ContextVar("until")


def _counted(judge: Callable[..., Iterable[ValidationError] | None]) -> Callable[..., Iterable[ValidationError]]:
    """The same judgement, as long as there is time for it."""

    def judged(validator: Any, value: Any, instance: Any, schema: Any) -> Iterable[ValidationError]:
        if time.thread_time() > _until.get():
            raise TooMuchError
        return judge(validator, value, instance, schema) or ()

    return judged


def _where_and_why(error: ValidationError) -> tuple[str, str]:
    message = error.message if len(error.message) <= 300 else error.message[:300] + "…"
    return ".".join(str(part) for part in error.absolute_path), message
