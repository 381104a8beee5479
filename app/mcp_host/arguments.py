"""Whether a call's arguments fit a tool's input schema, said so that a model can mend them."""

import json
from collections.abc import Iterable
from typing import Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.exceptions import best_match as _best_match  # pyright: ignore[reportUnknownVariableType]
from jsonschema.protocols import Validator
from jsonschema.validators import extend as _extend  # pyright: ignore[reportUnknownVariableType]
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable


class ArgumentCheck:
    """Compiled checks by schema. A schema that is itself broken accepts everything.

    Regular expressions are left to the server: one from outside can take for ever here.
    """

    def __init__(self) -> None:
        self._compiled: dict[str, Validator | None] = {}

    def __call__(self, schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
        """Words naming the field that does not fit, or None."""
        validator = self._validator(schema)
        if validator is None:
            return None
        try:
            error = cast("ValidationError | None", _best_match(validator.iter_errors(arguments)))
        except (Unresolvable, RecursionError, TypeError, ValueError, AttributeError):
            return None
        return None if error is None else _words(error)

    def _validator(self, schema: dict[str, Any]) -> Validator | None:
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
        kind.check_schema(schema)
        lenient = cast("type[Validator]", _extend(kind, {"pattern": _accept, "patternProperties": _accept, "format": _accept}))
        return lenient(schema, registry=Registry())
    except (SchemaError, Unresolvable, RecursionError, TypeError, ValueError, AttributeError):
        return None


def _accept(validator: Any, value: Any, instance: Any, schema: Any) -> Iterable[ValidationError]:
    del validator, value, instance, schema
    return ()


def _words(error: ValidationError) -> str:
    path = ".".join(str(part) for part in error.absolute_path)
    message = error.message if len(error.message) <= 300 else error.message[:300] + "…"
    if path:
        return f"The argument `{path}` does not fit: {message}."
    return f"The arguments do not fit: {message}."
