"""The packaged program's first steps, tried without a package."""

import io
import os
import sys
from pathlib import Path

import pytest

from app.cli.frozen import console_program, prepare


def test_from_source_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/mine")
    before = sys.executable
    prepare()
    assert (os.environ["LD_LIBRARY_PATH"], sys.executable) == ("/mine", before)


def test_programs_we_start_get_the_persons_own_library_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", sys.executable)
    monkeypatch.setenv("PYWEBVIEW_GUI", "qt")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/the/package")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/mine")
    prepare()
    assert os.environ["LD_LIBRARY_PATH"] == "/mine"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    if sys.platform.startswith("linux"):
        monkeypatch.setenv("LD_LIBRARY_PATH", "/the/package")
        prepare()
        assert "LD_LIBRARY_PATH" not in os.environ


def test_a_windowed_program_can_be_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", sys.executable)
    monkeypatch.setenv("PYWEBVIEW_GUI", "qt")
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    prepare()
    print("to nobody")
    assert isinstance(sys.stderr, io.StringIO)


def test_children_are_started_by_the_program_that_has_streams(tmp_path: Path) -> None:
    window, console = tmp_path / "desk.exe", tmp_path / "desk-cli.exe"
    window.touch()
    assert console_program(str(window)) == str(window)
    console.touch()
    assert console_program(str(window)) == str(console)
    assert console_program(str(console)) == str(console)
