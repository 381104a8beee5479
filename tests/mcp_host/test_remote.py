"""Servers over HTTP and TCP, and what their refusals are told as."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from app.mcp_host.config import ServerConfig, accept_launch
from tests.mcp_host.desk import OpenDesk, words
from tests.mcp_host.http_server import Asked, Reply, Script, http_server

Result = dict[str, Any]


def remote(url: str, **facts: Any) -> ServerConfig:
    facts = {"transport": "http", **facts}
    return accept_launch(ServerConfig(name="far", url=url, start_timeout=facts.pop("start_timeout", 15), **facts))


def result(asked: Asked, value: Any, **more: Any) -> Reply:
    return Reply(body={"jsonrpc": "2.0", "id": asked.body["id"], "result": value}, **more)


def speaking(call: Callable[[Asked], Reply], session: Callable[[], str] = lambda: "s1") -> Script:
    """A server of the `initialize` era with one tool, `go`, answered by `call`."""

    def script(asked: Asked) -> Reply:
        if asked.method != "POST":
            return Reply(405 if asked.method == "GET" else 200)
        method = asked.body.get("method")
        if method == "initialize":
            info = {"name": "far", "version": "9"}
            value: Result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            return result(asked, value, headers=(("mcp-session-id", session()),))
        if method == "tools/list":
            return result(asked, {"tools": [{"name": "go", "inputSchema": {"type": "object"}}]})
        if method == "tools/call":
            return call(asked)
        if "id" in asked.body:
            error = {"code": -32601, "message": "no such method"}
            return Reply(body={"jsonrpc": "2.0", "id": asked.body["id"], "error": error})
        return Reply(202)

    return script


def said(text: str) -> Result:
    return {"content": [{"type": "text", "text": text}]}


async def test_headers_go_with_every_request(desk: OpenDesk) -> None:
    def call(asked: Asked) -> Reply:
        return result(asked, said(asked.headers.get("authorization", "none")))

    async with http_server(speaking(call)) as url, desk(remote(url, headers={"Authorization": "Bearer t"})) as d:
        assert words(await d.call("go")) == "Bearer t"


@pytest.mark.parametrize(("status", "kind"), [(401, "sign_in"), (403, "sign_in"), (404, "http"), (429, "http"), (503, "http")])
async def test_a_refusal_names_its_status(desk: OpenDesk, status: int, kind: str) -> None:
    async with http_server(lambda asked: Reply(status)) as url, desk(remote(url)) as d:
        problem = d.host.status("far").problem
        assert problem is not None
        assert problem.kind == kind
        assert f"HTTP {status}" in problem.cause
        assert problem.cure


async def test_a_server_that_cannot_be_reached_or_does_not_answer_is_told(desk: OpenDesk) -> None:
    async with http_server(lambda asked: Reply(hang=True)) as url, desk(remote(url, start_timeout=0.5)) as d:
        problem = d.host.status("far").problem
        assert problem is not None
        assert problem.kind == "timeout"
    async with desk(remote(url)) as d:
        problem = d.host.status("far").problem
        assert problem is not None
        assert problem.kind == "unreachable"


async def test_a_page_that_is_no_mcp_server_is_told(desk: OpenDesk) -> None:
    page = Reply(body=b"<html>Hello</html>", content_type="text/html")
    async with http_server(lambda asked: page) as url, desk(remote(url)) as d:
        status = d.host.status("far")
        assert status.state == "error"
        assert status.problem is not None
        assert status.problem.kind == "protocol"


UNKNOWN = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Session not found"}}
UNASKED = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Bad Request: No valid session ID provided"}}


@pytest.mark.parametrize("lost", [Reply(404), Reply(404, body=UNKNOWN), Reply(400, body=UNASKED)])
async def test_a_lost_session_is_opened_anew_and_the_call_made_once_more(desk: OpenDesk, lost: Reply) -> None:
    sessions: list[str] = []
    calls: list[str] = []

    def session() -> str:
        sessions.append(f"s{len(sessions)}")
        return sessions[-1]

    def call(asked: Asked) -> Reply:
        calls.append(asked.headers["mcp-session-id"])
        return lost if calls[-1] == "s0" else result(asked, said("new"))

    async with http_server(speaking(call, session)) as url, desk(remote(url)) as d:
        assert words(await d.call("go")) == "new"
        assert (sessions, calls) == (["s0", "s1"], ["s0", "s1"])


async def test_what_a_refusal_says_is_told(desk: OpenDesk) -> None:
    replies = [
        Reply(402, body={"error": {"message": "Pay first"}}),
        Reply(429, body=b"Slow down\nplease", content_type="text/plain"),
        Reply(body=b'event: message\ndata: {"error": "Quota used up"}\n\n', content_type="text/event-stream"),
    ]
    async with http_server(speaking(lambda asked: replies.pop(0))) as url, desk(remote(url, timeout=20)) as d:
        for told in (
            "far refused go (HTTP 402): Pay first",
            "far refused go (HTTP 429): Slow down",
            "far refused go: Quota used up",
        ):
            output = await d.call("go")
            assert (output.is_error, words(output)) == (True, told)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(500),
        Reply(400, body=b"nonsense"),
        Reply(body=b"{not json"),
        Reply(body=b"event: message\ndata: {\"error\": \"Session not found\"}\n\n", content_type="text/event-stream"),
        Reply(body=b"", content_type="text/event-stream"),
        Reply(body=b"[" * 100_000),
    ],
)  # fmt: skip
async def test_a_broken_answer_is_an_error_and_the_next_call_works(desk: OpenDesk, reply: Reply) -> None:
    answers = [reply]

    def call(asked: Asked) -> Reply:
        return answers.pop() if answers else result(asked, said("fine"))

    async with http_server(speaking(call)) as url, desk(remote(url, timeout=5)) as d:
        assert (await d.call("go")).is_error
        assert words(await d.call("go")) == "fine"


async def test_an_answer_over_the_limit_is_refused(desk: OpenDesk) -> None:
    def call(asked: Asked) -> Reply:
        return result(asked, said("x" * (17 * 1024 * 1024)))

    async with http_server(speaking(call)) as url, desk(remote(url, timeout=20)) as d:
        output = await d.call("go")
        assert output.is_error


async def test_lines_over_tcp(desk: OpenDesk) -> None:
    script = speaking(lambda asked: result(asked, said("by wire")))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            reply = script(Asked("POST", "", {}, json.loads(line)))
            if reply.body:
                writer.write(json.dumps(reply.body).encode() + b"\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        async with desk(remote(f"tcp://127.0.0.1:{port}", transport="tcp")) as d:
            assert words(await d.call("go")) == "by wire"
        await asyncio.sleep(0)


async def test_a_server_of_the_old_kind_is_found_behind_a_refusal(desk: OpenDesk) -> None:
    """Legacy SSE: POST is refused, GET opens a stream that names where to post."""
    waiting: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if head.startswith("GET /sse"):
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: /post\n\n")
            await writer.drain()
            waiting.append(writer)
            await reader.read()
        elif head.startswith("POST /post"):
            size = int(head.lower().split("content-length:")[1].split("\r\n")[0])
            body = json.loads(await reader.readexactly(size))
            writer.write(b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            asked = Asked("POST", "/post", {}, body)
            reply = speaking(lambda a: result(a, said("old but well")))(asked)
            if reply.body:
                waiting[-1].write(b"event: message\ndata: " + json.dumps(reply.body).encode() + b"\n\n")
                await waiting[-1].drain()
        else:
            writer.write(b"HTTP/1.1 405 Not Allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, desk(remote(f"http://127.0.0.1:{port}/sse")) as d:
        assert d.host.status("far").state == "ready"
        assert words(await d.call("go")) == "old but well"
