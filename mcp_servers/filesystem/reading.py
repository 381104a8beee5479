"""Reading files: whole, by head, tail or line range, with line numbers, and as media."""

import base64
import io
import itertools
import mimetypes
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp_servers.filesystem.errors import FilesError, from_system
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.roots import Place, Roots
from mcp_servers.filesystem.text import Text, read_text

WHOLE = 32 * 1024 * 1024
"""Files up to this many bytes are read into memory; larger ones line by line."""

ANSWER = 2_000_000
"""The most characters one answer holds."""

PIECE = 256 * 1024
"""Characters that are read at once of a line of a large file."""

MEDIA = 10 * 1024 * 1024
"""The largest media file; base64 makes it a third larger, and messages end at 16 MiB."""


@dataclass(frozen=True)
class Lines:
    """Which lines are wanted; all of them if nothing is set. Numbers count from 1, ends included."""

    head: int | None = None
    tail: int | None = None
    start: int | None = None
    end: int | None = None
    numbered: bool = False

    def check(self) -> None:
        """FilesError where the wishes contradict each other."""
        ranged = self.start is not None or self.end is not None
        if sum((self.head is not None, self.tail is not None, ranged)) > 1:
            raise FilesError("Give head, or tail, or startLine and endLine, not several of them.")
        if self.start and self.end and self.end < self.start:
            raise FilesError(f"endLine {self.end} comes before startLine {self.start}.")

    @property
    def all(self) -> bool:
        """Whether no part was asked for."""
        return self.head is self.tail is self.start is self.end is None


def load(roots: Roots, place: Place, encoding: str | None = None, limit: int = WHOLE) -> Text:
    """The whole text file, for reading and editing."""
    return read_text(load_bytes(roots, place, limit), place.asked, encoding)


def load_bytes(roots: Roots, place: Place, limit: int = WHOLE) -> bytes:
    """The whole file; FilesError if it is larger than `limit` bytes."""
    try:
        with roots.parent(place) as (folder, name), folder.reading(name) as (descriptor, status):
            if status.st_size > limit:
                raise FilesError(
                    f"{place.asked} has {status.st_size:,} bytes; at most {limit:,} are read. "
                    "Read a part of it (head, tail, startLine and endLine) or use grep."
                )
            with open(descriptor, "rb", closefd=False) as file:
                return file.read(min(limit + 1, room(status)))
    except OSError as error:
        raise from_system(error, place.asked) from error


def room(status: os.stat_result) -> int:
    """How many bytes to ask for, to have all of a file: asking for many costs memory even where few come. The sizes that some
    systems tell of their own files are 0."""
    return max(status.st_size, 64 * 1024) + 1


def read_lines(patience: Patience, roots: Roots, path: str, lines: Lines, encoding: str | None = None) -> str:
    """The file's text, or the wanted part of it, with its line ends as they are."""
    lines.check()
    place = roots.resolve(path)
    try:
        with (
            roots.parent(place) as (folder, name),
            folder.reading(name) as (descriptor, status),
            open(descriptor, "rb", closefd=False) as file,
        ):
            if status.st_size <= WHOLE:
                return _part(read_text(file.read(), place.asked, encoding).content, lines)
            if lines.all:
                raise FilesError(
                    f"{path} has {status.st_size:,} bytes, too many for one answer. Read a part of "
                    "it (head, tail, startLine and endLine) or use grep."
                )
            return _large_part(patience, file, place.asked, lines, encoding)
    except OSError as error:
        raise from_system(error, place.asked) from error


def _part(content: str, lines: Lines) -> str:
    if lines.all and not lines.numbered:
        if len(content) > ANSWER:
            raise FilesError(
                f"The text has {len(content):,} characters, too many for one answer. Read a part "
                "of it (head, tail, startLine and endLine) or use grep."
            )
        return content
    return _chosen(iter(io.StringIO(content, newline="")), lines)


