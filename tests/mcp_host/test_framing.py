"""Messages that are not one line each are understood, and nothing that only looks like one costs an answer."""

import json
from typing import Any

import pytest

from app.mcp_host.framing import Framing
from app.mcp_host.lines import TooLong
from tests.mcp_host.desk import OpenDesk, fake, words

ONE: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "result": {"text": 'a "quoted } brace" and \\', "list": [1, {"deep": []}]}}
TWO: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "result": {}}
LINES = b"".join(json.dumps(m).encode() + b"\n" for m in (ONE, TWO))
PRETTY = b"".join(json.dumps(m, indent=2).encode() + b"\n" for m in (ONE, TWO))


def counted(*messages: object, more: bytes = b"") -> bytes:
    bodies = [json.dumps(m, ensure_ascii=False).encode() for m in messages]
    return b"".join(b"Content-Length: %d\r\n%s\r\n%s" % (len(b), more, b) for b in bodies)


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        PRETTY,
        PRETTY.replace(b"\n", b"\r\n"),
        b"Listening\n" + PRETTY,
        counted(ONE, TWO),
        counted(ONE, TWO, more=b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"),
        b"Content-Length: 5000\nfor the curious\n" + LINES,
        LINES + b"Content-Length: 3\n\n",
    ],
)
@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_messages_are_cut_out_however_they_are_written(data: bytes, step: int) -> None:
    framing, read = Framing(), list[object]()
    for at in range(0, len(data), step):
        for piece in framing.feed(data[at : at + step]):
            assert isinstance(piece, bytes)
            if piece[:1] == b"{":
                read.append(json.loads(piece))
                framing.plain()
    assert read == [ONE, TWO]


def test_a_message_over_many_lines_that_was_cut_off_costs_only_itself() -> None:
    pieces = Framing().feed(PRETTY[:60] + b"\n" + LINES)
    assert pieces[1:] == LINES.splitlines()


def test_a_message_over_many_lines_is_bounded() -> None:
    framing = Framing(1000)
    (long,) = [p for p in framing.feed(b"{\n" + b'"x": 1,\n' * 150) if isinstance(p, TooLong)]
    assert (long.head[:8], long.size > 1000) == (b'{\n"x": 1', True)


@pytest.mark.parametrize("mode", ["pretty", "counted"])
async def test_a_server_that_writes_for_people_or_behind_headers_is_used(desk: OpenDesk, mode: str) -> None:
    async with desk(fake(mode, file="framed.py")) as d:
        status = d.host.status("fake")
        assert status.state == "ready", status.problem
        assert words(await d.call("say")) == "understood, ✓"


async def test_tools_that_cannot_be_listed_are_told_as_that(desk: OpenDesk) -> None:
    async with desk(fake("unlisted", file="framed.py")) as d:
        problem = d.host.status("fake").problem
        assert problem is not None
        assert problem.cause == "fake runs, but could not list its tools: the database is locked."
