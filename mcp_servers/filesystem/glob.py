"""Glob patterns on paths, matched part by part in time that cannot explode."""

import fnmatch
import re
from collections.abc import Sequence

from mcp_servers.filesystem.errors import FilesError

EXPANSIONS = 256
"""How many patterns `{a,b}` braces may stand for."""

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_Steps = tuple["re.Pattern[str] | None", ...]


class Glob:
    """A compiled pattern: `*`, `?`, `[a-z]`, `{a,b}` inside a name, `**` for any folders."""

    def __init__(self, pattern: str, *, any_case: bool = False) -> None:
        flags = re.IGNORECASE if any_case else 0
        self._choices = [_steps(one, flags) for one in _expanded(pattern)]

    def fits(self, parts: Sequence[str]) -> bool:
        """Whether the whole path, as its names, fits the pattern."""
        return any(_fits(steps, parts) for steps in self._choices)


def has_wildcards(pattern: str) -> bool:
    """Whether the text is more than a plain name."""
    return any(letter in pattern for letter in "*?[{")


def _expanded(pattern: str) -> list[str]:
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        current = waiting.pop()
        braces = _BRACES.search(current)
        if braces is None:
            done.append(current)
        else:
            before, after = current[: braces.start()], current[braces.end() :]
            waiting += [before + choice + after for choice in braces[1].split(",")]
        if len(done) + len(waiting) > EXPANSIONS:
            raise FilesError(f"The pattern {pattern} stands for too many patterns.")
    return done


def _steps(pattern: str, flags: int) -> _Steps:
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if names[-1:] == ["**"]:
        names.append("*")  # what is inside the folder, not the folder itself
    return tuple(None if name == "**" else _name(name, flags) for name in names)


def _name(name: str, flags: int) -> "re.Pattern[str]":
    # fnmatch writes expressions that do not backtrack from one * into the one before.
    plain = re.sub(r"\*+", "*", _escapes(name)).replace("[^", "[!")
    return re.compile(fnmatch.translate(plain), flags)


def _escapes(name: str) -> str:
    return re.sub(r"\\(.)", lambda found: f"[{found[1]}]" if found[1] in "*?[" else found[1], name)


def _fits(steps: _Steps, parts: Sequence[str]) -> bool:
    """All the steps the path so far may have come to, moved on by one name at a time."""
    at = _skipped({0}, steps)
    for part in parts:
        on: set[int] = set()
        for index in at:
            if index == len(steps):
                continue
            step = steps[index]
            if step is None:
                on.add(index)
            elif step.match(part):
                on.add(index + 1)
        at = _skipped(on, steps)
        if not at:
            return False
    return len(steps) in at


def _skipped(at: set[int], steps: _Steps) -> set[int]:
    """A `**` may also stand for no folder at all."""
    found = set(at)
    for start in sorted(at):
        index = start
        while index < len(steps) and steps[index] is None:
            index += 1
            found.add(index)
    return found
