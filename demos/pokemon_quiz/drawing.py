"""Simple drawings of our own, one for each body shape: they stand in place of a Pokémon's picture."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from demos.cards import svg_url

SHADOW = "#A2917A"
TYPE_COLOURS = dict(
    normal="#A79A86", fire="#D9824A", water="#5E8EC0", electric="#E3B04B", grass="#7FA66B",
    ice="#86B9BF", fighting="#B4604F", poison="#9A74AE", ground="#C0A06A", flying="#93A3C9",
    psychic="#D17C94", bug="#9BA650", rock="#A8946C", ghost="#7B6F9E", dragon="#7A72C2",
    dark="#6F645C", steel="#8E9CA6", fairy="#D99BB3",
)  # fmt: skip


@cache
def _drawings() -> Mapping[str, str]:
    """The inside of an SVG of 200 by 200 for each body shape, in one colour."""
    return json.loads(files(__package__ or "").joinpath("drawings.json").read_text(encoding="utf-8"))


def drawn(shape: str, colour: str) -> str:
    """The drawing of a body shape in one colour, as a `data:` address of about 1 kB."""
    inside = _drawings().get(shape, _drawings()["blob"]).replace("{colour}", colour)
    return svg_url(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><g fill="{colour}">{inside}</g></svg>')


def silhouette(shape: str) -> str:
    return drawn(shape, SHADOW)


def coloured(shape: str, types: tuple[str, ...]) -> str:
    return drawn(shape, TYPE_COLOURS.get(types[0], SHADOW))
