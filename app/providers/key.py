"""A key as it goes out: without what comes along when it is copied, and never with what would end its header."""

import re

from app.providers.sentences import failure

CLOTHES = re.compile(r"^(authorization\s*:\s*)?(bearer\s+)?", re.IGNORECASE)
QUOTES = "\"'`“”‘’«»<>"
UNSEEN = re.compile(r"[\s\x00-\x1f\x7f\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]+")
"""White space, control characters, and marks without width: a key broken over two lines of a page is one key."""


def plain_key(key: str | None, who: str) -> str | None:
    """The key itself, None where there is none; ProviderError (auth) for one with letters that no key has."""
    bare = UNSEEN.sub(" ", key or "").strip().strip(QUOTES).strip()
    plain = CLOTHES.sub("", bare).strip(QUOTES).replace(" ", "")
    if not plain.isascii():
        odd = next(letter for letter in plain if not letter.isascii())
        raise failure("auth", "oddKey", holes={"who": who, "word": odd})
    return plain or None
