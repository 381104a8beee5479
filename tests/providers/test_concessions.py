"""A model that refuses a part of the request is asked once more without it: tools, a system prompt, a picture, a setting."""

import json
from typing import Any

import pytest

from app.core.messages import ImageBlock, Media, TextBlock
from app.core.provider import Provider, Request
from app.providers.concessions import concede
from app.providers.connect import connect
from app.providers.vendors import VENDORS
from tests.providers.speaking import ask, hear, tool, user
from tests.providers.stand_in import Asked, Reply, StandIn, sse

HELLO = sse({"choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}, "[DONE]")
OLLAMA = [b'{"message":{"content":"hello"},"done":true,"done_reason":"stop"}\n']
GEMINI = sse({"candidates": [{"content": {"parts": [{"text": "hello"}]}, "finishReason": "STOP"}]})
PICTURE = Media(media_type="image/png", data=b"\x89PNG\r\n\x1a\n", name="cat.png")


class Strict:
    """Refuses with `words` what `refuses` finds in a body, and answers the rest."""

    def __init__(self, words: str, field: str, answer: list[bytes], status: int = 400) -> None:
        self.words, self.field, self.answer, self.status = words, field, answer, status

    def __call__(self, asked: Asked) -> Reply:
        if self.field in json.dumps(asked.body):
            return Reply([json.dumps({"error": {"message": self.words}}).encode()], status=self.status)
        return Reply(self.answer)


def wanted(**more: Any) -> Request:
    blocks = (TextBlock(text="hi"), ImageBlock(media_type="image/png", ref="r"))
    return Request(
        model="a-model",
        messages=(user("hi").model_copy(update={"blocks": blocks}),),
        system="Be kind.",
        tools=(tool("files__read"),),
        max_tokens=50,
        temperature=0.5,
        media={"r": PICTURE},
        **more,
    )


CASES = {
    "ollama: tools": ("ollama", "registry.ollama.ai/library/gemma3:4b does not support tools", '"tools"', OLLAMA, 400),
    "ollama: thinking": ("ollama", '"a-model" does not support thinking', '"think": true', OLLAMA, 400),
    "ollama: pictures": ("ollama", "this model is missing data required for image input", '"images"', OLLAMA, 500),
    "vllm: tools": (
        "openai-chat",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        '"tools"',
        HELLO,
        400,
    ),
    "llama.cpp: tools": ("openai-chat", "tools param requires --jinja flag", '"tools"', HELLO, 500),
    "openrouter: tools": ("openai-chat", "No endpoints found that support tool use.", '"tools"', HELLO, 404),
    "openrouter: pictures": ("openai-chat", "No endpoints found that support image input", "image_url", HELLO, 404),
    "groq: tools": ("openai-chat", "`tool calling` is not supported with this model", '"tools"', HELLO, 400),
    "gemma: tools": ("gemini", "Function calling is not enabled for models/gemma-3-4b-it", "functionDeclarations", GEMINI, 400),
    "gemma: system": (
        "gemini",
        "Developer instruction is not enabled for models/gemma-3-4b-it",
        "systemInstruction",
        GEMINI,
        400,
    ),
    "openai: system": (
        "openai-chat",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        '"role": "system"',
        HELLO,
        400,
    ),
    "kimi: temperature": (
        "openai-chat",
        "invalid temperature: only 1 is allowed for this model",
        '"temperature"',
        HELLO,
        400,
    ),
    "openai: name of a field": (
        "openai-chat",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        '"max_tokens"',
        HELLO,
        400,
    ),
    "a gateway: stream_options": (
        "openai-chat",
        '[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]',
        '"stream_options"',
        HELLO,
        422,
    ),
}


def provider(protocol: str, url: str) -> Provider:
    return connect(protocol, base_url=url)


@pytest.mark.parametrize("case", CASES)
async def test_what_a_model_refuses_is_left_out_and_told(case: str) -> None:
    protocol, words, field, answer, status = CASES[case]
    with StandIn(Strict(words, field, answer, status)) as server:
        asked = provider(protocol, server.url)
        heard = await hear(asked, wanted(thinking="high" if "thinking" in case else None))
        await asked.aclose()
        assert len(server.asked) == 2
    assert heard.text == "hello"
    (told,) = heard.retries
    assert told.delay_ms == 0
    assert told.said
    assert told.reason


async def test_words_of_the_system_prompt_are_not_lost_with_it_and_the_rest_goes_out_as_before() -> None:
    with StandIn(Strict("System role not supported", '"role": "system"', HELLO)) as server:
        asked = provider("openai-chat", server.url)
        await hear(asked, ask("Good day.", system="Be kind.", temperature=0.5))
        await asked.aclose()
        sent = server.asked[1].body
    assert sent["messages"] == [{"role": "user", "content": "Be kind.\n\nGood day."}]
    assert sent["temperature"] == 0.5


async def test_several_refusals_in_turn_are_all_heeded_and_remembered_for_the_next_request() -> None:
    def picky(asked: Asked) -> Reply:
        for field in ("tools", "temperature", "stream_options"):
            if field in asked.body:
                return Reply([json.dumps({"error": f"{field} is not supported by this model"}).encode()], status=400)
        return Reply(HELLO)

    with StandIn(picky) as server:
        asked = provider("openai-chat", server.url)
        request = ask("x", tools=(tool("files__read"),), temperature=0.5)
        assert (await hear(asked, request)).text == "hello"
        assert len(server.asked) == 4
        again = await hear(asked, request)
        await asked.aclose()
        assert len(server.asked) == 5
    assert (again.text, again.retries) == ("hello", [])


async def test_a_model_that_must_think_is_asked_for_as_little_as_it_can() -> None:
    words = "Reasoning is mandatory for this endpoint and cannot be disabled."
    with StandIn(Strict(words, '"enabled": false', HELLO)) as server:
        asked = connect("openrouter", base_url=server.url, api_key="sk-or-0123456789abcdef")
        assert (await hear(asked, ask("x", thinking="off"))).text == "hello"
        await asked.aclose()
        assert server.asked[1].body["reasoning"] == {"effort": "low"}


async def test_a_refusal_that_goes_on_is_told_as_it_is() -> None:
    body = json.dumps({"error": {"message": "a-model does not support tools"}}).encode()
    with StandIn([Reply([body], status=400)]) as server:
        asked = provider("openai-chat", server.url)
        heard = await hear(asked, ask("x", tools=(tool("files__read"),)))
        await asked.aclose()
        assert len(server.asked) == 2
    assert heard.error is not None
    assert heard.error.kind == "bad_request"
    assert "does not support tools" in heard.error.message


@pytest.mark.parametrize(
    "refusal",
    [
        "Invalid schema for function 'files__read': tools[0].function.parameters is not an object",
        "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
        "You uploaded an unsupported image. Please make sure your image has of one the following formats: png, jpeg.",
        "messages.3: tool_use ids were found without tool_result blocks immediately after",
        "Tool call validation failed: parameters for tool files__read did not match schema",
        "max_tokens: 999999 > 8192, which is the maximum allowed number of output tokens",
    ],
)
def test_a_refusal_about_something_else_takes_nothing_from_the_request(refusal: str) -> None:
    assert concede(refusal, wanted(thinking=None), VENDORS["custom"]) is None
