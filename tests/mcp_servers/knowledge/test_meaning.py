"""The search by meaning, with a small stand-in for an embedding model on this computer."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from mcp_servers.knowledge.embedding import EmbeddingError, Model, embed
from mcp_servers.knowledge.index import Index
from mcp_servers.knowledge.meaning import Meaning
from mcp_servers.knowledge.search import fused
from tests.mcp_servers.knowledge.ground import Ground, files, knowledge

TOPICS = {"dog": 0, "puppy": 0, "hound": 0, "ship": 1, "vessel": 1, "boat": 1, "bread": 2, "loaf": 2}
"""Words that mean the same to the stand-in."""


@dataclass
class StandIn:
    """An embedding endpoint that knows three things; `status` other than 200 is its failure."""

    url: str = ""
    status: int = 200
    longest: int = 100_000
    keys: list[str | None] = field(default_factory=list[str | None])
    texts: list[str] = field(default_factory=list[str])

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.keys.append(request.headers.get("Authorization"))
        texts: list[str] = body["input"]
        if self.status != 200:
            return web.json_response({"error": {"message": "the model is out for lunch"}}, status=self.status)
        if any(len(text) > self.longest for text in texts):
            return web.json_response({"error": "input is too long"}, status=400)
        self.texts += texts
        vectors = [_vector(text) for text in texts]
        if request.path == "/api/embed":
            return web.json_response({"embeddings": vectors})
        return web.json_response({"data": [{"index": n, "embedding": v} for n, v in reversed(list(enumerate(vectors)))]})


def _vector(text: str) -> list[float]:
    made = [0.05, -0.05, 0.01, -0.01, 0.02, -0.02, 0.03, -0.03]
    for word, place in TOPICS.items():
        made[place] += text.lower().count(word)
    return made


@asynccontextmanager
async def stand_in() -> AsyncGenerator[StandIn]:
    made = StandIn()
    app = web.Application()
    app.router.add_post("/v1/embeddings", made.answer)
    app.router.add_post("/api/embed", made.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


def model(end: StandIn, protocol: str = "openai", **more: str) -> dict[str, str]:
    return {"protocol": protocol, "address": f"{end.url}/v1" if protocol == "openai" else end.url, "model": "toy", **more}


async def compared(ground: Ground, count: int) -> None:
    await ground.until(lambda status: status["vectors"] == status["passages"] == count)


def texts(folder: Path) -> Path:
    return files(folder, {"pets.txt": "A puppy needs a walk.", "sea.txt": "The vessel left port.", "food.txt": "Bake a loaf."})


@pytest.mark.parametrize("protocol", ["openai", "ollama"])
async def test_what_says_the_same_in_other_words_is_found(tmp_path: Path, protocol: str) -> None:
    folder = texts(tmp_path / "f")
    async with stand_in() as end, knowledge(tmp_path, folder, embedding=model(end, protocol, key="k-1")) as ground:
        await compared(ground, 3)
        told = await ground.data("search_knowledge", query="hound")
        assert told["hybrid"]
        assert told["passages"][0]["path"].endswith("pets.txt")
        assert (await ground.found("boat"))[0]["path"].endswith("sea.txt")
        assert set(end.keys) == {"Bearer k-1"}
        assert end.texts.count("A puppy needs a walk.") == 1


async def test_without_its_endpoint_the_words_are_searched_and_it_is_said(tmp_path: Path) -> None:
    folder = texts(tmp_path / "f")
    async with stand_in() as end, knowledge(tmp_path, folder, embedding=model(end)) as ground:
        await compared(ground, 3)
        end.status = 503
        told = await ground.data("search_knowledge", query="vessel")
        assert not told["hybrid"]
        assert told["passages"][0]["path"].endswith("sea.txt")
        assert "out for lunch" in told["notes"][0]
        assert "words alone" in await ground.ok("search_knowledge", query="vessel")
        files(folder, {"new.txt": "A second vessel."})
        status = await ground.until(lambda status: status["passages"] == 4)
        assert status["vectors"] == 3


async def test_the_trouble_of_the_endpoint_is_in_the_status(tmp_path: Path) -> None:
    async with stand_in() as end:
        end.status = 401
        async with knowledge(tmp_path, texts(tmp_path / "f"), embedding=model(end)) as ground:
            await ground.ready()
            await ground.until(lambda status: "Check the key" in status["problem_of_model"])
            assert (await ground.found("vessel"))[0]["path"].endswith("sea.txt")


async def test_a_text_that_is_too_long_is_sent_shorter_and_holds_nothing_up(tmp_path: Path) -> None:
    folder = files(texts(tmp_path / "f"), {"long.txt": "ship " * 200})
    async with stand_in() as end:
        end.longest = 600
        async with knowledge(tmp_path, folder, embedding=model(end)) as ground:
            await compared(ground, 4)
            assert {hit["path"].rpartition("/")[2] for hit in await ground.found("boat", limit=2)} == {"sea.txt", "long.txt"}


async def test_another_model_begins_anew_and_removal_takes_the_vectors_too(tmp_path: Path) -> None:
    folder = texts(tmp_path / "f")
    async with stand_in() as end:
        chosen: dict[str, Any] = model(end)
        async with knowledge(tmp_path, folder, embedding=lambda: chosen) as ground:
            await compared(ground, 3)
            chosen = {**chosen, "model": "other"}
            await ground.until(lambda _: len(end.texts) == 6)
            await compared(ground, 3)
            await ground.ok("remove_folder", folder="f")
    index = Index(tmp_path / "data")
    while index.sweep():
        pass
    assert Meaning(index, lambda: None).progress()[:2] == (0, 0)
    index.close()


@pytest.mark.parametrize(
    "body",
    ["nonsense", "[]", "[" * 100_000, json.dumps({"data": []}), json.dumps({"data": [{"embedding": ["x"]}]}),
     json.dumps({"data": [{"embedding": [0, 0]}]}), '{"data": [{"embedding": [NaN, 1]}]}'],
)  # fmt: skip
async def test_an_endpoint_that_gives_no_vectors_is_said_to(body: str) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=body)

    app = web.Application()
    app.router.add_post("/embeddings", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        with pytest.raises(EmbeddingError, match="vector"):
            await embed(Model("openai", f"http://127.0.0.1:{runner.addresses[0][1]}", "m"), ["text"])
    finally:
        await runner.cleanup()


async def test_an_address_where_nobody_answers_is_said() -> None:
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        await embed(Model("openai", "http://127.0.0.1:1/v1", "m"), ["text"])


def test_ranks_are_fused() -> None:
    assert fused([1, 2, 3], [3, 1, 4]) == [1, 3, 2, 4]
