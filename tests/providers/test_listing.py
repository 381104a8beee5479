"""Lists of models as endpoints give them: long, in pages, in odd shapes, or an error in their place."""

import json
from typing import Any

import pytest

from app.core.provider import ModelInfo, ProviderError
from app.providers.connect import connect
from app.providers.heeded import Heeded
from tests.providers.speaking import ask, hear
from tests.providers.stand_in import Asked, Reply, StandIn, sse

JSON = {"Content-Type": "application/json"}
PROTOCOLS = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama")


async def listed(protocol: str, url: str) -> list[ModelInfo]:
    asked = connect(protocol, base_url=url)
    try:
        return await asked.models()
    finally:
        await asked.aclose()


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ({"data": [{"id": "a"}, {"id": "b"}]}, ["a", "b"]),
        ({"data": ["a", "b"]}, ["a", "b"]),
        (["a", {"id": "b"}], ["a", "b"]),
        ({"result": {"data": [{"id": "a"}]}}, ["a"]),
        ({"data": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}, ["a", "b"]),
        ({"data": [{"id": 5}, {"id": ""}, {"id": " "}, {"id": "a\n<script>"}, {"id": "\ud800"}, {"id": "x" * 999}]}, []),
        ({"data": 5}, []),
        ({"data": {"a": 1}}, []),
        ({"models": "abc"}, []),
        (None, []),
        ("x", []),
    ],
)
async def test_a_list_of_any_shape_gives_what_can_be_chosen(answer: Any, ids: list[str]) -> None:
    with StandIn([Reply([json.dumps(answer).encode()], headers=JSON)]) as server:
        for protocol in ("openai-chat", "gemini"):
            assert [m.id for m in await listed(protocol, server.url)] == ids


async def test_odd_facts_about_a_model_are_unknown_and_keep_it_in_the_list() -> None:
    odd: dict[str, Any] = {"context_length": True, "capabilities": 5, "architecture": [], "pricing": "free", "meta": 5}
    priced = {"id": "b", "context_length": "8192", "pricing": {"prompt": "inf", "completion": "nan"}}
    methods = {"id": "c", "supportedGenerationMethods": 5, "type": ["x"]}
    with StandIn([Reply([json.dumps({"data": [{"id": "a", **odd}, priced, methods]}).encode()], headers=JSON)]) as server:
        for protocol in ("openai-chat", "gemini"):
            a, b, c = await listed(protocol, server.url)
            assert (a, c) == (ModelInfo("a"), ModelInfo("c"))
            assert b == ModelInfo("b", context=8192)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_an_error_in_place_of_a_list_is_told(protocol: str) -> None:
    body = json.dumps({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}).encode()
    accepted = pytest.raises(ProviderError, match="does not accept the key")
    with StandIn([Reply([body], headers=JSON)]) as server, accepted as told:
        await listed(protocol, server.url)
    assert told.value.kind == "auth"


async def test_five_thousand_models_with_long_descriptions_are_a_list() -> None:
    rows = [{"id": f"maker/model-{i}", "description": "x" * 1800} for i in range(5000)]
    with StandIn([Reply([json.dumps({"data": rows}).encode()], headers=JSON)]) as server:
        assert len(await listed("openai-chat", server.url)) == 5000


async def test_a_list_in_pages_is_read_to_its_end_and_one_that_never_ends_is_left() -> None:
    def gemini(asked: Asked) -> Reply:
        first = "pageToken" not in asked.path
        page = {"models": [{"name": "models/a" if first else "models/b"}], **({"nextPageToken": "t/1"} if first else {})}
        return Reply([json.dumps(page).encode()], headers=JSON)

    with StandIn(gemini) as server:
        assert [m.id for m in await listed("gemini", server.url)] == ["a", "b"]
        assert server.asked[1].path == "/v1beta/models?pageSize=1000&pageToken=t%2F1"
    same = {"data": [{"id": "a"}], "has_more": True, "last_id": "a"}
    with StandIn([Reply([json.dumps(same).encode()], headers=JSON)]) as server:
        assert [m.id for m in await listed("anthropic", server.url)] == ["a"]
        assert [a.path for a in server.asked] == ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=a"]


CHAT = sse({"choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}, "[DONE]")


@pytest.mark.parametrize("body", [CHAT, [b"{}"], [b'{"object":"list","data":[]}']], ids=["chat", "empty", "models"])
@pytest.mark.parametrize("protocol", ["anthropic", "openai-responses", "ollama"])
async def test_an_answer_in_another_protocol_is_no_empty_reply(protocol: str, body: list[bytes]) -> None:
    with StandIn([Reply(body)]) as server:
        asked = connect(protocol, base_url=server.url)
        heard = await hear(asked, ask("x"))
        await asked.aclose()
    assert heard.error is not None
    assert "Is it the right protocol for this address?" in heard.error.message
    assert not heard.retries


def test_a_refusal_is_heeded_for_an_hour() -> None:
    now = 0.0
    heeded = Heeded(clock=lambda: now)
    heeded.note("m", "no tools")
    now = 3599.0
    assert heeded.of("m") == ["no tools"]
    assert heeded.of("other") == []
    now = 3600.0
    assert heeded.of("m") == []
