"""Cuts a tool's input schema down to what a vendor takes, without ever fetching a reference."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from app.providers.shapes import is_list, is_object

Schema: TypeAlias = dict[str, Any]
MAX_DEPTH = 12
NESTINGS = (MAX_DEPTH, 6, 3, 2, 1)
"""How many references within one another are written out: as many as there is room for, alike all over the schema."""
ROOM = 64_000
"""Characters of JSON, about, that written out references may add to a schema."""
COMPOSED = ("anyOf", "oneOf", "allOf")
NAMED_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
IDENTITY = ("$schema", "$id", "$anchor", "$comment", "$vocabulary", "$dynamicAnchor")
# What Gemini's Schema object knows (ai.google.dev/api/caching, "Schema"); everything else is "Unknown name" and a 400.
GEMINI_KEYS = frozenset(
    (
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "items",
        "minItems",
        "maxItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "anyOf",
        "minimum",
        "maximum",
        "propertyOrdering",
    )
)
GEMINI_FORMATS = {"string": ("enum", "date-time"), "integer": ("int32", "int64"), "number": ("float", "double")}


@dataclass(frozen=True, slots=True)
class SchemaRules:
    """`keys` None: all keywords pass. `type_lists`: whether `type` may be a list."""

    keys: frozenset[str] | None = None
    type_lists: bool = True


ANY = SchemaRules()
GEMINI = SchemaRules(GEMINI_KEYS, type_lists=False)


class _Held:
    """A schema told from others as the object it is; being held, no other can have its place in memory."""

    __slots__ = ("schema",)

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.schema is self.schema


class _FullError(Exception):
    """There is no room to write out so many references."""


class _Writing:
    """One way through a schema: `nesting` references within one another; without room it ends, or goes on if `last`."""

    def __init__(self, root: Schema, rules: SchemaRules, nesting: int, *, last: bool) -> None:
        self.root = root
        self.rules = rules
        self.nesting = nesting
        self._last = last
        self._room = ROOM

    def takes(self, target: Schema) -> bool:
        """Whether a reference to this is written out."""
        self._room -= _weight(target, self._room)
        if self._room < 0 and not self._last:
            raise _FullError
        return self._room >= 0


def reduce_schema(schema: Mapping[str, Any], rules: SchemaRules = ANY) -> Schema:
    """A schema of type object with properties, no references, nothing composed at the top, only the keywords of `rules`.

    At most about `ROOM` characters larger than what was given. The same object for the same schema: leave it as it is.
    """
    return _reduced(_Held(schema), rules)


@lru_cache(maxsize=512)
def _reduced(held: _Held, rules: SchemaRules) -> Schema:
    root = dict(held.schema)
    whole = _written(root, rules)
    for word in COMPOSED:
        _fold_into(whole, whole.pop(word, None), alike=word == "allOf")
    for word in ("enum", "not", "const", "if", "then", "else"):
        whole.pop(word, None)
    whole["type"] = "object"
    if not is_object(whole.get("properties")):
        whole["properties"] = {}
    required = [name for name in whole.get("required") or () if name in whole["properties"]]
    whole.pop("required", None)
    if required:
        whole["required"] = required
    return whole


def _written(root: Schema, rules: SchemaRules) -> Schema:
    for nesting in NESTINGS[:-1]:
        try:
            return _reduce(root, _Writing(root, rules, nesting, last=False), (), 0)
        except _FullError:
            continue
    return _reduce(root, _Writing(root, rules, NESTINGS[-1], last=True), (), 0)


def _weight(node: Any, most: int) -> int:
    """Characters of JSON, about; no more than needed to know that it is over `most`."""
    total, left = 0, [node]
    while left and total <= most:
        at = left.pop()
        if is_object(at):
            total += sum(len(key) + 4 for key in at)
            left += at.values()
        elif is_list(at):
            total += len(at)
            left += at
        else:
            total += len(at) + 2 if isinstance(at, str) else 5
    return total


def _fold_into(whole: Schema, members: Any, *, alike: bool) -> None:
    """Properties of composed members become the object's own; required stays only what every member asks for."""
    if not is_list(members):
        return
    asked: list[set[str]] = []
    for member in filter(is_object, members):
        whole["properties"] = {**(member.get("properties") or {}), **(whole.get("properties") or {})}
        asked.append(set(member.get("required") or ()))
    if asked:
        both = asked[0].union(*asked) if alike else asked[0].intersection(*asked)
        whole["required"] = [*(whole.get("required") or ()), *sorted(both - set(whole.get("required") or ()))]


