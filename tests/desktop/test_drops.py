"""What is dropped on the window: its place on the disk, told once, only for what the page names."""

import importlib
from collections.abc import Generator
from pathlib import Path
from typing import Any, cast

import pytest

from app.desktop.shell import DesktopShell
from app.desktop.toolkits.toolkit import Toolkit, listened_drops


class Shown:
    """A window that is there."""

    uid = "master"

    def __init__(self, toolkit: Toolkit) -> None:
        self.toolkit = toolkit


@pytest.fixture
def heard() -> Generator[list[tuple[str, str]]]:
    """pywebview's own list, as its toolkits fill it."""
    dom: Any = importlib.import_module("webview.dom")
    drops = listened_drops()
    assert dom._dnd_state["num_listeners"] > 0
    yield drops
    drops.clear()
    dom._dnd_state["num_listeners"] = 0


async def test_a_dropped_folder_is_found_by_its_name_also_percent_encoded(tmp_path: Path, heard: list[tuple[str, str]]):
    toolkit = Toolkit()
    toolkit._drops = heard  # pyright: ignore[reportPrivateUsage]
    folder = tmp_path / "mis papeles ñ"
    folder.mkdir()
    shell = DesktopShell(cast("Any", Shown(toolkit)))
    heard.append(("mis%20papeles", folder.as_uri().removeprefix("file://")))
    heard.append(("other", str(tmp_path)))
    assert await shell.dropped(["mis papeles ñ"]) == [str(folder)]
    assert await shell.dropped(["mis papeles ñ"]) == []
    heard.append(("gone", str(tmp_path / "gone")))
    assert await shell.dropped(["gone"]) == []
