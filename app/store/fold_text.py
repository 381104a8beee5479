"""Text as search sees it: lower case, no accents, one width; each character stays one, so that places stay the same."""

import unicodedata
from functools import lru_cache

from app.core.cards import CardFields, CardTable, CardText
from app.core.messages import CardBlock, FileBlock, Message, TextBlock

INDEXED_CHARS = 200_000
"""Of one message; what is beyond is not found."""


@lru_cache(maxsize=20_000)
def _fold_char(char: str) -> str:
    parts = unicodedata.normalize("NFKD", char)
    plain = "".join(p for p in parts if not "\u0300" <= p <= "\u036f")
    lower = (plain if len(plain) == 1 else char).lower()
    return lower if len(lower) == 1 else char


def fold_text(text: str) -> str:
    """`text` as it is compared, of the same length."""
    return text.lower() if text.isascii() else "".join(map(_fold_char, text))


def searchable(message: Message) -> str:
    """What a person can see of a message and would look for: its text, its cards' texts, the names of its files."""
    parts: list[str] = []
    for block in message.blocks:
        if isinstance(block, TextBlock):
            parts.append(block.text)
        elif isinstance(block, CardBlock):
            parts.extend(_card_texts(block))
        elif isinstance(block, FileBlock) and block.name:
            parts.append(block.name)
    return "\n".join(parts)[:INDEXED_CHARS]


def _card_texts(block: CardBlock) -> list[str]:
    texts = [block.card.title, block.card.subtitle]
    for part in block.card.body:
        if isinstance(part, CardText):
            texts.append(part.text)
        elif isinstance(part, CardFields):
            texts.extend(f"{f.label}: {f.value}" for f in part.fields)
        elif isinstance(part, CardTable):
            texts.extend(" ".join(row) for row in (part.table.columns, *part.table.rows))
    return [text for text in texts if text]


@lru_cache(maxsize=1 << 16)
def token(chars: str) -> str:
    """One or two characters as a word of ASCII letters, which every tokenizer leaves whole."""
    return "x".join(f"{ord(c):x}" for c in chars)


def pairs(folded: str) -> str:
    """All neighbouring pairs of characters, and single ones beyond ASCII, each once: what finds words of one or two."""
    found = {word[i : i + 2] for word in set(folded.split()) for i in range(len(word) - 1)}
    if not folded.isascii():
        found |= {char for char in set(folded) if not char.isascii() and not char.isspace()}
    return " ".join(map(token, sorted(found)))
