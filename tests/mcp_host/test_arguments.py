"""Arguments against schemas: told so that a model can mend them, and never in the way."""

import time
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


def doubling(times: int) -> dict[str, Any]:
    """A schema of few lines that takes 2 ** times steps."""
    twice = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n - 1}"}] * 2} for n in range(1, times)}
    return {"properties": {"s": {"$ref": f"#/$defs/a{times - 1}"}}, "$defs": {"a0": {"type": "string"}, **twice}}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (doubling(28), "x"),
        ({"properties": {"s": {"uniqueItems": True}}}, [{"n": n} for n in range(4000)]),
        ({"properties": {f"p{n}": {"type": "string"} for n in range(50_000)}}, "x"),
    ],
)
def test_a_schema_that_asks_for_endless_work_is_left_to_the_server(schema: dict[str, Any], value: Any) -> None:
    began = time.thread_time()
    assert check(schema, {"s": value}) is None
    assert time.thread_time() - began < 2
