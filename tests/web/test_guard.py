"""Nobody gets in: every route and the socket against wrong hosts, origins and tokens."""

from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from app.web.guard import CSP
from app.web.server import Server
from tests.web.conftest import open_line

OPEN = ["/", "/assets/nothing.js", "/health"]
CLOSED = [
    "/attachments/abc",
    "/attachments",
    "/archive",
    "/ws",
    "/openapi.json",
    "/docs",
    "/api/anything",
    "/assets/../attachments/abc",
]
HOSTS = [
    *("evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", "localhost:{port}"),
    *("[::1]:{port}", "127.0.0.1:{port}.", "127.0.0.1:{port}@evil.example", "0.0.0.0:{port}", "127.1:{port}"),
    *("2130706433:{port}", "127.0.0.1:0{port}"),
]
ORIGINS = [
    *("null", "http://evil.example", "https://127.0.0.1:{port}", "http://localhost:{port}", "http://127.0.0.1"),
    *("http://127.0.0.1:1", "http://127.0.0.1:{port}/", "http://127.0.0.1:{port}.evil.example", "file://"),
    *("HTTP://127.0.0.1:{port}", "http://user@127.0.0.1:{port}", "chrome-extension://abc", "http://127.0.0.1:{port}/page"),
]


def client(server: Server, **headers: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://{server.host}", headers=headers, trust_env=False)


def port(server: Server) -> str:
    return server.host.rsplit(":", 1)[1]


def bearer(server: Server) -> dict[str, str]:
    return {"Authorization": f"Bearer {server.token}"}


async def test_what_holds_no_data_needs_no_token(server: Server):
    async with client(server) as http:
        for path in OPEN:
            assert (await http.get(path)).status_code in (200, 404, 503)


async def test_everything_else_needs_it(server: Server):
    async with client(server) as http:
        for path in CLOSED:
            assert (await http.get(path)).status_code in (401, 404), path
            wrong = await http.get(path, headers={"Authorization": "Bearer wrong"})
            assert wrong.status_code in (401, 404)
        assert (await http.get("/attachments/abc")).status_code == 401
        assert (await http.get("/attachments/abc", headers=bearer(server))).status_code == 404


@pytest.mark.parametrize("host", HOSTS)
async def test_a_wrong_host_is_refused_on_every_route(server: Server, host: str):
    headers = {"Host": host.format(port=port(server)), **bearer(server)}
    async with client(server) as http:
        for path in [*OPEN, *CLOSED]:
            assert (await http.get(path, headers=headers)).status_code == 421


@pytest.mark.parametrize("origin", ORIGINS)
async def test_a_strange_page_can_post_nothing_and_open_no_socket(server: Server, origin: str):
    strange = origin.format(port=port(server))
    headers = {"Origin": strange, "Content-Type": "text/plain", **bearer(server)}
    async with client(server) as http:
        assert (await http.post("/attachments", headers=headers, content=b"x")).status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://{server.host}/ws", additional_headers={"Origin": strange})
    assert refused.value.response.status_code == 403


async def test_a_socket_without_an_origin_is_refused_and_is_no_error_of_ours(server: Server, caplog: pytest.LogCaptureFixture):
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://{server.host}/ws")
    assert refused.value.response.status_code == 403
    async with client(server) as http:  # the refused one is done by now
        await http.get("/health")
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]


async def test_a_post_without_an_origin_is_refused(server: Server):
    async with client(server) as http:
        assert (await http.post("/attachments", headers=bearer(server), content=b"x")).status_code == 403


@pytest.mark.parametrize("token", ["", "wrong", "é"])
async def test_a_hello_with_a_wrong_token_is_closed(server: Server, token: str):
    line = await open_line(server, token=token)
    with pytest.raises(ConnectionClosed) as closed:
        await line.next()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4401


async def test_a_first_frame_that_is_no_hello_is_closed(server: Server):
    socket = await connect(f"ws://{server.host}/ws", origin=f"http://{server.host}")  # type: ignore[arg-type]
    await socket.send('{"type": "list_conversations", "id": "1"}')
    with pytest.raises(ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4401


async def test_a_hello_that_does_not_come_is_told_from_a_wrong_one(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.web.socket.HELLO_SECONDS", 0.2)
    socket = await connect(f"ws://{server.host}/ws", origin=f"http://{server.host}")  # type: ignore[arg-type]
    with pytest.raises(ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4401, "late")


async def test_every_answer_carries_the_policies(server: Server):
    async with client(server) as http:
        for path in (*OPEN, "/attachments/abc"):
            headers = (await http.get(path)).headers
            assert headers["content-security-policy"] == CSP.format(socket=f"ws://{server.host}")
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"


async def test_an_attachment_comes_back_as_it_was_and_can_run_nothing(server: Server):
    origin = {"Origin": f"http://{server.host}", **bearer(server)}
    files: Any = {"file": ("evil.svg", b"<svg onload='alert(1)'/>", "image/svg+xml")}
    async with client(server) as http:
        kept = (await http.post("/attachments", headers=origin, files=files)).json()
        got = await http.get(f"/attachments/{kept['ref']}", headers=bearer(server))
        assert got.content == b"<svg onload='alert(1)'/>"
        assert "sandbox" in got.headers["content-security-policy"]
        page: Any = {"file": ("evil.html", b"<script>alert(1)</script>", "text/html")}
        kept = (await http.post("/attachments", headers=origin, files=page)).json()
        got = await http.get(f"/attachments/{kept['ref']}", headers=bearer(server))
        assert got.headers["content-disposition"] == "attachment"
