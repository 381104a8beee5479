"""Servers that nobody here wrote: the reference "everything" server over stdio and HTTP, and the newest protocol."""

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from app.core.tools import LinkItem, MediaItem
from app.mcp_host.config import ServerConfig, accept_launch
from tests.mcp_host.desk import Desk, OpenDesk, fake, words

CACHE = Path(__file__).parents[2] / ".cache" / "mcp-everything"
PACKAGE = "@modelcontextprotocol/server-everything@2026.8.31"


@pytest.fixture(scope="session")
def everything() -> str:
    """The program of the reference server, installed once under .cache; skips where npm cannot."""
    program = CACHE / "node_modules" / ".bin" / "mcp-server-everything"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm here: install Node.js")
        CACHE.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE.parent) as folder:
            command = [npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "--silent", PACKAGE]
            done = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
            if done.returncode != 0:
                pytest.skip(f"npm cannot install {PACKAGE}: {done.stderr.strip()[:200]}")
            if not CACHE.exists():
                Path(folder).rename(CACHE)
                Path(folder).mkdir()
    return str(program)


async def use(d: Desk) -> None:
    assert d.host.status("every").server_version
    assert words(await d.call("echo", message="hello")) == "Echo: hello"
    assert d.host.check(d.spec("get-sum"), {"a": 1}) is not None
    assert "done" in words(await d.call("trigger-long-running-operation", duration=0.4, steps=2)).lower() or d.progress
    assert [p[:2] for p in d.progress] == [(1.0, 2.0), (2.0, 2.0)]
    image = await d.call("get-tiny-image")
    assert any(isinstance(i, MediaItem) and i.media_type == "image/png" for i in image.items)
    links = await d.call("get-resource-links", count=2)
    assert sum(isinstance(i, LinkItem) for i in links.items) == 2
    structured = await d.call("get-structured-content", location="New York")
    assert set(structured.structured) == {"temperature", "conditions", "humidity"}


async def test_the_reference_server_over_stdio(desk: OpenDesk, everything: str) -> None:
    async with desk(accept_launch(ServerConfig(name="every", command=everything, args=("stdio",)))) as d:
        await use(d)


async def test_the_reference_server_over_streamable_http(desk: OpenDesk, everything: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = await asyncio.create_subprocess_exec(
        everything, "streamableHttp", env={**os.environ, "PORT": str(port)},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert server.stderr is not None
        async with asyncio.timeout(20):
            while b"listening" not in await server.stderr.readline():
                continue
        url = f"http://127.0.0.1:{port}/mcp"
        async with desk(accept_launch(ServerConfig(name="every", transport="http", url=url))) as d:
            await use(d)
    finally:
        server.terminate()
        await server.wait()


async def test_a_server_of_the_stateless_era(desk: OpenDesk) -> None:
    config = fake("", file="modern.py", timeout=3)
    async with desk(config) as d:
        status = d.host.status("fake")
        assert (status.protocol_version, status.title) == ("2026-07-28", "Modern server")
        assert (await d.call("add", a=2, b=3)).structured == {"result": 5}
        assert words(await d.call("slow", steps=4)) == "done"
        assert d.progress[-1] == (4.0, 4.0, "step 4")
