"""The socket: commands and replies, frames in order, coming back, and a window that does not read."""

import asyncio
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from app.chat.facts import SettingsData
from app.core.events import BlockDelta, RoundStart
from app.web.outbox import MAX_FRAMES, Outbox
from app.web.server import Server
from tests.chat.conftest import script
from tests.web.conftest import Line, folded, open_line


async def test_a_conversation_from_the_first_command_to_the_last_frame(server: Server):
    line = await open_line(server)
    new = await line.ask("new_conversation")
    conversation = new["data"]["conversation_id"]
    sent = await line.ask("send_message", conversation_id=conversation, text="hello")
    assert sent["ok"]
    end = await line.until("task_end")
    assert end["event"]["reason"] == "done"
    types = [f["event"]["type"] for f in line.frames]
    for kind in ("opened", "message_end", "task_start", "round_start", "block_delta", "checkpoint"):
        assert kind in types
    numbers = [f["seq"] for f in line.frames if f["conversation_id"]]
    assert numbers == sorted(numbers)
    await line.ask("list_conversations")
    listed = [f for f in line.frames if f["event"]["type"] == "conversations_changed"][-1]
    assert [c["title"] for c in listed["event"]["conversations"]] == ["hello"]


async def test_what_cannot_be_done_is_refused_in_words(server: Server):
    line = await open_line(server)
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("open", {"conversation_id": "nope"}, "not_found"),
        ("teleport", {}, "invalid"),
        ("rename", {"conversation_id": 5, "title": "x"}, "invalid"),
        ("set_setting", {"name": "model.max_rounds", "value": -1}, "invalid"),
        ("set_setting", {"name": "no.such", "value": 1}, "invalid"),
    ]
    for command, fields, kind in wrong:
        reply = await line.ask(command, **fields)
        assert not reply["ok"]
        assert reply["error"]["kind"] == kind
        assert reply["error"]["message"]


async def opened_on(line: Line) -> dict[str, Any]:
    """The frame that told a conversation, whether it came before the command's reply or after it."""
    return next((f for f in line.frames if f["event"]["type"] == "opened"), None) or await line.until("opened")


async def test_a_conversation_opened_by_its_end_is_brought_whole_in_pieces(server: Server):
    writer = await open_line(server)
    conversation = (await writer.ask("new_conversation"))["data"]["conversation_id"]
    for words in ("one", "two", "three"):
        await writer.ask("send_message", conversation_id=conversation, text=words)
        await writer.until("task_end")
    line = await open_line(server)
    await line.ask("open", conversation_id=conversation)
    whole = (await opened_on(line))["event"]
    assert whole["earlier"] == 0
    reader = await open_line(server)
    await reader.ask("open", conversation_id=conversation, last=2)
    told = (await opened_on(reader))["event"]
    messages, earlier = told["messages"], told["earlier"]
    assert (len(messages), earlier) == (2, len(whole["messages"]) - 2)
    while earlier:
        asked = {"conversation_id": conversation, "message_id": messages[0]["id"], "most": 3}
        found = (await reader.ask("earlier", **asked))["data"]
        assert 0 < len(found["messages"]) <= 3
        messages, earlier = found["messages"] + messages, found["earlier"]
    assert messages == whole["messages"]
    lost = await reader.ask("earlier", conversation_id=conversation, message_id="nope")
    assert lost["error"]["kind"] == "not_found"


async def test_rubbish_gets_an_answer_and_the_socket_lives_on(server: Server):
    line = await open_line(server)
    for rubbish in ("{", "null", "[]", '"x"', '{"type": []}'):
        await line.socket.send(rubbish)
        assert (await line.next())["ok"] is False
    for field in ("NaN", "[" * 2000 + "]" * 2000):
        await line.socket.send('{"type": "rename", "id": "7", "title": FIELD}'.replace("FIELD", field))
        told = await line.next()
        assert (told["reply_to"], told["error"]["kind"]) == ("7", "invalid")
    assert (await line.ask("get_settings"))["ok"]


async def test_half_a_character_in_a_command_is_mended(server: Server):
    line = await open_line(server)
    conversation = (await line.ask("new_conversation"))["data"]["conversation_id"]
    assert (await line.ask("rename", conversation_id=conversation, title="half \ud83d"))["ok"]
    row = await server.leo.store.conversations.get(conversation)
    assert row is not None
    assert row.title == "half \ufffd"


async def streaming(server: Server, tmp_path: Path, pieces: list[str], delay_ms: float) -> tuple[Line, str]:
    line = await open_line(server)
    conversation = (await line.ask("new_conversation"))["data"]["conversation_id"]
    text = script(tmp_path / "s.jsonl", {"blocks": [{"type": "text", "deltas": pieces}], "delay_ms": delay_ms})
    await line.ask("send_message", conversation_id=conversation, text=text)
    return line, conversation


