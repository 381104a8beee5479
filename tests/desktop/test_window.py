"""The window as a person has it: opened, talked to, resized by sentence, navigated nowhere, closed."""

import re
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.desktop.apps import ROOT, App, Desktop, setting, until
from tests.desktop.conftest import Open

EXAMPLE = ROOT / "build" / "package" / "example" / "edition.toml"
SLOW_TOOLKIT = """
import importlib, time

real = importlib.import_module

def slow(name, package=None):
    if name == "webview":
        time.sleep(4)
    return real(name, package)

importlib.import_module = slow
"""
pytestmark = pytest.mark.timeout(240)


def say(page: Page, text: str) -> None:
    expect.set_options(timeout=45_000)
    page.get_by_test_id("composer").fill(text)
    page.get_by_test_id("send").click()


def kept_place(app: App) -> tuple[int | None, ...]:
    """The window's size and place as its home has them."""
    return tuple(setting(app.home, f"window.{name}") for name in ("width", "height", "x", "y"))


def test_the_window_shows_the_page_in_the_remembered_size(app: App, desktop: Desktop) -> None:
    page = app.page()
    assert desktop.size(app.window) == (1200, 800)
    assert page.evaluate("[innerWidth, innerHeight]") == [1200, 800]
    assert desktop.name(app.window) == "LeoChat"
    assert "token" not in page.url


def test_the_page_gets_no_bridge_into_the_app(app: App) -> None:
    page = app.page()
    assert page.evaluate("[typeof window.pywebview, typeof window.qt?.webChannelTransport]") == ["undefined", "undefined"]


def test_a_quiz_is_played_by_clicking(app: App) -> None:
    page = app.ready()
    say(page, "start the Pokémon quiz with 1 round")
    question = page.get_by_test_id("card").first
    expect(question).to_be_visible()
    question.locator('[data-testid=card-action][data-action-id="opt_1"]').click()
    expect(page.locator('[data-testid=card-action][data-action-id="restart"], [data-action-id="next"]').first).to_be_visible()


def test_the_title_follows_the_conversation(app: App, desktop: Desktop) -> None:
    app.page()
    until(lambda: re.fullmatch(r".+ · LeoChat", desktop.name(app.window)), 30, lambda: desktop.name(app.window))


def test_a_sentence_makes_the_window_small(app: App, desktop: Desktop) -> None:
    page = app.ready()
    say(page, "make the window small")
    expect(page.get_by_text("800x600").last).to_be_visible()
    assert page.evaluate("[innerWidth, innerHeight]") == [800, 600]
    until(lambda: desktop.size(app.window) == (800, 600), 10, lambda: str(desktop.size(app.window)))
    until(lambda: setting(app.home, "window.width") == 800, 20, lambda: "the size was not kept")


def test_a_sentence_changes_the_theme(app: App) -> None:
    page = app.ready()
    say(page, "make the theme dark purple")
    expect(page.locator("html")).to_have_attribute("data-theme-id", "dark-purple")


def test_the_window_goes_nowhere_and_opens_no_other(open_app: Open) -> None:
    app = open_app()
    link = "Object.assign(document.createElement('a'), {{href: '{}', target: '{}'}}).click()"
    *_, here = app.evaluate(
        "location.href = 'http://127.0.0.1:9/elsewhere'",
        "location.href = 'data:text/html,gone'",
        "location.href = '/health'",
        "window.open('http://127.0.0.1:9/new'), 1",
        link.format("http://127.0.0.1:9/", "_blank"),
        link.format("http://127.0.0.1:9/", "_top"),
        link.format("mailto:a@b.example", ""),
        "new Promise(done => setTimeout(done, 500))",  # whatever was begun would have begun
        "location.pathname + location.port + document.querySelectorAll('#app > *').length",
    )
    assert re.fullmatch(r"/\d{4,5}[1-9]\d*", here)
    assert len(app.windows()) == 1


