"""The home folder: which one, and whose."""

import stat
import sys
from pathlib import Path

import pytest

from app.settings import default_home, home_folder


def test_the_argument_wins_over_the_variable_and_the_variable_over_the_platform(tmp_path: Path) -> None:
    environ = {"LEOCHAT_HOME": str(tmp_path / "variable")}
    assert home_folder(tmp_path / "argument", environ) == tmp_path / "argument"
    assert home_folder(None, environ) == tmp_path / "variable"


def test_the_platform_s_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_home().name == "LeoChat"
    if sys.platform == "linux":
        assert home_folder(None, {}) == tmp_path / "LeoChat"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")
def test_a_new_home_is_its_owner_s_alone_and_one_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    assert stat.S_IMODE(home_folder(tmp_path / "a" / "b").stat().st_mode) == 0o700
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    assert stat.S_IMODE(home_folder(there).stat().st_mode) == 0o755
