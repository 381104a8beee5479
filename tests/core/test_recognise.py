"""Which results are cards and UI commands, what the model gets of them, and what is refused."""

import json
from typing import Any

import pytest

from app.core.cards import CardBadge, CardNote, CardProgress, CardText
from app.core.messages import CardBlock, ToolResultBlock, UiCommandBlock, UiRequest, UiResult
from app.core.outline import outline
from app.core.recognise import read_card, recognise
from app.core.results import digest
from app.core.tools import MediaItem, ResourceItem, TextItem, ToolOutput, ToolSpec
from tests.core.scripted import MemoryBlobs, call

CARD: dict[str, Any] = {"id": "c1", "kind": "summary", "title": "Title", "body": [{"type": "text", "text": "Words"}]}
ENVELOPE: dict[str, Any] = {"type": "leochat-card", "card": CARD, "llmInstruction": "Say nothing."}
COMMAND: dict[str, Any] = {"__ui_command__": True, "command": "update_theme", "payload": {"themeId": "dark"}}


def text(value: Any, audience: tuple[str, ...] | None = None) -> TextItem:
    return TextItem(value if isinstance(value, str) else json.dumps(value), audience)


def output(*items: Any, structured: Any = None, is_error: bool = False) -> ToolOutput:
    return ToolOutput(tuple(items), structured, is_error)


async def digested(given: ToolOutput, limit: int = 3000) -> tuple[list[Any], MemoryBlobs]:
    blobs = MemoryBlobs()

    async def execute(command: UiRequest) -> UiResult:
        return UiResult(executed=True, message=f"did {command.command}")

    spec = ToolSpec(name="box__t", server="box", tool="t")
    result = await digest(call("box__t"), spec, given, blobs=blobs, execute=execute, limit=limit)
    return list(result.blocks), blobs


@pytest.mark.parametrize(
    "given",
    [
        output(text(ENVELOPE)),
        output(text(CARD)),
        output(text([CARD])),
        output(text(json.dumps(json.dumps(CARD)))),
        output(structured=CARD),
        output(structured={"result": json.dumps(ENVELOPE)}),
        output(ResourceItem("ui://card", "application/vnd.leochat.card+json", json.dumps(CARD))),
        output(MediaItem("file", "application/vnd.leochat.card+json", json.dumps(CARD).encode())),
        output(text(CARD), structured=CARD),
    ],
)
def test_a_card_is_found_wherever_it_may_stand_and_counts_once(given: ToolOutput):
    assert [c.title for c in recognise(given).cards] == ["Title"]


def test_all_cards_of_a_result_are_found_in_order():
    second = {**CARD, "id": "c2", "title": "Second"}
    assert [c.id for c in recognise(output(text([CARD, second]), text(CARD))).cards] == ["c1", "c2"]


@pytest.mark.parametrize(
    "value",
    [
        {"apiVersion": "v1", "kind": "Pod", "id": "p", "title": "web", "spec": {}},
        {"id": "1", "kind": "youtube#video", "title": "x", "etag": "e"},
        {"id": "1", "kind": "issue", "body": "text of the issue"},
        {"id": "1", "kind": "summary"},
        {"id": 7, "kind": "summary", "title": "numbers are no ids here"},
        {"type": "leochat-card", "card": {"id": "x"}},
        [1, 2, 3],
        "just words",
    ],
)
def test_what_only_looks_like_a_card_is_none(value: Any):
    found = recognise(output(text(value)))
    assert found.empty
    assert found.left


@pytest.mark.parametrize("flag", ["true", 1, False, None])
def test_a_ui_command_needs_the_flag_exactly_true(flag: Any):
    assert recognise(output(text({**COMMAND, "__ui_command__": flag}))).commands == []


async def test_the_answer_of_the_window_is_the_tools_result():
    blocks, _ = await digested(output(text(COMMAND), structured=COMMAND))
    assert isinstance(blocks[0], ToolResultBlock)
    assert json.loads(blocks[0].text) == {"executed": True, "message": "did update_theme"}
    assert [b.command for b in blocks if isinstance(b, UiCommandBlock)] == ["update_theme"]


async def test_a_card_of_over_three_thousand_characters_is_whole_and_the_model_gets_an_outline():
    long = {**CARD, "body": [{"type": "fields", "fields": [{"label": f"L{n}", "value": "v" * 60} for n in range(200)]}]}
    blocks, blobs = await digested(output(text(long)))
    card = next(b for b in blocks if isinstance(b, CardBlock))
    assert len(card.card.model_dump_json()) > 12_000
    assert len(blocks[0].text) <= 3000
    assert blocks[0].truncated
    assert blobs.kept[blocks[0].truncated.ref].data


async def test_two_cards_in_one_result_are_both_shown():
    blocks, _ = await digested(output(text([CARD, {**CARD, "id": "c2"}])))
    assert [b.card.id for b in blocks if isinstance(b, CardBlock)] == ["c1", "c2"]


def test_a_broken_block_is_a_note_in_its_place_and_an_unknown_one_is_skipped():
    card = read_card(
        {
            **CARD,
            "body": [
                {"type": "progress", "progress": {"value": "many"}},
                {"type": "hologram"},
                {"type": "text", "text": 5},
                "x",
            ],
        }
    )
    assert [type(b) for b in card.body] == [CardNote, CardText, CardNote]


