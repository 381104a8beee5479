"""Patches as text: unified diffs (git's manual, "diff-format") and the `*** Begin Patch` form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from mcp_servers.filesystem.errors import FilesError

_RANGE = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_SECTION = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
NOWHERE = "/dev/null"


@dataclass
class Hunk:
    """Lines that belong together: each with " " (stays), "-" (goes) or "+" (comes)."""

    at: int | None = None
    """The line it should begin at, from 0; None where the patch does not say."""
    anchor: str = ""
    """A line that comes before it, in the `*** Begin Patch` form."""
    lines: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    open_end: bool = False
    """The last line that stays or comes has no line end."""
    old_open_end: bool = False
    """The same of the last line that stays or goes."""

    @property
    def old(self) -> list[str]:
        """The lines the file must have."""
        return [text for mark, text in self.lines if mark != "+"]

    def count(self, mark: str) -> int:
        """How many lines have that mark."""
        return sum(one == mark for one, _ in self.lines)


@dataclass
class Change:
    """What happens to one file; `target` is where it ends up."""

    kind: Literal["add", "update", "delete"]
    path: str
    target: str
    hunks: list[Hunk] = field(default_factory=list[Hunk])


def parse(patch: str) -> list[Change]:
    """The changes in order; FilesError says what is wrong with the patch."""
    text = patch.replace("\r\n", "\n")
    lines = text.split("\n")
    begin = [at for at, line in enumerate(lines) if line.strip() == "*** Begin Patch"]
    changes = _enveloped(lines[begin[0] + 1 :]) if begin else _unified(lines)
    if not changes:
        raise FilesError("There is no patch in this text. Give a unified diff with ---, +++ and @@ lines.")
    return changes


def _unified(lines: Sequence[str]) -> list[Change]:
    changes: list[Change] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(("Binary files ", "GIT binary patch")):
            raise FilesError("Patches of binary files cannot be applied.")
        if line.startswith("rename from ") and lines[at + 1 : at + 2]:
            old, new = line[12:], lines[at + 1].removeprefix("rename to ")
            changes.append(Change("update", old, new))
        if _is_header(lines, at):
            _begin(changes, lines[at], lines[at + 1])
            at += 2
            continue
        if line.startswith("@@") and changes:
            hunk, at = _hunk(lines, at)
            changes[-1].hunks.append(hunk)
            continue
        at += 1
    return changes


def _is_header(lines: Sequence[str], at: int) -> bool:
    return lines[at].startswith("--- ") and lines[at + 1 : at + 2] != [] and lines[at + 1].startswith("+++ ")


def _begin(changes: list[Change], old_line: str, new_line: str) -> None:
    old, new = (line[4:].split("\t")[0].strip().strip('"') for line in (old_line, new_line))
    if old.startswith(("a/", NOWHERE)) and new.startswith(("b/", NOWHERE)):
        old, new = old.removeprefix("a/"), new.removeprefix("b/")
    if changes and not changes[-1].hunks and (changes[-1].path, changes[-1].target) == (old, new):
        return  # git said the rename already
    if old == NOWHERE:
        changes.append(Change("add", new, new))
    elif new == NOWHERE:
        changes.append(Change("delete", old, old))
    else:
        changes.append(Change("update", old, new))


def _hunk(lines: Sequence[str], at: int) -> tuple[Hunk, int]:
    ranges = _RANGE.match(lines[at])
    old_left = int(ranges[2] or 1) if ranges else 0
    new_left = int(ranges[4] or 1) if ranges else 0
    hunk = Hunk(at=max(0, int(ranges[1]) - (old_left > 0)) if ranges else None)
    at += 1
    while at < len(lines):
        line = lines[at]
        expected = old_left > 0 or new_left > 0
        if not expected and (not line or _is_header(lines, at)):
            break
        if line.startswith(("@@", "diff --git ")) or (line and line[0] not in " +-\\"):
            break
        mark = _take(hunk, line)
        old_left -= mark in " -"
        new_left -= mark in " +"
        at += 1
    _trim(hunk, max(old_left, new_left))
    return hunk, at


def _trim(hunk: Hunk, missing: int) -> None:
    """A blank last line is the end of the text, not a blank line of the file, if counts allow."""
    while missing < 0 and hunk.lines and hunk.lines[-1] == (" ", ""):
        hunk.lines.pop()
        missing += 1


def _take(hunk: Hunk, line: str) -> str:
    mark, text = (line[0], line[1:]) if line else (" ", "")
    if mark == "\\":
        last = hunk.lines[-1][0] if hunk.lines else " "
        hunk.open_end = hunk.open_end or last in " +"
        hunk.old_open_end = hunk.old_open_end or last in " -"
        return "\\"
    hunk.lines.append((mark, text))
    return mark


def _enveloped(lines: Sequence[str]) -> list[Change]:
    changes: list[Change] = []
    for line in lines:
        if line.strip() == "*** End Patch":
            break
        if section := _SECTION.match(line):
            changes.append(_section(section[1], section[2].strip()))
        elif changes and line.startswith("*** Move to: "):
            changes[-1].target = line[13:].strip()
        elif changes and line.startswith("@@"):
            changes[-1].hunks.append(Hunk(anchor=line[2:].strip()))
        elif changes and not line.startswith("***"):
            _add_line(changes[-1], line)
    for change in changes:
        for hunk in change.hunks:
            _trim(hunk, -len(hunk.lines))
        change.hunks = [hunk for hunk in change.hunks if hunk.lines]
    return changes


def _section(word: str, path: str) -> Change:
    if word == "Add":
        return Change("add", path, path, [Hunk()])
    return Change("delete" if word == "Delete" else "update", path, path)


def _add_line(change: Change, line: str) -> None:
    if not change.hunks:
        change.hunks.append(Hunk())
    if line and line[0] not in " +-":
        raise FilesError(f"This line of the patch has no mark (blank, + or -): {line[:200]}")
    _take(change.hunks[-1], line)
