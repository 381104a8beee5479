"""Messages that are not one line each: written over many lines for people's eyes, or counted out behind a header."""

import re

from app.mcp_host.lines import LINE_LIMIT, LineSplitter, TooLong

# A pretty-printer writes the first bracket alone; a message that was cut off hardly looks so.
_OPENERS = (b"{", b"[")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_COUNT = re.compile(rb"content-length:[ \t]*(\d{1,9})\s*", re.IGNORECASE)
_NEXT_HEADER = re.compile(rb"\s*(?:content-(?:length|type):|$)", re.IGNORECASE)
# The brackets of each line are counted, which takes a microsecond or two.
PRETTY_LINES = 250_000


class Framing:
    """Cuts bytes into messages and other lines, as `LineSplitter` does, for servers that write them otherwise too."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._lines = LineSplitter(limit)
        self._limit = limit
        self._plain = self._counted = False
        self._count: int | None = None
        self._parts: list[bytes] = []
        self._size = self._depth = 0

    def feed(self, data: bytes) -> list[bytes | TooLong]:
        """The messages and other lines that end in `data`. One that is too long is reported at once, and only once."""
        out: list[bytes | TooLong] = []
        for line in self._lines.feed(data):
            self._take(line, out)
        # A counted message ends without a line's end.
        if self._count is not None and (body := self._lines.unfinished(self._count)) is not None:
            self._count, self._counted = None, True
            out.append(body)
        return out

    def plain(self) -> None:
        """A message was a line: what looks like a header from here on is none."""
        self._plain = not self._counted

    def _take(self, line: bytes | TooLong, out: list[bytes | TooLong]) -> None:
        if isinstance(line, TooLong):
            self._finish(out)
            out.append(line)
        elif self._parts:
            self._more(line, out)
        elif self._count is None:
            self._first(line, out)
        else:
            self._behind_header(line, self._count, out)

    def _first(self, line: bytes, out: list[bytes | TooLong]) -> None:
        if not self._plain and (found := _COUNT.fullmatch(line)) is not None:
            self._count = int(found[1])
        elif line.strip() in _OPENERS:
            self._more(line, out)
        else:
            out.append(line)

    def _behind_header(self, line: bytes, count: int, out: list[bytes | TooLong]) -> None:
        if _NEXT_HEADER.match(line) is not None:
            return
        self._count = None
        body, rest = line[:count], line[count:]
        if line[:1] not in (b"{", b"[") or _NEXT_HEADER.match(rest) is None:
            self._first(line, out)
            return
        self._counted = True
        out.append(body)
        if rest.strip():
            self._first(rest, out)

    def _more(self, line: bytes, out: list[bytes | TooLong]) -> None:
        """One more line of a message over many: it ends with the bracket that closes the first."""
        if self._parts and line.startswith((b'{"jsonrpc"', b'{"id"', b'{"result"')):
            self._finish(out)
            out.append(line)
            return
        self._parts.append(line)
        self._size += len(line)
        bare = _STRING.sub(b"", line)
        self._depth += bare.count(b"{") + bare.count(b"[") - bare.count(b"}") - bare.count(b"]")
        if self._size > self._limit or len(self._parts) > PRETTY_LINES:
            head, tail = b"\n".join(self._parts[:64])[:4096], b"\n".join(self._parts[-64:])[-4096:]
            out.append(TooLong(head, tail, self._size))
            self._forget()
        elif self._depth <= 0:
            self._finish(out)

    def _finish(self, out: list[bytes | TooLong]) -> None:
        if self._parts:
            out.append(b"\n".join(self._parts))
        self._forget()

    def _forget(self) -> None:
        self._parts, self._size, self._depth = [], 0, 0
