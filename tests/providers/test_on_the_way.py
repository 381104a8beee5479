"""What stands between here and a model server: firewalls, proxies, sign-in pages, broken and endless refusals, odd names."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from app.core.provider import ProviderError
from app.providers.connect import checked_address, connect
from app.providers.errors import in_stream, refused
from app.providers.http import Limits
from app.providers.retry import RetryPolicy
from tests.providers.speaking import Heard, ask, hear
from tests.providers.stand_in import Reply, StandIn, sse

PAGE = b"<!DOCTYPE html><html><h1>Access denied</h1></html>"
HELLO = sse({"choices": [{"delta": {"content": "hello"}, "finish_reason": "stop"}]}, "[DONE]")
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def heard_at(url: str, limits: Limits | None = None) -> Heard:
    asked = connect("openai-chat", base_url=url, retry=RetryPolicy(tries=1), limits=limits)
    try:
        async with asyncio.timeout(30):
            return await hear(asked, ask("x"))
    finally:
        await asked.aclose()


@asynccontextmanager
async def talking(talk: Talk) -> AsyncGenerator[str]:
    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


def says(data: bytes, until: asyncio.Event | None = None) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(data)
        await writer.drain()
        if until:
            await until.wait()
        writer.close()

    return talk


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (403, PAGE, "network", "firewall"),
        (403, b"error code: 1020", "network", "firewall"),
        (406, PAGE, "network", "firewall"),
        (451, PAGE, "network", "firewall"),
        (407, PAGE, "network", "proxy"),
        (511, PAGE, "network", "sign in"),
        (403, b'{"error":{"message":"This key may not do that"}}', "auth", "Check it in the settings"),
        (401, PAGE, "auth", "Check it in the settings"),
        (
            403,
            b'{"error":{"message":"Country, region, or territory not supported","code":"unsupported_country_region"}}',
            "bad_request",
            "country or region",
        ),
        (400, b'{"error":{"message":"User location is not supported for the API use."}}', "bad_request", "country or region"),
    ],
)
def test_who_refused_is_told_apart_from_a_bad_key(status: int, body: bytes, kind: str, words: str) -> None:
    error = refused(status, {}, body, vendor="V", model="m", key=None)
    assert (error.kind, error.retryable) == (kind, False)
    assert words in error.message
    assert error.detail == body.decode()


def test_a_region_inside_a_stream_is_told_too() -> None:
    assert in_stream({"code": 400, "message": "User location is not supported for the API use."}).kind == "bad_request"


@pytest.mark.parametrize(
    ("head", "body", "kind"),
    [
        (b"HTTP/1.1 401 No\r\nContent-Length: 500\r\n\r\n", b'{"error":{"message":"bad', "auth"),
        (b"HTTP/1.1 429 No\r\nRetry-After: 7200\r\nTransfer-Encoding: chunked\r\n\r\n", b"5\r\nab", "rate_limit"),
        (b"HTTP/1.1 402 No\r\nContent-Length: 9\r\n\r\n", b"", "balance"),
    ],
)
@pytest.mark.parametrize("ends", [True, False], ids=["breaks off", "never ends"])
async def test_a_refusal_is_known_by_its_status_though_its_words_never_come_whole(
    head: bytes, body: bytes, kind: str, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.providers.http.REFUSAL", 0.05)
    over = asyncio.Event()
    async with talking(says(head + body, None if ends else over)) as at:
        heard = await heard_at(f"http://{at}/v1")
        over.set()
    assert heard.error is not None
    assert heard.error.kind == kind
    if kind == "rate_limit":
        assert "Try again in 2 h." in heard.error.message


async def test_a_proxy_that_is_not_there_is_told_and_not_taken_for_the_vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@127.0.0.1:9")
    heard = await heard_at("https://model.test/v1")
    assert heard.error is not None
    assert "The proxy 127.0.0.1:9 cannot be reached" in heard.error.message
    assert "secret" not in f"{heard.error.message}{heard.error.detail}"
    for odd in ("http://proxy:port", "http://[::1", "http://a..b:3128"):
        monkeypatch.setenv("HTTPS_PROXY", odd)
        heard = await heard_at("https://model.test/v1")
        assert heard.error is not None
        assert "not the address of a proxy" in heard.error.message


@pytest.mark.parametrize("host", ["a..b", "." * 3, "a" * 70 + ".test", "xn--"])
async def test_a_name_that_can_be_no_host_is_told_as_that(host: str) -> None:
    heard = await heard_at(f"http://{host}/v1")
    assert heard.error is not None
    assert "is not an address" in heard.error.message


def test_such_a_name_is_refused_before_it_is_saved() -> None:
    with pytest.raises(ProviderError, match="is not an address"):
        checked_address("http://a..b/v1")
    checked_address("http://müller.test/v1")
    checked_address("http://[::1]:8080/v1")


async def test_a_server_at_an_ipv6_address_answers() -> None:
    try:
        server = await asyncio.start_server(says(b"HTTP/1.1 200 OK\r\n\r\n" + b"".join(HELLO)), "::1", 0)
    except OSError:
        pytest.skip("this computer has no IPv6")
    heard = await heard_at(f"http://[::1]:{server.sockets[0].getsockname()[1]}/v1")
    server.close()
    assert heard.text == "hello"


async def test_the_wrong_scheme_is_told_in_both_directions() -> None:
    alert = b"\x15\x03\x01\x00\x02\x02\x46"
    async with talking(says(alert)) as at:
        heard = await heard_at(f"http://{at}/v1")
    assert heard.error is not None
    assert "https://" in heard.error.message
    async with talking(says(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as at:
        heard = await heard_at(f"https://{at}/v1")
    assert heard.error is not None
    assert "Is it http:// instead?" in heard.error.message


async def test_the_name_of_a_model_leaves_the_address_as_it_is() -> None:
    answer = sse({"candidates": [{"content": {"parts": [{"text": "hello"}]}, "finishReason": "STOP"}]})
    with StandIn([Reply(answer)]) as server:
        asked = connect("gemini", base_url=server.url)
        assert (await hear(asked, ask("x", model="a model?x#y"))).text == "hello"
        await asked.aclose()
        assert server.asked[0].path == "/v1beta/models/a%20model%3Fx%23y:streamGenerateContent?alt=sse"
