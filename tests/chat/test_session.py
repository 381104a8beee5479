"""A conversation lived through: sending, cards, approvals, UI commands, stopping, going on, editing, opening again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.chat.leochat import LeoChat, Run
from app.chat.refused import Refused
from app.chat.said import CardEvent, CardStateChanged, QueueChanged
from app.core.events import ApprovalRequest, TaskEnd
from app.mcp_host.config import ServerConfig
from tests.chat.conftest import Opener, Watcher, last_card, results, said, script, watched


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


@pytest.mark.parametrize(
    ("mode", "answer", "tool", "runs"),
    [
        ("ask", "once", "count", True),
        ("ask", "deny", "count", False),
        ("ask", None, "count", False),
        ("reads", "once", "count", False),
        ("reads", "once", "look", False),
        ("all", None, "count", True),
        ("none", "once", "look", False),
    ],
)
async def test_what_runs_under_which_approval(
    opened: Opener, rude: ServerConfig, mode: Any, answer: str | None, tool: str, runs: bool
):
    leo = await opened(rude, approve=mode)
    if answer is None:
        session = await leo.library.session((await leo.library.new()).id)
    else:
        session, _ = await watched(leo, answer=answer)
    await said(session, f"[rude__{tool}]")
    assert results(session)[-1].is_error is not runs


async def test_always_is_remembered_and_the_conversation_only_within_itself(opened: Opener, rude: ServerConfig):
    leo = await opened(rude)
    session, watcher = await watched(leo, answer="conversation")
    await said(session, "[rude__count]")
    await said(session, "[rude__count]")
    assert len(watcher.of(ApprovalRequest)) == 1
    other, second = await watched(leo, answer="always")
    await said(other, "[rude__count]")
    assert len(second.of(ApprovalRequest)) == 1
    third, third_watcher = await watched(leo, answer="deny")
    await said(third, "[rude__count]")
    assert third_watcher.of(ApprovalRequest) == []


async def test_a_stop_is_a_pause_and_resume_goes_on(opened: Opener, tmp_path: Path):
    leo = await opened()
    session, watcher = await watched(leo)
    words = [f"word{n} " for n in range(400)]
    rest = {"blocks": [{"type": "text", "text": "the rest"}]}
    await session.send(script(tmp_path / "s.jsonl", {"blocks": [{"type": "text", "deltas": words}], "delay_ms": 5}, rest))
    await watcher.heard("block_delta")
    await session.stop()
    assert watcher.of(TaskEnd)[-1].reason == "cancelled"
    assert session.messages[-1].text.startswith("word0")
    assert session.info().interrupted == "cancelled"
    await session.resume()
    await session.tasks.wait()
    assert session.messages[-1].text == "the rest"
    assert session.info().interrupted is None


async def test_messages_sent_meanwhile_are_queued_changed_and_joined(opened: Opener, rude: ServerConfig, tmp_path: Path):
    leo = await opened(rude, approve="all")
    session, watcher = await watched(leo)
    replies = script(
        tmp_path / "s.jsonl",
        {"blocks": [{"type": "tool_call", "name": "wait", "arguments": {"seconds": 0.5}}]},
        {"blocks": [{"type": "text", "text": "both seen"}]},
    )
    await session.send(replies)
    await watcher.heard("tool_start")
    first = await session.send("and this")
    second = await session.send("not this")
    await session.queue.edit(first, "and that")
    await session.queue.remove(second)
    await session.tasks.wait()
    assert [m.role for m in session.messages] == ["user", "assistant", "tool", "user", "assistant"]
    assert session.messages[3].text == "and that"
    assert watcher.of(QueueChanged)[-1].queue == ()


async def test_an_edited_message_is_a_sibling_and_both_stay(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "first wording")
    first = session.messages[0].id
    edited = await session.tree.edit(first, "second wording")
    await session.tasks.wait()
    assert [m.text for m in session.messages if m.role == "user"] == ["second wording"]
    assert session.opened().siblings[0].ids == (first, edited)
    await session.tree.switch(first)
    assert session.messages[0].text == "first wording"
    assert len(session.messages) == 2


async def test_regenerating_keeps_the_old_reply_as_a_sibling(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    old = session.messages[-1].id
    await session.tree.regenerate(old)
    await session.tasks.wait()
    assert len(session.messages) == 2
    assert session.opened().siblings[0].ids == (old, session.messages[-1].id)


async def test_a_branch_is_a_conversation_of_its_own(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    await said(session, "more")
    copy = await leo.library.session(await leo.library.branch(session.id, session.messages[1].id))
    assert [m.id for m in copy.messages] == [m.id for m in session.messages[:2]]
    await said(copy, "another way")
    assert len(session.messages) == 4


async def test_a_window_that_comes_back_gets_what_it_missed_and_nothing_twice(opened: Opener):
    leo = await opened()
    session, watcher = await watched(leo)
    await said(session, "hello")
    cut = len(watcher.told) // 2
    seen_seq = watcher.told[cut][0]
    _, late = await watched(leo, session.id)
    late.leave()
    late.told.clear()
    late.watch(session, seen_seq)
    assert late.told == watcher.told[cut + 1 :]


async def test_a_stranger_seq_gets_the_whole(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    _, late = await watched(leo, session.id)
    late.told.clear()
    late.watch(session, 10**9)
    assert [e.type for _, e in late.told] == ["opened"]


async def test_a_conversation_opened_in_mid_stream_shows_what_was_said_so_far(opened: Opener, tmp_path: Path):
    leo = await opened()
    session, watcher = await watched(leo)
    replies = script(tmp_path / "s.jsonl", {"blocks": [{"type": "text", "deltas": ["abc "] * 200}], "delay_ms": 5})
    await session.send(replies)
    await watcher.heard("block_delta")
    opened_now = session.opened()
    assert opened_now.messages[-1].text
    assert opened_now.running
    assert opened_now.running.message_id == opened_now.messages[-1].id
    await session.stop()


async def test_titles_come_from_the_first_message_and_a_person_wins(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "## Tell me about lions, and about the many other cats of the plains")
    assert session.info().title == "Tell me about lions, and about the many other…"
    await leo.library.rename(session.id, "Cats")
    await said(session, "more")
    assert [c.title for c in (await leo.library.listed()).conversations] == ["Cats"]


async def test_a_provider_without_a_key_says_what_to_do(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await session.set_options({"provider": "openai", "model": "gpt-5.1"})
    await said(session, "hello")
    last = session.messages[-1]
    assert (last.role, last.stop_reason) == ("assistant", "error")
    assert last.error
    assert last.error.kind == "auth"
    assert "OPENAI_API_KEY" in last.error.message


async def test_attachments_stand_before_the_text(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    ref = await leo.store.blobs.put(b"hello", "text/plain", "note.txt")
    await said(session, "read it", attachments=(ref,))
    assert [b.type for b in session.messages[0].blocks] == ["file", "text"]
    with pytest.raises(Refused, match="attach it again"):
        await session.send("x", ("nope",))


async def test_a_slash_command_acts_and_is_not_said(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    await session.send("/title Lions of the plains")
    await session.send("/system Be brief.")
    assert (session.info().title, session.info().system) == ("Lions of the plains", "Be brief.")
    assert [m.text for m in session.messages if m.role == "user"] == ["hello"]
    await said(session, "/etc/hosts is a path")
    assert session.messages[2].text == "/etc/hosts is a path"


async def test_compacting_at_will_leaves_everything_to_read(opened: Opener):
    leo = await opened()
    session, watcher = await watched(leo)
    for text in ("one", "two", "three"):
        await said(session, text)
    before = [m.id for m in session.messages]
    await session.send("/compact")
    assert [m.id for m in session.messages][: len(before)] == before
    assert session.messages[-1].covers in before
    assert watcher.of(TaskEnd)[-1].reason == "done"
    await said(session, "four")
    assert session.messages[-1].role == "assistant"


async def test_a_grant_taken_back_asks_again(opened: Opener, rude: ServerConfig):
    leo = await opened(rude)
    session, watcher = await watched(leo, answer="always")
    await said(session, "[rude__count]")
    grants = await leo.grants()
    assert [(g.server, g.tool) for g in grants] == [("rude", "count")]
    await leo.take_back(grants[0].id)
    await said(session, "[rude__count]")
    assert len(watcher.of(ApprovalRequest)) == 2


async def test_what_was_used_is_summed_by_day_and_by_model(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    await said(session, "hello again")
    used = await leo.used(1)
    assert [row.replies for row in used.days] == [2]
    assert [(row.label, row.replies) for row in used.models] == [("demo/demo", 2)]
    assert used.models[0].usage.cost is None, "unknown is never 0"


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


async def test_a_task_that_came_to_its_end_has_nothing_to_resume(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    with pytest.raises(Refused, match="nothing to go on with"):
        await session.resume()


async def test_a_window_that_fails_does_not_take_the_task_with_it(opened: Opener):
    leo = await opened()
    session, watcher = await watched(leo)

    class Broken(Watcher):
        def tell(self, conversation_id: str | None, event: Any, seq: int = 0) -> None:
            raise ZeroDivisionError

    broken = Broken(leo)
    with pytest.raises(ZeroDivisionError):
        broken.watch(session)
    await said(session, "hello")
    assert watcher.of(TaskEnd)[-1].reason == "done"


async def test_a_deleted_conversation_takes_nothing_more(opened: Opener):
    leo = await opened()
    session, _ = await watched(leo)
    await said(session, "hello")
    await leo.library.delete(session.id)
    with pytest.raises(Refused, match="no such conversation"):
        await leo.library.session(session.id)
    await leo.library.undelete(session.id)
    assert (await leo.library.session(session.id)).messages


async def test_a_broken_list_of_servers_is_kept_aside_and_said(opened: Opener, tmp_path: Path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "servers.json").write_text("{bad", encoding="utf-8")
    leo = LeoChat(tmp_path / "home", Run(bundled=()), environ={})
    try:
        assert "kept as servers.json.broken" in leo.notices[0]
    finally:
        await leo.close()
