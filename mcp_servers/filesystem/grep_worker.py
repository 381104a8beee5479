"""The search for a regular expression, in a process of its own that can be killed at any moment.

Reads one JSON request from standard input and writes one JSON object a line: `{"at": path}` when
it begins a file, `{"path", "line", "text", "hit"}` for each line, and `{"done": {...}}` at the end.
"""

import contextlib
import io
import json
import os
import re
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, TypedDict

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.glob import Glob
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.reading import lines_of, room, sampled
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.text import is_binary, plain, read_text
from mcp_servers.filesystem.walk import Found, Walk

LARGEST = 16 * 1024 * 1024
"""Files over this many bytes are read line by line."""

LONGEST = 1_000_000
"""The most characters of a line that are searched; only in files over `LARGEST`."""

WIDEST = 500
"""The most characters of a line that are shown."""

MEMORY = 1024**3
"""The most memory the process may take, in bytes, where the system can hold it to that."""


class Request(TypedDict):
    """What to search for and where; `paths` are places inside `roots`."""

    roots: list[str]
    protected: list[str]
    paths: list[str]
    pattern: str
    fixed: bool
    any_case: bool
    glob: str | None
    everything: bool
    context: int
    most: int
    seconds: float


def main() -> None:
    """Search once, as standard input says."""
    request: Request = json.loads(sys.stdin.buffer.read())
    _bind_to_parent(request["seconds"])
    say(search(request))


def say(lines: Iterator[dict[str, Any]]) -> None:
    """Write each answer at once, so that what was found survives being killed."""
    for line in lines:
        sys.stdout.buffer.write(json.dumps(line).encode("utf-8") + b"\n")
        sys.stdout.buffer.flush()


def search(request: Request) -> Iterator[dict[str, Any]]:
    """The answers, in order."""
    source = re.escape(request["pattern"]) if request["fixed"] else request["pattern"]
    expression = re.compile(source, re.IGNORECASE if request["any_case"] else 0)
    roots = Roots(request["roots"], request["protected"])
    patience = Patience(request["seconds"])
    hits = files = skipped = 0
    for place, found in _files(request, roots, patience):
        path = os.sep.join((place.path.rstrip(os.sep), *found.parts)) if found else place.path  # noqa: PTH118 - thousands of them
        yield {"at": path}
        with _lines(roots, place, found) as lines:
            if lines is None:
                skipped += 1
                continue
            files += 1
            for number, text, hit in _matches(expression, lines, request["context"]):
                yield {"path": path, "line": number, "text": _shown(text, expression), "hit": hit}
                hits += hit
                if hits >= request["most"]:
                    break
        if hits >= request["most"]:
            break
    cut = patience.ran_out
    yield {"done": {"hits": hits, "files": files, "skipped": skipped, "late": cut}}


def _files(request: Request, roots: Roots, patience: Patience) -> Iterator[tuple[Place, Found | None]]:
    name = request["glob"]
    wanted = Glob(name if "/" in name else f"**/{name}") if name else None
    for path in request["paths"]:
        place = roots.resolve(path)
        if Path(place.path).is_file():
            yield place, None
            continue
        everything = request["everything"]
        for found in Walk(roots, patience, hidden=everything, ignores=not everything).below(place):
            if found.is_folder or found.is_link:
                continue
            if wanted is None or wanted.fits(found.parts):
                yield place, found


@contextlib.contextmanager
def _lines(roots: Roots, place: Place, found: Found | None) -> Generator[Iterable[str] | None]:
    """The file's lines without their ends, or None where it cannot or should not be searched."""
    with contextlib.ExitStack() as opened:
        lines = None
        with contextlib.suppress(FilesError, OSError):
            folder, name = (found.folder, found.name) if found else opened.enter_context(roots.parent(place))
            descriptor, status = opened.enter_context(folder.reading(name))
            file = opened.enter_context(open(descriptor, "rb", closefd=False))
            lines = _streamed(file, place.asked) if status.st_size > LARGEST else _whole(file.read(room(status)), place.asked)
        yield lines


def _whole(raw: bytes, path: str) -> list[str] | None:
    if is_binary(raw):
        return None
    lines = plain(read_text(raw, path).content).split("\n")
    return lines if lines[-1] else lines[:-1]


def _streamed(file: io.BufferedReader, path: str) -> Iterable[str]:
    stored = sampled(file, path)
    file.seek(len(stored.mark))
    reader = io.TextIOWrapper(file, stored.encoding, errors="replace", newline="")
    return (line.rstrip("\r\n") for line in lines_of(reader, LONGEST))


def _matches(expression: "re.Pattern[str]", lines: Iterable[str], context: int) -> Iterator[tuple[int, str, bool]]:
    before: deque[tuple[int, str]] = deque(maxlen=context)
    after = 0
    for number, line in enumerate(lines, start=1):
        if expression.search(line):
            yield from ((at, text, False) for at, text in before)
            before.clear()
            yield number, line, True
            after = context
        elif after:
            yield number, line, False
            after -= 1
        else:
            before.append((number, line))


def _shown(line: str, expression: "re.Pattern[str]") -> str:
    if len(line) <= WIDEST:
        return line
    found = expression.search(line)
    start = max(0, (found.start() if found else 0) - WIDEST // 4)
    return f"{'…' if start else ''}{line[start : start + WIDEST]}… [{len(line):,} characters]"


def _bind_to_parent(seconds: float) -> None:
    """End with the parent and never run for long, even if nobody is left to kill this process.

    An expression that backtracks holds the interpreter, so only the system can end it.
    """
    if sys.platform == "win32":
        return
    import resource

    limit = int(seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    if sys.platform == "linux":
        import ctypes
        import signal

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG, prctl(2)


if __name__ == "__main__":
    main()
