"""Notifications by the system's own program."""

import logging
import sys
from pathlib import Path

import pytest

from app.__main__ import common
from app.cli.window import main
from app.desktop.notify import notify

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the programs tried here are Linux's")


def stand_in(folder: Path, name: str, body: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    program.chmod(0o755)


async def test_words_arrive_as_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "notify-send", f'printf "%s\\n" "$@" > {tmp_path}/said')
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    await notify("LeoChat", "--help <b>done</b> & 'so on'")
    said = (tmp_path / "said").read_text("utf-8").splitlines()
    assert said[-3:] == ["--", "LeoChat", "--help &lt;b&gt;done&lt;/b&gt; &amp; 'so on'"]


async def test_the_bus_is_called_where_there_is_no_notify_send(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "gdbus", f'/usr/bin/printf "%s\\n" "$@" > {tmp_path}/said')
    monkeypatch.setenv("PATH", str(tmp_path))
    await notify("LeoChat", "it's done")
    assert "'it\\'s done'" in (tmp_path / "said").read_text("utf-8").splitlines()


async def test_a_desktop_without_notifications_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with caplog.at_level(logging.WARNING, "leochat.desktop"):
        await notify("LeoChat", "done")
        stand_in(tmp_path, "notify-send", "echo no bus here >&2; exit 1")
        await notify("LeoChat", "done")
    assert "install libnotify" in caplog.text
    assert "no bus here" in caplog.text


def test_a_start_that_cannot_be_is_told_where_no_terminal_hears_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, "notify-send", f'printf "%s\\n" "$@" > {tmp_path}/said')
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    home = tmp_path / "home"
    home.write_text("a file", "utf-8")
    assert main(["--home", str(home)], common()) == 1
    assert "The home folder cannot be used" in (tmp_path / "said").read_text("utf-8")
