"""A provider over real HTTP when things go wrong: nothing is said twice, and words say what to do."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.core.provider import Provider
from app.providers.breaker import Breaker
from app.providers.connect import connect
from app.providers.http import Limits
from app.providers.retry import RetryPolicy
from tests.providers.speaking import ask, hear
from tests.providers.stand_in import Asked, Reply, StandIn, sse

SECRET = "sk-test-0123456789abcdef"
HELLO = sse({"choices": [{"delta": {"content": "hello"}}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}, "[DONE]")
BUSY = Reply([b'{"error":{"message":"overloaded"}}'], status=503)


class Clock:
    """Sleeps without waiting, and remembers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def policy(self, **more: Any) -> RetryPolicy:
        return RetryPolicy(sleep=self.sleep, clock=lambda: self.now, uniform=lambda low, high: high, **more)


OPENED: list[Provider] = []


@pytest.fixture(autouse=True)
async def nothing_left_open() -> AsyncIterator[None]:
    yield
    while OPENED:
        await OPENED.pop().aclose()


def provider(url: str, clock: Clock | None = None, **more: Any) -> Provider:
    OPENED.append(connect("openai-chat", base_url=url, api_key=SECRET, retry=(clock or Clock()).policy(), **more))
    return OPENED[-1]


async def test_a_busy_server_is_asked_again_with_growing_pauses_that_are_told() -> None:
    clock = Clock()
    with StandIn([BUSY, BUSY, BUSY, Reply(HELLO)]) as server:
        heard = await hear(provider(server.url, clock), ask("x"))
    assert heard.text == "hello"
    assert clock.slept == [0.5, 1.0, 2.0]
    assert [(r.attempt, r.of, r.delay_ms) for r in heard.retries] == [(2, 5, 500), (3, 5, 1000), (4, 5, 2000)]
    assert "overloaded" in heard.retries[0].reason


async def test_after_five_tries_it_is_enough() -> None:
    with StandIn([BUSY]) as server:
        heard = await hear(provider(server.url), ask("x"))
        assert len(server.asked) == 5
    assert heard.error is not None
    assert heard.error.kind == "overloaded"


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "bad_request"), (401, "auth"), (403, "auth"), (404, "bad_request"), (402, "balance"), (413, "bad_request")],
)
async def test_what_will_not_get_better_is_not_asked_again(status: int, kind: str) -> None:
    with StandIn([Reply([b'{"error":{"message":"no"}}'], status=status)]) as server:
        heard = await hear(provider(server.url), ask("x"))
        assert len(server.asked) == 1
    assert heard.error is not None
    assert heard.error.kind == kind


async def test_a_wait_that_the_vendor_asks_for_is_kept_up_to_a_minute() -> None:
    clock = Clock()
    limited = Reply([b'{"error":{"message":"slow down"}}'], status=429, headers={"Retry-After": "17"})
    with StandIn([limited, Reply(HELLO)]) as server:
        assert (await hear(provider(server.url, clock), ask("x"))).text == "hello"
    assert clock.slept == [17]
    long = Reply([b'{"error":{"message":"slow down"}}'], status=429, headers={"Retry-After": "3600"})
    with StandIn([long]) as server:
        heard = await hear(provider(server.url, clock), ask("x"))
        assert len(server.asked) == 1
    assert heard.error is not None
    assert heard.error.retry_after == 3600


async def test_a_stream_cut_in_the_middle_keeps_its_text_and_is_not_begun_again() -> None:
    with StandIn([Reply(HELLO[:1], cut=True)]) as server:
        heard = await hear(provider(server.url), ask("x"))
        assert len(server.asked) == 1
    assert heard.text == "hello"
    assert heard.error is not None
    assert heard.error.kind == "network"


@pytest.mark.parametrize(
    ("protocol", "body"),
    [
        ("openai-chat", HELLO),
        ("anthropic", sse({"type": "message", "content": [{"type": "text", "text": "hello"}]}, {"type": "message_stop"})),
        ("ollama", [b'{"message":{"content":"hello"}}\n', b'{"done":true,"done_reason":"stop"}\n']),
        ("openai-responses", sse({"type": "response.output_text.delta", "delta": "hello"}, {"type": "response.completed"})),
    ],
)
async def test_a_connection_that_breaks_after_the_end_was_told_takes_nothing_away(protocol: str, body: list[bytes]) -> None:
    with StandIn([Reply(body, cut=True)]) as server:
        asked = connect(protocol, base_url=server.url, api_key=SECRET)
        OPENED.append(asked)
        heard = await hear(asked, ask("x"))
        assert len(server.asked) == 1
    assert (heard.text, heard.end.stop_reason) == ("hello", "end")


