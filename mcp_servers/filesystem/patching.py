"""Applying a patch to several files: every part is tried in memory first, then all is done at once."""

import contextlib
import io
import stat
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from mcp_servers.filesystem.errors import FilesError, from_system
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.patch_text import Change, Hunk, parse
from mcp_servers.filesystem.reading import load, load_bytes
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.text import LAST, Text
from mcp_servers.filesystem.writing import make_parents, staged, take_away


@dataclass
class Draft:
    """A file as it was and as it will be; None where it is not there."""

    place: Place
    before: bytes | None
    text: Text | None
    after: bytes | None = None
    mode: int | None = None
    """The permissions of a file that is there, or comes from one that is."""


def apply_patch(roots: Roots, patch: str, *, dry_run: bool = False) -> str:
    """Apply all of the patch or none of it, and say what was done to which file."""
    drafts: dict[str, Draft] = {}
    done = [_drafted(roots, drafts, change) for change in parse(patch)]
    for draft in drafts.values():
        draft.after = draft.text.stored() if draft.text is not None else None
    changed = [draft for draft in drafts.values() if draft.after != draft.before]
    if not dry_run:
        _commit(roots, changed)
    return "\n".join(["The patch fits; nothing was changed:" if dry_run else "Patch applied:", *done])


def touched(roots: Roots, patch: str) -> list[Place]:
    """Where the files are that the patch makes, changes, moves or deletes."""
    names = [name for change in parse(patch) for name in (change.path, change.target)]
    return [roots.resolve(name) for name in dict.fromkeys(names)]


def _drafted(roots: Roots, drafts: dict[str, Draft], change: Change) -> str:
    start = _draft(roots, drafts, change.path, whole=change.kind != "add" and not change.hunks)
    if change.kind == "add":
        if start.text is not None:
            raise _refused(f"{change.path} exists already, so it cannot be added")
        start.text = Text(_added(change.hunks))
        return f"A {change.path}"
    if start.text is None:
        raise _refused(f"{change.path} does not exist")
    if change.kind == "delete":
        _patched(start.text, change)
        start.text = None
        return f"D {change.path}"
    text = _patched(start.text, change)
    if change.target == change.path:
        start.text = text
        return f"M {change.path} {_counts(change.hunks)}"
    end = _draft(roots, drafts, change.target)
    if end.text is not None:
        raise _refused(f"{change.target} exists already, so nothing can be moved there")
    start.text, end.text, end.mode = None, text, start.mode
    return f"R {change.path} -> {change.target} {_counts(change.hunks)}"


def _counts(hunks: Sequence[Hunk]) -> str:
    return f"(+{sum(h.count('+') for h in hunks)} -{sum(h.count('-') for h in hunks)})"


def _refused(reason: str) -> FilesError:
    return FilesError(f"{reason}. Nothing was changed.")


def _draft(roots: Roots, drafts: dict[str, Draft], path: str, *, whole: bool = False) -> Draft:
    """`whole`: the file goes or moves as it is, so it need not be text."""
    place = roots.resolve(path)
    if place.path not in drafts:
        mode = None
        with roots_parent(roots, place) as (folder, name):
            there = folder is not None and folder.exists(name)
            if folder is not None and there:
                mode = stat.S_IMODE(folder.status(name).st_mode)
        before = load_bytes(roots, place) if there else None
        as_it_is = Text(before.decode(LAST), LAST) if whole and before is not None else None
        drafts[place.path] = Draft(place, before, (as_it_is or load(roots, place)) if there else None, mode=mode)
    return drafts[place.path]


@contextlib.contextmanager
def roots_parent(roots: Roots, place: Place) -> Generator[tuple[Folder | None, str]]:
    """The open folder of a file, or None where that folder is not there yet."""
    with contextlib.ExitStack() as opened:
        try:
            found: tuple[Folder | None, str] = opened.enter_context(roots.parent(place))
        except FilesError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            found = (None, place.parts[-1])
        yield found


def _added(hunks: Sequence[Hunk]) -> str:
    lines = [text for hunk in hunks for mark, text in hunk.lines if mark == "+"]
    end = "" if not lines or (hunks and hunks[-1].open_end) else "\n"
    return "\n".join(lines) + end


def _patched(text: Text, change: Change) -> Text:
    lines = list(io.StringIO(text.content, newline=""))
    line_end = text.line_end
    shift = cursor = 0
    for number, hunk in enumerate(change.hunks, start=1):
        expected = cursor if hunk.at is None else hunk.at + shift
        at = _found(lines, hunk, expected, cursor)
        if at is None:
            raise _refused(_misfit(change.path, number, hunk, lines))
        new = _merged(lines, at, hunk, line_end)
        size = len(hunk.old)
        lines[at : at + size] = new
        shift += len(new) - size
        cursor = at + len(new)
    return text.with_content("".join(lines))


