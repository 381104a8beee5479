"""The packaged window, used by clicking. Run in the project's environment, on a display, with `build` on Python's path.

    python -m package.window_check ENTRY PLACE [--edition FILE] [--server JSON] [--short] [--shots FOLDER]

ENTRY is the menu entry that starts it, PLACE an empty folder with `bin`, the PATH to use. With --short only what shows
that it lives. The last line says how long the window took to be there and to be usable, first and second time.
"""

import argparse
import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from package.driven import PATIENCE_MS, Window, desktop, until
from package.looks import same_picture

Shot = Callable[[str], None]
NEWS = "<!doctype html><title>Harbour news</title><h1>The lighthouse is lit again</h1><p>From today on, every night.</p>"
ECHO = "the foghorn works"
SEEN_SECONDS = 0.7
"""From what the page knows to what a screen without graphics hardware shows of it; for pictures alone."""


def knows_tools(home: Path) -> bool:
    """Whether the tools that are asked for first are there, on a very first start too."""
    files = [path.read_text(encoding="utf-8") for path in home.rglob("mcp-tools.json")]
    tools = ("pokemon_start", "create_workbook", "write_document", "browser_navigate")
    return any(all(tool in text for tool in tools) for text in files)


def first_time(window: Window, shot: Shot, place: Path, server: list[str]) -> None:
    """Everything a person tries on the first day."""
    until(lambda: knows_tools(place), 180, "the bundled servers offer no tools")
    shot("1-empty")
    demos(window, shot)
    theme_and_size(window, shot)
    offices(window, shot, place / "documents")
    read_a_page(window, shot)
    if server:
        add_server(window, server, shot)


def rest(page: Page) -> None:
    """Until no task runs."""
    expect(page.get_by_test_id("stop")).to_have_count(0)


def demos(window: Window, shot: Shot) -> None:
    """Quiz and shop, by their buttons."""
    page = window.page
    page.locator('[data-testid=try-it][data-try="quiz"]').click()
    question = page.get_by_test_id("card").first
    question.locator('[data-testid=card-action][data-action-id="opt_1"]').click()
    expect(page.locator('[data-action-id="next"], [data-action-id="restart"]').first).to_be_visible()
    rest(page)
    shot("2-quiz")
    page.get_by_test_id("new-conversation").first.click()
    page.locator('[data-testid=try-it][data-try="shop"]').click()
    cards = page.get_by_test_id("card")
    cards.first.get_by_test_id("card-action").first.click()
    expect(cards.nth(1)).to_be_visible()
    rest(page)
    shot("3-shop")


