"""Answers that come packed though nobody asked: read where that is known, told in words where it is not."""

import gzip
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.providers.packed import Packed, PackedError
from tests.providers.speaking import ask, hear
from tests.providers.stand_in import Reply, StandIn
from tests.providers.test_endpoint import HELLO, provider

BODY = b"".join(HELLO)
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
PACKED = {
    "gzip": gzip.compress(BODY),
    "x-gzip": gzip.compress(BODY[:40]) + gzip.compress(BODY[40:]) + b"\0\0\0",
    "GZIP": BODY,  # only says so
    "gzip, identity": gzip.compress(BODY),
    "deflate": zlib.compress(BODY),
    "Deflate": RAW.compress(BODY) + RAW.flush(),
}


@pytest.mark.parametrize("encoding", PACKED)
async def test_a_packed_answer_is_read_however_it_is_cut(encoding: str) -> None:
    body, dice = PACKED[encoding], random.Random(7)
    cuts = sorted(dice.sample(range(1, len(body)), 12))
    pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    with StandIn([Reply(pieces, headers={"Content-Encoding": encoding})]) as server:
        assert (await hear(provider(server.url), ask("x"))).text == "hello"


@pytest.mark.parametrize("reply", [("br", b"\x1b\x03"), ("gzip", b"\x1f\x8b\x08\x00broken broken")], ids=["unknown", "broken"])
async def test_an_answer_packed_in_a_way_that_cannot_be_read_is_told_as_that(reply: tuple[str, bytes]) -> None:
    with StandIn([Reply([reply[1]], headers={"Content-Encoding": reply[0]})]) as server:
        heard = await hear(provider(server.url), ask("x"))
        assert len(server.asked) == 1
    assert heard.error is not None
    assert heard.error.kind == "protocol"
    assert "packed" in heard.error.message


@pytest.mark.parametrize("reply", [("br", b"\x1b\x03"), ("gzip", b"\x1f\x8b\x08\x00broken broken")], ids=["unknown", "broken"])
async def test_a_refusal_whose_words_cannot_be_unpacked_is_known_by_its_status(reply: tuple[str, bytes]) -> None:
    headers = {"Content-Encoding": reply[0], "Retry-After": "70"}
    with StandIn([Reply([reply[1]], status=429, headers=headers)]) as server:
        heard = await hear(provider(server.url), ask("x"))
    assert heard.error is not None
    assert (heard.error.kind, heard.error.retry_after) == ("rate_limit", 70)


@given(st.binary(max_size=300), st.integers(1, 9))
def test_any_bytes_packed_and_cut_anywhere_come_out_whole(data: bytes, size: int) -> None:
    packed, reader = gzip.compress(data), Packed(b"gzip")
    assert b"".join(reader.feed(packed[i : i + size]) for i in range(0, len(packed), size)) == data


def test_an_unknown_way_is_refused_by_its_name() -> None:
    with pytest.raises(PackedError, match="zstd"):
        Packed(b"zstd")
