"""A folder for documents, and the tools that may use it."""

from pathlib import Path

import pytest

from mcp_servers.word import create
from tests.mcp_servers.calls import Tools


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    return made


@pytest.fixture
def tools(folder: Path, tmp_path: Path) -> Tools:
    return Tools(server=create({"roots": [str(folder)], "data_dir": str(tmp_path / "data"), "language": "en"}))
