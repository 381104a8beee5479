"""Notifications by the system's own program."""

import logging
import shutil
import sys
from pathlib import Path

import pytest

from app.__main__ import common
from app.cli.window import main
from app.desktop.notify import Notifications, notify
from tests.desktop.bus import Bus

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the programs tried here are Linux's")


@pytest.fixture(autouse=True)
def a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are asked only where there is a desktop's bus."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")


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


@pytest.mark.skipif(shutil.which("gdbus") is None, reason="GLib's program is not on this computer")
async def test_a_desktop_without_notify_send_shows_them_by_glibs_program(
    bus: Bus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gdbus").symlink_to(str(shutil.which("gdbus")))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.address)
    await notify("LeoChat", "-1 <b>line\nand 'another'")
    told = bus.heard("notification")
    assert (told["app"], told["title"], told["body"]) == ("LeoChat", "LeoChat", "-1 &lt;b&gt;line\nand 'another'")


async def test_the_bus_is_found_where_systemd_puts_it(bus: Bus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "bus").symlink_to(bus.address.partition("path=")[2].partition(",")[0])
    shown = Notifications()
    await shown.show("LeoChat", "done", lambda: None)
    assert bus.heard("notification")["actions"] == ["default", "Open"]
    await shown.close()


@pytest.mark.parametrize("address", ["", "disabled:", "tcp:host=localhost,port=1", "autolaunch:"])
async def test_where_no_desktop_runs_nothing_is_said_and_nothing_breaks(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    stand_in(tmp_path, "gdbus", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    with caplog.at_level(logging.WARNING):
        await Notifications().show("LeoChat", "done", lambda: None)
    assert caplog.text == ""


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
