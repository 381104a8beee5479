"""From what people call a theme, in English, Spanish and Chinese, to its id."""

import re
import unicodedata
from typing import Literal

Mode = Literal["light", "dark"]

THEMES = ("light", "dark", "light-purple", "dark-purple", "light-green", "dark-green")

_HUES = {
    "purple": (
        "purple",
        "violet",
        "lilac",
        "lavender",
        "morado",
        "morada",
        "purpura",
        "violeta",
        "lila",
        "紫",
    ),
    "green": ("green", "emerald", "mint", "verde", "esmeralda", "menta", "绿", "綠"),
}
_MODES: dict[Mode, tuple[str, ...]] = {
    "dark": (
        "dark",
        "deep",
        "night",
        "black",
        "dim",
        "oscuro",
        "oscura",
        "negro",
        "negra",
        "noche",
        "nocturno",
        "profundo",
        "深",
        "暗",
        "黑",
        "夜",
    ),
    "light": (
        "light",
        "bright",
        "day",
        "white",
        "pale",
        "claro",
        "clara",
        "blanco",
        "blanca",
        "dia",
        "luminoso",
        "浅",
        "淺",
        "淡",
        "亮",
        "白",
        "明",
    ),
}
_FILLER = frozenset(
    ("theme", "mode", "color", "colour", "the", "a", "an", "in", "please", "and", "with",
     "tema", "modo", "de", "el", "la", "un", "una", "por", "favor", "y", "con",
     "default", "normal", "neutral", "plain")
)  # fmt: skip


def theme_id(wish: str, mode: Mode | None = None) -> str | None:
    """The id of the built-in theme that `wish` names, or None if it names none of them.

    A hue without "light" or "dark" takes `mode`, else the light one ("purple" is
    `light-purple`); "deep" means dark ("deep green" is `dark-green`).
    """
    plain = _plain(wish)
    words = [word for word in re.split(r"[\s_\-/,.]+", plain) if word and word not in _FILLER]
    hues = {hue for hue, names in _HUES.items() if any(_names(word, names) for word in words)}
    modes: set[Mode] = {known for known, names in _MODES.items() if any(_names(word, names) for word in words)}
    understood = all(_is_known(word) for word in words)
    if not words or not understood or len(hues) > 1 or len(modes) > 1:
        return None
    shade = mode or next(iter(modes), "light")
    return f"{shade}-{next(iter(hues))}" if hues else shade


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _names(word: str, names: tuple[str, ...]) -> bool:
    return any(word == name if name.isascii() else name in word for name in names)


def _is_known(word: str) -> bool:
    groups = (*_HUES.values(), *_MODES.values())
    if any(_names(word, names) for names in groups):
        return word.isascii() or _is_chinese_theme(word)
    return False


def _is_chinese_theme(word: str) -> bool:
    letters = {name for names in (*_HUES.values(), *_MODES.values()) for name in names if not name.isascii()}
    return all(letter in letters or letter in "色主题題模式间間天的" for letter in word)
