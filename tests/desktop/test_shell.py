"""What a UI command does to the window, as far as the desktop lets it."""

import pytest

from app.chat.refused import Refused
from app.desktop import shell as shell_module
from app.desktop.shell import DesktopShell
from app.desktop.toolkits.toolkit import Toolkit


class FakeLib:
    def __init__(self, toolkit: "FakeToolkit"):
        self._toolkit = toolkit

    def evaluate_js(self, _script: str, _uid: str, _parse: bool) -> str:
        return f"{self._toolkit.page[0]}x{self._toolkit.page[1]}"


class FakeToolkit(Toolkit):
    """A desktop whose frames take `frame` from what is asked for; `stubborn`: it does what it wants."""

    def __init__(self, frame: tuple[int, int] = (0, 0), *, stubborn: bool = False):
        super().__init__()
        self.page = (1200, 800)
        self.asked: list[tuple[int, int]] = []
        self.lib = FakeLib(self)
        self._frame = frame
        self._stubborn = stubborn

    def is_maximised(self) -> bool:
        return self._maximised

    def maximise(self) -> None:
        self._maximised = True
        self.page = (1700, 1080)

    def unmaximise(self) -> None:
        self._maximised = False
        self.page = (1200, 800)

    def resize(self, width: int, height: int) -> None:
        self.asked.append((width, height))
        if not self._stubborn and not self._maximised:
            self.page = width - self._frame[0], height - self._frame[1]


class Shown:
    def __init__(self, toolkit: FakeToolkit, uid: str | None = "master"):
        self.toolkit: Toolkit = toolkit
        self.uid = uid

    def come_forward(self) -> None:
        raise AssertionError("nobody clicked")

    def keep_running(self, on: bool) -> str | None:
        return "no tray" if on else None


@pytest.mark.parametrize("frame", [(0, 0), (16, 39)])
async def test_the_page_gets_the_size_whatever_the_frame_takes(frame: tuple[int, int]) -> None:
    toolkit = FakeToolkit(frame)
    assert await DesktopShell(Shown(toolkit)).resize(800, 600, maximise=False) == (800, 600)
    assert toolkit.page == (800, 600)


async def test_one_side_alone_keeps_the_other() -> None:
    assert await DesktopShell(Shown(FakeToolkit())).resize(1000, None, maximise=False) == (1000, 800)


async def test_nothing_is_made_smaller_than_800x600() -> None:
    assert await DesktopShell(Shown(FakeToolkit())).resize(100, 100, maximise=False) == (800, 600)


async def test_a_maximised_window_is_brought_back_first() -> None:
    toolkit = FakeToolkit()
    shell = DesktopShell(Shown(toolkit))
    assert await shell.resize(None, None, maximise=True) == (1700, 1080)
    assert await shell.resize(800, 600, maximise=False) == (800, 600)
    assert not toolkit.is_maximised()


async def test_a_desktop_that_says_no_is_quoted() -> None:
    answer = await DesktopShell(Shown(FakeToolkit(stubborn=True))).resize(800, 600, maximise=False)
    assert answer == "The desktop keeps the window at 1200x800, so it was not resized."


async def test_without_a_window_nothing_is_resized() -> None:
    assert isinstance(await DesktopShell(Shown(FakeToolkit(), None)).resize(800, 600, maximise=False), str)


async def test_no_browser_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_nothing(_url: str) -> bool:
        return False

    monkeypatch.setattr(shell_module.webbrowser, "open", open_nothing)
    with pytest.raises(Refused, match="No browser"):
        await DesktopShell(Shown(FakeToolkit())).open_url("https://leochat.example/")
