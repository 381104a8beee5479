"""The page's door while what it leads to is not there yet, or never comes."""

import asyncio
import logging

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from app.web.server import Server
from tests.web.conftest import open_line

EVIL = "http://evil.example"


def client(server: Server) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://{server.host}", trust_env=False, timeout=30)


async def test_nobody_gets_in_while_it_is_loading_and_who_waits_is_sent_away_when_it_ends(caplog: pytest.LogCaptureFixture):
    server = Server()
    await server.start()
    knows = {"Authorization": f"Bearer {server.token}", "Origin": f"http://{server.host}"}
    async with client(server) as http:
        assert (await http.get("/")).status_code in (200, 503)
        for path in ("/", "/health", "/attachments/abc", "/ws", "/anything"):
            assert (await http.get(path, headers={"Host": "evil.example"})).status_code == 421
            assert (await http.get(path, headers={**knows, "Origin": EVIL})).status_code == 403
            assert (await http.post(path, headers={**knows, "Origin": EVIL})).status_code == 403
        assert (await http.get("/attachments/abc")).status_code == 401
        with pytest.raises(InvalidStatus):
            await connect(f"ws://{server.host}/ws", origin=EVIL)  # type: ignore[arg-type]
        waiting = [asyncio.create_task(http.get(path, headers=knows)) for path in ("/health", "/attachments/abc")]
        socket = asyncio.create_task(open_line(server))
        arrived = server._uvicorn.server_state.tasks  # pyright: ignore[reportPrivateUsage]
        async with asyncio.timeout(30):
            while len(arrived) < 3:  # noqa: ASYNC110 - uvicorn tells nobody
                await asyncio.sleep(0.01)
        assert not any(one.done() for one in (*waiting, socket))
        await server.stop()
        assert [(await one).status_code for one in waiting] == [503, 503]
        with pytest.raises(InvalidStatus):
            await socket
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]


async def test_a_page_that_goes_before_it_said_anything_is_no_error_of_ours(server: Server, caplog: pytest.LogCaptureFixture):
    socket = await connect(f"ws://{server.host}/ws", origin=f"http://{server.host}")  # type: ignore[arg-type]
    socket.transport.abort()
    line = await open_line(server)
    assert (await line.ask("get_settings"))["ok"]
    await server.stop()
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]


@pytest.mark.parametrize("name", ["%00", "a" * 5000, "", ".", "%2e%2e/index.html", "/etc/passwd", "%FF"])
async def test_an_asset_of_an_odd_name_is_not_there(server: Server, name: str):
    async with client(server) as http:
        assert (await http.get(f"/assets/{name}")).status_code in (401, 404)
