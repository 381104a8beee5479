"""What the window needs of a toolkit, in pywebview's own words where it has them."""

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote

from app.desktop.fence import Fence
from app.desktop.tray import TrayItem

Do = Callable[[], object]


class Toolkit:
    """Does with pywebview's calls what no toolkit does better by itself. `lib` is pywebview's module for it.

    `arm` comes before any window is made; `dress` in the main thread, with the window made and not yet shown. All else
    may be called from any thread, and may wait for the main one.
    """

    name = ""
    """Pywebview's own name for it."""

    def __init__(self) -> None:
        self.lib: Any = None
        self.window: Any = None
        self._maximised = False
        self._drops: list[tuple[str, str]] = []

    def introduce(self) -> None:
        """Tell the desktop the app's name, before anything of the toolkit is made."""

    def arm(self, lib: Any, fence: Fence) -> None:
        """Take from pywebview what LeoChat has no use for: its bridge into the page, other windows, navigation."""
        self.lib = lib
        lib.inject_pywebview = only_tell
        del fence

    def dress(self, window: Any, colour: str) -> None:
        self.window = window
        self._drops = listened_drops()
        window.events.maximized += lambda: self._note(maximised=True)
        window.events.restored += lambda: self._note(maximised=False)
        del colour

    def _note(self, *, maximised: bool) -> None:
        self._maximised = maximised

    def is_maximised(self) -> bool:
        return self._maximised

    def is_plain(self) -> bool:
        """Whether size and place are the window's own: neither maximised nor minimised."""
        return not self.is_maximised()

    def maximise(self) -> None:
        self.lib.maximize(self.window.uid)

    def unmaximise(self) -> None:
        self.lib.restore(self.window.uid)

    def resize(self, width: int, height: int) -> None:
        from webview.window import FixPoint

        self.lib.resize(width, height, self.window.uid, FixPoint.NORTH | FixPoint.WEST)

    def size(self) -> tuple[int, int] | None:
        """What `resize` would have to be given for the present size."""
        width, height = self.lib.get_size(self.window.uid)
        return (int(width), int(height)) if width and height else None

    def corner(self) -> tuple[int, int] | None:
        """Where the frame's upper left corner is on the desktop."""
        x, y = self.lib.get_position(self.window.uid)
        return None if x is None or y is None else (int(x), int(y))

    def move(self, x: int, y: int) -> None:
        self.lib.move(x, y, self.window.uid)

    def bring_forward(self) -> None:
        self.lib.show(self.window.uid)

    def pick_folder(self) -> str | None:
        """What the person chose in the toolkit's own dialog, by its whole path."""
        from webview import FileDialog

        chosen = self.window.create_file_dialog(FileDialog.FOLDER, directory=str(Path.home()))
        return str(chosen[0]) if chosen else None

    def dropped(self, names: Sequence[str]) -> list[str]:
        """The whole paths of what was dropped last and is called so; each is given once."""
        wanted = set(names)
        whole = [path for name, told in self._drops if (path := _there(told)) and (name in wanted or Path(path).name in wanted)]
        self._drops.clear()
        return list(dict.fromkeys(whole))

    def hide(self) -> None:
        """Out of sight, and not closed; `bring_forward` shows it again."""
        self.lib.hide(self.window.uid)

    def open_tray(self, icon: str, title: str, items: list[TrayItem]) -> bool:
        """An icon in the desktop's tray; False where this toolkit or this desktop has none."""
        del icon, title, items
        return False

    def close_tray(self) -> None:
        """No icon any more."""

    def facts(self) -> str:
        """Name and version, for a diagnosis."""
        return self.name

    def languages(self) -> Sequence[str]:
        """What the person prefers, as tags, the best first; none where only the page and the locale tell."""
        return ()

    def system_is_dark(self) -> bool | None:
        """None where the system does not say."""
        return None


def only_tell(_renderer: str, window: Any) -> None:
    """In place of pywebview's bridge: the page gets no object of ours; what waits for its events goes on."""
    window.events.before_load.set()
    window.events._pywebviewready.set()  # noqa: SLF001 - pywebview's own calls wait for it
    window.events.loaded.set()


def listened_drops() -> list[tuple[str, str]]:
    """pywebview's own list of what was dropped, (name, path) each; it is kept only for who listens, and nobody else does."""
    dom: Any = importlib.import_module("webview.dom")
    state = dom._dnd_state  # noqa: SLF001 - it has no other door
    state["num_listeners"] = 1
    return cast("list[tuple[str, str]]", state["paths"])


def _there(told: str) -> str | None:
    """The path as it is on the disk: toolkits tell it as it is, or percent-encoded, or as Windows' /C:/."""
    for path in (told, unquote(told), unquote(told).lstrip("/")):
        if Path(path).is_absolute() and Path(path).exists():
            return str(Path(path))
    return None


def downloads() -> Path:
    """The person's folder for downloads, for a dialog to begin in."""
    from platformdirs import user_downloads_dir

    folder = Path(user_downloads_dir())
    return folder if folder.is_dir() else Path.home()


def no_window(*_asked: Any) -> None:
    """In place of whatever would make another window: there is none."""
