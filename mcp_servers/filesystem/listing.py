"""What is in the folders: lists, sizes, trees, searches by name, and a file's details."""

import heapq
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from mcp_servers.filesystem.errors import FilesError, from_system
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.glob import Glob, has_wildcards
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.walk import Found, Walk

ENTRIES = 5_000
"""The most entries one answer lists."""

TOO_LONG = "[cut: it took too long; look into a smaller folder]"
NOTHING = "No matches found"


def list_directory(roots: Roots, path: str) -> str:
    """One line an entry, with [DIR], [FILE] or [LINK] before its name."""
    place = roots.resolve(path)
    entries = _entries(roots, place)
    lines = [f"{_mark(entry)} {entry.name}" for entry in entries[:ENTRIES]]
    return "\n".join(lines + _cut(len(entries))) or "The folder is empty."


def list_with_sizes(roots: Roots, path: str, sort_by: Literal["name", "size"]) -> str:
    """One line an entry with its size, and the sums."""
    place = roots.resolve(path)
    sized: list[tuple[str, str, int]] = []
    try:
        with roots.folder(place) as folder:
            for entry in folder.entries():
                mark = _mark(entry)
                sized.append((mark, entry.name, _size(folder, entry.name) if mark == "[FILE]" else 0))
    except OSError as error:
        raise from_system(error, path) from error
    if sort_by == "size":
        sized.sort(key=lambda one: -one[2])
    lines = [_sized_line(*one) for one in sized[:ENTRIES]]
    files = sum(mark != "[DIR]" for mark, _, _ in sized)
    total = size_in_words(sum(size for _, _, size in sized))
    sums = ["", f"Total: {files} files, {len(sized) - files} directories", f"Combined size: {total}"]
    return "\n".join(lines + _cut(len(sized)) + sums)


def _sized_line(mark: str, name: str, size: int) -> str:
    words = f"{size_in_words(size):>10}" if mark == "[FILE]" else ""
    return f"{mark} {name:<30} {words}"


def _entries(roots: Roots, place: Place) -> list[os.DirEntry[str]]:
    try:
        with roots.folder(place) as folder:
            return folder.entries()
    except OSError as error:
        raise from_system(error, place.asked) from error


def _size(folder: Folder, name: str) -> int:
    try:
        return folder.status(name).st_size
    except OSError:
        return 0


