"""Facts and pictures from PokéAPI (https://pokeapi.co/docs/v2), kept on disk so that each is fetched once."""

import asyncio
import base64
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import httpx
from pydantic import BaseModel, BeforeValidator, TypeAdapter

from demos.pokemon_quiz.species import Species, from_json, to_json

API_URL = "https://pokeapi.co/api/v2"
PICTURES_URL = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon"
TIME_LIMITS = httpx.Timeout(5, connect=3)
REST_SECONDS = 60
PICTURE_BYTES = 60_000
PNG = b"\x89PNG\r\n\x1a\n"
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
    type: Named


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


class PokeApi:
    """Fetches and remembers. After a failure it rests for a minute, so that being offline costs one short wait, not many."""

    def __init__(self, folder: Path, api_url: str = API_URL, pictures_url: str = PICTURES_URL) -> None:
        self._folder = folder
        self._api_url = api_url.rstrip("/")
        self._pictures_url = pictures_url.rstrip("/")
        self._rests_until = 0.0
        self._seen: set[str] = set()

    @property
    def resting(self) -> bool:
        return time.monotonic() < self._rests_until

    async def species(self, *ids: int) -> list[Species]:
        """The facts of each id, in order. Raises UnreachableError."""
        async with self._client() as client:
            found = await asyncio.gather(*(self._one(client, number) for number in ids), return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        return [one for one in found if isinstance(one, Species)]

    async def of_type(self, name: str) -> list[int]:
        """The ids of the Pokémon of a type. Raises UnreachableError."""
        kept = self._folder / f"type-{name}.json"
        if (ids := _read_json(kept)) is None:
            async with self._client() as client:
                raw = await _get(client, f"{self._api_url}/type/{name}")
            ids = _member_ids(raw.content)
            _keep(kept, json.dumps(ids).encode("utf-8"))
        return TypeAdapter(list[int]).validate_python(ids)

    async def small_picture(self, number: int) -> str | None:
        """A PNG of at most 60 kB as a `data:` address (which, unlike the picture's own, does not tell the id)."""
        kept = self._folder / f"picture-{number}.png"
        if not kept.is_file():
            async with self._client() as client:
                for path in (f"other/home/{number}.png", f"{number}.png"):
                    png = (await _get(client, f"{self._pictures_url}/{path}")).content
                    if png.startswith(PNG) and len(png) <= PICTURE_BYTES:
                        _keep(kept, png)
                        break
        return "data:image/png;base64," + base64.b64encode(kept.read_bytes()).decode("ascii") if kept.is_file() else None

    async def artwork_url(self, number: int) -> str:
        """The address of the large picture, once it is known to be there. Raises UnreachableError."""
        url = f"{self._pictures_url}/other/official-artwork/{number}.png"
        if url not in self._seen:
            async with self._client() as client:
                await _ask(client, "HEAD", url)
            self._seen.add(url)
        return url

    def rest(self) -> None:
        self._rests_until = time.monotonic() + REST_SECONDS

    async def _one(self, client: httpx.AsyncClient, number: int) -> Species:
        kept = self._folder / f"species-{number}.json"
        if (raw := _read_json(kept)) is not None:
            return from_json(raw)
        facts = await _get(client, f"{self._api_url}/pokemon/{number}")
        words = await _get(client, f"{self._api_url}/pokemon-species/{number}")
        found = _species(number, facts.content, words.content)
        _keep(kept, json.dumps(to_json(found), ensure_ascii=False).encode("utf-8"))
        return found

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(timeout=TIME_LIMITS, follow_redirects=True)


async def _get(client: httpx.AsyncClient, url: str) -> httpx.Response:
    return await _ask(client, "GET", url)


async def _ask(client: httpx.AsyncClient, method: str, url: str) -> httpx.Response:
    try:
        return (await client.request(method, url)).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnreachableError(f"{url}: {error}") from error


def _species(number: int, facts: bytes, words: bytes) -> Species:
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


def _member_ids(raw: bytes) -> list[int]:
    """The ids at the end of each member's address, ".../pokemon/25/"."""
    try:
        urls = [member.pokemon.url for member in _Members.model_validate_json(raw).pokemon]
        return [int(url.rstrip("/").rsplit("/", 1)[-1]) for url in urls]
    except ValueError as error:
        raise UnreachableError(str(error)) from error


def _read_json(path: Path) -> Any:
    """None where the file is not there or was damaged: it is fetched again then."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(unfinished).replace(path)
