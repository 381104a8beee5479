"""The two ways in which a system can look names up: from open folders, and (on Windows) by path."""

import pytest

from mcp_servers.filesystem import folder


@pytest.fixture(params=["handles", "paths"])
def lookup(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test that uses this runs in both ways; on Windows both are the same."""
    if request.param == "paths":
        monkeypatch.setattr(folder, "HANDLES", False)
