"""Text as the index sees it: folded, cut into words, and into pairs of characters where a script writes no spaces.

A trigram index finds no Chinese word of two characters (most have two) and ranks European words badly, so the index
gets ready-made tokens: whole words, and for Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese every pair of
neighbouring characters and the last one of a run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

RUNS = (
    "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003fffd"
)
"""The scripts without spaces between words (and Korean, whose particles hang on the words)."""

KANA = re.compile("[\u3041-\u3096]+")
"""Hiragana, which in Japanese is mostly grammar."""


class _Folds(dict[int, int]):
    """Small letters without accents, one width; each character stays one, so that places stay the same."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFKD", chr(code))
        plain = "".join(part for part in parts if not "\u0300" <= part <= "\u036f")
        if len(plain) != 1 or plain in "\u3099\u309a":
            plain = chr(code)
        if "\uac00" <= chr(code) <= "\ud7a3" or "\u3041" <= chr(code) <= "\u30ff":  # taken apart they would be other syllables
            plain = chr(code)
        lower = plain.lower()
        self[code] = ord(lower) if len(lower) == 1 else code
        return self[code]


_folds = _Folds()


def fold(text: str) -> str:
    """`text` as it is compared, of the same length."""
    return text.lower() if text.isascii() else text.translate(_folds)


def composed(text: str) -> str:
    """Letters with their accents in one character, as both texts and questions are kept."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


_ASCII = re.compile("[a-z0-9]+")
_RUN = re.compile(f"([{RUNS}]+)")


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    """A word of any script with the marks that belong to its letters."""
    marks = "".join(chr(code) for code in range(0x300, 0xFFFF) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    return re.compile(f"[^\\W_]+(?:[{marks}]+[^\\W_]*)*")


def pieces(folded: str) -> Iterator[tuple[str, bool]]:
    """Every word of a folded text, and every run of characters without spaces (True)."""
    for number, part in enumerate(_RUN.split(folded)):
        if number % 2:
            yield part, True
        elif part:
            for word in _word().findall(part):
                yield word, False


def pairs(run: str) -> list[str]:
    """The neighbouring pairs of a run; a single character stands for itself."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def tokens(text: str) -> str:
    """What goes into the index for a text: its tokens with blanks between them."""
    folded = fold(text)
    if folded.isascii():
        return " ".join(_ASCII.findall(folded))
    found: list[str] = []
    for piece, is_run in pieces(folded):
        if is_run and len(piece) > 1:
            found += pairs(piece)
        found.append(piece[-1] if is_run else piece)
    return " ".join(found)
