"""From a file's bytes to text and back, with its encoding, its mark and its line ends kept."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from mcp_servers.filesystem.errors import FilesError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SAMPLE = 64 * 1024
"""How many bytes the guess of an old encoding looks at."""

_HIGH = re.compile(rb"[\x80-\xff]+")
_SCRIPTS = (
    "gb18030", "big5", "cp932", "euc_jp", "cp949", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256",
)  # fmt: skip

LATIN = "windows-1252"
LAST = "iso-8859-1"
"""Reads every byte and writes it back unchanged, whatever it stood for."""


@dataclass(frozen=True)
class Text:
    """A text file's content, exactly as it is, and how it is stored."""

    content: str
    encoding: str = "utf-8"
    mark: bytes = b""

    @property
    def line_end(self) -> str:
        """The line end that most lines have; "\\n" for a file without any."""
        windows = self.content.count("\r\n")
        unix = self.content.count("\n") - windows
        mac = self.content.count("\r") - windows
        most = max(windows, unix, mac)
        if most in (0, unix):
            return "\n"
        return "\r\n" if most == windows else "\r"

    @property
    def plain(self) -> str:
        """The content with "\\n" as its only line end."""
        return plain(self.content)

    def with_content(self, content: str) -> Text:
        """The same file with another content."""
        return replace(self, content=content)

    def stored(self) -> bytes:
        """The bytes to write. FilesError names a character that the encoding does not have."""
        try:
            return self.mark + self.content.encode(self.encoding)
        except UnicodeEncodeError as error:
            letter = self.content[error.start]
            raise FilesError(
                f"The file is stored as {self.encoding}, which has no {letter!r}. Nothing was "
                "written. Leave that character out, or write the whole file with encoding utf-8."
            ) from error


def plain(content: str) -> str:
    """Windows and old Mac line ends as "\\n"."""
    return content.replace("\r\n", "\n").replace("\r", "\n")


def with_line_end(content: str, line_end: str) -> str:
    """Every line end of the content as `line_end`."""
    return plain(content) if line_end == "\n" else plain(content).replace("\n", line_end)


def read_text(raw: bytes, path: str, encoding: str | None = None) -> Text:
    """The bytes as text: by `encoding` if given, else by mark, UTF-8, or the best guess.

    Raises FilesError for a file that is not text. Whatever is guessed, writing the content back
    gives the same bytes.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark) and (encoding is None or _same(encoding, name)):
            return Text(_strict(raw[len(mark) :], name, path), name, mark)
    if encoding is not None:
        return Text(_strict(raw, checked_encoding(encoding), path), checked_encoding(encoding))
    if wide := _wide(raw):
        return Text(_strict(raw, wide, path), wide)
    if is_binary(raw):
        raise FilesError(f"{path} is not a text file. read_media_file reads pictures, sound and other files.")
    try:
        return Text(raw.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _guessed(raw)


def checked_encoding(encoding: str) -> str:
    """The name Python knows the encoding by; FilesError if it knows none."""
    try:
        found = codecs.lookup(encoding.strip())
        if type(found.encode("a")[0]) is not bytes:  # rot13 and the like
            raise LookupError(encoding)
    except (LookupError, TypeError, ValueError) as error:
        raise FilesError(f"There is no text encoding called {encoding!r}. Examples: utf-8, windows-1252, gb18030.") from error
    return found.name


def is_binary(raw: bytes) -> bool:
    """Whether the beginning holds a NUL, as ripgrep and git decide it."""
    return b"\0" in raw[:8192] and _wide(raw) is None


def _same(encoding: str, name: str) -> bool:
    asked = checked_encoding(encoding).replace("_", "-")
    return asked.removesuffix("-sig") == name or asked == name.rsplit("-", 1)[0]


def _strict(raw: bytes, encoding: str, path: str) -> str:
    try:
        return raw.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise FilesError(f"{path} is not valid {encoding}. Try it without an encoding.") from error


def _wide(raw: bytes) -> str | None:
    """UTF-16 without a mark: Latin text has a NUL in every other byte and nowhere else."""
    sample = raw[:1024]
    if len(sample) < 8 or len(raw) % 2:
        return None
    even, odd = sample[0::2], sample[1::2]
    if odd.count(0) > 0.7 * len(odd) and 0 not in even:
        return "utf-16-le"
    if even.count(0) > 0.7 * len(even) and 0 not in odd:
        return "utf-16-be"
    return None


def _guessed(raw: bytes) -> Text:
    for name in (_best(raw[:SAMPLE]), LATIN, LAST):
        if name is None:
            continue
        try:
            content = raw.decode(name)
            if content.encode(name) == raw:
                return Text(content, name)
        except (UnicodeError, LookupError):
            continue
    return Text(raw.decode(LAST), LAST)


def _best(sample: bytes) -> str | None:
    """The most likely encoding of text that is not UTF-8.

    Western text has single accented letters among ASCII; in the other scripts bytes over 127
    come in runs.
    """
    runs = _HIGH.findall(sample)
    if sum(len(run) == 1 for run in runs) > 0.7 * len(runs):
        return LATIN
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=list(_SCRIPTS)).best()
    return found.encoding if found else None
