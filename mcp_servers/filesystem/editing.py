"""Edits by old and new text, with the diff they make; all of them are done, or none."""

import difflib
import io
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.reading import load
from mcp_servers.filesystem.roots import Roots
from mcp_servers.filesystem.text import Text, plain, with_line_end
from mcp_servers.filesystem.writing import replace_file

DIFF_LINES = 20_000
"""How many changed lines are compared one by one; beyond, the diff is only counted."""


@dataclass(frozen=True)
class Edit:
    """One replacement."""

    old: str
    new: str
    everywhere: bool = False


def edit_file(roots: Roots, path: str, edits: Sequence[Edit], *, dry_run: bool = False) -> str:
    """Apply the edits in order and answer with a git-style diff; with `dry_run` only the diff."""
    place = roots.resolve(path)
    before = load(roots, place)
    after = before.with_content(edited(before, edits, path))
    stored = after.stored()
    difference = diff(before.plain, after.plain, path)
    if not dry_run and after.content != before.content:
        replace_file(roots, place, stored)
    fence = "```"
    while fence in difference:
        fence += "`"
    return f"{fence}diff\n{difference}{fence}\n\n"


def edited(text: Text, edits: Sequence[Edit], path: str) -> str:
    """The content after all edits; the line ends around them stay as they are."""
    if not edits:
        raise FilesError("There are no edits. Give at least one with oldText and newText.")
    line_end = text.line_end
    for edit in edits:
        whole = text.content
        spans = _spans(text.plain, edit, path)
        for start, end, new in reversed(spans):
            first, last = _original(whole, start), _original(whole, end)
            whole = whole[:first] + with_line_end(new, line_end) + whole[last:]
        text = text.with_content(whole)
    return text.content


def _original(content: str, index: int) -> int:
    """The place in `content` of an index into its text with plain line ends."""
    if "\r\n" not in content:
        return index
    ends = [at - count for count, at in enumerate(_each(content, "\r\n"))]
    return index + bisect_left(ends, index)


def _each(text: str, part: str) -> list[int]:
    found: list[int] = []
    at = text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


def _spans(content: str, edit: Edit, path: str) -> list[tuple[int, int, str]]:
    old, new = plain(edit.old), plain(edit.new)
    if not old:
        raise FilesError("oldText is empty. Give the text to replace, or use write_file.")
    found = _each(content, old)
    if len(found) == 1 or (found and edit.everywhere):
        return [(at, at + len(old), new) for at in found]
    if found:
        lines = ", ".join(str(content.count("\n", 0, at) + 1) for at in found[:5])
        raise FilesError(
            f"oldText is in {path} {len(found)} times (lines {lines}). Nothing was changed. Add "
            "lines around it until it is unique, or set replaceAll to true."
        )
    return [_loosely(content, old, new, path)]


def _loosely(content: str, old: str, new: str, path: str) -> tuple[int, int, str]:
    """Whole lines that differ in blanks at their ends only; the file's indentation is kept."""
    wanted = [line.strip() for line in old.strip("\n").split("\n")]
    lines = content.split("\n")
    stripped = [line.strip() for line in lines]
    size = len(wanted)
    places = range(len(lines) - size + 1) if any(wanted) else range(0)
    hits = [at for at in places if stripped[at : at + size] == wanted]
    if len(hits) != 1:
        raise FilesError(_not_found(lines, wanted, len(hits), path))
    first = hits[0]
    start = sum(len(line) + 1 for line in lines[:first])
    end = start + sum(len(line) + 1 for line in lines[first : first + size]) - 1
    indent = _indent(lines[first])
    given = _indent(old.strip("\n").split("\n")[0])
    moved = [_moved(line, given, indent) for line in new.strip("\n").split("\n")]
    return start, end, "\n".join(moved)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _moved(line: str, given: str, indent: str) -> str:
    if not line.strip():
        return line
    return indent + line[len(given) :] if line.startswith(given) else indent + line.lstrip()


def _not_found(lines: list[str], wanted: list[str], hits: int, path: str) -> str:
    if hits > 1:
        return f"oldText fits {hits} places in {path}. Nothing was changed. Add lines around it."
    stripped = [line.strip() for line in lines[:50_000]]
    close = difflib.get_close_matches(wanted[0], stripped, 1, 0.75) if wanted[0] else []
    hint = f" Line {stripped.index(close[0]) + 1} is close: {close[0][:200]}" if close else ""
    return f"Could not find oldText in {path}. Nothing was changed. Read the file again and copy the text exactly.{hint}"


def diff(before: str, after: str, path: str) -> str:
    """A unified diff, empty where nothing changes."""
    old, new = list(io.StringIO(before, newline="\n")), list(io.StringIO(after, newline="\n"))
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    changed = max(len(old), len(new)) - head
    if changed > DIFF_LINES and len(old) + len(new) > 2 * DIFF_LINES:
        old, new, cut = old[max(0, head - 3) : head + 200], new[max(0, head - 3) : head + 200], True
    else:
        cut = False
    lines = difflib.unified_diff(old, new, path, path, "original", "modified")
    text = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return text + ("[the diff is cut: too many lines]\n" if cut else "")
