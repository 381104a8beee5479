"""Takes the chunked transfer coding (RFC 9112, 7.1) off a body, linear in the bytes."""

MAX_LINE = 16_384


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


def _size(line: bytes) -> int:
    try:
        size = int(line.partition(b";")[0], 16)
    except ValueError:
        raise ChunkedError("a chunk's size is no number") from None
    if size < 0:
        raise ChunkedError("a chunk's size is negative")
    return size
