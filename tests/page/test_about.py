"""The page about the program, of an edition; and the zoom, which is kept."""

from collections.abc import Generator

import pytest
from playwright.sync_api import expect

from tests.page.served import ROOT, Served
from tests.page.talk import Talk

EXAMPLE = ROOT / "build" / "package" / "example" / "edition.toml"


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp("harbour"), LEOCHAT_EDITION=str(EXAMPLE))
    served.start()
    yield served
    served.stop()


def test_an_editions_name_prompts_and_servers_are_there_and_wait(talk: Talk) -> None:
    page = talk.page
    expect(page).to_have_title("Harbour Desk")
    expect(page.locator("html")).to_have_attribute("data-theme-id", "light-green")
    expect(page.locator('[data-testid=try-it][data-try="edition"]')).to_contain_text("what does the handbook say")
    page.get_by_test_id("open-servers").click()
    expect(talk.server("logbook")).to_be_visible()
    expect(talk.server("tides")).to_have_attribute("data-status", "disabled")
    expect(talk.server("logbook")).not_to_have_attribute("data-status", "ready")


def test_parts_are_found_their_licences_read_and_the_diagnosis_seen_before_it_is_copied(talk: Talk) -> None:
    page = talk.page
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-about").click()
    expect(page.get_by_test_id("about-name")).to_have_text("Harbour Desk 1.0")
    page.get_by_test_id("parts-search").fill("pydantic-core")
    page.get_by_test_id("parts-search").fill("pydantic")
    lines = page.get_by_test_id("parts").locator("li")
    expect(lines.first).to_contain_text("MIT")
    lines.first.locator("button").click()
    expect(page.get_by_test_id("licence")).to_contain_text("Permission is hereby granted")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("licence")).to_have_count(0)
    page.get_by_test_id("diagnosis-show").click()
    expect(page.get_by_test_id("diagnosis-text")).to_contain_text("Harbour Desk 1.0, made with LeoChat")
    page.get_by_test_id("diagnosis-copy").click()
    expect(talk.toast.last).to_contain_text("copied")


def test_the_zoom_follows_the_keys_and_is_kept(talk: Talk) -> None:
    page, root = talk.page, talk.page.locator("html")
    for keys in ("Control++", "Control+="):
        before = page.evaluate("document.documentElement.style.zoom || '100%'")
        page.keyboard.press(keys)
        page.wait_for_function("before => (document.documentElement.style.zoom || '100%') !== before", arg=before)
    expect(root).to_have_css("zoom", "1.2")
    page.reload()
    expect(root).to_have_css("zoom", "1.2")
    page.keyboard.press("Control+-")
    expect(root).to_have_css("zoom", "1.1")
    page.keyboard.press("Control+0")
    expect(root).to_have_css("zoom", "1")


def test_the_systems_dark_mode_is_followed_while_it_runs(talk: Talk) -> None:
    page, root = talk.page, talk.page.locator("html")
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-appearance").click()
    follows = page.locator('[data-setting="general.follow_system"] [role=switch]')
    if follows.get_attribute("aria-checked") != "true":
        follows.click()
    page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme-id", "dark-green")
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme-id", "light-green")
