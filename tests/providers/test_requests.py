"""Requests that no provider refuses: whatever the history and the tools, the body keeps every rule of its vendor."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.cards import Card
from app.core.messages import (
    Block,
    CardBlock,
    FileBlock,
    ImageBlock,
    InvalidArguments,
    Media,
    Message,
    Opaque,
    Origin,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultBlock,
)
from app.core.provider import Request
from app.providers.connect import find_vendor, wire_of
from app.providers.history import Names
from app.providers.models_known import refuses_temperature
from app.providers.tool_schema import reduce_schema
from app.providers.wire import Address
from tests.providers.speaking import ask, assistant, results, tool, user
from tests.providers.strict import RULES

TARGETS = {  # rule: (vendor, model)
    "openai-chat": ("custom", "some-model"),
    "openai": ("openai-chat", "gpt-4o"),
    "deepseek": ("deepseek", "deepseek-reasoner"),
    "moonshot": ("moonshot", "kimi-k2-thinking"),
    "mistral": ("mistral", "mistral-large-latest"),
    "perplexity": ("perplexity", "sonar"),
    "openrouter": ("openrouter", "anthropic/claude-haiku-4.5"),
    "anthropic": ("anthropic", "claude-sonnet-4-5"),
    "openai-responses": ("openai", "gpt-5.1"),
    "gemini": ("gemini", "gemini-3-pro-preview"),
    "ollama": ("ollama", "qwen3:8b"),
}
PNG = Media(media_type="image/png", data=b"\x89PNG", name="a.png")


def body_for(rule: str, request: Request) -> dict[str, Any]:
    vendor, model = TARGETS[rule]
    row = find_vendor(vendor)
    address = Address(row, row.base_url or "http://model.test/v1", "key")
    sent = replace(request, model=model)
    return json.loads(json.dumps(wire_of(row.protocol).body(address, sent)))


def accepted(rule: str, request: Request) -> dict[str, Any]:
    body = body_for(rule, request)
    RULES[rule](body)
    return body


every_vendor = pytest.mark.parametrize("rule", TARGETS)

SCHEMAS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "only a type": {"type": "object"},
    "keywords": {
        "$schema": "x",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "n": {"type": "number", "exclusiveMinimum": 0},
            "m": {"type": "object", "propertyNames": {"pattern": "^a"}},
        },
    },
    "a local reference": {
        "type": "object",
        "properties": {"headers": {"type": "object"}, "all": {"type": "array", "items": {"$ref": "#/properties/headers"}}},
    },
    "a recursive reference": {
        "type": "object",
        "$defs": {"n": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}},
        "properties": {"root": {"$ref": "#/$defs/n"}},
    },
    "references to one another": {
        "type": "object",
        "$defs": {
            f"d{n}": {"type": "object", "properties": {f"p{m}": {"$ref": f"#/$defs/d{m}"} for m in range(12)}}
            for n in range(12)
        },
        "properties": {"first": {"$ref": "#/$defs/d0"}, "last": {"$ref": "#/$defs/d11"}},
    },
    "many references to one large definition": {
        "type": "object",
        "$defs": {"large": {"type": "string", "enum": ["y" * 50] * 500}},
        "properties": {f"p{n}": {"$ref": "#/$defs/large"} for n in range(500)},
    },
    "a reference over the network": {"type": "object", "properties": {"x": {"$ref": "https://example.com/schema.json"}}},
    "type lists": {
        "type": "object",
        "properties": {"x": {"type": ["string", "null"]}, "y": {"type": ["string", "integer", "array"]}},
        "required": ["x", "gone"],
    },
    "untyped members": {
        "type": "object",
        "properties": {"x": {"anyOf": [{"const": 1}, {"minLength": 1}, {"type": "null"}]}, "y": {}, "z": True},
    },
    "arrays without items": {
        "type": "object",
        "properties": {"x": {"type": "array"}, "y": {"type": "array", "items": [{"type": "string"}]}},
    },
    "composed at the top": {
        "anyOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"type": "object", "properties": {"b": {"type": "integer"}}},
        ]
    },
    "numbers to choose from": {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "enum": [1, 2, 3]},
            "s": {"type": "string", "enum": ["", "a"], "format": "uri"},
        },
    },
    "all of": {
        "type": "object",
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"b": {"allOf": [{"type": "string"}, {"minLength": 2}]}}},
        ],
    },
}


@every_vendor
@pytest.mark.parametrize("kind", SCHEMAS)
def test_any_input_schema_is_reduced_to_what_the_vendor_takes(rule: str, kind: str) -> None:
    body = accepted(rule, ask("x", tools=(tool("s__t", SCHEMAS[kind]),)))
    assert len(json.dumps(body)) < 100_000 + len(json.dumps(SCHEMAS[kind]))


def test_references_are_written_out_alike_all_over_and_only_once_for_a_schema() -> None:
    schema = SCHEMAS["references to one another"]
    reduced = reduce_schema(schema)
    for name in ("first", "last"):
        assert set(reduced["properties"][name]["properties"]) == {f"p{n}" for n in range(12)}
    assert reduce_schema(schema) is reduced
    assert reduce_schema(json.loads(json.dumps(schema))) == reduced


@every_vendor
def test_no_tools_means_no_word_of_tools(rule: str) -> None:
    body = accepted(rule, ask("x", tool_choice="none"))
    assert "tools" not in body
    assert "tool_choice" not in body


@every_vendor
def test_calls_in_the_history_are_told_though_no_tools_are_offered_any_more(rule: str) -> None:
    shown = ImageBlock(media_type="image/png", ref="r1", tool_call_id="c1")
    answer = Message(id="t", role="tool", blocks=(ToolResultBlock(tool_call_id="c1", text="it says hi"), shown))
    call = assistant(TextBlock(text="Let me see."), ToolCall(id="c1", name="s__t", arguments={"path": "a.txt"}))
    body = accepted(rule, ask("x", call, answer, "so?", media={"r1": PNG}))
    text = json.dumps(body)
    assert all(words in text for words in ("Let me see.", "s__t", "a.txt", "it says hi", "so?"))
    assert "iVBO" in text or "takes no pictures" in text
    assert rule != "anthropic" or body["tool_choice"] == {"type": "none"}


@every_vendor
def test_more_tools_than_a_vendor_takes_are_cut_and_those_in_use_stay(rule: str) -> None:
    tools = tuple(tool(f"s__t{n}", description="long " * 1000) for n in range(200))
    used = assistant(ToolCall(id="c1", name="s__t199"))
    body = accepted(rule, ask("x", used, results(("c1", "ok")), "y", tools=tools))
    if body.get("tools") and rule != "perplexity":
        assert "s__t199" in json.dumps(body["tools"])


@every_vendor
def test_a_call_without_a_result_gets_one_that_says_so(rule: str) -> None:
    lost = assistant(ToolCall(id="c1", name="s__a"), ToolCall(id="c2", name="s__b"))
    body = accepted(rule, ask("x", lost, results(("c2", "fine")), "and?", tools=(tool("s__a"), tool("s__b"))))
    assert "its effects are unknown" in json.dumps(body)


@every_vendor
def test_results_of_calls_that_were_never_made_are_left_out(rule: str) -> None:
    assert "orphan" not in json.dumps(accepted(rule, ask("x", results(("c9", "orphan")), "y")))


@every_vendor
def test_the_same_id_in_two_replies_and_strange_ids_go_out_unique_and_paired(rule: str) -> None:
    ids = ["call_0", "call_0", "functions.list:0", "x" * 90, "ä ö"]
    said: list[Message | str] = ["go"]
    for n, call_id in enumerate(ids):
        said += [assistant(ToolCall(id=call_id, name="s__t", arguments={"n": n})), results((call_id, f"result {n}"))]
    accepted(rule, ask(*said, tools=(tool("s__t"),)))


@every_vendor
def test_a_called_name_that_no_vendor_takes_goes_out_fit_and_unlike_any_other(rule: str) -> None:
    names = ["Filesystem:read file é!", "Filesystem:list_directory", "s:t", "s/t", "s_t", "x" * 90, "", "é"]
    calls = [ToolCall(id=f"c{n}", name=name) for n, name in enumerate(names)]
    answers = results(*[(call.id, f"result {call.id}") for call in calls])
    text = json.dumps(
        accepted(rule, ask("x", assistant(*calls), answers, "so?", tools=(tool("s_t"), tool("call_without_a_name"))))
    )
    assert "Filesystem_list_directory" in text
    assert all(f"result c{n}" in text for n in range(len(names)))
    sent = [Names(ask(assistant(*calls), tools=(tool("s_t"),))).sent(name) for name in names]
    assert len(set(sent[:6])) == 6
    assert "s_t" not in (sent[2], sent[3])


@every_vendor
def test_words_around_a_reply_of_thinking_alone_go_out_as_plain_text(rule: str) -> None:
    body = accepted(rule, ask("before", assistant(ThinkingBlock(text="hm")), "after"))
    assert rule in ("anthropic", "openai-responses", "gemini", "ollama") or body["messages"][-1]["content"] == "before\n\nafter"


@every_vendor
def test_empty_texts_are_dropped_and_cards_are_never_sent(rule: str) -> None:
    card = CardBlock(tool_call_id="c1", card=Card(id="secret-card", kind="summary"), server="shop")
    answer = Message(id="t", role="tool", blocks=(ToolResultBlock(tool_call_id="c1", text="outline"), card))
    replies = [assistant(TextBlock(text="")), assistant(TextBlock(text="  \n"), ToolCall(id="c1", name="s__t")), answer]
    body = accepted(rule, ask("a", user(""), *replies, "b", tools=(tool("s__t"),)))
    assert "secret-card" not in json.dumps(body)


@every_vendor
def test_arguments_that_were_no_json_go_out_as_an_empty_object(rule: str) -> None:
    broken = ToolCall(id="c1", name="s__t", invalid=InvalidArguments(raw='{"a": oo', error="not valid JSON"))
    accepted(rule, ask("x", assistant(broken), results(("c1", "it was not run")), tools=(tool("s__t"),)))


@every_vendor
def test_a_message_from_a_card_says_so(rule: str) -> None:
    pressed = user("[cart_view]", origin=Origin(server="shop", card_id="c", label="Cart", bundled=False))
    assert "[from a card of shop] [cart_view]" in json.dumps(accepted(rule, ask(pressed)))
    own = user("Go on.", origin=Origin(server="", card_id="", label="Resume", bundled=True))
    assert "from a card" not in json.dumps(accepted(rule, ask(own)))


@every_vendor
def test_pictures_go_out_as_the_vendor_wants_them_or_as_an_honest_note(rule: str) -> None:
    shown = Message(
        id="u",
        role="user",
        blocks=(
            TextBlock(text="see"),
            ImageBlock(media_type="image/png", ref="r1"),
            ImageBlock(media_type="image/gif", ref="r2"),
            ImageBlock(media_type="image/tiff", ref="r3"),
            ImageBlock(media_type="image/png", ref="lost", name="lost.png"),
        ),
    )
    call = assistant(ToolCall(id="c1", name="s__t"))
    answer = Message(
        id="t",
        role="tool",
        blocks=(
            ToolResultBlock(tool_call_id="c1", text="here"),
            ImageBlock(media_type="image/png", ref="r1", tool_call_id="c1"),
        ),
    )
    media = {"r1": PNG, "r2": Media(media_type="image/gif", data=b"GIF8"), "r3": Media(media_type="image/tiff", data=b"II*\0")}
    text = json.dumps(accepted(rule, ask(shown, call, answer, "so?", media=media, tools=(tool("s__t"),))))
    assert "lost.png (image/png) is not available any more" in text
    assert ("iVBO" in text) != ("takes no pictures" in text) or rule == "gemini"


@every_vendor
def test_text_files_go_out_as_text(rule: str) -> None:
    blocks = (
        FileBlock(media_type="text/x-python", ref="f", name="a.py"),
        FileBlock(media_type="application/zip", ref="z", name="b.zip"),
    )
    media = {
        "f": Media(media_type="text/x-python", data=b"print('hi')"),
        "z": Media(media_type="application/zip", data=b"PK\0\xff"),
    }
    text = json.dumps(accepted(rule, ask(Message(id="u", role="user", blocks=blocks), media=media)))
    assert "print('hi')" in text
    assert "b.zip (application/zip, 4 bytes) cannot be shown" in text


@every_vendor
@pytest.mark.parametrize("thinking", ["off", "low", "high", 0, 500, 60_000])
def test_every_thinking_setting_is_said_in_words_the_vendor_takes(rule: str, thinking: Any) -> None:
    accepted(rule, ask("x", thinking=thinking, max_tokens=50, temperature=0.5))


def test_a_temperature_is_left_out_where_it_cannot_be_modified() -> None:
    for model in ("kimi-k2.5", "kimi-k2.6", "kimi-k3", "moonshotai/Kimi-K2.5"):
        assert refuses_temperature(model), model
    assert "temperature" in body_for("moonshot", ask("x", temperature=0.5))


def test_thinking_off_is_said_in_each_vendors_own_words() -> None:
    request = ask("x", thinking="off")
    assert body_for("anthropic", request)["thinking"] == {"type": "disabled"}
    assert body_for("deepseek", request)["thinking"] == {"type": "disabled"}
    assert body_for("openrouter", request)["reasoning"] == {"enabled": False}
    assert body_for("openai-responses", request)["reasoning"] == {"effort": "none"}
    assert body_for("gemini", request)["generationConfig"] == {"thinkingConfig": {"thinkingLevel": "low"}}
    assert body_for("ollama", request)["think"] is False


@pytest.mark.parametrize(
    ("vendor", "model", "off", "high"),
    [
        ("groq", "qwen/qwen3-32b", "none", "default"),
        ("groq", "openai/gpt-oss-120b", "low", "high"),
        ("groq", "llama-3.3-70b-versatile", None, None),
        ("mistral", "mistral-medium-3-5", "none", "high"),
        ("mistral", "mistral-small-2603", "none", "high"),
        ("mistral", "mistral-large-latest", None, None),
        ("mistral", "magistral-medium-latest", None, None),
    ],
)
def test_a_level_of_thinking_is_one_that_the_model_knows(vendor: str, model: str, off: str | None, high: str | None) -> None:
    row = find_vendor(vendor)
    address = Address(row, row.base_url, "key")
    said = [
        wire_of(row.protocol).body(address, ask("x", model=model, thinking=level)).get("reasoning_effort")
        for level in ("off", "high")
    ]
    assert said == [off, high]


def test_no_budget_is_asked_for_in_a_foreign_loop_though_thinking_alone_stands_before_the_users_words() -> None:
    call, hm = assistant(ToolCall(id="a", name="s__t")), assistant(ThinkingBlock(text="hm"))
    body = accepted("anthropic", ask("go", call, results(("a", "ok")), hm, "and now?", thinking="high", tools=(tool("s__t"),)))
    assert "thinking" not in body


OPAQUE: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.sampled_from(
    [
        ("anthropic", {"signature": "signed by this stand-in"}),
        ("anthropic", {"redacted": "x"}),
        ("gemini", {"signature": "signed by gemini"}),
        (
            "openai-responses",
            {
                "item": {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "sealed by this stand-in"},
                "model": "gpt-5.1",
            },
        ),
        ("openai-chat", {"details": [{"type": "reasoning.text", "text": "t"}]}),
    ]
)
VENDOR_OF = {"anthropic": "anthropic", "gemini": "gemini", "openai-responses": "openai", "openai-chat": "openrouter"}


@st.composite
def opaques(draw: st.DrawFn) -> Opaque:
    protocol, data = draw(OPAQUE)
    return Opaque(protocol=protocol, vendor=draw(st.sampled_from([VENDOR_OF[protocol], "elsewhere.test"])), data=data)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Message, ...]:
    """Anything a conversation may look like after crashes, stops, edits and changes of provider."""
    said: list[Message] = []
    for _ in range(draw(st.integers(0, 6))):
        role = draw(st.sampled_from(["user", "assistant", "assistant", "tool"]))
        if role == "user":
            said.append(user(draw(st.sampled_from(["hello", "", " ", "more"]))))
        elif role == "tool":
            said.append(results(*[(draw(st.sampled_from(["a", "b", "c"])), "r")]))
        else:
            blocks: list[Block] = []
            for _ in range(draw(st.integers(0, 4))):
                kind = draw(st.sampled_from(["text", "thinking", "call"]))
                if kind == "text":
                    blocks.append(TextBlock(text=draw(st.sampled_from(["hi", "", "\n"]))))
                elif kind == "thinking":
                    blocks.append(ThinkingBlock(text=draw(st.sampled_from(["hm", ""])), opaque=draw(st.none() | opaques())))
                else:
                    blocks.append(ToolCall(id=draw(st.sampled_from(["a", "b", "c", "x.y:0"])), name="s__t"))
            said.append(assistant(*blocks))
            if draw(st.booleans()):
                calls = [b.id for b in blocks if isinstance(b, ToolCall)]
                said.append(results(*[(c, "ok") for c in calls if draw(st.booleans())]))
    return (*said, user("and now?")) if draw(st.booleans()) else (user("first"), *said)


@settings(max_examples=150, deadline=None)
@given(histories(), st.sampled_from(sorted(TARGETS)), st.sampled_from([None, "off", "high"]))
def test_every_call_in_any_history_is_paired_for_every_vendor(messages: tuple[Message, ...], rule: str, thinking: Any) -> None:
    accepted(rule, ask(*messages, thinking=thinking, tools=(tool("s__t"),), system="Be kind."))
