"""A host with fake servers over real pipes, closed whatever happens."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.config import ServerConfig, accept_launch
from app.mcp_host.host import McpHost
from app.mcp_host.status import ServerStatus
from tests.mcp_host.desk import Desk, OpenDesk


@pytest.fixture
def desk(tmp_path: Path) -> OpenDesk:
    @asynccontextmanager
    async def opened(*configs: ServerConfig, wait: bool = True, accept: bool = False, **options: Any) -> AsyncGenerator[Desk]:
        if accept:
            configs = tuple(accept_launch(c) for c in configs)
        seen: list[ServerStatus] = []
        options = {"bundled": (), "data_dir": tmp_path / "data", "log_dir": tmp_path / "logs", **options}
        host = McpHost(configs, on_change=seen.append, **options)
        desk = Desk(host, seen)
        host.start()
        try:
            if wait:
                await host.ready(timeout=30)
            yield desk
        finally:
            await asyncio.wait_for(host.stop(), 12)

    return opened
