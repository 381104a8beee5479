"""Cards and UI commands lived through: pressing buttons, what becomes of them, and who may ask the window for what."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.chat.refused import Refused
from app.chat.said import CardEvent, CardStateChanged
from app.core.events import ApprovalRequest
from app.mcp_host.config import ServerConfig
from tests.chat.conftest import Opener, last_card, results, said, watched


async def press(session: Any, action_id: str, inputs: dict[str, Any] | None = None) -> dict[str, Any]:
    message_id, block = last_card(session)
    effect = await session.cards.press(message_id, block.card.id, action_id, inputs or {}, None)
    await session.tasks.wait()
    return effect


async def test_the_whole_quiz_is_played_with_its_buttons(opened: Opener):
    leo = await opened(bundled=("pokemon_quiz",))
    session, _ = await watched(leo)
    await said(session, "start the Pokémon quiz")
    seen: list[str] = []
    for _ in range(5):
        seen.append(last_card(session)[1].card.id)
        assert [a.id for a in last_card(session)[1].card.actions] == ["opt_0", "opt_1", "opt_2", "opt_3"]
        await press(session, "opt_0")
        assert last_card(session)[1].card.id != seen[-1]
        if len(seen) < 5:
            await press(session, "next")
    assert len(set(seen)) == 5
    assert "restart" in [a.id for a in last_card(session)[1].card.actions]
    await press(session, "restart")
    assert last_card(session)[1].card.id.endswith("_q1")
    assert all(not r.is_error for r in results(session))


async def test_a_pressed_button_is_still_pressed_after_a_restart(opened: Opener):
    leo = await opened(bundled=("shop",))
    session, watcher = await watched(leo)
    await said(session, '[product_search keyword="popular"]')
    await press(session, "view_0")
    states = [e.state.state for e in watcher.of(CardStateChanged)]
    assert states == ["running", "pressed"]
    await leo.close()
    again = await opened(bundled=("shop",))
    reopened = await again.library.session(session.id)
    assert [(s.action_id, s.state) for s in reopened.opened().card_states] == [("view_0", "pressed")]
    assert [m.id for m in reopened.messages] == [m.id for m in session.messages]
    assert reopened.messages == session.messages


async def test_a_message_from_a_card_says_so_and_is_no_approval(opened: Opener, rude: ServerConfig, tmp_path: Path):
    leo = await opened(rude)
    session, watcher = await watched(leo, answer="deny")
    await said(session, "[rude__card]", window=watcher)
    assert watcher.of(ApprovalRequest)
    watcher.answer = "once"
    await said(session, "[rude__card]")
    watcher.answer = "deny"
    await press(session, "ok", {"who": "me"})
    sent = next(m for m in reversed(session.messages) if m.role == "user")
    assert sent.origin
    assert (sent.origin.server, sent.origin.label, sent.origin.bundled) == ("rude", "OK", False)
    assert not (tmp_path / "ran.txt").exists()
    assert "did not allow" in results(session)[-1].text


async def test_a_card_calls_a_tool_of_its_own_server_without_the_model(opened: Opener, rude: ServerConfig):
    leo = await opened(rude, approve="all")
    session, _ = await watched(leo)
    await said(session, "[rude__card]")
    before = len(session.messages)
    await press(session, "again", {"who": "me"})
    asked, answered = session.messages[before:]
    assert (asked.calls[0].name, asked.origin and asked.origin.label) == ("rude__look", "Again")
    assert results(session)[-1].text == "looked"
    assert answered.role == "tool"


async def test_inputs_are_checked_and_put_in_place(opened: Opener, rude: ServerConfig):
    leo = await opened(rude, approve="all")
    session, watcher = await watched(leo)
    await said(session, "[rude__card]")
    with pytest.raises(Refused, match="Who is required"):
        await press(session, "tell")
    await press(session, "tell", {"who": "Leo"})
    told = watcher.of(CardEvent)[-1]
    assert (told.name, told.payload) == ("told", {"who": "Leo"})


@pytest.mark.parametrize(
    ("action", "words"), [("file", "http"), ("none", "could not be read"), ("nothing", "not in the conversation")]
)
async def test_buttons_that_must_not_or_cannot_act_say_why(opened: Opener, rude: ServerConfig, action: str, words: str):
    leo = await opened(rude, approve="all")
    session, _ = await watched(leo)
    await said(session, "[rude__card]")
    with pytest.raises(Refused, match=words):
        await press(session, action, {"who": "x"})


async def test_a_third_party_ui_command_asks_once_and_runs_when_allowed(opened: Opener, rude: ServerConfig):
    leo = await opened(rude, approve="all")
    session, watcher = await watched(leo, answer="deny")
    await said(session, "[rude__change_theme]", window=watcher)
    assert watcher.commands == []
    assert "did not allow" in results(session)[-1].text
    watcher.answer = "always"
    await said(session, "[rude__change_theme]", window=watcher)
    assert watcher.commands == [("update_theme", {"themeId": "dark"})]
    watcher.answer = "deny"
    await said(session, "[rude__change_theme]", window=watcher)
    assert len(watcher.commands) == 2
    assert leo.servers.changed().servers[0].ui_commands


async def test_a_ui_command_within_other_text_does_nothing(opened: Opener, rude: ServerConfig):
    leo = await opened(rude, approve="all")
    session, watcher = await watched(leo, answer="always")
    await said(session, "[rude__page]", window=watcher)
    assert watcher.commands == []
    assert results(session)[-1].text.startswith("Welcome!")


async def test_our_own_ui_commands_run_and_the_windows_word_is_the_result(opened: Opener):
    leo = await opened(bundled=("leochat",))
    session, watcher = await watched(leo)
    await said(session, "make the theme dark purple", window=watcher)
    assert watcher.commands == [("update_theme", {"themeId": "dark-purple"})]
    await said(session, "make the window small", window=watcher)
    assert "browser" in results(session)[-1].text
    assert not watcher.of(ApprovalRequest)


async def test_with_no_window_a_ui_command_is_not_executed_at_once(opened: Opener):
    leo = await opened(bundled=("leochat",))
    session = await leo.library.session((await leo.library.new()).id)
    await said(session, "make the theme dark purple")
    assert "No window is open" in results(session)[-1].text


async def test_what_is_sent_while_a_cards_call_waits_comes_after_its_result(opened: Opener, rude: ServerConfig):
    leo = await opened(rude)
    session, watcher = await watched(leo, answer="once")
    await said(session, "[rude__card]")
    watcher.answer = None
    message_id, block = last_card(session)
    await session.cards.press(message_id, block.card.id, "again", {"who": "me"}, None)
    await watcher.heard_again("approval_request")
    await session.send("important")
    session.approvals.answer(watcher.of(ApprovalRequest)[-1].call.id, "once", "tool")
    await session.tasks.wait()
    assert [m.role for m in session.messages[-4:]] == ["assistant", "tool", "user", "assistant"]
    assert results(session)[-1].text == "looked"
    await leo.close()
    reopened = await (await opened(rude)).library.session(session.id)
    assert [m.id for m in reopened.messages] == [m.id for m in session.messages]


async def test_a_button_pressed_twice_at_once_acts_once(opened: Opener):
    leo = await opened(bundled=("shop",))
    session, _ = await watched(leo)
    await said(session, '[product_search keyword="popular"]')
    message_id, block = last_card(session)
    both = [session.cards.press(message_id, block.card.id, "view_0", {}, None) for _ in range(2)]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    await session.tasks.wait()
    assert [type(o) for o in outcomes] == [dict, Refused]
    assert len([m for m in session.messages if m.origin]) == 1
