"""Arguments against schemas: told so that a model can mend them, and never in the way."""

from typing import Any

import pytest

from app.mcp_host.arguments import ArgumentCheck

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "list": {"type": "array", "items": {"type": "string"}}},
    "required": ["n"],
}


def check(schema: dict[str, Any], arguments: dict[str, Any]) -> str | None:
    return ArgumentCheck()(schema, arguments)


@pytest.mark.parametrize(
    ("arguments", "named"), [({"n": "x"}, "`n`"), ({"n": 0}, "`n`"), ({}, "'n'"), ({"n": 1, "list": [1]}, "`list.0`")]
)
def test_the_field_that_does_not_fit_is_named(arguments: dict[str, Any], named: str) -> None:
    told = check(SCHEMA, arguments)
    assert told is not None
    assert named in told


def test_fitting_arguments_pass() -> None:
    assert check(SCHEMA, {"n": 2, "list": ["a"]}) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "nonsense"},
        {"properties": []},
        {"$ref": "https://example.com/schema.json"},
        {"$ref": "#/nowhere"},
        {"$ref": "#"},
        {"required": "n"},
        {"$schema": "https://unknown.example/draft", "type": "object"},
        {},
    ],
)
def test_a_broken_schema_accepts(schema: dict[str, Any]) -> None:
    assert check(schema, {"n": 1}) is None


def test_an_evil_pattern_takes_no_time() -> None:
    schema = {"properties": {"s": {"type": "string", "pattern": "^(a+)+$"}}}
    assert check(schema, {"s": "a" * 60 + "!"}) is None
