"""Servers that are careless, not broken: what can be meant is understood, and what they say is not lost."""

import json

import pytest
from mcp_types import JSONRPCError, JSONRPCResponse

from app.core.tools import MediaItem
from app.mcp_host.lines import read_line
from tests.mcp_host.desk import OpenDesk, eventually, fake, words
from tests.mcp_host.measuring import measured

ANSWER = {"jsonrpc": "2.0", "id": 4, "result": {"ok": True}}
TEXT = json.dumps(ANSWER).encode()
NOTE = b'{"jsonrpc":"2.0","method":"notifications/x"}'


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 4, "result": {"ok": true}}',
        b'{"jsonrpc": "2.0", "id": 4.0, "result": {"ok": true}}',
        b"INFO: sending " + TEXT,
        TEXT + b" done",
        NOTE + TEXT,
        b"\0\0" + TEXT + b"\0",
        TEXT.decode().encode("utf-16"),
        b"\xef\xbb\xbf" + TEXT,
    ],
)
def test_an_answer_is_read_however_its_line_is_written(line: bytes) -> None:
    answers = [m for m in read_line(line).messages if isinstance(m, JSONRPCResponse)]
    assert [(m.id, m.result) for m in answers] == [(4, {"ok": True})]


@pytest.mark.parametrize("error", ['"no licence"', '{"code": "E1", "message": "no licence"}', '{"message": "no licence"}'])
def test_an_error_keeps_its_words_whatever_its_shape(error: str) -> None:
    (message,) = read_line(f'{{"jsonrpc": "2.0", "id": 4, "error": {error}}}'.encode()).messages
    assert isinstance(message, JSONRPCError)
    assert message.error.message == "no licence"


def test_what_a_program_prints_of_a_question_is_not_asked() -> None:
    assert not read_line(b'DEBUG: received {"jsonrpc": "2.0", "id": 4, "method": "ping"}').messages


def test_a_huge_notification_is_not_read() -> None:
    read = read_line(NOTE[:-1] + b', "params": {"x": "' + b"y" * 2_000_000 + b'"}}')
    assert not read.messages
    assert "2,0" in read.note


async def test_a_hasty_server_is_used_as_it_was_meant(desk: OpenDesk) -> None:
    async with desk(fake("", file="careless.py", timeout=60)) as d:
        status = d.host.status("fake")
        assert status.state == "ready", status.problem
        assert [t.name for t in status.tools] == ["busy", "flood", "pieces"], "one that is too large costs only itself"
        assert "Rate limit: try again in 30 s" in words(await d.call("busy"))
        (prompts,), (resources,) = await d.host.listed("prompts"), await d.host.listed("resources")
        assert [p.name for p in prompts.prompts] == ["greet", "odd"]
        assert [(r.uri, r.name) for r in resources.resources] == [("a://b", "a://b"), ("a://c", "c")]
        assert (prompts.problem, resources.problem) == (None, None)
        (message,) = await d.host.prompt("fake", "greet", {})
        assert message.role == "user"
        async with measured() as cost:
            output = await d.call("pieces")
        assert words(output).splitlines()[-1] == "19999"
        (picture,) = (i for i in output.items if isinstance(i, MediaItem))
        assert (picture.media_type, picture.data) == ("image/png", b"\x89PNG\r\n\x1a\n")
        assert cost.stall_ms < 500


async def test_a_flood_of_changes_and_questions_costs_no_answer(desk: OpenDesk) -> None:
    async with desk(fake("", file="careless.py", timeout=60)) as d:
        connection = d.host._connections["fake"]
        assert words(await d.call("flood")) == "after the flood"
        await eventually(lambda: connection.stale)
        assert "Rate limit" in words(await d.call("busy"))
