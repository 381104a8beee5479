"""Which encoding a table's bytes are in, where nothing says so: as most people mean it, not as most tables of codes have it."""

import codecs
import re
from dataclasses import dataclass

SAMPLE = 256 * 1024
"""Bytes that are looked at where the encoding must be guessed."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WESTERN = ("cp1252", "mac_roman", "cp850")
_LETTERS = "áéíóúàèìòùâêîôûäëïöüãõåæøçñß"
_ALL = frozenset(_LETTERS + _LETTERS.upper() + "¿¡ºª«»€$·’‘“”–—…´§©®£²½°\xa0")
_BETWEEN_LETTERS = re.compile(r"[^\W\d_][¿¡ºª«»€–—…‘“”£§©®½²°][^\W\d_]")
"""Signs that stand between letters only where another code was read as this one."""

_FOREIGN_RUN = re.compile(r"[^\x00-\x7f]{4}")


@dataclass(frozen=True)
class Decoded:
    """The text, its encoding, and whether some bytes were no text in it (they became U+FFFD)."""

    text: str
    encoding: str
    damaged: bool = False


def decoded(data: bytes) -> Decoded:
    """By its mark, else (nearly) UTF-8, else what Western Europe writes if it looks like it, else by detection."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _read(data, encoding)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if _nearly_utf8(data):
        return _read(data, "utf-8")
    return _read(data, next((name for name in WESTERN if _fits(data[:SAMPLE], name)), None) or _detected(data))


def _read(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, "replace")
    return Decoded(text, encoding, damaged="\ufffd" in text)


def _nearly_utf8(data: bytes) -> bool:
    """A few bad bytes among many good characters; other encodings have it the other way round."""
    text = data[:SAMPLE].decode("utf-8", "replace")
    good = sum(letter > "\x7f" and letter != "\ufffd" for letter in text)
    return good >= 4 * text.count("\ufffd") > 0


def _fits(sample: bytes, encoding: str) -> bool:
    """Whether the sample reads as a Western European text: few accents, each one of those people write there."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    found = {letter for letter in text if letter > "\x7f"}
    if not found <= _ALL or _FOREIGN_RUN.search(text) or _BETWEEN_LETTERS.search(text):
        return False
    lower = {letter.lower() for letter in found}
    if ("õ" in lower and "ã" not in lower) or ("ø" in lower and not lower & {"å", "æ"}):
        return False  # Hungarian and Czech have other letters at these places
    letters = sum(letter.isalpha() for letter in text)
    return sum(letter > "\x7f" and letter.isalpha() for letter in text) <= max(1, letters * 0.3)


def _detected(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:SAMPLE]).best()
    return best.encoding if best else "cp1252"