def _bare(line: str) -> str:
    return line.rstrip("\r\n")


def _found(lines: Sequence[str], hunk: Hunk, expected: int, cursor: int) -> int | None:
    """Where the hunk's old lines are: as near as possible to where they should be."""
    if hunk.anchor:
        anchors = [at for at in range(cursor, len(lines)) if hunk.anchor in lines[at]]
        cursor = expected = anchors[0] + 1 if anchors else cursor
    old = hunk.old
    if not old:
        return min(expected, len(lines)) if hunk.at is not None or hunk.anchor else len(lines)
    for clean in (_bare, str.rstrip):
        wanted = [clean(line) for line in old]
        have = [clean(line) for line in lines]
        places = range(cursor, len(lines) - len(old) + 1)
        fits = [at for at in places if have[at : at + len(old)] == wanted]
        if fits:
            return min(fits, key=lambda at: abs(at - expected))
    return None


def _merged(lines: Sequence[str], at: int, hunk: Hunk, line_end: str) -> list[str]:
    """The new lines; those that stay are the file's own, with their own line ends."""
    merged: list[str] = []
    index = at
    for mark, text in hunk.lines:
        if mark == "+":
            merged.append(text + line_end)
            continue
        if mark == " ":
            merged.append(lines[index])
        index += 1
    if merged and index == len(lines):
        open_end = hunk.open_end or (_is_open(lines) and not hunk.old_open_end)
        merged[:-1] = [line if line != _bare(line) else line + line_end for line in merged[:-1]]
        merged[-1] = _bare(merged[-1]) + ("" if open_end else line_end)
    if at == len(lines) and at and merged and _is_open(lines):
        merged.insert(0, line_end)
    return merged


def _is_open(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[-1] == _bare(lines[-1])


def _misfit(path: str, number: int, hunk: Hunk, lines: Sequence[str]) -> str:
    first = next((line for line in hunk.old if line.strip()), "")
    near = [at + 1 for at, line in enumerate(lines) if line.strip() == first.strip()][:3]
    hint = f". Its first line is at line {', '.join(map(str, near))}, but not what follows" if near and first else ""
    return f"Part {number} of the patch does not fit {path}; read the file again{hint}"


def _commit(roots: Roots, drafts: Sequence[Draft]) -> None:
    """Write everything beside its place, then put it there; on a failure, put back what was."""
    done: list[tuple[Folder, str, Draft]] = []
    made: list[Place] = []
    with contextlib.ExitStack() as opened:
        asked = ""
        try:
            ready = [_staged(roots, opened, draft, made) for draft in drafts]
            for folder, name, draft, temporary in ready:
                asked = draft.place.asked
                if temporary is None:
                    folder.remove(name)
                else:
                    folder.move(temporary, folder, name, over=True)
                done.append((folder, name, draft))
        except (OSError, FilesError) as error:
            lost = [draft.place.asked for folder, name, draft in reversed(done) if not _put_back(folder, name, draft)]
            opened.close()
            take_away(roots, made)
            words = from_system(error, asked) if isinstance(error, OSError) else error
            still = f"These were changed and could not be put back: {', '.join(lost)}." if lost else "Nothing was changed."
            raise FilesError(f"{words} {still}") from error


def _staged(
    roots: Roots, opened: contextlib.ExitStack, draft: Draft, made: list[Place]
) -> tuple[Folder, str, Draft, str | None]:
    """The file's folder and name, and what will be put there; folders that had to be made for it join `made`."""
    try:
        if draft.after is not None:
            made += make_parents(roots, draft.place)
        folder, name = opened.enter_context(roots.parent(draft.place))
        temporary = None
        if draft.after is not None:
            temporary = opened.enter_context(staged(folder, name, draft.after, draft.place.asked, draft.mode))
        return folder, name, draft, temporary
    except OSError as error:
        raise from_system(error, draft.place.asked) from error


def _put_back(folder: Folder, name: str, draft: Draft) -> bool:
    """Whether what was there is there again."""
    try:
        if draft.before is None:
            folder.remove(name)
            return True
        with staged(folder, name, draft.before, draft.place.asked, draft.mode) as temporary:
            folder.move(temporary, folder, name, over=True)
    except (OSError, FilesError):
        return False
    return True
