"""The quiz's words in its six languages, and how it writes facts in each."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "es", "zh", "ja", "de", "fr")
DECIMAL_COMMA = frozenset({"es", "de", "fr"})


@cache
def _table() -> Mapping[str, Any]:
    return json.loads(files(__package__ or "").joinpath("words.json").read_text(encoding="utf-8"))


def known_language(wanted: object) -> str:
    """The quiz's language for a tag like "es-MX"; "en" where it has none."""
    tag = str(wanted or "").replace("_", "-").split("-")[0].lower()
    return tag if tag in LANGUAGES else "en"


def say(language: str, word: str, **values: object) -> str:
    return str(_table()[language]["words"][word]).format(**values)


def type_names(language: str, types: tuple[str, ...]) -> str:
    names = [str(_table()[language]["types"].get(name, name.title())) for name in types]
    return ("、" if language in ("ja", "zh") else ", ").join(names)


def tenths(language: str, amount: int, unit: str) -> str:
    """A number of tenths of `unit`: 69 hg is "6.9 kg"."""
    digits = f"{amount / 10:.1f}"
    return f"{digits.replace('.', ',') if language in DECIMAL_COMMA else digits} {unit}"
