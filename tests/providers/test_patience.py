"""How a connection waits: a limit of its own for the first bytes, and a breath in a stream of very many small pieces."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from app.providers.connection import Connection
from app.providers.http import Limits
from tests.providers.speaking import ask, hear
from tests.providers.stand_in import Reply, StandIn, sse
from tests.providers.test_endpoint import HELLO, provider

WORD = sse({"choices": [{"delta": {"content": "word "}}]})[0]


def storm(pieces: int) -> Iterator[bytes]:
    for _ in range(pieces):
        yield WORD
        time.sleep(0.0002)
    yield from HELLO


async def test_a_storm_of_small_pieces_comes_whole_in_fewer_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    updated = Connection.buffer_updated

    def counted(self: Connection, nbytes: int) -> None:
        reads.append(nbytes)
        updated(self, nbytes)

    monkeypatch.setattr(Connection, "buffer_updated", counted)
    with StandIn(lambda _asked: Reply(storm(1000))) as server:
        heard = await hear(provider(server.url), ask("x"))
    assert heard.text == "word " * 1000 + "hello"
    assert len(reads) < 700


async def test_the_first_bytes_have_a_limit_of_their_own_and_silence_another() -> None:
    hold = threading.Event()
    limits = Limits(connect=5, first=60, silence=0.3)
    with StandIn([Reply([*HELLO[:1], WORD], hold=hold)]) as server:
        began = time.monotonic()
        heard = await hear(provider(server.url, limits=limits), ask("x"))
        hold.set()
    assert heard.error is not None
    assert heard.error.kind == "timeout"
    assert heard.text == "helloword "
    assert time.monotonic() - began < 20


async def test_who_reads_slowly_is_not_taken_for_a_silent_server() -> None:
    with StandIn([Reply(HELLO)]) as server:
        asked = provider(server.url, limits=Limits(connect=5, first=0.3, silence=0.3))
        said: list[str] = []
        async for event in asked.stream(ask("x")):
            if event.type == "block_delta":
                said.append(event.text)
                await asyncio.sleep(0.5)
    assert said == ["hello"]
