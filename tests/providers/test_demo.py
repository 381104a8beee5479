"""The demo model: honest, streaming, and always through real tools by simple rules."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from app.core.cards import Card
from app.core.messages import CardBlock, Message, Origin, ToolCall, ToolResultBlock, UiCommandBlock, UiResult
from app.core.tools import ToolSpec
from app.providers.demo import DemoProvider
from app.providers.demo_calls import bracketed
from tests.providers.speaking import Heard, ask, assistant, hear, results, tool, user

TOOLS: tuple[ToolSpec, ...] = tuple(
    tool(name)
    for name in (
        "pokemon_quiz__pokemon_start",
        "shop__product_search",
        "shop__product_detail",
        "shop__cart_view",
        "leochat__update_theme",
        "leochat__resize_window",
        "leochat__show_card",
        "filesystem__list_directory",
        "filesystem__read_text_file",
        "memory__create_entities",
        "memory__read_graph",
    )
)


async def no_wait(seconds: float) -> None: ...


async def demo(*messages: str | Message, tools: tuple[ToolSpec, ...] = TOOLS, **more: Any) -> Heard:
    return await hear(DemoProvider(no_wait), ask(*messages, tools=tools, **more))


@pytest.mark.parametrize(
    ("wish", "name", "arguments"),
    [
        ("start the Pokémon quiz", "pokemon_quiz__pokemon_start", {"lang": "en"}),
        (
            "Empieza el quiz de Pokémon con 3 preguntas, fácil",
            "pokemon_quiz__pokemon_start",
            {"lang": "es", "rounds": 3, "difficulty": "easy"},
        ),
        ("busca auriculares", "shop__product_search", {"keyword": "auriculares"}),
        ("search for headphones in the shop", "shop__product_search", {"keyword": "headphones"}),
        ("show me the cart", "shop__cart_view", {}),
        ("make the theme dark purple", "leochat__update_theme", {"theme": "dark-purple"}),
        ("pon el tema oscuro", "leochat__update_theme", {"mode": "dark"}),
        ("make the window small", "leochat__resize_window", {"preset": "small"}),
        ("haz la ventana grande", "leochat__resize_window", {"preset": "large"}),
        ("resize the window to 900x700", "leochat__resize_window", {"width": 900, "height": 700}),
        ("list the files in notes/2026", "filesystem__list_directory", {"path": "notes/2026"}),
        ("lista los archivos", "filesystem__list_directory", {"path": "."}),
        ("what is in todo.txt?", "filesystem__read_text_file", {"path": "todo.txt"}),
        (
            "remember that I like tea",
            "memory__create_entities",
            {"entities": [{"name": "I like tea", "entityType": "fact", "observations": ["I like tea"]}]},
        ),
        ("¿Qué recuerdas de mí?", "memory__read_graph", {}),
        ("What do you remember about me?", "memory__read_graph", {}),
    ],
)
async def test_a_plain_wish_calls_the_fitting_tool(wish: str, name: str, arguments: dict[str, Any]) -> None:
    heard = await demo(wish)
    assert [(c.name, c.arguments) for c in heard.calls] == [(name, arguments)]
    assert heard.end.stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("fetch https://example.com", "the server “Web pages” is off or not there. Switch it on in the settings"),
        ("what is in sales.xlsx", "the server “Excel” is off or not there"),
        ("start the quiz", "the server “Pokémon quiz” is off or not there"),
        ("lista los archivos", "el servidor “Archivos” está apagado o no existe. Actívalo en los ajustes"),
        ("[all__sweep_all now=true]", "the server “all” is off or not there"),
    ],
)
async def test_a_wish_whose_server_is_not_there_is_said_by_the_name_it_has_in_the_settings(wish: str, told: str) -> None:
    heard = await demo(wish, tools=())
    assert not heard.calls
    assert told in heard.text


async def test_a_bracketed_call_runs_under_the_bare_name_that_a_button_sends() -> None:
    heard = await demo('[product_detail productId="p1"]')
    assert [(c.name, c.arguments) for c in heard.calls] == [("product_detail", {"productId": "p1"})]


async def test_several_bracketed_calls_are_parallel_calls() -> None:
    heard = await demo('[cart_view] [shop__product_detail productId="x" n=3 flag=true list=["a", "b"] note="say \\"hi\\""]')
    assert [c.name for c in heard.calls] == ["cart_view", "shop__product_detail"]
    assert heard.calls[1].arguments == {"productId": "x", "n": 3, "flag": True, "list": ["a", "b"], "note": 'say "hi"'}


async def test_a_number_in_quotes_becomes_the_number_the_tool_wants() -> None:
    schema = {
        "type": "object",
        "properties": {"rounds": {"type": "integer"}, "lang": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    }
    heard = await demo('[pokemon_start rounds="5" lang="7"]', tools=(tool("pokemon_quiz__pokemon_start", schema),))
    assert heard.calls[0].arguments == {"rounds": 5, "lang": "7"}


async def test_two_servers_with_the_same_tool_are_told_apart_by_the_card_that_sent_the_message() -> None:
    twins = (tool("shop__cart_view"), tool("market__cart_view"))
    sent = user("[cart_view]", origin=Origin(server="market", card_id="c", label="Cart", bundled=False))
    assert [c.name for c in (await demo(sent, tools=twins)).calls] == ["cart_view"]


@pytest.mark.parametrize(
    "text", ["[a link](http://x.test)", "an array [1, 2]", "[sic]", "[x] done", "[pokemon_start", '[f key="never closed]']
)
def test_what_only_looks_like_a_call_is_none(text: str) -> None:
    assert bracketed(text) == []


async def test_anything_else_gets_a_guide_card_with_buttons_that_says_what_this_is() -> None:
    (call,) = (await demo("hello")).calls
    card = Card.model_validate(call.arguments["card"])
    assert "no AI" in json.dumps(call.arguments)
    assert len(card.actions) >= 4
    for action in call.arguments["card"]["actions"]:
        wish = action["action"]["payload"]["text"]
        assert (await demo(wish)).calls[0].name != "leochat__show_card"


async def test_the_guide_is_text_where_no_card_can_be_shown_and_in_the_users_language() -> None:
    heard = await demo("hola", tools=())
    assert "sin IA" in heard.text


def after(text: str, *blocks: Any, is_error: bool = False, call: str = "shop__product_search") -> list[Message]:
    answer = Message(id="t", role="tool", blocks=(ToolResultBlock(tool_call_id="c1", text=text, is_error=is_error), *blocks))
    return [user("search for tea"), assistant(ToolCall(id="c1", name=call)), answer]


async def test_after_a_result_comes_one_short_sentence_and_no_further_call() -> None:
    card = CardBlock(tool_call_id="c1", card=Card(id="c", kind="summary"), server="shop")
    for messages in (after("outline", card), after("outline", card, call="x__y"), after("plain text", call="x__y")):
        heard = await demo(*messages)
        assert not heard.calls
        assert 5 < len(heard.text) < 200


async def test_instructions_for_the_model_in_a_result_are_obeyed() -> None:
    assert (await demo(*after('The card is shown. Say exactly: "Well done, trainer!"'))).text == "Well done, trainer!"


async def test_a_search_without_a_find_and_a_no_have_words_of_their_own() -> None:
    nothing = "Nothing found. Say that nothing was found and offer another search or all products."
    assert (await demo(*after(nothing))).text.startswith("Nothing was found.")
    denied = "The user did not allow this call. Do not try it again unless they ask for it."
    assert (await demo(*after(denied, is_error=True))).text == "All right, I leave it."
    assert "has no tool named nothing" in (await demo('[shop__nothing x="1"]')).text


@pytest.mark.parametrize("text", ["x" * 300_000, "open " * 60_000, "a." * 150_000, '[a__b x="' * 20_000])
async def test_a_long_text_is_answered_at_once(text: str) -> None:
    """Its patterns would take minutes for the first, and nothing else would run meanwhile."""
    began = time.process_time()
    await demo(text)
    assert time.process_time() - began < 5


async def test_errors_and_outcomes_of_commands_are_passed_on() -> None:
    assert "no such product" in (await demo(*after("no such product", is_error=True))).text
    refused = UiCommandBlock(
        tool_call_id="c1",
        command="resize_window",
        server="leochat",
        result=UiResult(executed=False, message="no window is open"),
    )
    assert "no window is open" in (await demo(*after("{}", refused))).text


async def test_a_closing_answer_calls_nothing() -> None:
    assert not (await demo("start the Pokémon quiz", tool_choice="none")).calls


async def test_the_answer_streams_in_small_pieces_within_a_second() -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    heard = await hear(DemoProvider(wait), ask("hello"))
    assert len([e for e in heard.events if e.type == "block_delta"]) > 10
    assert 0 < sum(waited) < 1


def script(tmp_path: Path, *lines: dict[str, Any]) -> str:
    path = tmp_path / "play.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return f"!script {path}"


async def test_a_script_plays_one_line_a_model_call_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    play = script(
        tmp_path,
        {
            "blocks": [
                {"type": "thinking", "text": "hm"},
                {"type": "tool_call", "name": "f", "arguments": {"a": 1}, "id": "c1"},
            ],
            "usage": {"input_tokens": 7},
        },
        {"blocks": [{"type": "text", "deltas": ["Do", "ne."]}], "stop_reason": "length", "stop_detail": "why"},
        {"error": {"kind": "overloaded", "message": "busy"}, "blocks": [{"type": "text", "text": "par"}]},
    )
    first = await demo(play)
    assert first.thinking == "hm"
    assert [(c.id, c.name, c.arguments) for c in first.calls] == [("c1", "f", {"a": 1})]
    assert first.end.usage.input_tokens == 7
    history: list[str | Message] = [play, assistant(*first.blocks), results(("c1", "ok"))]
    second = await demo(*history)
    assert (second.text, second.end.stop_reason, second.end.stop_detail) == ("Done.", "length", "why")
    third = await demo(*history, assistant(*second.blocks), "more")
    assert third.text == "par"
    assert third.error is not None
    assert third.error.kind == "overloaded"
    fourth = await demo(*history, assistant(*second.blocks), "more", assistant(), "hello")
    assert fourth.calls[0].name == "leochat__show_card"


async def test_a_line_that_repeats_answers_every_further_call(tmp_path: Path) -> None:
    play = script(tmp_path, {"blocks": [{"type": "tool_call", "name": "f"}], "repeat": True})
    history: list[str | Message] = [play]
    for _ in range(4):
        heard = await demo(*history)
        assert [c.name for c in heard.calls] == ["f"]
        history += [assistant(*heard.blocks), results((heard.calls[0].id, "ok"))]


async def test_invalid_arguments_can_be_played(tmp_path: Path) -> None:
    heard = await demo(script(tmp_path, {"blocks": [{"type": "tool_call", "name": "f", "arguments": '{"a": '}]}))
    assert heard.calls[0].invalid is not None


@pytest.mark.parametrize("content", ["not json", '{"stop_reason": "never"}', None])
async def test_a_script_that_cannot_be_played_says_why(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "bad.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert "cannot be played" in (await demo(f"!script {path}")).text


async def test_a_card_cannot_start_a_script(tmp_path: Path) -> None:
    play = script(tmp_path, {"blocks": [{"type": "text", "text": "secret"}]})
    sent = user(play, origin=Origin(server="evil", card_id="c", label="x", bundled=False))
    assert "secret" not in (await demo(sent, tools=())).text
