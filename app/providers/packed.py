"""Takes `gzip` and `deflate` off a body as it comes: no request asks for them, and some gateways pack all the same."""

import zlib

GZIP = b"\x1f\x8b"


class PackedError(Exception):
    """The body is packed in a way that is unknown or broken, in words."""


def packing(encoding: bytes) -> "Packed | None":
    """What takes off the codings of a Content-Encoding; None where there is none to take off."""
    named = [name for name in (part.strip() for part in encoding.split(b",")) if name not in (b"", b"identity")]
    return Packed(b", ".join(named)) if named else None


class Packed:
    """`encoding`: the value of Content-Encoding. `feed` gives what is in the bytes that came; PackedError where it cannot.

    A gateway that only says "gzip" and does not pack is read as it is.
    """

    def __init__(self, encoding: bytes) -> None:
        if encoding not in (b"gzip", b"x-gzip", b"deflate"):
            raise PackedError(f"packed with “{encoding.decode('latin-1')}”")
        self._deflate = encoding == b"deflate"
        self._start: bytes | None = b""
        self._wbits: int | None = None
        self._inflate = zlib.decompressobj()

    def feed(self, data: bytes) -> bytes:
        if self._start is not None:
            self._start += data
            if len(self._start) < len(GZIP):
                return b""
            data, self._start = self._start, None
            self._wbits = _wbits(data, raw=self._deflate)
            if self._wbits is not None:
                self._inflate = zlib.decompressobj(self._wbits)
        return data if self._wbits is None else self._unpacked(data, self._wbits)

    def _unpacked(self, data: bytes, wbits: int) -> bytes:
        out: list[bytes] = []
        try:
            while data:
                out.append(self._inflate.decompress(data))
                data = self._inflate.unused_data
                if self._inflate.eof and data.startswith(GZIP):  # one piece after another; else it is padding
                    self._inflate = zlib.decompressobj(wbits)
                else:
                    data = b""
        except zlib.error as error:
            raise PackedError(str(error)) from error
        return b"".join(out)


def _wbits(start: bytes, *, raw: bool) -> int | None:
    """zlib's sign for how this begins: as gzip, as zlib, or (None) not packed; `deflate` without any header is `raw`."""
    if start.startswith(GZIP):
        return 16 + zlib.MAX_WBITS
    if start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0:
        return zlib.MAX_WBITS
    return -zlib.MAX_WBITS if raw else None
