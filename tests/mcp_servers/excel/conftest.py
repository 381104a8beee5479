"""A folder that is allowed, the server over it, and files to read."""

from pathlib import Path

import pytest

from mcp_servers.excel import create
from tests.mcp_servers.calls import Tools


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "allowed"
    made.mkdir()
    return made


@pytest.fixture
def tools(folder: Path, tmp_path: Path) -> Tools:
    """The server's tools, in process; the work happens in real child processes."""
    return Tools(server=create({"roots": [str(folder)], "data_dir": str(tmp_path / "data"), "language": "en"}))
