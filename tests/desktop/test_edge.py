"""Windows' window as far as it can be tried without Windows: its states, its tray, its thread, the system's colours."""

# ruff: noqa: N802 (the names are .NET's)

import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any, Self

import pytest

from app.desktop.ending import Signals
from app.desktop.toolkits.edge import Edge
from app.desktop.tray import TrayItem


class Handlers(list[Callable[..., None]]):
    """A .NET event."""

    def __iadd__(self, handler: Any) -> Self:  # type: ignore[override]
        self.append(handler)
        return self


class Thing:
    """Of .NET: whatever is set on it it has; events are there at once."""

    def __init__(self, *given: Any) -> None:
        self.given = given
        self.Click = Handlers()
        self.MouseClick = Handlers()
        self.gone = False

    def Dispose(self) -> None:
        self.gone = True


class Menu:
    class Lines(list[Thing]):
        def Add(self, words: str) -> Thing:
            self.append(Thing(words))
            return self[-1]

    def __init__(self) -> None:
        self.Items = Menu.Lines()


class Bitmap(Thing):
    def GetHicon(self) -> tuple[Any, ...]:
        return self.given


class Icon:
    @staticmethod
    def FromHandle(handle: Any) -> Any:
        return handle


class Form:
    """A window whose thread is another one."""

    WindowState = "Normal"
    InvokeRequired = True

    def __init__(self) -> None:
        self.threads: list[str] = []

    def Invoke(self, do: Callable[[], None]) -> None:
        def run() -> None:
            self.threads.append(threading.current_thread().name)
            do()

        thread = threading.Thread(target=run, name="forms")
        thread.start()
        thread.join(20)


class Window:
    uid = "master"

    def __init__(self) -> None:
        self.native = Form()


class Lib:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def restore(self, uid: str) -> None:
        self.asked.append(f"restore {uid}")

    def show(self, uid: str) -> None:
        self.asked.append(f"show {uid}")


class Func(dict[Any, Any]):
    def __missing__(self, _kind: Any) -> Callable[[Any], Any]:
        return lambda do: do


@pytest.fixture
def edge(monkeypatch: pytest.MonkeyPatch) -> Edge:
    """The toolkit of a window on a Windows that is not there."""
    parts: dict[str, dict[str, Any]] = {
        "System": {"Func": Func(), "Type": object},
        "System.Windows.Forms": {"ContextMenuStrip": Menu, "NotifyIcon": Thing},
        "System.Drawing": {"Bitmap": Bitmap, "Size": Thing, "Icon": Icon},
    }
    for name, what in parts.items():
        module = ModuleType(name)
        vars(module).update(what)
        monkeypatch.setitem(sys.modules, name, module)
    made = Edge()
    made.window, made.lib = Window(), Lib()
    return made


def test_a_minimised_window_keeps_no_place_and_comes_back_when_asked(edge: Edge) -> None:
    assert edge.is_plain()
    edge.window.native.WindowState = "Minimized"
    assert not edge.is_plain()
    edge.bring_forward()
    assert edge.lib.asked == ["restore master", "show master"]
    edge.window.native.WindowState = "Maximized"
    assert edge.is_maximised()
    edge.bring_forward()
    assert edge.lib.asked[2:] == ["show master"]


def test_the_tray_is_made_in_the_windows_thread_and_does_what_it_says(edge: Edge) -> None:
    done: list[str] = []
    heard = threading.Event()

    def deed(name: str) -> TrayItem:
        def do() -> None:
            done.append(name)
            heard.set()

        return TrayItem(name, do)

    assert edge.open_tray("icon.png", "A" * 100, [deed("show"), deed("quit")])
    tray: Any = edge._tray
    assert edge.window.native.threads == ["forms"]
    assert (tray.Visible, len(tray.Text)) == (True, 63)
    for event, args, told in (
        (tray.ContextMenuStrip.Items[1].Click, Thing(), "quit"),
        (tray.MouseClick, type("Args", (), {"Button": "Left"})(), "show"),
    ):
        heard.clear()
        for handler in event:
            handler(None, args)
        assert heard.wait(20)
        assert done[-1] == told
    edge.close_tray()
    assert (tray.Visible, tray.gone) == (False, True)


def test_a_tray_that_cannot_be_is_no_tray(edge: Edge, monkeypatch: pytest.MonkeyPatch) -> None:
    edge.window.native.InvokeRequired = False
    monkeypatch.setitem(sys.modules, "System.Drawing", ModuleType("System.Drawing"))
    assert not edge.open_tray("icon.png", "LeoChat", [])


@pytest.mark.parametrize(("light", "dark"), [(0, True), (1, False), (None, None)])
def test_the_systems_colours_are_read(
    edge: Edge, monkeypatch: pytest.MonkeyPatch, light: int | None, dark: bool | None
) -> None:
    class Key:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_error: object) -> None:
            pass

    def query(_key: Key, name: str) -> tuple[int, int]:
        if light is None:
            raise FileNotFoundError(name)
        return light, 4

    def open_key(_root: Any, _path: str) -> Key:
        return Key()

    registry = ModuleType("winreg")
    vars(registry).update(HKEY_CURRENT_USER=1, OpenKey=open_key, QueryValueEx=query)
    monkeypatch.setitem(sys.modules, "winreg", registry)
    assert edge.system_is_dark() is dark


def test_a_window_made_in_a_thread_of_its_own_does_not_mind_the_signals() -> None:
    signals, told = Signals(), list[BaseException]()

    def dress() -> None:
        try:
            signals.install()
        except ValueError as error:  # what Python says of handlers set outside the main thread
            told.append(error)

    thread = threading.Thread(target=dress)
    thread.start()
    thread.join(20)
    signals._reader.close()
    signals._writer.close()
    assert told == []