def test_an_edition_is_a_program_of_its_own_name(open_app: Open, desktop: Desktop, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\ncd "${0%/*}"\nenv > env\necho "$1" > said\nmv said asked\n', "utf-8")
    browser.chmod(0o755)
    app = open_app("harbour", LEOCHAT_EDITION=str(EXAMPLE), BROWSER=str(browser), QT_STYLE_OVERRIDE="mine")
    assert desktop.name(app.window) == "Harbour Desk"  # before the page is there, too
    page = app.page()
    until(lambda: desktop.name(app.window) == "Harbour Desk", 20, lambda: desktop.name(app.window))
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-about").click()
    page.get_by_role("button", name="Home page").click()
    until((tmp_path / "asked").exists, 60)
    assert (tmp_path / "asked").read_text("utf-8").strip() == "https://harbour.example/desk"
    given = (tmp_path / "env").read_text("utf-8").splitlines()
    assert "QT_STYLE_OVERRIDE=mine" in given
    assert [line for line in given if line.startswith(("RESOURCE_NAME=", "QT_API="))] == []
    assert "QTWEBENGINE_CHROMIUM_FLAGS=--disable-gpu" in given  # as it was given to us, and no word of our own engine's


def test_a_reload_finds_the_page_again(app: App) -> None:
    page = app.page()
    page.reload()
    expect(page.get_by_test_id("composer")).to_be_visible()
    expect(page.get_by_test_id("link-lost")).to_have_count(0)


def test_a_window_that_comes_after_the_backend_has_its_page_too(open_app: Open, tmp_path: Path) -> None:
    late = tmp_path / "late"
    late.mkdir()
    (late / "sitecustomize.py").write_text(SLOW_TOOLKIT, encoding="utf-8")
    assert open_app(PYTHONPATH=str(late)).page()


def test_why_it_cannot_start_stands_in_the_window(open_app: Open, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "leochat.db").write_bytes(b"no database" * 1000)
    app = open_app()
    until(lambda: "leochat.db is damaged" in app.words(), 90, lambda: f"{app.words()}; {app.errors.read_text()}")


def test_closing_ends_everything_and_the_next_start_has_its_size_and_place(open_app: Open, desktop: Desktop) -> None:
    first = open_app()
    first.page()
    processes = first.processes()
    assert len(processes) > 1
    desktop.run("xdotool", "windowsize", "--sync", first.window, "900", "700")
    desktop.run("xdotool", "windowmove", first.window, "111", "99")
    until(lambda: kept_place(first) == (900, 700, 111, 99), 40, lambda: str(kept_place(first)))
    desktop.close(first.window)
    until(lambda: not first.windows(), 10, lambda: "the window is still there")
    assert first.process.wait(10) == 0, first.errors.read_text()
    _, alive = psutil.wait_procs(processes[1:], timeout=5)
    assert not alive
    again = open_app()
    again.page()
    assert desktop.size(again.window) == (900, 700)
    desktop.close(again.window)
    assert again.process.wait(10) == 0
    assert kept_place(again) == (900, 700, 111, 99)


def test_a_second_start_brings_the_first_to_the_front(app: App, open_app: Open, desktop: Desktop) -> None:
    app.page()
    other = open_app("other")
    other.page()
    desktop.run("xdotool", "windowactivate", "--sync", other.window)
    assert desktop.active() == other.window
    second = open_app(str(app.home))
    assert second.process.wait(60) == 0
    assert "open already" in second.errors.read_text()
    until(lambda: desktop.active() == app.window, 20, desktop.active)
    assert len(app.windows()) == 1


def test_a_polite_signal_ends_everything_too(app: App) -> None:
    app.page()
    processes = app.processes()
    app.process.terminate()  # the last test of the module has its window
    assert app.process.wait(10) == 143
    _, alive = psutil.wait_procs(processes[1:], timeout=5)
    assert not alive