def _mark(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "[LINK]"
    return "[DIR]" if entry.is_dir(follow_symlinks=False) else "[FILE]"


def _cut(count: int) -> list[str]:
    return [f"[cut: {count - ENTRIES:,} more entries]"] if count > ENTRIES else []


def size_in_words(size: int) -> str:
    """Bytes for people: "12 B", "3.50 KB"."""
    if size < 1024:
        return f"{size} B"
    amount = float(size)
    for unit in ("KB", "MB", "GB"):
        amount /= 1024
        if amount < 1024:
            return f"{amount:.2f} {unit}"
    return f"{amount / 1024:.2f} TB"


def directory_tree(patience: Patience, roots: Roots, path: str, exclude: Sequence[str]) -> str:
    """The tree as JSON: name, type and, for folders, children."""
    place = roots.resolve(path)
    left_out = _excluded(exclude)
    tree: list[dict[str, Any]] = []
    folders: dict[tuple[str, ...], list[dict[str, Any]]] = {(): tree}
    count = 0
    for found in _below(Walk(roots, patience), place):
        around = folders.get(found.parts[:-1])
        if around is None or left_out(found.parts):
            continue
        count += 1
        if count > ENTRIES:
            break
        node: dict[str, Any] = {"name": found.name, "type": "directory" if found.is_folder else "file"}
        if found.is_folder:
            node["children"] = folders[found.parts] = []
        around.append(node)
    if count > ENTRIES or patience.ran_out:
        tree.append({"name": f"[cut after {min(count, ENTRIES):,} entries]", "type": "file"})
    return json.dumps(tree, ensure_ascii=False, indent=2)


def _below(walk: Walk, place: Place) -> Iterator[Found]:
    try:
        yield from walk.below(place)
    except OSError as error:
        raise from_system(error, place.asked) from error


def _excluded(patterns: Sequence[str]) -> Callable[[Sequence[str]], bool]:
    globs = [Glob(pattern) for pattern in patterns]
    globs += [Glob(f"**/{p}") for p in patterns if "*" not in p]
    globs += [Glob(f"**/{p}/**") for p in patterns if "*" not in p]
    return lambda parts: any(glob.fits(parts) for glob in globs)


def search_files(patience: Patience, roots: Roots, path: str, pattern: str, exclude: Sequence[str]) -> str:
    """Whole paths of what fits the pattern; a plain word finds every name that holds it."""
    anchor, pattern = _anchored(path, pattern)
    place = roots.resolve(anchor or path)
    wanted, word = Glob(pattern), pattern.casefold()
    plain = not has_wildcards(pattern) and "/" not in pattern
    left_out = _excluded(exclude)
    hits: list[str] = []
    skipped: set[tuple[str, ...]] = set()
    for found in _below(Walk(roots, patience), place):
        if found.parts[:-1] in skipped or left_out(found.parts):
            skipped.add(found.parts)
        elif wanted.fits(found.parts) or (plain and word in found.name.casefold()):
            hits.append(str(Path(place.path, *found.parts)))
        if len(hits) >= ENTRIES:
            hits.append(f"[cut after {ENTRIES:,} matches]")
            break
    return _answer(hits, patience)


def glob_files(patience: Patience, roots: Roots, path: str | None, pattern: str, limit: int, everything: bool) -> str:
    """Whole paths of files that fit, the last changed first; ignored and hidden ones left out."""
    path, pattern = _anchored(path, pattern)
    places = [roots.resolve(path)] if path else [roots.resolve(root) for root in roots.real()]
    wanted = Glob(pattern if "/" in pattern else f"**/{pattern}")
    newest: list[tuple[float, str]] = []
    count = 0
    for place in places:
        walk = Walk(roots, patience, hidden=everything, ignores=not everything)
        for found in _below(walk, place):
            if found.is_folder or not wanted.fits(found.parts):
                continue
            count += 1
            item = (_changed(found), str(Path(place.path, *found.parts)))
            (heapq.heappush if len(newest) < limit else heapq.heappushpop)(newest, item)
    hits = [path for _, path in sorted(newest, reverse=True)]
    return _answer(hits + ([f"[cut: {count - limit:,} more]"] if count > limit else []), patience)


def _anchored(path: str | None, pattern: str) -> tuple[str | None, str]:
    """Where to look, and for what: a pattern that is a whole path, or leads out of the folder, says the place itself."""
    text = pattern.replace("\\", "/") if os.name == "nt" else pattern
    names = text.split("/")
    at = next((number for number, name in enumerate(names) if has_wildcards(name)), len(names) - 1)
    lead, rest = "/".join(names[:at]), "/".join(names[at:])
    if text.startswith(("/", "~/")) or Path(text).is_absolute():
        return lead or "/", rest
    if ".." in names[:at]:
        return f"{path or '.'}/{lead}", rest
    return path, text


def _changed(found: Found) -> float:
    try:
        return found.folder.status(found.name).st_mtime
    except OSError:
        return 0.0


def _answer(hits: list[str], patience: Patience) -> str:
    return "\n".join((hits or [NOTHING]) + ([TOO_LONG] if patience.ran_out else []))


def file_info(roots: Roots, path: str) -> dict[str, Any]:
    """Size in bytes, times in ISO 8601, kind and permissions of a file or folder."""
    place = roots.resolve(path)
    try:
        if place.parts:
            with roots.parent(place) as (folder, name):
                status = folder.status(name)
        else:
            status = Path(place.root).lstat()
    except OSError as error:
        raise from_system(error, path) from error
    if stat.S_ISLNK(status.st_mode):
        raise FilesError(f"{path} is a link that leads nowhere.")
    born = getattr(status, "st_birthtime", status.st_ctime if os.name == "nt" else None)
    return {
        "path": place.path,
        "size": status.st_size,
        "created": None if born is None else _iso(born),
        "modified": _iso(status.st_mtime),
        "accessed": _iso(status.st_atime),
        "isDirectory": stat.S_ISDIR(status.st_mode),
        "isFile": stat.S_ISREG(status.st_mode),
        "permissions": f"{stat.S_IMODE(status.st_mode):o}"[-3:],
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
