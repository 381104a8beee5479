"""The settings file: checked, written whole, kind to what it does not know and to what is broken."""

import json
import stat
import sys
from pathlib import Path

import pytest
from pydantic import JsonValue

from app.settings import SettingError, Settings, SettingsFile


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def written(home: Path) -> dict[str, JsonValue]:
    return json.loads((home / "settings.json").read_text(encoding="utf-8"))


def test_a_setting_holds_at_once_and_after_a_restart(home: Path) -> None:
    file = SettingsFile(home)
    assert file.value == Settings()
    file.set("general.theme", "dark-purple")
    file.set("model.thinking", 2048)
    file.set("network.picture_hosts", ["img.example"])
    assert file.value.general.theme == "dark-purple"
    again = SettingsFile(home).value
    assert (again.general.theme, again.model.thinking, again.network.picture_hosts) == ("dark-purple", 2048, ("img.example",))
    if sys.platform != "win32":
        assert stat.S_IMODE((home / "settings.json").stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("model.max_rounds", 0, r"Rounds of a task: 0 does not fit, .*greater than or equal to 1"),
        ("general.language", "klingon", r'Language: "klingon" does not fit, .*\'en\''),
        ("general.theme", "../../x", "Theme: .* does not fit"),
        ("approvals.mode", True, "Approval of tools: true does not fit"),
        ("providers", [{"name": "x"}], "Providers: .* does not fit at 0.vendor, field required"),
        ("providers", [{"name": "x", "vendor": "v", "base_url": "file:///etc"}], "does not fit at 0.base_url"),
        ("model.nothing", 1, "There is no setting model.nothing"),
        ("nothing", 1, "There is no setting nothing"),
        ("model", {}, "There is no setting model"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence_and_changes_nothing(
    home: Path, name: str, value: JsonValue, words: str
) -> None:
    file = SettingsFile(home)
    file.set("model.max_rounds", 7)
    before = written(home)
    with pytest.raises(SettingError, match=words) as caught:
        file.set(name, value)
    assert "\n" not in str(caught.value)
    assert written(home) == before
    assert file.value.model.max_rounds == 7


def test_what_this_version_does_not_know_is_kept(home: Path) -> None:
    strange: dict[str, JsonValue] = {"general": {"theme": "light", "tomorrow": [1]}, "future": {"a": None}, "providers": []}
    (home / "settings.json").write_text(json.dumps(strange), encoding="utf-8")
    file = SettingsFile(home)
    file.set("general.theme", "dark")
    assert written(home) == {**strange, "general": {"theme": "dark", "tomorrow": [1]}}
    assert file.notices == []


@pytest.mark.parametrize("content", [b"{not json", b"\xff\xfe\x00", b"[1, 2]", b"", b'"text"'])
def test_a_broken_file_is_kept_aside_and_the_defaults_hold(home: Path, content: bytes) -> None:
    (home / "settings.json").write_bytes(content)
    file = SettingsFile(home)
    assert file.value == Settings()
    assert (home / "settings.json.broken").read_bytes() == content
    assert [notice for notice in file.notices if "settings.json.broken" in notice] == file.notices != []
    (home / "settings.json").write_bytes(content)
    SettingsFile(home)
    assert (home / "settings.json.broken-2").read_bytes() == content


def test_one_value_that_does_not_fit_leaves_the_others_in_force(home: Path) -> None:
    mixed = {
        "model": {"max_rounds": -3, "result_limit": 5000},
        "general": "none",
        "providers": [{"name": "x"}, {"name": "y", "vendor": "openai"}],
    }
    (home / "settings.json").write_text(json.dumps(mixed), encoding="utf-8")
    file = SettingsFile(home)
    assert (file.value.model.max_rounds, file.value.model.result_limit) == (50, 5000)
    assert [entry.name for entry in file.value.providers] == ["y"]
    assert len(file.notices) == 3
    assert written(home) == mixed


def test_two_processes_do_not_undo_each_other(home: Path) -> None:
    one, two = SettingsFile(home), SettingsFile(home)
    one.set("general.theme", "dark")
    two.set("general.language", "es")
    assert (two.value.general.theme, one.reload().general.language) == ("dark", "es")


def test_a_setting_goes_back_to_its_default(home: Path) -> None:
    file = SettingsFile(home)
    file.set("model.temperature", 0.3)
    file.set("model.max_rounds", 3)
    assert file.reset("model.temperature").model.temperature is None
    assert file.set("model.max_rounds", None).model.max_rounds == 50
