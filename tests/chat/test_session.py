"""A conversation lived through: sending, cards, approvals, UI commands, stopping, going on, editing, opening again."""

from pathlib import Path
from typing import Any

import pytest

from app.chat.context import sent
from app.chat.leochat import LeoChat, Run
from app.chat.refused import Refused
from app.chat.said import QueueChanged
from app.core.events import ApprovalRequest, TaskEnd
from app.mcp_host.config import ServerConfig
from tests.chat.conftest import Opener, Watcher, results, said, script, watched


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
    shown = [m.id for m in session.messages]
    edited = await session.tree.edit(next(m.id for m in session.messages if m.covers), "In my own words.")
    assert [m.id for m in session.messages] == [*shown, edited], "nothing of what was said is taken away"
    read = [m.text for m in sent(session.messages)]
    assert (read[0], "four" in read, len([t for t in read if t.startswith("Summary")])) == ("In my own words.", True, 0)
    await leo.close()
    again, _ = await watched(await opened(), session.id)
    assert (again.messages[-1].id, again.info().interrupted) == (edited, None)


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
