"""Arguments that do not fit a tool, told so that a small model can mend them; and long values cut in their middle."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pydantic import ValidationError

LONG = 160
"""Characters of an argument that an error may repeat whole; of a longer one its beginning and end are kept."""

MOST_TEXT = 4000
MOST_TOLD = 5
"""Faults that are told one by one."""

_LIKE = 0.7
"""How alike (0 to 1, difflib's ratio) an unknown name has to be to one that exists, to be held for a slip."""

_KINDS = {
    "int": "a whole number", "float": "a number", "decimal": "a number", "string": "text", "bool": "true or false",
    "list": "a list", "dict": "an object", "model": "an object", "dataclass": "an object", "tuple": "a list", "none": "null",
}  # fmt: skip


def elided(text: str, most: int = LONG) -> str:
    """`text` without its middle where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    head, tail = most * 2 // 3, most // 4
    return f"{text[:head]} … [{len(text) - head - tail:,} characters left out] … {text[-tail:]}"


def without_long_arguments(text: str, arguments: Mapping[str, Any]) -> str:
    """An error's text in which no long argument stands whole; at most some 4,000 characters of it."""
    for value in sorted(set(_texts(arguments)), key=len, reverse=True):
        if len(value) > LONG:
            for spelled in (value, repr(value)[1:-1], json.dumps(value)[1:-1], value.strip()):
                text = text.replace(spelled, elided(value))
    return elided(text, MOST_TEXT)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in cast("Mapping[str, Any]", value).values():
            yield from _texts(one)
    elif isinstance(value, Sequence):
        for one in cast("Sequence[Any]", value)[:1000]:
            yield from _texts(one)


def slip(tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """Words for a name that is no argument but is like one that was not given: it would be left out in silence."""
    known = cast("Mapping[str, Any]", schema.get("properties", {}))
    for name in arguments:
        if name not in known and (meant := _meant(name, [one for one in known if one not in arguments])):
            return f"{tool} has no argument `{name}`; it is `{meant}`. Nothing was done. {usage(schema)}"
    return None


def unknown(tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """A note on names that are no arguments; prompts for other servers of the kind may give some, so they are no error."""
    known = cast("Mapping[str, Any]", schema.get("properties", {}))
    left = [name for name in arguments if name not in known]
    if not left:
        return None
    named = ", ".join(f"`{elided(name, 40)}`" for name in left[:5])
    return f"Left out, since {tool} has no such argument: {named}. It takes: {', '.join(known) or 'none'}."


def _meant(name: str, free: Sequence[str]) -> str | None:
    plain = {_plain(one): one for one in free}
    wanted = _plain(name)
    inside = [whole for short, whole in plain.items() if len(short) >= 4 and (short in wanted or wanted in short)]
    if wanted in plain or len(inside) == 1:
        return plain.get(wanted) or inside[0]
    close = difflib.get_close_matches(wanted, plain, 1, _LIKE)
    return plain[close[0]] if close else None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def misfit(tool: str, error: ValidationError, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """What does not fit, argument by argument, and how the tool is called."""
    faults: dict[str, list[str]] = {}
    for one in error.errors(include_url=False):
        where, fault = place_of(one["loc"]), _fault(cast("Mapping[str, Any]", one))
        if fault not in faults.setdefault(where, []):
            faults[where].append(fault)
    return told(tool, faults, arguments, schema)


def told(tool: str, faults: Mapping[str, Sequence[str]], arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    """The sentence for these faults, by the place of each argument, with the way to call the tool."""
    told = [f"`{where}` {' or '.join(said[:4])}" for where, said in faults.items()]
    more = f" And {len(told) - MOST_TOLD} more." if len(told) > MOST_TOLD else ""
    unknown = [name for name in arguments if name not in schema.get("properties", {})]
    names = f" It has no argument {', '.join(f'`{elided(name, 40)}`' for name in unknown[:5])}." if unknown else ""
    return f"{tool} was not run: {'; '.join(told[:MOST_TOLD])}.{more}{names} {usage(schema)}"


def usage(schema: Mapping[str, Any]) -> str:
    """The arguments in one line, those that are needed first, with an example where there is one."""
    known = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    needed = cast("Sequence[str]", schema.get("required", []))
    if not known:
        return "It takes no arguments."
    example = {name: known[name]["examples"][0] for name in needed if known.get(name, {}).get("examples")}
    said = [f"Needed: {', '.join(needed)}." if needed else "Nothing is needed."]
    if others := [name for name in known if name not in needed]:
        said.append(f"Also possible: {', '.join(others)}.")
    if example and len(example) == len(needed):
        said.append(f"Example: {json.dumps(example, ensure_ascii=False)}")
    return " ".join(said)


def place_of(parts: Sequence[str | int]) -> str:
    """`edits[0].oldText`; what pydantic adds for the branch of a union is left out."""
    where = ""
    for part in parts:
        if isinstance(part, int):
            where += f"[{part}]"
        elif not where or (part.isidentifier() and part not in _KINDS and part not in ("int", "str", "constrained-str")):
            where += f".{part}" if where else part
    return where or "arguments"


def _fault(one: Mapping[str, Any]) -> str:
    kind, limits = str(one["type"]), cast("Mapping[str, Any]", one.get("ctx") or {})
    if kind == "missing":
        return "is missing"
    given = given_as(one.get("input"))
    if kind in ("literal_error", "enum"):
        return f"must be one of {str(limits.get('expected', '')).replace(chr(39), chr(34))}{given}"
    if kind == "int_from_float":
        return f"must be a whole number{given}"
    first = kind.split("_", 1)[0]
    if kind.endswith(("_type", "_parsing", "_parsing_size")) and first in _KINDS:
        return f"must be {_KINDS[first]}{given}"
    return _limit(kind, limits, given) or f"does not fit: {one['msg']}{given}"


def given_as(value: Any) -> str:
    """What came instead, in short."""
    return f" (it was {elided(_json(value), 80)})"


def _limit(kind: str, limits: Mapping[str, Any], given: str) -> str | None:
    least, most = limits.get("min_length"), limits.get("max_length")
    words = {
        "greater_than_equal": f"must be at least {limits.get('ge')}{given}",
        "less_than_equal": f"must be at most {limits.get('le')}{given}",
        "greater_than": f"must be more than {limits.get('gt')}{given}",
        "less_than": f"must be less than {limits.get('lt')}{given}",
        "too_short": f"needs at least {least} {'entry' if least == 1 else 'entries'}",
        "too_long": f"may have at most {most} entries",
        "string_too_short": "must not be empty" if least == 1 else f"needs at least {least} characters{given}",
        "string_too_long": f"may have at most {most} characters",
        "finite_number": f"must be a finite number{given}",
    }
    return words.get(kind)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__