def _large_part(patience: Patience, file: io.BufferedReader, path: str, lines: Lines, encoding: str | None) -> str:
    stored = read_text(file.read(WHOLE // 32), path, encoding) if encoding else sampled(file, path)
    file.seek(len(stored.mark))
    reader = io.TextIOWrapper(file, stored.encoding, errors="replace", newline="")
    return _chosen(_patient(patience, lines_of(reader)), lines)


def sampled(file: io.BufferedReader, path: str) -> Text:
    """The beginning of a large file, which tells how all of it is stored. FilesError for one that is not text."""
    sample = file.read(WHOLE // 32)
    # The cut may fall inside a line or a letter: whole lines are tried.
    return read_text(sample[: sample.rfind(b"\n") + 1] or sample, path)


def lines_of(reader: io.TextIOWrapper, most: int = ANSWER) -> Iterator[str]:
    """The lines of a text that may be one line of gigabytes: of each at most about `most` characters, with its end."""
    kept = ""
    while piece := reader.readline(PIECE):
        if len(kept) < most:
            kept += piece
        elif piece.endswith(("\n", "\r")):
            kept += piece[-2:] if piece.endswith("\r\n") else piece[-1:]
        if piece.endswith(("\n", "\r")):
            yield kept
            kept = ""
    if kept:
        yield kept


def _patient(patience: Patience, lines: Iterator[str]) -> Iterator[str]:
    for count, line in enumerate(lines):
        if (count % 1000 == 0 or len(line) > PIECE) and patience.over():
            raise FilesError("Reading so far into this file takes too long. Use grep instead.")
        yield line


def _chosen(source: Iterator[str], lines: Lines) -> str:
    numbered = enumerate(source, start=1)
    if lines.tail is not None:
        kept = _last(numbered, lines.tail)
    else:
        start = lines.start or 1
        end = lines.head if lines.head is not None else lines.end
        kept = list(_bounded(itertools.islice(numbered, start - 1, end)))
        if not kept and start > 1:
            raise FilesError(f"The file has fewer than {start} lines.")
    if not lines.numbered:
        text = "".join(line for _, line in kept)
        if len(text) <= ANSWER:
            return text
        if lines.tail is not None:
            return "[cut before this: too long]\n" + text[-ANSWER:]
        return text[:ANSWER] + "\n[cut here: too long]"
    return "\n".join(f"{number:>6}\t{line.rstrip(chr(13) + chr(10))}" for number, line in kept)


def _last(numbered: Iterator[tuple[int, str]], most: int) -> list[tuple[int, str]]:
    """The last lines, no more of them than one answer holds and one."""
    kept: deque[tuple[int, str]] = deque()
    size = 0
    for number, line in numbered:
        kept.append((number, line))
        size += len(line)
        while len(kept) > most or (len(kept) > 1 and size - len(kept[0][1]) > ANSWER):
            size -= len(kept.popleft()[1])
    return list(kept)


def _bounded(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    size = 0
    for number, line in numbered:
        yield number, line
        size += len(line)
        if size > ANSWER:
            return


@dataclass(frozen=True)
class Media:
    """A file for a model that sees or hears: its type and its bytes in base64."""

    media_type: str
    data: str
    uri: str


def read_media(roots: Roots, path: str) -> Media:
    """Any file of at most `MEDIA` bytes."""
    place = roots.resolve(path)
    data = load_bytes(roots, place, MEDIA)
    kind = media_type(data, place.path)
    return Media(kind, base64.b64encode(data).decode("ascii"), Path(place.path).as_uri())


_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"%PDF-", "application/pdf"),
)
_BY_NAME = {
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".bmp": "image/bmp",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
}


def media_type(data: bytes, name: str) -> str:
    """What the first bytes say, else what the name says."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    if data[:4] == b"RIFF" and data[8:12] in (b"WEBP", b"WAVE"):
        return "image/webp" if data[8:12] == b"WEBP" else "audio/wav"
    suffix = Path(name).suffix.lower()
    return _BY_NAME.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
