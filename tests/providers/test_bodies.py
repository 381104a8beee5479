"""The body that really went out over HTTP for one conversation, vendor by vendor, as kept in `bodies/`; and its cache marks."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from app.core.messages import ImageBlock, Media, TextBlock, ToolCall
from app.core.provider import Request
from app.providers.connect import connect, find_vendor, wire_of
from app.providers.wire import Address
from tests.providers.speaking import ask, assistant, hear, results, tool, user
from tests.providers.stand_in import Reply, StandIn
from tests.providers.strict import RULES

KEPT = Path(__file__).parent / "bodies"
MODELS = {
    "anthropic": "claude-sonnet-4-5",
    "openai": "gpt-5.1",
    "gemini": "gemini-3-flash",
    "openrouter": "anthropic/claude-sonnet-4.5",
    "deepseek": "deepseek-chat",
    "mistral": "mistral-medium-latest",
    "perplexity": "sonar",
    "ollama": "llama3.2-vision",
    "lmstudio": "qwen3-vl-8b",
}
RULE = {"openai": "openai-responses", "lmstudio": None}
WEATHER = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"city": {"type": ["string", "null"]}, "days": {"type": "integer", "exclusiveMinimum": 0}},
    "required": ["city"],
    "additionalProperties": False,
}


def conversation(model: str) -> Request:
    """A picture, a call with its result, two words of the user in a row."""
    blocks = (TextBlock(text="What is this?"), ImageBlock(ref="p", media_type="image/png"))
    call = ToolCall(id="call_1", name="weather__get", arguments={"city": "Lima"})
    return ask(
        user("What is this?").model_copy(update={"blocks": blocks}),
        assistant(TextBlock(text="Lima, I think."), call),
        results(("call_1", "Sunny, 24 °C.")),
        "Thank you.",
        "And tomorrow?",
        model=model,
        system="Be kind.",
        tools=(tool("weather__get", WEATHER, "The weather of a city."),),
        thinking="low",
        max_tokens=2000,
        media={"p": Media(media_type="image/png", data=b"a picture", name="p.png")},
    )


@pytest.mark.parametrize("vendor", MODELS)
async def test_the_body_that_went_out_is_the_one_that_was_kept(vendor: str) -> None:
    with StandIn([Reply([b'{"error":{"message":"enough"}}'], status=400)]) as server:
        provider = connect(vendor, base_url=server.url, api_key="key")
        try:
            await hear(provider, conversation(MODELS[vendor]))
        finally:
            await provider.aclose()
    body = server.asked[-1].body
    if rule := RULE.get(vendor, vendor):
        RULES[rule](body)
    file = KEPT / f"{vendor}.json"
    if "LEOCHAT_KEEP_BODIES" in os.environ:  # how a wanted change is kept; to be read before it is committed
        file.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert body == json.loads(file.read_text("utf-8"))


def marks(system: str, model: str, *said: str) -> list[str]:
    """Where the body asks for a cache: the names of its parts, with the message's number."""
    wire, vendor = wire_of("anthropic"), find_vendor("anthropic")
    request = ask(*said, model=model, system=system, tools=(tool("files__read"),))
    body: dict[str, Any] = wire.body(Address(vendor, vendor.base_url, "key"), request)
    parts = {name: part for name in ("tools", "system") for part in body.get(name, ())[-1:]}
    parts |= {f"message {n}": message["content"][-1] for n, message in enumerate(body["messages"])}
    return [name for name, part in parts.items() if "cache_control" in part]


def test_caches_are_asked_for_where_the_prefix_is_long_enough() -> None:
    assert marks("Be kind.", "claude-sonnet-4-5", "Hi") == []
    assert marks("Be kind. " * 600, "claude-sonnet-4-5", "Hi") == ["system", "message 0"]
    assert marks("Be kind. " * 600, "claude-haiku-4-5", "Hi") == []
    assert marks("Be kind.", "claude-sonnet-4-5", "Hi " * 2000) == ["message 0"]
    assert marks("Be kind. " * 600, "some-other-model", "Hi") == []
