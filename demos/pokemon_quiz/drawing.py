"""Simple drawings of our own, one for each body shape: they stand in place of a Pokémon's picture."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from demos.cards import svg_url

SHADOW = "#A2917A"


@cache
def _drawings() -> Mapping[str, Mapping[str, str]]:
    """`shapes`: the inside of an SVG of 200 by 200 for each body shape; `colours`: one a type."""
    return json.loads(files(__package__ or "").joinpath("drawings.json").read_text(encoding="utf-8"))


def drawn(shape: str, colour: str) -> str:
    """The drawing of a body shape in one colour, as a `data:` address of about 1 kB."""
    inside = _drawings()["shapes"].get(shape) or _drawings()["shapes"]["blob"].replace("{colour}", colour)
    return svg_url(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><g fill="{colour}">{inside}</g></svg>')


def silhouette(shape: str) -> str:
    return drawn(shape, SHADOW)


def coloured(shape: str, types: tuple[str, ...]) -> str:
    return drawn(shape, _drawings()["colours"].get(types[0], SHADOW))
