"""Twenty-five configured servers, five of them broken: the page can be used at once, and each says what is wrong with it."""

import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from app.mcp_host.config import ServerConfig
from tests.page.conftest import Opener
from tests.page.served import Served
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(300)
FAKES = Path(__file__).parents[1] / "mcp_host" / "fakes"
# How long it takes is printed: under a second is the aim, on a machine that has one to spare.


def broken() -> list[ServerConfig]:
    return [
        ServerConfig(name="b-lost", command="no-such-program-here"),
        ServerConfig(name="b-dying", command=sys.executable, args=(str(FAKES / "dying.py"), "x")),
        ServerConfig(name="b-silent", command=sys.executable, args=("-c", "import time; time.sleep(600)"), start_timeout=600),
        ServerConfig(name="b-nobody", transport="http", url="http://127.0.0.1:1/mcp"),
        ServerConfig(name="b-unset", command="x", env={"KEY": "${LEOCHAT_IS_NOT_SET}"}),
    ]


@pytest.fixture(scope="module")
def servers() -> tuple[ServerConfig, ...]:
    well = [ServerConfig(name=f"s{n:02}", command=sys.executable, args=(str(FAKES / "faulty.py"), "good")) for n in range(20)]
    return (*well, *broken())


@pytest.fixture
def leo(tmp_path: Path, servers: tuple[ServerConfig, ...]) -> Generator[Served]:
    """Not started yet: the test takes the time of it."""
    served = Served(tmp_path / "leo")
    served.configure(*servers)
    yield served
    served.stop()


def test_the_page_is_usable_at_once_and_tells_each_servers_state(leo: Served, opened: Opener, browser: Browser) -> None:
    del browser
    began = time.monotonic()
    leo.start()
    served = time.monotonic() - began
    talk: Talk = opened()
    expect(talk.page.get_by_test_id("composer")).to_be_editable()
    usable = time.monotonic() - began
    print(f"25 servers: served after {served:.2f} s, usable after {usable:.2f} s")
    talk.say("hello")
    talk.rest()
    talk.page.get_by_test_id("open-servers").click()
    for name in ("s00", "s19"):
        expect(talk.server(name)).to_have_attribute("data-status", "ready", timeout=120_000)
    for name in ("b-lost", "b-dying", "b-nobody", "b-unset"):
        expect(talk.server(name)).to_have_attribute("data-status", "error", timeout=60_000)
    expect(talk.server("b-silent")).to_have_attribute("data-status", "starting")
    expect(talk.server("b-unset")).to_contain_text("LEOCHAT_IS_NOT_SET")
