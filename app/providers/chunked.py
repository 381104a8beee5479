"""Takes the chunked transfer coding (RFC 9112, 7.1) off a body, linear in the bytes."""

from functools import lru_cache

MAX_LINE = 16_384
MANY = 1024
"""Bytes from which a read probably holds several chunks."""


class ChunkedError(Exception):
    """The coding is broken, in words."""


class Chunked:
    """`feed` gives the payload of what came; `done` once the last chunk and its trailers are read."""

    def __init__(self) -> None:
        self.done = False
        self._left = 0
        self._line = b""
        self._trailers = False

    def feed(self, data: bytes) -> bytes:
        if self._line:
            data, self._line = self._line + data, b""
        out: list[bytes] = []
        at, end, left = 0, len(data), self._left
        if left:
            out.append(data[:left])
            at = min(left, end)
            left -= at
        if end - at > MANY and not self._trailers:
            at += _whole_chunks(data[at:], out)
        while at < end and not self.done:
            if left:
                piece = data[at : at + left]
                out.append(piece)
                at += len(piece)
                left -= len(piece)
                continue
            stop = data.find(b"\n", at)
            if stop < 0:
                self._line = data[at:]
                if len(self._line) > MAX_LINE:
                    raise ChunkedError("a chunk's size line is too long")
                break
            line = data[at:stop]
            at = stop + 1
            if line == b"\r" or not line:
                self.done = self._trailers  # else the end of a chunk's data
            elif not self._trailers:
                left = _size(line)
                self._trailers = left == 0
        self._left = left
        return out[0] if len(out) == 1 else b"".join(out)


def _whole_chunks(data: bytes, out: list[bytes]) -> int:
    """A burst of small chunks in one go: the bytes they took, 0 where they are not as plain as most are.

    Sizes and payloads lie between line ends in turn; that each payload is as long as its size says proves it.
    """
    start = 2 if data.startswith(b"\r\n") else 0
    parts = data[start:].split(b"\r\n")
    stop = (len(parts) - 1) & ~1
    sizes, payloads = parts[0:stop:2], parts[1:stop:2]
    try:
        lengths = list(map(_plain_size, sizes))
    except ValueError:
        return 0
    if lengths != list(map(len, payloads)):
        return 0
    if 0 in lengths:  # the last chunk of all: what follows are trailers
        last = lengths.index(0)
        del sizes[last:], payloads[last:], lengths[last:]
    out += payloads
    return start + sum(lengths) + sum(map(len, sizes)) + 4 * len(sizes)


@lru_cache(1024)
def _plain_size(line: bytes) -> int:
    return int(line, 16)


def _size(line: bytes) -> int:
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError:
        raise ChunkedError("a chunk's size is no number") from None
    if size < 0:
        raise ChunkedError("a chunk's size is negative")
    return size