def test_numbers_and_strings_are_taken_for_each_other():
    card = read_card(
        {
            **CARD,
            "subtitle": 7,
            "tone": "shiny",
            "body": [
                {"type": "progress", "progress": {"value": "30", "max": "60"}},
                {"type": "badge", "badge": {"text": True, "tone": "nope"}},
            ],
        }
    )
    progress, badge = card.body
    assert isinstance(progress, CardProgress)
    assert isinstance(badge, CardBadge)
    assert (card.subtitle, card.tone) == ("7", "default")
    assert (progress.progress.value, progress.progress.max) == (30, 60)
    assert (badge.badge.text, badge.badge.tone) == ("true", "default")


@pytest.mark.parametrize("action", [None, "go", {}, {"type": "teleport"}, {"type": "link"}])
def test_a_button_whose_action_cannot_be_read_stays_without_one(action: Any):
    card = read_card({**CARD, "actions": [{"id": "a", "label": "Go", "action": action}]})
    assert card.actions[0].label == "Go"
    assert card.actions[0].action is None


def test_a_card_too_large_is_a_card_that_says_so():
    huge = read_card({**CARD, "body": [{"type": "text", "text": "x" * 300_000}]})
    many = read_card({**CARD, "body": [{"type": "divider"}] * 501})
    assert (huge.kind, many.kind) == ("error", "error")
    assert "KiB" in outline(huge)
    assert "501 blocks" in outline(many)


async def test_data_pictures_are_kept_as_attachments_and_do_not_count_as_text():
    picture = "data:image/png;base64," + "iVBORw0KGgo=" * 40_000
    blocks, blobs = await digested(
        output(text({**CARD, "body": [{"type": "image", "image": {"url": picture, "alt": "a lion"}}]}))
    )
    card = next(b for b in blocks if isinstance(b, CardBlock)).card
    ref = card.body[0].image.url.removeprefix("leochat-blob:")  # type: ignore[union-attr]
    assert blobs.kept[ref].media_type == "image/png"
    assert "a lion" in blocks[0].text
    assert "base64" not in blocks[0].text


async def test_instructions_are_for_the_model_alone_and_other_items_for_the_user_alone():
    blocks, _ = await digested(output(text("for both"), text("model only", ("assistant",)), text("user only", ("user",))))
    assert "model only" in blocks[0].text
    assert "user only" not in blocks[0].text
    assert blocks[0].for_user == "user only"
    shown, _ = await digested(output(text("user only", ("user",))))
    assert "shown to the user" in shown[0].text


async def test_further_text_beside_a_card_goes_to_the_model():
    blocks, _ = await digested(output(text(ENVELOPE), text("Do not answer the question.")))
    assert blocks[0].text.endswith("Say nothing.") or "Do not answer the question." in blocks[0].text
    assert "Say nothing." in blocks[0].text


async def test_an_error_result_stays_an_error_and_may_carry_a_card():
    blocks, _ = await digested(output(text(CARD), is_error=True))
    assert blocks[0].is_error
    assert any(isinstance(b, CardBlock) for b in blocks)


async def test_only_structured_content_is_text_for_the_model():
    blocks, _ = await digested(output(structured={"temperature": 21}))
    assert json.loads(blocks[0].text) == {"temperature": 21}


async def test_a_lone_surrogate_does_not_break_the_result():
    blocks, _ = await digested(output(text("bad \ud83d end")))
    assert blocks[0].text.encode()


@pytest.mark.parametrize("size", [2999, 3000, 3001, 100_000])
async def test_the_cut_is_at_a_character_and_says_how_much(size: int):
    blocks, blobs = await digested(output(text("é🦁" * (size // 2) + "x" * (size % 2))))
    assert len(blocks[0].text) <= 3000
    assert (blocks[0].truncated is not None) == (size > 3000)
    if blocks[0].truncated:
        assert blocks[0].truncated.chars == size
        assert len(blobs.kept[blocks[0].truncated.ref].data.decode()) == size


def test_deep_json_is_text_and_no_crash():
    assert recognise(output(text("[" * 100_000))).empty


def test_strings_that_cannot_be_told_are_mended_and_endless_nesting_is_no_card():
    assert read_card_of('{"id": "c", "kind": "summary", "title": "\\ud800 t", "body": []}').title == "\ufffd t"
    deep = "[" * 300 + "]" * 300
    card = '{"id": "c", "kind": "k", "title": "t", "body": [], "metadata": {"d": DEEP}}'
    assert recognise(output(text(card.replace("DEEP", deep)))).empty


def read_card_of(raw: str) -> Any:
    return recognise(output(text(raw))).cards[0]


@pytest.mark.parametrize(("value", "shown"), [(1234567.89, "1234567.89"), (12345678.0, "12345678"), (0.1, "0.1"), (7, "7")])
def test_numbers_are_shown_as_they_are(value: float, shown: str):
    card = read_card({**CARD, "body": [{"type": "fields", "fields": [{"label": "n", "value": value}]}]})
    assert card.body[0].fields[0].value == shown  # type: ignore[union-attr]
