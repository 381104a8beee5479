"""What the model picker knows of a model: what its endpoint says, what its name says, what the person knows better."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.chat.facts import ModelChoice
from app.chat.models import Given, Models
from app.chat.refused import Refused
from app.chat.windows_listed import ListedWindows
from app.core.events import ModelEnd
from app.core.provider import Request
from app.providers.endpoint import HttpProvider
from app.settings import Secrets, SettingsFile
from app.store import Store
from tests.providers.speaking import ask, hear, tool
from tests.providers.stand_in import Asked, Reply, StandIn, sse

Open = Callable[..., Models]


@pytest.fixture
def models(tmp_path: Path) -> Open:
    def opened(provider: str, url: str, **more: Any) -> Models:
        settings = SettingsFile(tmp_path)
        entry = {"name": provider, "vendor": provider, "base_url": url, **more}
        settings.set("providers", [entry])
        return Models(settings, Secrets(tmp_path, None), Given(api_key="key"), environ={})

    return opened


def listing(*entries: dict[str, Any]) -> StandIn:
    def script(_: Asked) -> Reply:
        return Reply([json.dumps({"data": entries}).encode()], headers={"Content-Type": "application/json"})

    return StandIn(script)


async def listed(models: Models, provider: str) -> dict[str, ModelChoice]:
    found = (await models.models(provider)).models
    assert not isinstance(found, str)
    return {m.id: m for m in found}


async def test_prices_come_from_the_table_where_it_knows_the_model(models: Open) -> None:
    with listing({"id": "claude-sonnet-4-5"}, {"id": "new-one"}) as server:
        found = await listed(models("anthropic", server.url), "anthropic")
    assert (found["claude-sonnet-4-5"].input_price, found["claude-sonnet-4-5"].output_price) == (3, 15)
    assert found["new-one"].input_price is None


async def test_prices_that_the_endpoint_lists_are_shown(models: Open) -> None:
    entry = {"id": "a/b", "pricing": {"prompt": "0.00000125", "completion": "0.00001"}}
    changing = {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}}
    with listing(entry, changing) as server:
        found = await listed(models("openrouter", server.url), "openrouter")
    assert (found["a/b"].input_price, found["a/b"].output_price) == (1.25, 10)
    assert found["openrouter/auto"].input_price is None


async def test_what_the_person_knows_better_wins_in_the_list_and_in_the_sum(models: Open) -> None:
    own = {"prices": {"gpt-5.1": {"input": 1, "output": 2}}, "context": {"gpt-5.1": 1000}}
    usage = {"input_tokens": 1_000_000, "output_tokens": 500_000}
    done: dict[str, Any] = {"type": "response.completed", "response": {"status": "completed", "output": [], "usage": usage}}

    def script(asked: Asked) -> Reply:
        return Reply(sse(done)) if asked.body else Reply([b'{"data": [{"id": "gpt-5.1", "context_length": 5}]}'])

    with StandIn(script) as server:
        opened = models("openai", server.url, **own)
        found = await listed(opened, "openai")
        provider = await opened.connect("openai")
        heard = await hear(provider, request())
        await provider.aclose()
    assert (found["gpt-5.1"].input_price, found["gpt-5.1"].output_price) == (1, 2)
    assert found["gpt-5.1"].context == 1000
    assert opened.context_window("openai", "gpt-5.1") == 1000
    assert isinstance(heard.end, ModelEnd)
    assert heard.end.usage.cost == 2


async def test_a_protocol_of_ones_own_is_spoken_at_the_vendors_address(models: Open) -> None:
    with StandIn([Reply([b'{"type": "message", "content": "hi", "stop_reason": "end_turn"}'])]) as server:
        provider = await models("custom", server.url, protocol="anthropic").connect("custom")
        heard = await hear(provider, request())
        await provider.aclose()
        assert [asked.path for asked in server.asked] == ["/v1/messages"]
    assert heard.text == "hi"


async def test_a_protocol_that_nobody_speaks_leaves_the_vendors_own(models: Open) -> None:
    opened = models("anthropic", "http://127.0.0.1:1", protocol="smoke signals")
    assert [p.protocol for p in await opened.listed() if p.name == "anthropic"] == ["anthropic"]


async def test_favourites_are_kept_beside_what_else_was_saved(models: Open) -> None:
    opened = models("openai", "http://127.0.0.1:1/v1", model="a")
    await opened.save("openai", favourites=("b", "c", "b"))
    await opened.save("openai", model="d")
    (info,) = [p for p in await opened.listed() if p.name == "openai"]
    assert (info.favourites, info.model, info.base_url) == (("b", "c"), "d", "http://127.0.0.1:1/v1")
    await opened.save("openai", favourites=())
    assert [p.favourites for p in await opened.listed() if p.name == "openai"] == [()]


async def test_a_server_here_that_does_not_answer_at_once_is_not_waited_for(models: Open) -> None:
    hold = threading.Event()
    with StandIn([Reply(hold=hold)]) as server:
        began = time.monotonic()
        found = await models("ollama", server.url).local_models()
        waited = time.monotonic() - began
        hold.set()
    assert [m for m in found if m.provider == "ollama"] == []
    assert waited < 15, "it holds its answer for 20 s"


def request() -> Request:
    return ask("Go on.", model="gpt-5.1")


async def test_the_window_an_endpoint_listed_is_known_after_a_restart(tmp_path: Path) -> None:
    with listing({"id": "big-one", "context_length": 32_768}) as server:
        settings = SettingsFile(tmp_path)
        settings.set("providers", [{"name": "openrouter", "vendor": "openrouter", "base_url": server.url}])
        for started in range(2):
            store = Store.open(tmp_path)
            models = Models(settings, Secrets(tmp_path, None), Given(api_key="key"), {}, ListedWindows(store.kept))
            if not started:
                assert models.context_window("openrouter", "big-one") is None
                await models.models("openrouter")
            else:
                await (await models.connect("openrouter")).aclose()
            assert models.context_window("openrouter", "big-one") == 32_768
            assert models.context_window("custom", "big-one") is None, "what one address says is said of that one"
            store.close()


def test_a_window_is_the_persons_word_then_the_lists_then_what_is_known(models: Open) -> None:
    assert models("openai", "").context_window("openai", "gpt-4o-mini") == 128_000
    assert models("openai", "", context={"gpt-4o-mini": 1000}).context_window("openai", "gpt-4o-mini") == 1000
    assert models("openai", "").context_window("openai", "a-new-one") is None
    assert models("ollama", "").context_window("ollama", "llama3.2") == 8192
    assert models("anthropic", "").context_window("anthropic", "claude-sonnet-4-5") == 200_000


HELLO = sse({"choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}, "[DONE]")


async def test_what_a_model_refused_is_not_asked_for_again_by_the_next_task_and_told_in_it(models: Open) -> None:
    def picky(asked: Asked) -> Reply:
        if "tools" in asked.body:
            return Reply([b'{"error":{"message":"m does not support tools"}}'], status=400)
        return Reply(HELLO)

    with StandIn(picky) as server:
        known = models("custom", server.url)
        request = ask("x", model="m", tools=(tool("files__read"),))
        told: list[list[str | None]] = []
        for _ in range(2):  # a task each
            provider = await known.connect("custom")
            heard = [await hear(provider, request), await hear(provider, request)]
            await provider.aclose()
            assert [h.text for h in heard] == ["hello", "hello"]
            told.append([r.said and r.said["key"] for h in heard for r in h.retries])
        assert len(server.asked) == 5
        assert told == [["provider.withoutTools"], ["provider.withoutTools"]]
        await known.test("custom", base_url=None, key=None, model="m")
        provider = await known.connect("custom")
        await hear(provider, request)
        await provider.aclose()
        assert "tools" in server.asked[-2].body, "after a test by hand it is asked for once more"


async def test_a_persons_retry_asks_an_endpoint_that_was_left_alone_after_failures(models: Open) -> None:
    with StandIn([Reply([b'{"error":{"message":"boom"}}'], status=400)]) as server:
        known = models("custom", server.url)
        provider = await known.connect("custom")
        assert isinstance(provider, HttpProvider)
        for _ in range(3):
            provider.breaker.failure()
        left_alone = await hear(provider, ask("x"))
        assert left_alone.error is not None
        assert left_alone.error.said is not None
        assert left_alone.error.said["with"]["wait"] == "60 s"
        known.ask_again()
        assert (await hear(provider, ask("x"))).error is not None
        await provider.aclose()
        assert len(server.asked) == 1


async def test_a_key_is_saved_as_it_will_go_out_and_one_that_can_be_none_is_refused(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path, None)
    known = Models(SettingsFile(tmp_path), secrets, environ={})
    await known.save("openai", key=' "sk-ab\n12" ')
    kept = secrets.get("openai", "https://api.openai.com/v1")
    assert kept is not None
    assert kept.get_secret_value() == "sk-ab12"
    with pytest.raises(Refused, match="Copy the key again"):
        await known.save("openai", key="sk-–12")
