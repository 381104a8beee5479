"""What goes wrong is told with a key and what fills it, and the page has the same sentence in English and one in Spanish."""

import json
import re
from pathlib import Path

import pytest

from app.providers.connect import connect
from app.providers.retry import RetryPolicy
from app.providers.sentences import SENTENCES, sentence
from tests.providers.speaking import Heard, ask, hear
from tests.providers.stand_in import Reply, StandIn

TABLES = Path(__file__).parents[2] / "frontend" / "src" / "i18n"


def table(language: str) -> dict[str, str]:
    text = (TABLES / language / "said.ts").read_text("utf-8")
    return {key: json.loads(words) for key, words in re.findall(r'"said\.(provider\.\w+)":\s*("(?:[^"\\]|\\.)*")', text)}


async def heard_at(url: str, retry: RetryPolicy) -> Heard:
    provider = connect("openai-chat", base_url=url, retry=retry)
    try:
        return await hear(provider, ask("x"))
    finally:
        await provider.aclose()


def test_the_page_says_in_english_what_the_program_says() -> None:
    assert table("en") == SENTENCES


def test_spanish_has_every_sentence_with_the_same_holes() -> None:
    spanish = table("es")
    assert spanish.keys() == SENTENCES.keys()
    for key, words in SENTENCES.items():
        assert sorted(re.findall(r"\{\w+\}", spanish[key])) == sorted(re.findall(r"\{\w+\}", words)), key


@pytest.mark.parametrize(
    ("reply", "key", "holes"),
    [
        (Reply([b'{"error":{"message":"bad key"}}'], status=401), "provider.auth", {"reason": "bad key"}),
        (
            Reply([b'data: {"error":{"message":"Overloaded","code":503}}\n\n']),
            "provider.overloaded",
            {"reason": "Overloaded"},
        ),
        (Reply([b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n']), "provider.cutOff", {}),
    ],
)
async def test_a_failure_names_who_failed_and_carries_its_key(reply: Reply, key: str, holes: dict[str, str]) -> None:
    with StandIn([reply]) as server:
        heard = await heard_at(server.url, RetryPolicy(tries=1))
    assert heard.error is not None
    said = heard.error.info.said
    assert said is not None
    assert said["key"] == key
    assert said["with"] == {"who": server.url.partition("//")[2], **holes}
    assert heard.error.message == sentence(said)


async def test_the_wait_before_another_try_carries_its_key_too() -> None:
    async def at_once(_seconds: float) -> None: ...

    busy = Reply([b'{"error":{"message":"Slow down"}}'], status=429, headers={"Retry-After": "7"})
    with StandIn([busy, Reply([b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n'])]) as server:
        heard = await heard_at(server.url, RetryPolicy(sleep=at_once))
    (waited,) = heard.retries
    assert waited.said is not None
    assert (waited.said["key"], waited.said["with"]["wait"]) == ("provider.rateLimitFor", "7 s")
    assert waited.reason == sentence(waited.said)