async def test_a_connection_kept_open_after_the_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.providers.http.AFTER_THE_END", 0.05)
    held = threading.Event()
    with StandIn([Reply(HELLO, hold=held)]) as server:
        async with asyncio.timeout(15):
            heard = await hear(provider(server.url), ask("x"))
        held.set()
    assert (heard.text, heard.end.stop_reason) == ("hello", "end")


async def test_a_stream_cut_before_its_first_word_is_begun_again() -> None:
    with StandIn([Reply([b": thinking\n\n"], cut=True), Reply(HELLO)]) as server:
        heard = await hear(provider(server.url), ask("x"))
    assert heard.text == "hello"
    assert len(heard.retries) == 1


async def test_an_error_inside_a_stream_before_its_first_word_is_begun_again() -> None:
    overloaded = sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    with StandIn([Reply(overloaded), Reply(HELLO)]) as server:
        assert (await hear(provider(server.url), ask("x"))).text == "hello"


@pytest.mark.parametrize("at", [3, 30, 90])
async def test_an_error_that_comes_with_words_keeps_the_words(at: int) -> None:
    body = b"".join(HELLO[:1]) + b'event: error\ndata: {"error":{"message":"boom","code":500}}\n\n'
    with StandIn([Reply([body[:at], body[at:]])]) as server:
        heard = await hear(provider(server.url), ask("x"))
    assert heard.text == "hello"
    assert heard.error is not None
    assert "boom" in heard.error.message


async def test_nobody_listening_is_told_at_once_and_not_as_a_time_limit() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        heard = await hear(provider(f"http://127.0.0.1:{port}/v1"), ask("x"))
    assert heard.error is not None
    assert heard.error.kind == "network"
    assert "Nothing answers" in heard.error.message
    assert not heard.retries


async def test_a_server_that_stalls_before_its_first_byte_is_given_up_in_time() -> None:
    hold = threading.Event()
    with StandIn([Reply(hold=hold)]) as server:
        limits = Limits(connect=2, first=0.3, silence=5)
        began = time.monotonic()
        heard = await hear(provider(server.url, limits=limits), ask("x"))
        hold.set()
    assert heard.error is not None
    assert heard.error.kind == "timeout"
    assert time.monotonic() - began < 10


async def test_a_server_that_falls_silent_in_the_middle_is_given_up_with_its_words_kept() -> None:
    hold = threading.Event()
    with StandIn([Reply(HELLO[:1], hold=hold)]) as server:
        heard = await hear(provider(server.url, limits=Limits(first=5, silence=0.3)), ask("x"))
        hold.set()
    assert heard.text == "hello"
    assert heard.error is not None
    assert heard.error.kind == "timeout"
    assert "silent" in heard.error.message


async def test_comments_keep_a_slow_stream_alive() -> None:
    def slowly() -> Any:
        for _ in range(8):
            time.sleep(0.1)
            yield b": still here\n\n"
        yield from HELLO

    with StandIn(lambda asked: Reply(slowly())) as server:
        heard = await hear(provider(server.url, limits=Limits(first=0.5, silence=0.5)), ask("x"))
    assert heard.text == "hello"


async def test_a_stop_closes_the_stream_at_once() -> None:
    hold = threading.Event()
    with StandIn([Reply(HELLO[:1], hold=hold)]) as server:
        asked = provider(server.url)
        said = asyncio.Event()

        async def listen() -> None:
            async for event in asked.stream(ask("x")):
                if event.type == "block_delta":
                    said.set()

        task = asyncio.create_task(listen())
        await asyncio.wait_for(said.wait(), 10)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        hold.set()
        await asked.aclose()
    assert time.monotonic() - began < 0.2


