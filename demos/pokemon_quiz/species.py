"""What the quiz knows of a Pokémon, and the embedded facts of the first generation (151, all languages)."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import cast

LAST_IDS = (151, 251, 386, 493, 649)
ROMAN = ("I", "II", "III", "IV", "V")
CATEGORY_FORM = {
    "en": "{} Pokémon",
    "es": "Pokémon {}",
    "fr": "Pokémon {}",
    "de": "{}-Pokémon",
    "ja": "{}ポケモン",
    "zh": "{}宝可梦",
}


@dataclass(frozen=True, slots=True)
class Species:
    """Facts of one species. `names` and `categories` by language ("en" always in `names`); height in dm, weight in hg."""

    id: int
    names: Mapping[str, str]
    types: tuple[str, ...]
    height_dm: int
    weight_hg: int
    shape: str
    categories: Mapping[str, str]

    def name(self, language: str) -> str:
        return self.names.get(language) or self.names["en"]

    @property
    def generation(self) -> str:
        return ROMAN[sum(self.id > last for last in LAST_IDS[:-1])]

    @property
    def look(self) -> tuple[tuple[str, ...], int, int]:
        """Two species with the same look cannot be told apart by the facts of a question."""
        return self.types, self.height_dm, self.weight_hg


def to_json(species: Species) -> dict[str, object]:
    return asdict(species)


def from_json(raw: Mapping[str, object]) -> Species:
    return Species(
        id=cast("int", raw["id"]),
        names=cast("dict[str, str]", raw["names"]),
        types=tuple(cast("list[str]", raw["types"])),
        height_dm=cast("int", raw["height_dm"]),
        weight_hg=cast("int", raw["weight_hg"]),
        shape=cast("str", raw["shape"]),
        categories=cast("dict[str, str]", raw["categories"]),
    )


@cache
def first_generation() -> Mapping[int, Species]:
    """The embedded table by id. Spanish names equal the English ones."""
    table = json.loads(files(__package__ or "").joinpath("species.json").read_text(encoding="utf-8"))
    rows = (dict(zip(table["columns"], row, strict=True)) for row in table["rows"])
    return {species.id: species for species in map(_from_row, rows)}


def _from_row(row: dict[str, object]) -> Species:
    names = {language: str(row[language]) for language in ("en", "fr", "de", "ja", "zh")}
    return Species(
        id=cast("int", row["id"]),
        names=names | {"es": names["en"]},
        types=tuple(str(row["types"]).split()),
        height_dm=cast("int", row["height_dm"]),
        weight_hg=cast("int", row["weight_hg"]),
        shape=str(row["shape"]),
        categories={language: form.format(row[f"category_{language}"]) for language, form in CATEGORY_FORM.items()},
    )
