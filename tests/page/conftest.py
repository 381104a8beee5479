"""One browser for the room, one served home for a module, one clean page for a test."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from app.mcp_host.config import ServerConfig
from tests.page.served import ROOT, Served
from tests.page.talk import PATIENCE_MS, Talk

ARGS = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--no-sandbox"]  # fmt: skip
# The same engine without a browser's own window around each page, which costs more than the page itself.
SHELL = "chromium-headless-shell"
NO_PAGE = "the page is not built: python3 build start, or npm run build in frontend"
Opener = Callable[..., Talk]


@pytest.fixture(scope="package")
def playwright() -> Generator[Playwright]:
    with sync_playwright() as made:
        expect.set_options(timeout=PATIENCE_MS)
        yield made


@pytest.fixture(scope="session")
def shell(request: pytest.FixtureRequest) -> str:
    """The path of what shows the page: the lightest Chromium that is here."""
    light = None if "LEOCHAT_CHROMIUM" in os.environ else shutil.which(SHELL)
    return light or request.getfixturevalue("chromium")


@pytest.fixture(scope="package")
def browser(playwright: Playwright, shell: str) -> Generator[Browser]:
    if not (ROOT / "app" / "web" / "static" / "index.html").is_file():
        pytest.skip(NO_PAGE)
    made = playwright.chromium.launch(executable_path=shell, args=ARGS, timeout=90_000)
    yield made
    made.close()


@pytest.fixture(scope="module")
def servers() -> tuple[ServerConfig, ...]:
    """The third-party servers of a module's home."""
    return ()


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory, servers: tuple[ServerConfig, ...]) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp("leo"))
    served.configure(*servers)
    served.start()
    yield served
    served.stop()


@pytest.fixture
def opened(browser: Browser, leo: Served) -> Generator[Opener]:
    """Opens windows of the module's home, each with a memory of its own, and looks after them: none may complain."""
    contexts: list[BrowserContext] = []
    talks: list[Talk] = []

    def open_one(width: int = 1200, height: int = 800, **options: object) -> Talk:
        given = {"locale": "en-US", "color_scheme": "light", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **given)  # pyright: ignore[reportArgumentType]
        context.set_default_timeout(PATIENCE_MS)
        context.set_default_navigation_timeout(3 * PATIENCE_MS)
        contexts.append(context)
        talks.append(Talk(context.new_page(), leo))
        talks[-1].open()
        return talks[-1]

    yield open_one
    complaints = [line for talk in talks for line in talk.complaints]
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def talk(opened: Opener) -> Talk:
    return opened()


@pytest.fixture
def page(talk: Talk) -> Page:
    return talk.page


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """The message that makes the demo model play these replies."""
    from tests.page.scripts import written

    count = iter(range(100))
    return lambda *lines: written(tmp_path / f"script{next(count)}.jsonl", *lines)
