"""Reads PokéAPI's answers (https://pokeapi.co/docs/v2): only what the quiz needs of them."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from demos.pokemon_quiz.species import Species

LANGUAGE_TAGS = {
    "en": "en",
    "es": "es",
    "fr": "fr",
    "de": "de",
    "ja": "ja",
    "ja-hrkt": "ja",
    "zh-hans": "zh",
}
SHAPES = {
    "ball": "blob", "squiggle": "snake", "fish": "fish", "arms": "blob", "blob": "blob", "upright": "lizard", "legs": "beast",
    "quadruped": "quadruped", "wings": "bird", "tentacles": "tentacles", "heads": "rock", "humanoid": "human",
    "bug-wings": "winged", "armor": "caterpillar",
}  # fmt: skip


class UnreachableError(Exception):
    """PokéAPI gave no usable answer in time."""


def _named(raw: Any) -> Any:
    return raw.get("name") if isinstance(raw, dict) else raw  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


Named = Annotated[str, BeforeValidator(_named)]
MaybeNamed = Annotated[str | None, BeforeValidator(_named)]


class _Type(BaseModel):
    type: Annotated[Named, Field(pattern=r"^[a-z]+$")]


class _Pokemon(BaseModel):
    types: list[_Type]
    height: int
    weight: int


class _Name(BaseModel):
    language: Named
    name: str


class _Genus(BaseModel):
    language: Named
    genus: str


class _Species(BaseModel):
    names: list[_Name]
    genera: list[_Genus] = []
    shape: MaybeNamed = None


class _Link(BaseModel):
    url: str


class _Member(BaseModel):
    pokemon: _Link


class _Members(BaseModel):
    pokemon: list[_Member]


def read_species(number: int, facts: bytes, words: bytes) -> Species:
    try:
        pokemon, species = _Pokemon.model_validate_json(facts), _Species.model_validate_json(words)
    except ValueError as error:
        raise UnreachableError(str(error)) from error
    names = {tag: entry.name for entry in species.names if (tag := LANGUAGE_TAGS.get(entry.language.lower()))}
    genera = {tag: entry.genus for entry in species.genera if (tag := LANGUAGE_TAGS.get(entry.language.lower()))}
    if "en" not in names or not pokemon.types:
        raise UnreachableError(f"the facts of {number} are not whole")
    shape = SHAPES.get(species.shape or "", "blob")
    return Species(
        number,
        names,
        tuple(entry.type for entry in pokemon.types),
        pokemon.height,
        pokemon.weight,
        shape,
        genera,
    )


def read_member_ids(raw: bytes) -> list[int]:
    """The ids at the end of each member's address, ".../pokemon/25/"."""
    try:
        urls = [member.pokemon.url for member in _Members.model_validate_json(raw).pokemon]
        return [int(url.rstrip("/").rsplit("/", 1)[-1]) for url in urls]
    except ValueError as error:
        raise UnreachableError(str(error)) from error
