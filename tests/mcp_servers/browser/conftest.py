"""A shop to visit, and the tools of a browser whose owner opened the shop's host and nothing else."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import pytest

from mcp_servers.browser import create
from tests.mcp_servers.browser.household import Guest, Household
from tests.mcp_servers.browser.shop import Shop, open_shop


@pytest.fixture
async def shop() -> AsyncGenerator[Shop]:
    async with open_shop() as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The allowed folder."""
    made = tmp_path / "allowed"
    made.mkdir()
    return made


@pytest.fixture(scope="session")
def household(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Generator[Household]:
    data = str(tmp_path_factory.mktemp("browser"))
    made = Household(create, {"data_dir": data, "protected": [data], "program": chromium, "language": "en"})
    made.open()
    yield made
    made.close()


@pytest.fixture
async def tools(household: Household, shop: Shop, folder: Path, request: pytest.FixtureRequest) -> AsyncGenerator[Guest]:
    """The tools as a new conversation has them; its tabs are closed at the end."""
    standing = dict(household.config)
    household.config.update(open_hosts=[shop.host], roots=[str(folder)])
    guest = Guest(household, request.node.name)
    household.answer = lambda words: "cancel"
    yield guest
    listed = (await guest.result("browser_tabs", action="list")).structured_content
    for _ in listed["tabs"] if listed else ():
        await guest.result("browser_tabs", action="close", index=0)
    household.config.clear()
    household.config.update(standing)


@pytest.fixture
def config(tmp_path: Path, folder: Path, shop: Shop, chromium: str) -> dict[str, Any]:
    """For a browser that a test has to itself."""
    return {
        "data_dir": str(tmp_path / "data"),
        "roots": [str(folder)],
        "protected": [str(tmp_path / "data")],
        "open_hosts": [shop.host],
        "program": chromium,
        "language": "en",
    }