def _reduce(node: Any, writing: _Writing, seen: tuple[str, ...], depth: int) -> Schema:
    rules = writing.rules
    if not is_object(node):
        return {"type": "object"} if node is False or depth > MAX_DEPTH else _any(rules)
    if isinstance(ref := node.get("$ref"), str):
        return _resolved(node, ref, writing, seen, depth)
    if depth > MAX_DEPTH:
        return _leaf(node)
    out: Schema = {}
    for key, value in node.items():
        if key in IDENTITY or key in ("$defs", "definitions", "$ref", "$dynamicRef"):
            continue
        if key in NAMED_SCHEMAS and is_object(value):
            out[key] = {name: _reduce(sub, writing, seen, depth + 1) for name, sub in value.items()}
        elif key in COMPOSED and is_list(value):
            out[key] = [_reduce(sub, writing, seen, depth + 1) for sub in value]
        elif key in ("items", "additionalProperties", "not", "propertyNames", "contains", "if", "then", "else") and is_object(
            value
        ):
            out[key] = _reduce(value, writing, seen, depth + 1)
        elif key == "items" and is_list(value):  # a tuple of older drafts
            out[key] = _reduce(value[0], writing, seen, depth + 1) if value else _any(rules)
        else:
            out[key] = value
    return _fit(out, rules)


def _resolved(node: Schema, ref: str, writing: _Writing, seen: tuple[str, ...], depth: int) -> Schema:
    """The schema a local reference names, with what stands beside it; a recursive, remote or broken one accepts anything,
    one too many anything of its type.
    """
    beside = {key: value for key, value in node.items() if key != "$ref"}
    target = None if ref in seen or depth > MAX_DEPTH else _lookup(writing.root, ref)
    if target is None:
        return _leaf(beside)
    if len(seen) >= writing.nesting or not writing.takes(target):
        return _fit(_leaf({"type": target.get("type"), **beside}), writing.rules)
    return _reduce({**target, **beside}, writing, (*seen, ref), depth + 1)


def _lookup(root: Schema, ref: str) -> Schema | None:
    if ref == "#":
        return root
    if not ref.startswith("#/"):
        return None
    at: Any = root
    for part in ref[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        at = at.get(name) if is_object(at) else None
    return at if is_object(at) else None


def _leaf(node: Schema) -> Schema:
    kind = node.get("type")
    out: Schema = {"type": kind if isinstance(kind, str) else "object"}
    if out["type"] == "array":
        out["items"] = {"type": "string"}
    if isinstance(text := node.get("description"), str):
        out["description"] = text
    return out


def _any(rules: SchemaRules) -> Schema:
    return {} if rules.keys is None else {"type": "string"}


def _fit(node: Schema, rules: SchemaRules) -> Schema:
    """One level made to fit: arrays have items, and for strict vendors every schema has one type and known keywords only."""
    kind = node.get("type")
    if kind == "array" and not is_object(node.get("items")):
        node["items"] = {"type": "string"} if rules.keys is not None else {}
    if rules.keys is None:
        return node
    if is_list(kind) and not rules.type_lists:
        _one_type(node, [str(k) for k in kind])
    _translate(node)
    out = {key: value for key, value in node.items() if key in rules.keys}
    if "anyOf" in out:
        out = _only_any_of(out)
    elif "type" not in out:
        out["type"] = "object" if "properties" in out else "array" if "items" in out else "string"
    return _fit_strict(out)


def _one_type(node: Schema, kinds: list[str]) -> None:
    if "null" in kinds:
        node["nullable"] = True
    real = [kind for kind in kinds if kind != "null"]
    if len(real) > 1:
        node.pop("type", None)
        node["anyOf"] = [{"type": kind, **({"items": {"type": "string"}} if kind == "array" else {})} for kind in real]
    else:
        node["type"] = real[0] if real else "string"


def _translate(node: Schema) -> None:
    """Say in the small vocabulary what the large one said."""
    if "oneOf" in node and "anyOf" not in node:
        node["anyOf"] = node.pop("oneOf")
    for member in node.pop("allOf", None) or ():
        for key, value in member.items():
            node[key] = {**value, **node.get(key, {})} if key == "properties" else node.get(key, value)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    for exclusive, plain in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        value = node.get(exclusive)
        if isinstance(value, int | float) and not isinstance(value, bool) and plain not in node:
            node[plain] = value
            note = f"{'more' if plain == 'minimum' else 'less'} than {value:g}"
            node["description"] = f"{node['description']} ({note})" if node.get("description") else note


def _only_any_of(node: Schema) -> Schema:
    """`anyOf` stands alone: null members become `nullable`, a single member takes its place."""
    members = [m for m in node["anyOf"] if m.get("type") != "null"]
    kept: Schema = {key: node[key] for key in ("description", "title", "nullable") if key in node}
    if len(members) < len(node["anyOf"]):
        kept["nullable"] = True
    if not members:
        return {**kept, "type": "string"}
    return {**members[0], **kept} if len(members) == 1 else {**kept, "anyOf": members}


def _fit_strict(node: Schema) -> Schema:
    kind = node.get("type")
    if kind == "null":
        node["type"], node["nullable"] = "string", True
    if "enum" in node:
        values = [str(v) for v in node["enum"] if v is not None and v != ""]
        node.pop("enum")
        if values and kind in (None, "string"):
            node["enum"] = values
    if "format" in node and node["format"] not in GEMINI_FORMATS.get(str(kind), ()):
        node.pop("format")
    if kind == "object" and "properties" in node:
        node["required"] = [name for name in node.get("required") or () if name in node["properties"]]
    if not node.get("required"):
        node.pop("required", None)
    if kind != "object":
        node.pop("properties", None)
    return node
