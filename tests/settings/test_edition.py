"""An edition: its file checked with words, its settings beneath the person's, its home a place of its own."""

from collections.abc import Generator
from pathlib import Path

import pytest

from app.settings import EditionError, SettingsFile, edition, home_folder
from app.settings.edition import VARIABLE, load
from app.settings.home import default_home

WHOLE = """
name = "Harbour Desk"
id = "harbour"
version = "2.1"
updates = "https://harbour.example/latest.json"

[settings]
"general.theme" = "dark-green"
"model.max_rounds" = 12

[[servers]]
name = "tides"
command = "{edition}/tides"
enabled = false

[[prompts]]
title = "Today's tides"
text = "When is high water today?"

[[knowledge]]
name = "Handbook"
folder = "handbook"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "handbook").mkdir()
    made = tmp_path / "edition.toml"
    made.write_text(WHOLE, "utf-8")
    return made


@pytest.fixture
def in_use(file: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setenv(VARIABLE, str(file))
    edition.cache_clear()
    yield file
    edition.cache_clear()


def test_without_a_file_it_is_the_plain_leochat() -> None:
    assert (edition().plain, edition().name, edition().id) == (True, "LeoChat", "leochat")


def test_everything_said_is_known(file: Path) -> None:
    made = load(file)
    assert (made.name, made.id, made.version, made.plain) == ("Harbour Desk", "harbour", "2.1", False)
    assert made.here(made.servers[0].command) == str(file.parent / "tides")


def test_its_settings_hold_until_the_person_says_otherwise(in_use: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    settings = SettingsFile(home)
    assert (settings.value.general.theme, settings.value.model.max_rounds) == ("dark-green", 12)
    assert settings.value.general.text_size == 100
    settings.set("general.theme", "light")
    assert SettingsFile(home).value.general.theme == "light"
    assert SettingsFile(home).value.model.max_rounds == 12
    settings.reset("general.theme")
    assert SettingsFile(home).value.general.theme == "dark-green"


def test_it_has_a_home_of_its_own(in_use: Path, tmp_path: Path) -> None:
    assert default_home().name == "Harbour Desk"
    assert home_folder(tmp_path / "given") == tmp_path / "given"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ('name = "a/b"', "name"),
        ('id = "Has Spaces"', "id"),
        ('version = "two"', "version"),
        ("nmae = 1", "nmae"),
        ('[settings]\n"general.theme" = "../x"', "general.theme"),
        ('[settings]\n"general.nothing" = 1', "no setting general.nothing"),
        ('icon = "gone.png"', "gone.png, which is not there"),
        ('icon = "../gone.png"', "leads out of its folder"),
        ('[[servers]]\nname = ""', "servers.0.name"),
        ("name = ", "cannot be read"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(tmp_path: Path, wrong: str, words: str) -> None:
    file = tmp_path / "edition.toml"
    file.write_text(wrong, "utf-8")
    with pytest.raises(EditionError, match="The edition") as caught:
        load(file)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value).strip()


def test_one_that_cannot_be_read_leaves_the_plain_leochat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone.toml"))
    edition.cache_clear()
    assert edition().plain
    assert "gone.toml" in capsys.readouterr().err
    edition.cache_clear()
