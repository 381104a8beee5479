"""What a terminal is told of servers that do not start in time."""

import sys
from pathlib import Path

import pytest

from app.chat.leochat import LeoChat, Run
from app.cli.ask import wait_for_tools
from app.mcp_host.config import ServerConfig, accept_launch


async def test_a_server_that_is_waited_for_in_vain_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    silent = ServerConfig(name="silent", command=sys.executable, args=("-c", "import time; time.sleep(600)"))
    leo = LeoChat(tmp_path, Run(servers=(accept_launch(silent),), bundled=(), offline=True), environ={})
    leo.start()
    try:
        await wait_for_tools(leo, 0.2)
    finally:
        await leo.close()
    assert "without their tools: silent" in capsys.readouterr().err
