"""A site to fetch from, and the tools that may reach it."""

from collections.abc import AsyncGenerator

import pytest

from mcp_servers.fetch import create
from tests.mcp_servers.calls import Tools
from tests.mcp_servers.fetch.site import Site, served


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    async with served() as found:
        yield found


@pytest.fixture
def tools(site: Site) -> Tools:
    """The tools of a server whose owner opened the site's own host and port, and nothing else."""
    return Tools(server=create({"open_hosts": [site.host], "seconds": 20}))
