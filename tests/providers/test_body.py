"""Framing: however a body is cut, framed or encoded, the same JSON comes out of it, in time that grows with its bytes."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.provider import ProviderError
from app.providers.body import BodyReader, JsonReader, SseReader
from app.providers.chunked import Chunked, ChunkedError
from tests.providers.speaking import parsed

GLOBE = 'data: {"choices":[{"index":0,"delta":{"content":"🌍"}}]}\n\n'.encode()
DONE = b"data: [DONE]\n\n"


def read(*pieces: bytes) -> list[Any]:
    found: list[Any] = []
    reader = BodyReader(found.append)
    for piece in pieces:
        reader.feed(piece)
    reader.close()
    return found


def test_a_character_cut_between_reads_stays_whole() -> None:
    at = GLOBE.index(b"\x9f") + 1
    assert parsed("openai-chat", [GLOBE[:at], GLOBE[at:], DONE]).text == "🌍"


def test_an_event_cut_in_the_middle_of_its_json_is_not_lost() -> None:
    assert parsed("openai-chat", [GLOBE[:20], GLOBE[20:], DONE]).text == "🌍"


@pytest.mark.parametrize("lone", [[b"\n"], []])
def test_a_line_break_cut_between_cr_and_lf_is_one_line_break(lone: list[bytes]) -> None:
    pieces = [b'data: ["A",\r\n', b'data: "B",\r', *lone, b'data: "C"]\r\n', b"\n"]
    assert read(*pieces) == [["A", "B", "C"]]


def test_the_space_after_the_colon_is_optional() -> None:
    found: list[Any] = []
    reader = SseReader(found.append)
    reader.feed(b'data:{"a":1}\n\ndata:[DONE]\n\n')
    assert (found, reader.done) == ([{"a": 1}], True)


def test_several_data_lines_of_one_event_are_joined() -> None:
    assert read(b'data: {\ndata: "a":1}\n\n') == [{"a": 1}]


def test_events_without_a_blank_line_between_them_are_told_apart() -> None:
    assert read(b'data: {"a":1}\ndata: {"b":2}\n\n') == [{"a": 1}, {"b": 2}]


def test_a_chunk_without_choices_is_read_for_its_usage() -> None:
    usage = b'data: {"id":"","choices":[],"created":0,"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n'
    heard = parsed("openai-chat", [b'data: {"choices":[],"prompt_filter_results":[{}]}\n\n', GLOBE, usage, DONE])
    assert (heard.text, heard.end.usage.input_tokens, heard.end.usage.output_tokens) == ("🌍", 3, 2)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_every_line_ending_and_a_byte_order_mark_are_read_alike(mark: bytes, ending: bytes) -> None:
    body = mark + b': hello\nevent: message\nid: 7\nretry: 10\ndata: {"a":1}\n\ndata: {"b":2}'.replace(b"\n", ending)
    assert read(*[body[i : i + 1] for i in range(len(body))]) == [{"a": 1}, {"b": 2}]


def test_an_error_event_is_an_error_also_in_plain_words() -> None:
    assert read(b"event: error\ndata: out of memory\n\n") == [{"error": {"message": "out of memory"}}]
    assert read(b'error: {"code":500,"message":"bad"}\n\n') == [{"error": {"code": 500, "message": "bad"}}]
    assert read(b'data: {"a":1}\n\n{\n "error": {"code": 499}\n}\n') == [{"a": 1}, {"error": {"code": 499}}]


def test_words_that_are_no_payload_are_passed_over() -> None:
    assert read(b'data: ping\n\ndata:\n\ndata\n\ndata: {"a":1}\n\n') == [{"a": 1}]


def test_broken_json_in_an_event_is_said() -> None:
    with pytest.raises(ProviderError, match="not valid JSON"):
        read(b'data: {"a":\n\n')


def test_a_plain_json_body_answers_a_streaming_request_too() -> None:
    body = json.dumps({"choices": [{"message": {"content": "hi", "tool_calls": None}, "finish_reason": "stop"}]}, indent=1)
    heard = parsed("openai-chat", [body[:9].encode(), body[9:].encode()])
    assert (heard.text, heard.end.stop_reason) == ("hi", "end")


def test_a_web_page_is_no_model_server() -> None:
    with pytest.raises(ProviderError, match="Check the base URL"):
        read(b"\n  <!DOCTYPE html><html>")


def test_half_an_emoji_written_as_an_escape_waits_for_its_other_half() -> None:
    halves = [
        b'data: {"choices":[{"delta":{"content":"a\\ud83c"}}]}\n\n',
        b'data: {"choices":[{"delta":{"content":"\\udf0d!"}}]}\n\n',
    ]
    assert parsed("openai-chat", [*halves, DONE]).text == "a🌍!"


def test_bytes_that_are_not_utf8_are_replaced_and_the_rest_is_kept() -> None:
    assert read(b'data: {"a":"x\xff y"}\n\n') == [{"a": "x\ufffd y"}]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@st.composite
def cut(draw: st.DrawFn, body: bytes) -> list[bytes]:
    places = sorted(draw(st.sets(st.integers(0, len(body)), max_size=12)))
    return [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]


@given(st.data(), st.lists(VALUES, max_size=6), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_any_cut_of_any_events_gives_the_same_values(
    data: st.DataObject, values: list[Any], ending: str, escaped: bool
) -> None:
    events = [f"data: {json.dumps({'v': v}, ensure_ascii=escaped)}{ending}{ending}" for v in values]
    body = "".join(events).encode("utf-8", "surrogatepass")
    assert read(*data.draw(cut(body))) == read(body)


@given(st.data(), st.lists(VALUES, min_size=1, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_any_cut_of_any_json_lines_gives_the_same_values(data: st.DataObject, values: list[Any], ending: str) -> None:
    expected = [{"v": v} for v in values]
    body = ending.join(json.dumps(v) for v in expected).encode()
    found: list[Any] = []
    reader = JsonReader(found.append)
    for piece in data.draw(cut(body)):
        reader.feed(piece)
    reader.close()
    assert found == expected


@given(st.data(), st.lists(st.binary(min_size=1, max_size=40), max_size=8))
def test_any_cut_of_a_chunked_body_gives_the_same_bytes(data: st.DataObject, parts: list[bytes]) -> None:
    coded = b"".join(b"%x;ext=1\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\nTrailer: x\r\n\r\n"
    decoder = Chunked()
    assert b"".join(decoder.feed(piece) for piece in data.draw(cut(coded))) == b"".join(parts)
    assert decoder.done


@pytest.mark.parametrize("bad", [b"zz\r\n", b"-5\r\nabcde\r\n", b"a" * 20_000])
def test_a_broken_chunk_is_said(bad: bytes) -> None:
    with pytest.raises(ChunkedError):
        Chunked().feed(bad)


def test_one_huge_event_in_many_small_reads_costs_no_more_a_byte_than_a_small_one() -> None:
    def cost(size: int) -> float:
        body = b'data: {"v":"' + b"x" * size + b'"}\n\n'
        pieces = [body[i : i + 64] for i in range(0, len(body), 64)]
        best = 9.9
        for _ in range(3):
            began = time.process_time()
            assert len(read(*pieces)) == 1
            best = min(best, time.process_time() - began)
        return best / size

    small, large = cost(100_000), cost(1_600_000)
    assert large < small * 6, "quadratic reading would cost sixteen times as much"
