"""Tool calls put together from whatever shape their fragments have; a call that is not whole is never run."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.providers.tool_calls import read_arguments
from tests.providers.speaking import Heard, ask, parsed, tool


def fragments(*deltas: list[dict[str, Any]], finish: str | None = "tool_calls", known: tuple[str, ...] = ()) -> Heard:
    chunks: list[Any] = [{"choices": [{"index": 0, "delta": {"tool_calls": calls}}]} for calls in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    body = b"".join(b"data: " + json.dumps(c).encode() + b"\n\n" for c in chunks) + b"data: [DONE]\n\n"
    return parsed("openai-chat", [body], ask("x", tools=tuple(tool(name) for name in known)))


def part(index: int | None = 0, call_id: str | None = None, name: str | None = None, args: Any = None) -> dict[str, Any]:
    function = {k: v for k, v in (("name", name), ("arguments", args)) if v is not None}
    fields: dict[str, Any] = {"index": index, "id": call_id, "function": function}
    return {k: v for k, v in fields.items() if v is not None}


def called(heard: Heard) -> list[tuple[str, dict[str, Any]]]:
    return [(c.name, c.arguments) for c in heard.calls if c.invalid is None]


def test_a_second_whole_object_at_the_same_index_is_never_run_with_half_the_arguments() -> None:
    heard = fragments(
        [part(call_id="c1", name="glob", args="")],
        [part(name="", args='{"pattern":"**/*"}')],
        [part(name="", args='{"path":"c"}')],
    )
    assert called(heard) == []
    assert heard.calls[0].invalid is not None
    assert "several JSON values" in heard.calls[0].invalid.error


@pytest.mark.parametrize("pieces", [["", "{}"], ["{}"], [None], [""], ["null"], ["{}", "{}"]])
def test_no_arguments_in_any_wording_are_an_empty_object_under_an_undoubled_name(pieces: list[str | None]) -> None:
    heard = fragments(*[[part(call_id="0", name="llm_version", args=piece)] for piece in pieces])
    assert called(heard) == [("llm_version", {})]


def test_arguments_that_come_with_the_name_are_kept_for_every_parallel_call() -> None:
    heard = fragments([part(0, "a", "add", '{"x":1}')], [part(1, "b", "add", '{"x":2}')], [part(2, "c", "sub", '{"x":3}')])
    assert called(heard) == [("add", {"x": 1}), ("add", {"x": 2}), ("sub", {"x": 3})]


@pytest.mark.parametrize("ids", [("a", "b"), (None, None)])
def test_two_calls_of_one_tool_are_not_merged_by_name(ids: tuple[str | None, str | None]) -> None:
    heard = fragments([part(0, ids[0], "read", '{"filePath":"a"}')], [part(0, ids[1], "read", '{"filePath":"b"}')])
    assert called(heard) == [("read", {"filePath": "a"}), ("read", {"filePath": "b"})]
    assert len({c.id for c in heard.calls}) == 2


def test_a_call_without_index_and_type_is_one_call() -> None:
    heard = fragments(
        [{"id": "x", "function": {"name": "weather", "arguments": '{"city":'}}], [{"function": {"arguments": '"Rome"}'}}]
    )
    assert called(heard) == [("weather", {"city": "Rome"})]


def test_several_calls_without_index_in_one_chunk_stay_apart() -> None:
    heard = fragments([{"function": {"name": "a", "arguments": "{}"}}, {"function": {"name": "b", "arguments": '{"n":1}'}}])
    assert called(heard) == [("a", {}), ("b", {"n": 1})]


def test_a_new_id_at_the_same_index_begins_a_new_call() -> None:
    heard = fragments([part(0, "a", "f", '{"n":1}')], [part(0, "b", "f", "")], [part(0, None, None, '{"n":2}')])
    assert called(heard) == [("f", {"n": 1}), ("f", {"n": 2})]


def test_a_new_id_for_every_fragment_of_one_call_does_not_split_it() -> None:
    heard = fragments([part(0, "a", "f", '{"n"')], [part(0, "b", None, ": 1")], [part(0, "c", None, "}")])
    assert called(heard) == [("f", {"n": 1})]


@pytest.mark.parametrize(
    "again",
    [
        part(0, "", "", "}"),
        part(0, None, "f", "}"),
        part(0, "a", "f", "}"),
        {"index": 0, "id": None, "function": {"name": None, "arguments": "}"}},
    ],
)
def test_repeated_empty_or_null_names_and_ids_are_the_same_call(again: dict[str, Any]) -> None:
    assert called(fragments([part(0, "a", "f", '{"n":1')], [again])) == [("f", {"n": 1})]


def test_a_finished_call_said_once_more_is_one_call() -> None:
    assert called(fragments([part(0, "a", "f", '{"n":1}')], [part(0, "a", "f", '{"n":1}')])) == [("f", {"n": 1})]


def test_an_empty_object_that_only_held_the_place_is_replaced() -> None:
    assert called(fragments([part(0, "a", "f", "{}")], [part(0, None, None, '{"n"')], [part(0, None, None, ":1}")])) == [
        ("f", {"n": 1})
    ]


def test_a_name_in_pieces_is_joined_and_two_known_names_are_two_calls() -> None:
    assert called(fragments([part(0, "a", "get_")], [part(0, None, "weather", "{}")])) == [("get_weather", {})]
    assert [n for n, _ in called(fragments([part(0, None, "on")], [part(0, None, "off")], known=("on", "off")))] == [
        "on",
        "off",
    ]


def test_arguments_that_are_an_object_and_not_text_are_taken() -> None:
    assert called(fragments([part(0, "a", "f", {"n": [1]})])) == [("f", {"n": [1]})]


def test_an_invalid_call_keeps_what_the_model_wrote_and_says_why() -> None:
    (call,) = fragments([part(0, "a", "f", '{"n": oops}')]).calls
    assert call.invalid is not None
    assert call.invalid.raw == '{"n": oops}'
    assert "not valid JSON" in call.invalid.error
    assert call.arguments == {}


@pytest.mark.parametrize("finish", ["stop", "tool_calls", None, "eos"])
def test_calls_are_honoured_under_any_finish_reason(finish: str | None) -> None:
    heard = fragments([part(0, "a", "f", "{}")], finish=finish)
    assert called(heard) == [("f", {})]
    assert heard.end.stop_reason == "tool_use"


@pytest.mark.parametrize("args", ['{"n":1', "", '{"n":'])
def test_a_call_cut_off_by_the_length_limit_is_not_run(args: str) -> None:
    heard = fragments([part(0, "a", "f", '{"n":0}'), part(1, "b", "g", args)], finish="length")
    assert called(heard) == [("f", {"n": 0})]
    assert heard.end.stop_reason == "length"


def test_a_call_of_the_old_function_call_field_is_a_call() -> None:
    body = [{"function_call": {"name": "f", "arguments": ""}}, {"function_call": {"arguments": '{"n":1}'}}]
    chunks = [{"choices": [{"index": 0, "delta": d}]} for d in body] + [
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "function_call"}]}
    ]
    heard = parsed("openai-chat", [b"".join(b"data: " + json.dumps(c).encode() + b"\n\n" for c in chunks)])
    assert called(heard) == [("f", {"n": 1})]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("[1]", "list"),
        ("3", "number"),
        ('"x"', "not valid JSON"),
        ("true", "truth value"),
        ('{"a": NaN}', "NaN"),
        ("[" * 100_000, "deep"),
        ('{"a":1}{"a":2}', "several"),
    ],
)
def test_what_is_no_json_object_is_named(raw: str, words: str) -> None:
    error = read_arguments(raw)
    assert isinstance(error, str)
    assert words in error


def test_large_numbers_line_breaks_and_double_encoding_survive() -> None:
    assert read_arguments('{"id": 12345678901234567890123}') == {"id": 12345678901234567890123}
    assert read_arguments('{"text": "a\nb"}') == {"text": "a\nb"}
    assert read_arguments(json.dumps('{"a": 1}')) == {"a": 1}


OBJECTS = st.dictionaries(
    st.text(max_size=5), st.integers() | st.text(max_size=8) | st.lists(st.booleans(), max_size=2), max_size=4
)


@given(st.data(), st.lists(OBJECTS, min_size=1, max_size=3))
def test_arguments_cut_anywhere_and_interleaved_come_out_whole(data: st.DataObject, wanted: list[dict[str, Any]]) -> None:
    texts = [json.dumps(w) for w in wanted]
    deltas = [[part(i, f"c{i}", "f", "")] for i in range(len(texts))]
    left = [list(t) for t in texts]
    while any(left):
        at = data.draw(st.sampled_from([i for i, chars in enumerate(left) if chars]))
        n = data.draw(st.integers(1, 9))
        piece, left[at] = "".join(left[at][:n]), left[at][n:]
        deltas.append([part(at, None, None, piece)])
    assert [arguments for _, arguments in called(fragments(*deltas))] == wanted
