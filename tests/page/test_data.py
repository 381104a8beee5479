"""The page for data and backups: a copy made, gone back to, everything out to a file and in again."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.page.conftest import Opener
from tests.page.served import Served


def test_a_backup_is_made_and_the_next_start_goes_back_to_it(opened: Opener, leo: Served) -> None:
    talk = opened()
    talk.say("written before the copy")
    talk.hear("Demo model")
    rows = talk.page.get_by_test_id("conversation-row")
    old = rows.filter(has_text="written before the copy")
    expect(old).to_have_count(1)
    kept = rows.count()
    talk.page.get_by_test_id("open-settings").click()
    talk.page.get_by_test_id("settings-data").click()
    copies = talk.page.get_by_test_id("backup")
    before = copies.count()
    talk.page.get_by_test_id("backup-make").click()
    expect(copies).not_to_have_count(before)
    talk.page.get_by_test_id("close-settings").click()
    talk.new()
    talk.say("written after the copy")
    talk.hear("Demo model")
    talk.page.get_by_test_id("open-settings").click()
    talk.page.get_by_test_id("settings-data").click()
    copies.first.get_by_test_id("backup-restore").click()
    talk.confirm()
    expect(talk.page.get_by_test_id("backup-planned")).to_be_visible()
    leo.stop()
    leo.start()
    talk.open()
    expect(talk.toast.first).to_contain_text("Everything is again as it was")
    expect(rows).to_have_count(kept)
    old.locator("button.row").click()
    expect(talk.said).to_have_text(["written before the copy"])


def test_everything_goes_out_to_a_file_and_comes_in_elsewhere(opened: Opener, tmp_path: Path) -> None:
    talk = opened()
    talk.say("to be carried over")
    talk.hear("Demo model")
    talk.page.get_by_test_id("open-settings").click()
    talk.page.get_by_test_id("settings-data").click()
    with talk.page.expect_download() as saving:
        talk.page.get_by_test_id("export-all").click()
    saved = tmp_path / "all.json"
    saving.value.save_as(saved)
    text = saved.read_text("utf-8")
    assert "to be carried over" in text
    here = len(json.loads(text)["conversations"])
    report = talk.page.get_by_test_id("imported")
    talk.page.get_by_test_id("import-input").set_input_files(saved)
    expect(report).to_contain_text(f"{here} were here already")
    other = tmp_path / "prose.json"
    other.write_text("no export", encoding="utf-8")
    talk.page.get_by_test_id("import-input").set_input_files(other)
    expect(talk.toast.filter(has_text="export")).to_be_visible()
    expect(report).to_have_count(0)