def theme_and_size(window: Window, shot: Shot) -> None:
    """Commands to the window itself."""
    page = window.page
    page.get_by_test_id("new-conversation").first.click()
    page.locator('[data-testid=try-it][data-try="theme"]').click()
    expect(page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")
    window.say("make the window small")
    expect(page.get_by_text("800x600").last).to_be_visible()
    assert page.evaluate("[innerWidth, innerHeight]") == [800, 600]
    shot("4-theme-and-size")
    window.say("make the window medium")
    until(lambda: page.evaluate("innerWidth") > 800, 60, "the window stays small")


def offices(window: Window, shot: Shot, documents: Path) -> None:
    window.say('[excel__create_workbook path="sums.xlsx"]')
    window.allow()
    until(lambda: next(documents.rglob("sums.xlsx"), None), 60, "no Excel file was written")
    window.say('[word__write_document path="letter.docx" title="Letter" markdown="Dear all, **hello**."]')
    window.allow()
    until(lambda: next(documents.rglob("letter.docx"), None), 60, "no Word file was written")
    expect(window.page.get_by_text("letter.docx").last).to_be_visible()
    rest(window.page)
    shot("5-office")


def read_a_page(window: Window, shot: Shot) -> None:
    """By the browser server: the app asks about the call, then the server about an address inside this computer."""
    with site() as address:
        window.say(f'[browser__browser_navigate url="{address}"]')
        window.allow()
        window.page.get_by_test_id("elicit-accept").click()
        called(window.page, "browser_navigate", "lighthouse is lit again")
    shot("6-browser")


def called(page: Page, tool: str, says: str) -> None:
    """The newest call of this tool went well, and its opened row shows that."""
    row = page.locator(f'[data-testid="tool-call"][data-tool$="{tool}"]').last
    expect(row).to_have_attribute("data-state", "done")
    row.locator("summary").first.click()
    expect(row).to_contain_text(says)
    rest(page)


@contextmanager
def site() -> Generator[str]:
    """A page on this computer."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(NEWS.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
            del format, args

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def add_server(window: Window, command: list[str], shot: Shot) -> None:
    """A server of somebody else's: seen whole before it starts, then used."""
    page = window.page
    page.get_by_test_id("open-servers").click()
    page.get_by_test_id("server-add").click()
    page.get_by_test_id("server-name").fill("added")
    page.get_by_test_id("server-command").fill(command[0])
    page.get_by_test_id("server-args").fill("\n".join(command[1:]))
    page.get_by_test_id("server-save").click()
    shot("7-accept")
    page.get_by_test_id("server-accept").click()
    expect(row_of(page, "added")).to_have_attribute("data-status", "ready")
    shot("8-servers")
    page.get_by_test_id("close-settings").click()
    window.say(f'[added__echo message="{ECHO}"]')
    window.allow()
    called(page, "echo", ECHO)


def row_of(page: Page, server: str) -> Locator:
    return page.locator(f'[data-testid=server-row][data-server="{server}"]')


def about(page: Page, shot: Shot) -> None:
    """The page with all licences."""
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-about").click()
    expect(page.get_by_test_id("parts").locator("li").first).to_be_visible()
    assert page.get_by_test_id("parts").locator("li").count() > 60
    page.get_by_test_id("diagnosis-show").click()
    expect(page.get_by_test_id("diagnosis-text")).to_contain_text("packaged: yes")
    shot("10-about")


def rows_of(page: Page) -> Locator:
    """The conversations in the list, the newest first: theme and all else, shop, quiz, what an edition was asked."""
    return page.get_by_test_id("conversation-list").locator("[data-testid=conversation-row]")


def second_time(window: Window, shot: Shot, server: list[str], conversations: int) -> None:
    """All is as it was left."""
    page = window.page
    expect(page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")
    rows = rows_of(page)
    expect(rows).to_have_count(conversations)
    rows.nth(2).locator("button.row").click()
    expect(page.get_by_test_id("card").first.locator('[data-action-id="opt_1"]')).to_have_attribute("data-pressed", "true")
    shot("9-again")
    rows.first.locator("button.row").click()
    expect(page.locator('[data-testid="tool-call"][data-tool$="write_document"]').last).to_be_visible()
    about(page, shot)
    if server:
        page.get_by_test_id("settings-servers").click()
        expect(row_of(page, "added")).to_have_attribute("data-status", "ready")


def edition_there(window: Window, shot: Shot, file: Path) -> None:
    """Name, icon, knowledge (searched), prompts and servers of the edition, as its file has them."""
    page, told = window.page, tomllib.loads(file.read_text(encoding="utf-8"))
    expect(page).to_have_title(told["name"])
    if wanted := told.get("icon"):
        assert same_picture(window.icon(), file.parent / wanted), "the window shows another icon"
    offered = page.locator('[data-testid=try-it][data-try="edition"]')
    prompts = told.get("prompts", [])
    expect(offered).to_have_count(len(prompts))
    shot("e1-empty")
    for folder in told.get("knowledge", []):
        page.get_by_test_id("open-settings").click()
        page.get_by_test_id("settings-knowledge").click()
        line = page.get_by_test_id("knowledge-folder").filter(has_text=folder["name"])
        expect(line).to_have_attribute("data-state", "ready")
        shot("e2-knowledge")
        page.get_by_test_id("close-settings").click()
        window.say(f'[knowledge__search_knowledge query="{first_word(file.parent / folder["folder"])}"]')
        called(page, "search_knowledge", folder["folder"])
        page.get_by_test_id("new-conversation").first.click()
    if prompts:
        offered.first.click()
        expect(page.locator('[data-testid="message"][data-role="user"]').first).to_contain_text(prompts[0]["text"])
        rest(page)
        shot("e3-prompt")
    if servers := told.get("servers", []):
        page.get_by_test_id("open-servers").click()
        for server in servers:
            expect(row_of(page, server["name"])).to_be_visible()
            status = row_of(page, server["name"]).get_attribute("data-status")
            assert status != "ready" or server.get("accepted"), f"{server['name']} runs, and nobody accepted it"
        shot("e4-servers")
        page.get_by_test_id("close-settings").click()
    page.get_by_test_id("new-conversation").first.click()


def first_word(folder: Path) -> str:
    """A word of some length out of the first of its texts."""
    text = next(file for file in sorted(folder.rglob("*")) if file.suffix in (".md", ".txt")).read_text(encoding="utf-8")
    return next(word for word in re.findall(r"\w+", text) if len(word) > 4)


def lives(window: Window, shot: Shot) -> None:
    """A demo with a button."""
    until(lambda: knows_tools(window.place), 180, "the bundled servers offer no tools")
    window.page.locator('[data-testid=try-it][data-try="quiz"]').click()
    window.page.get_by_test_id("card").first.locator('[data-testid=card-action][data-action-id="opt_1"]').click()
    expect(window.page.locator('[data-action-id="next"], [data-action-id="restart"]').first).to_be_visible()
    shot("lives")


def main(arguments: list[str]) -> int:
    """Both days; AssertionError or a time limit where something does not work."""
    options = _parser().parse_args(arguments)
    place: Path = options.place
    server: list[str] = json.loads(options.server)
    expect.set_options(timeout=PATIENCE_MS)
    shot = functools.partial(_shot, options.shots)
    times: list[str] = []
    with desktop() as playwright:
        opened: list[Window] = []

        def start() -> Window:
            opened.append(Window(options.entry.absolute(), place, playwright, early=lambda: shot("0-start")))
            times.append(f"a window after {opened[-1].shown:.1f} s, usable after {opened[-1].seconds:.1f} s")
            return opened[-1]

        try:
            window = start()
            if options.edition:
                until(lambda: knows_tools(place), 180, "the bundled servers offer no tools")
                edition_there(window, shot, options.edition)
            if options.short:
                lives(window, shot)
            else:
                first_time(window, shot, place, server)
            conversations = rows_of(window.page).count()
            window.close()
            if not options.short:
                window = start()
                second_time(window, shot, server, conversations)
                window.close()
        except BaseException:
            shot("failed")
            raise
        finally:
            for window in opened:
                window.process.kill()
                window.process.wait()
    print("; then ".join(times))
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("window_check", description=__doc__)
    made.add_argument("entry", type=Path)
    made.add_argument("place", type=Path)
    made.add_argument("--edition", type=Path)
    made.add_argument("--server", default="[]", help="a command as a JSON list")
    made.add_argument("--short", action="store_true")
    made.add_argument("--shots", type=Path)
    return made


def _shot(folder: Path | None, name: str) -> None:
    if folder and shutil.which("import"):
        time.sleep(SEEN_SECONDS)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["import", "-window", "root", str(folder / f"{name}.png")], check=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