async def test_a_reload_in_mid_stream_shows_every_character_once(server: Server, tmp_path: Path):
    pieces = [f"<{n}>" for n in range(300)]
    line, conversation = await streaming(server, tmp_path, pieces, 3)
    for _ in range(4):
        await line.until("block_delta")
        await line.socket.close()
        line = await open_line(server)
        await line.ask("open", conversation_id=conversation)
    await line.until("task_end")
    assert folded(line.frames) == "".join(pieces)


async def test_coming_back_with_the_last_number_leaves_no_gap_and_no_double(server: Server, tmp_path: Path):
    pieces = [f"<{n}>" for n in range(300)]
    line, conversation = await streaming(server, tmp_path, pieces, 3)
    frames: list[dict[str, Any]] = []
    for _ in range(5):
        await line.until("block_delta")
        frames += [f for f in line.frames if f["conversation_id"]]
        await line.socket.close()
        line = await open_line(server, resume={conversation: frames[-1]["seq"]})
    await line.until("task_end")
    frames += [f for f in line.frames if f["conversation_id"]]
    assert folded(frames) == "".join(pieces)
    numbers = [f["seq"] for f in frames]
    assert len(numbers) == len(set(numbers))


async def test_two_windows_see_the_same(server: Server, tmp_path: Path):
    line, conversation = await streaming(server, tmp_path, [f"<{n}>" for n in range(100)], 2)
    other = await open_line(server)
    await other.ask("open", conversation_id=conversation)
    await asyncio.gather(line.until("task_end"), other.until("task_end"))
    assert folded(line.frames) == folded(other.frames)


async def test_a_window_that_never_reads_does_not_slow_the_task(server: Server, tmp_path: Path):
    pieces = ["x" * 2000] * 3000

    async def timed(*, frozen: bool) -> float:
        line = await open_line(server)
        conversation = (await line.ask("new_conversation"))["data"]["conversation_id"]
        stuck = await connect(f"ws://{server.host}/ws", origin=f"http://{server.host}", max_queue=1)  # type: ignore[arg-type]
        if frozen:
            stuck.transport.pause_reading()
            await stuck.send(json.dumps({"type": "hello", "token": server.token}))
            await stuck.send(json.dumps({"type": "open", "id": "1", "conversation_id": conversation}))
        text = script(tmp_path / "s.jsonl", {"blocks": [{"type": "text", "deltas": pieces}]})
        began = time.monotonic()
        await line.ask("send_message", conversation_id=conversation, text=text)
        await line.until("task_end")
        took = time.monotonic() - began
        stuck.transport.abort()
        await line.socket.close()
        return took

    await timed(frozen=False)
    free, frozen = await timed(frozen=False), await timed(frozen=True)
    assert frozen < free * 3 + 1  # it does not wait for it; the ratio itself is the benchmark's business


def test_deltas_of_a_block_leave_as_one_frame():
    box = Outbox()
    for n in range(5):
        box.tell("c", BlockDelta(0, str(n)), n)
    box.tell("c", BlockDelta(1, "x"), 9)
    first, second = (json.loads(f) for f in box.take())
    assert (first["seq"], first["event"]["text"]) == (4, "01234")
    assert second["event"]["index"] == 1


def test_what_piles_up_is_given_up_and_started_afresh():
    box = Outbox()
    box.put(b'{"reply_to": "1"}')
    for n in range(MAX_FRAMES + 10):
        box.tell("c", RoundStart(n), n)
    assert box.behind == {"c"}
    assert box.take() == [b'{"reply_to": "1"}']


async def test_the_first_windows_language_is_everybodys_until_a_person_picks_one(server: Server):
    async def used(line: Line) -> str:
        return (await line.ask("get_settings"))["data"]["values"]["general.language_used"]

    spanish = await open_line(server, languages=["fr", "es-MX", "en"])
    assert await used(spanish) == "es"
    english = await open_line(server, languages=["en-US"])
    assert await used(english) == "es"
    await english.ask("set_setting", name="general.language", value="en")
    assert await used(spanish) == "en"


async def test_a_setting_that_changes_while_the_settings_are_gathered_is_the_new_one(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    """The key ring may take its time; what came in the meantime would be overwritten in the page by what was before."""
    asked, go = threading.Event(), threading.Event()
    gather = server.leo.settings_data

    def slowly() -> SettingsData:
        data = gather()
        asked.set()
        go.wait(20)
        return data

    monkeypatch.setattr(server.leo, "settings_data", slowly)
    reading, writing = await open_line(server), await open_line(server)
    answer = asyncio.create_task(reading.ask("get_settings"))
    await asyncio.to_thread(asked.wait, 20)
    await writing.ask("set_setting", name="general.text_size", value=120)
    go.set()
    assert (await answer)["data"]["values"]["general.text_size"] == 120
