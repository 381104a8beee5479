"""The shop's words in English, Spanish and Chinese, and how it writes prices and ratings."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "es", "zh")


@cache
def _table() -> Mapping[str, Any]:
    text = files(__package__ or "").joinpath("words.json").read_text(encoding="utf-8")
    return json.loads(text)


def known_language(wanted: object) -> str:
    """The shop's language for a tag like "es-MX"; "en" where it has none."""
    tag = str(wanted or "").replace("_", "-").split("-")[0].lower()
    return tag if tag in LANGUAGES else "en"


def say(language: str, word: str, **values: object) -> str:
    return str(_table()[language][word]).format(**values)


def number(language: str, amount: float, decimals: int = 0) -> str:
    """1234.5 is "1,234.50" in English and Chinese, "1.234,50" in Spanish."""
    digits = f"{amount:,.{decimals}f}"
    return digits.translate(str.maketrans(",.", ".,")) if language == "es" else digits


def price(language: str, cents: int) -> str:
    amount = number(language, cents / 100, 2)
    return f"{amount}\u00a0€" if language == "es" else f"€{amount}"


def stars(language: str, rating: float) -> str:
    return f"★ {number(language, rating, 1)}"