async def test_the_next_request_uses_the_same_connection() -> None:
    ports: list[int] = []

    def script(asked: Asked) -> Reply:
        ports.append(int(asked.headers["x-peer"]))
        return Reply(HELLO)

    with StandIn(script) as server:
        asked = provider(server.url)
        for _ in range(3):
            assert (await hear(asked, ask("x"))).text == "hello"
        await asked.aclose()
    assert len(set(ports)) == 1


async def test_a_connection_that_the_server_closed_meanwhile_is_opened_again() -> None:
    with StandIn([Reply(HELLO, headers={"Connection": "close"}), Reply(HELLO)]) as server:
        asked = provider(server.url)
        assert (await hear(asked, ask("x"))).text == "hello"
        assert (await hear(asked, ask("x"))).text == "hello"
        await asked.aclose()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply([b"<html>Welcome</html>"], headers={"Content-Type": "text/html"}), "web page"),
        (Reply([b"<html>nginx</html>"], status=404, headers={"Content-Type": "text/html"}), "Check the base URL"),
        (Reply([], status=301, headers={"Location": "https://elsewhere.test/v1"}), "https://elsewhere.test/v1"),
        (Reply([b'data: {"choices": "none"}\n\n']), "shape"),
        (Reply([b""]), "broke off"),
    ],
)
async def test_an_answer_that_is_no_model_server_is_told_as_that(reply: Reply, words: str) -> None:
    with StandIn([reply]) as server:
        heard = await hear(provider(server.url), ask("x"))
    assert heard.error is not None
    assert words in heard.error.message


async def test_something_that_does_not_speak_http_is_told_as_that() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.test ESMTP ready\r\n")
        await writer.drain()
        await reader.read(10)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    heard = await hear(provider(f"http://127.0.0.1:{port}"), ask("x"))
    server.close()
    assert heard.error is not None
    assert "does not speak HTTP" in heard.error.message


async def test_the_key_is_sent_where_it_belongs_and_never_shown() -> None:
    echo = Reply([json.dumps({"error": {"message": f"bad key {SECRET}"}}).encode()], status=401)
    with StandIn([echo]) as server:
        heard = await hear(provider(server.url), ask("x"))
        assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert heard.error is not None
    assert SECRET not in f"{heard.error} {heard.error.message} {heard.error.detail}"


async def test_a_proxy_from_the_environment_is_used_and_its_refusal_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandIn([Reply(HELLO), Reply([], status=407)]) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.replace("://", "://me:pass@"))
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert (await hear(provider("http://model.test/v1"), ask("x"))).text == "hello"
        assert proxy.asked[0].path == "http://model.test/v1/chat/completions"
        assert proxy.asked[0].headers["proxy-authorization"].startswith("Basic ")
        heard = await hear(provider("https://model.test/v1"), ask("x"))
        assert heard.error is not None
        assert "proxy" in heard.error.message


async def test_a_provider_that_keeps_failing_is_left_alone_until_a_person_asks_again() -> None:
    clock = Clock()
    breaker = Breaker(clock=lambda: clock.now)
    with StandIn([BUSY]) as server:
        asked = connect("openai-chat", base_url=server.url, retry=clock.policy(tries=1), breaker=breaker)
        for _ in range(3):
            await hear(asked, ask("x"))
        refused = await hear(asked, ask("x"))
        assert len(server.asked) == 3
        assert refused.error is not None
        assert "60 s" in refused.error.message
        breaker.reset()
        await hear(asked, ask("x"))
        assert len(server.asked) == 4
        await asked.aclose()


async def test_models_are_listed_with_what_the_endpoint_says_of_them() -> None:
    listing = {
        "data": [
            {
                "id": "a",
                "context_length": 8000,
                "architecture": {"input_modalities": ["text", "image"]},
                "supported_parameters": ["tools"],
            },
            {"id": "b"},
            {"no": "id"},
        ]
    }
    with StandIn([Reply([json.dumps(listing).encode()], headers={"Content-Type": "application/json"})]) as server:
        asked = provider(server.url + "/v1")
        models = await asked.models()
        assert server.asked[0].path == "/v1/models"
        await asked.aclose()
    assert [(m.id, m.context, m.vision, m.tools, m.thinking) for m in models] == [
        ("a", 8000, True, True, False),
        ("b", None, None, None, None),
    ]
