"""A server that is to be added, with the blanks a person fills in before: keys, folders, choices."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, cast

from app.core.frozen import Frozen
from app.mcp_host.config import ServerConfig

BlankKind: TypeAlias = Literal["text", "number", "boolean", "file", "folder"]
Values: TypeAlias = Mapping[str, Any]
_BLANK = re.compile(r"\$\{blank:([^}]+)\}")


class Blank(Frozen):
    """One thing to fill in. `secret`: not shown while typed. `default`: a text each; `multiple`: several values.

    `choices`: one of these; `least`, `most`: limits of a number.
    """

    key: str
    title: str
    description: str = ""
    kind: BlankKind = "text"
    required: bool = False
    secret: bool = False
    multiple: bool = False
    default: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None


class Candidate(Frozen):
    """A server as some file describes it. In its texts `${blank:KEY}` stands for what is filled in.

    `args` come in groups: a group with a blank that stays empty is left out whole, as are such variables
    and headers. `notes` are for the person, one sentence each.
    """

    config: ServerConfig
    title: str = ""
    version: str = ""
    args: tuple[tuple[str, ...], ...] = ()
    blanks: tuple[Blank, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def shown(self) -> ServerConfig:
        """As it would be with `${KEY}` for every blank."""
        return filled(self, {}, strict=False, defaults=False)


def blank(key: str) -> str:
    """What stands in a text for a blank's value."""
    return f"${{blank:{key}}}"


def variable_name(key: str) -> str:
    """The environment variable that stands for a blank nobody filled in."""
    return re.sub(r"\W+", "_", re.sub(r"([a-z])([A-Z])", r"\1_\2", key)).strip("_").upper() or "VALUE"


def filled(candidate: Candidate, values: Values, *, strict: bool = True, defaults: bool = True) -> ServerConfig:
    """The configuration with the blanks filled in: not accepted, and switched off.

    Raises `ValueError` in words that name every blank that is missing or does not fit. Not `strict`: a
    missing one becomes `${KEY}`, which the environment can fill at the start.
    """
    faults: list[str] = []
    known: dict[str, tuple[str, ...]] = {}
    for one in candidate.blanks:
        given = _texts(values.get(one.key)) or (one.default if defaults else ())
        fault = _fault(one, given)
        if fault is not None and strict:
            faults.append(fault)
        keep = not strict and not given and (one.required or not defaults)
        known[one.key] = (f"${{{variable_name(one.key)}}}",) if keep else given
    if faults:
        raise ValueError(f"{candidate.config.name}: {' '.join(faults)}")
    config = candidate.config
    return config.model_copy(
        update={
            "args": (*config.args, *(a for group in candidate.args for a in _group(group, known))),
            "env": _pairs(config.env, known),
            "headers": _pairs(config.headers, known),
            "url": None if config.url is None else _text(config.url, known),
            "enabled": False,
        }
    )


def _fault(one: Blank, given: tuple[str, ...]) -> str | None:
    if not given:
        return f"{one.title} is missing." if one.required else None
    if one.choices and any(g not in one.choices for g in given):
        return f"{one.title} is one of {', '.join(one.choices)}."
    if one.kind == "number":
        return _number_fault(one, given)
    return None


def _number_fault(one: Blank, given: tuple[str, ...]) -> str | None:
    try:
        numbers = [float(g) for g in given]
    except ValueError:
        return f"{one.title} is a number."
    if one.least is not None and min(numbers) < one.least:
        return f"{one.title} is at least {one.least:g}."
    if one.most is not None and max(numbers) > one.most:
        return f"{one.title} is at most {one.most:g}."
    return None


def _texts(value: Any) -> tuple[str, ...]:
    """What was filled in as texts; an empty one is nothing."""
    listed = cast("list[Any]", value) if isinstance(value, list | tuple) else [] if value is None else [value]
    texts = (str(v).lower() if isinstance(v, bool) else str(v).strip() for v in listed)
    return tuple(t for t in texts if t)


def _group(group: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> Iterable[str]:
    wanted = [k for text in group for k in _BLANK.findall(text)]
    if any(not known.get(k) for k in wanted):
        return
    for text in group:
        alone = _BLANK.fullmatch(text)
        if alone is not None:
            yield from known[alone.group(1)]
        else:
            yield _text(text, known)


def _pairs(pairs: Mapping[str, str], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {n: _text(v, known) for n, v in pairs.items() if all(known.get(k) for k in _BLANK.findall(v))}


def _text(text: str, known: Mapping[str, tuple[str, ...]]) -> str:
    return _BLANK.sub(lambda match: ",".join(known.get(match.group(1), ())), text)
