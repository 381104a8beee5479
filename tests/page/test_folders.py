"""“Save it on my desktop” in the page: asked, written, shown, opened; and the folders in the settings."""

import os
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Opener
from tests.page.served import Served
from tests.page.talk import Talk, button_of

pytestmark = [
    pytest.mark.timeout(240),
    pytest.mark.skipif(sys.platform != "linux", reason="the desktop's place and its opener are Linux's here"),
]
WRITE = '[excel__write_table path="~/Desktop/{}.xlsx" records=[{{"Name":"Ann","Age":31}}]]'
DROP = """name => {
  const data = new DataTransfer();
  data.items.add(new File(["x"], name));
  document.querySelector("main").dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}));
}"""


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The home of somebody with a desktop in Spanish, and an opener that notes what it was given."""
    folder = tmp_path_factory.mktemp("leo")
    (folder / "me" / "Escritorio").mkdir(parents=True)
    (folder / "me" / ".config").mkdir()
    (folder / "me" / ".config" / "user-dirs.dirs").write_text('XDG_DESKTOP_DIR="$HOME/Escritorio"\n', encoding="utf-8")
    opener = folder / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{folder}/opened"\n', encoding="utf-8")
    opener.chmod(0o755)
    served = Served(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder / "me"))
        patch.setenv("PATH", f"{opener.parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("DISPLAY", ":9")
        for name in ("XDG_CONFIG_HOME", "XDG_DESKTOP_DIR", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"):
            patch.delenv(name, raising=False)
        served.start()
    yield served
    served.stop()


@pytest.fixture
def desktop(leo: Served) -> Path:
    return leo.folder / "me" / "Escritorio"


def test_a_file_for_the_desktop_asks_for_the_folder_and_its_card_opens_it(talk: Talk, desktop: Path, leo: Served) -> None:
    talk.ready("excel")
    talk.say(WRITE.format("report"))
    expect(talk.page.get_by_test_id("approval")).to_have_count(1)  # one question: the call and its folder
    expect(talk.page.get_by_test_id("approval")).to_contain_text("write_table")
    expect(talk.page.get_by_test_id("approval-folder")).to_have_text(str(desktop))
    expect(talk.call("write_table")).to_have_attribute("data-state", "approval")
    talk.page.get_by_test_id("approve").click()
    card = talk.card("changed_")
    expect(card).to_contain_text("Ann")
    talk.rest()
    assert (desktop / "report.xlsx").is_file()
    for action in ("open", "reveal"):
        talk.press(card, action)
        expect(button_of(card, action)).to_have_attribute("data-state", "pressed")
    opened = (leo.folder / "opened").read_text("utf-8").split()
    assert opened == [str(desktop / "report.xlsx"), str(desktop)]
    talk.press(card, "undo")
    talk.confirm()
    expect(talk.card("changed_")).to_contain_text("Removed")
    expect(talk.page.get_by_test_id("approval")).to_have_count(0)
    assert not (desktop / "report.xlsx").exists()


def test_a_denied_folder_stays_as_it_was(talk: Talk, desktop: Path) -> None:
    talk.ready("excel")
    talk.say(WRITE.format("denied"))
    expect(talk.page.get_by_test_id("approval-folder")).to_be_visible()
    talk.page.get_by_test_id("deny").click()
    expect(talk.call("write_table")).to_have_attribute("data-state", "error")
    talk.rest()
    assert not (desktop / "denied.xlsx").exists()


def test_folders_are_added_refused_and_removed_in_the_settings(opened: Opener, leo: Served, desktop: Path) -> None:
    talk = opened(800, 600, color_scheme="dark")
    page = talk.page
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-folders").click()
    rows = page.get_by_test_id("folder")
    expect(rows).to_have_count(1)
    page.get_by_test_id("folder-path").fill("/etc")
    page.get_by_test_id("folder-path").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("never opened to tools")
    page.get_by_test_id("folder-path").fill(str(desktop))
    page.get_by_test_id("folder-add").click()
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text(str(desktop))
    expect(page.get_by_test_id("folder-pick")).to_have_count(0)  # a browser has no such dialog
    page.evaluate(DROP, "somewhere.txt")
    expect(talk.toast).to_contain_text("does not tell where")
    page.get_by_test_id("folder-remove").click()
    expect(rows).to_have_count(1)
