"""Servers on this computer are asked what their models really can: context, tools, vision, thinking."""

import json
import threading
from typing import Any

import pytest

from app.core.provider import ModelInfo
from app.providers.connect import connect
from app.providers.http import Limits
from app.providers.vendors import VENDORS
from tests.providers.stand_in import Asked, Reply, StandIn

NO = Reply([b'{"error":"not found"}'], status=404, headers={"Content-Type": "application/json"})


def answers(by_path: dict[str, Any]) -> StandIn:
    def script(asked: Asked) -> Reply:
        answer = by_path.get(asked.path)
        if callable(answer):
            answer = answer(asked.body)
        return NO if answer is None else Reply([json.dumps(answer).encode()], headers={"Content-Type": "application/json"})

    return StandIn(script)


async def listed(vendor: str, by_path: dict[str, Any], suffix: str = "") -> list[ModelInfo]:
    with answers(by_path) as server:
        provider = connect(VENDORS[vendor], base_url=server.url + suffix)
        try:
            return await provider.models()
        finally:
            await provider.aclose()


async def test_ollama_says_the_context_and_what_each_model_can() -> None:
    shown: dict[str, Any] = {
        "qwen3:8b": {"model_info": {"qwen3.context_length": 40960}, "capabilities": ["completion", "tools", "thinking"]},
        "old": {"model_info": {}},
    }

    def show(body: dict[str, Any]) -> Any:
        return shown.get(body["model"])

    by_path: dict[str, Any] = {
        "/api/tags": {"models": [{"name": "qwen3:8b"}, {"name": "old"}, {"name": "gone"}]},
        "/api/show": show,
    }
    assert await listed("ollama", by_path) == [
        ModelInfo("qwen3:8b", context=40960, vision=False, tools=True, thinking=True),
        ModelInfo("old"),
        ModelInfo("gone"),
    ]


async def test_lm_studio_says_the_context_a_model_was_loaded_with() -> None:
    models = {
        "data": [
            {
                "id": "a",
                "type": "vlm",
                "max_context_length": 32768,
                "loaded_context_length": 4096,
                "capabilities": ["tool_use"],
            },
            {"id": "b", "type": "llm", "max_context_length": 8192},
        ]
    }
    found = await listed("lmstudio", {"/v1/models": {"data": [{"id": "a"}, {"id": "b"}]}, "/api/v0/models": models}, "/v1")
    assert found == [ModelInfo("a", context=4096, vision=True, tools=True), ModelInfo("b", context=8192, vision=False)]


async def test_llama_cpp_says_the_context_of_a_slot() -> None:
    by_path: dict[str, Any] = {
        "/v1/models": {"data": [{"id": "m", "meta": {"n_ctx_train": 131072}}]},
        "/props": {"default_generation_settings": {"n_ctx": 8192}, "modalities": {"vision": False}},
    }
    assert await listed("llamacpp", by_path, "/v1") == [ModelInfo("m", context=8192, vision=False)]


@pytest.mark.parametrize("vendor", ["vllm", "jan", "lmstudio", "llamacpp"])
async def test_a_server_without_such_extras_is_listed_as_it_says(vendor: str) -> None:
    assert await listed(vendor, {"/v1/models": {"data": [{"id": "m", "max_model_len": 2048}]}}, "/v1") == [
        ModelInfo("m", context=2048)
    ]


async def test_a_list_is_not_held_back_by_details_that_do_not_come() -> None:
    hold = threading.Event()

    def script(asked: Asked) -> Reply:
        return Reply(hold=hold) if asked.path == "/api/show" else Reply([b'{"models": [{"name": "qwen3:8b"}]}'])

    with StandIn(script) as server:
        provider = connect(VENDORS["ollama"], base_url=server.url, limits=Limits(connect=10, first=2))
        assert await provider.models() == [ModelInfo("qwen3:8b")]
        hold.set()
        await provider.aclose()
