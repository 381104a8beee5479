"""Facts and pictures from PokéAPI (https://pokeapi.co/docs/v2), kept on disk so that each is fetched once."""

import asyncio
import base64
import json
import os
import ssl
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import httpx
from pydantic import TypeAdapter

from demos.pokemon_quiz.pokeapi_answers import UnreachableError, read_member_ids, read_species
from demos.pokemon_quiz.species import Species, from_json, to_json

T = TypeVar("T")
API_URL = "https://pokeapi.co/api/v2"
PICTURES_URL = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon"
TIME_LIMITS = httpx.Timeout(5, connect=3)
REST_SECONDS = 60
PICTURE_BYTES = 60_000
PNG = b"\x89PNG\r\n\x1a\n"


class PokeApi:
    """Fetches and remembers. After a failure it rests for a minute, so that being offline costs one short wait, not many."""

    def __init__(self, folder: Path, api_url: str = API_URL, pictures_url: str = PICTURES_URL) -> None:
        self._folder = folder
        self._api_url = api_url.rstrip("/")
        self._pictures_url = pictures_url.rstrip("/")
        self._rests_until = 0.0
        self._seen: set[str] = set()
        self._tls: ssl.SSLContext | None = None

    @property
    def resting(self) -> bool:
        return time.monotonic() < self._rests_until

    async def species(self, *ids: int) -> list[Species]:
        """The facts of each id, in order. Raises UnreachableError."""
        async with await self._client() as client:
            found = await asyncio.gather(*(self._one(client, number) for number in ids), return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        return [one for one in found if isinstance(one, Species)]

    async def of_type(self, name: str) -> list[int]:
        """The ids of the Pokémon of a type. Raises UnreachableError."""
        kept = self._folder / f"type-{name}.json"
        if (known := _kept(kept, TypeAdapter(list[int]).validate_json)) is not None:
            return known
        async with await self._client() as client:
            raw = await _get(client, f"{self._api_url}/type/{name}")
        ids = read_member_ids(raw.content)
        _keep(kept, json.dumps(ids).encode("utf-8"))
        return ids

    async def small_picture(self, number: int) -> str | None:
        """A PNG of at most 60 kB as a `data:` address (which, unlike the picture's own, does not tell the id)."""
        kept = self._folder / f"picture-{number}.png"
        if not kept.is_file():
            async with await self._client() as client:
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
            async with await self._client() as client:
                await _ask(client, "HEAD", url)
            self._seen.add(url)
        return url

    def rest(self) -> None:
        self._rests_until = time.monotonic() + REST_SECONDS

    async def _one(self, client: httpx.AsyncClient, number: int) -> Species:
        kept = self._folder / f"species-{number}.json"
        if (known := _kept(kept, lambda text: from_json(json.loads(text)))) is not None:
            return known
        facts = await _get(client, f"{self._api_url}/pokemon/{number}")
        words = await _get(client, f"{self._api_url}/pokemon-species/{number}")
        found = read_species(number, facts.content, words.content)
        _keep(kept, json.dumps(to_json(found), ensure_ascii=False).encode("utf-8"))
        return found

    async def _client(self) -> httpx.AsyncClient:
        """Certificates are read once, and in a thread: it takes long enough to be felt."""
        if self._tls is None:
            self._tls = await asyncio.to_thread(httpx.create_ssl_context)
        return httpx.AsyncClient(timeout=TIME_LIMITS, follow_redirects=True, verify=self._tls)


async def _get(client: httpx.AsyncClient, url: str) -> httpx.Response:
    return await _ask(client, "GET", url)


async def _ask(client: httpx.AsyncClient, method: str, url: str) -> httpx.Response:
    try:
        return (await client.request(method, url)).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnreachableError(f"{url}: {error}") from error


def _kept(path: Path, read: Callable[[str], T]) -> T | None:
    """None where the file is not there or was damaged: it is fetched again then."""
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(unfinished).replace(path)
