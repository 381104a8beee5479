"""WebView2 on Windows."""

import importlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.desktop.fence import Fence
from app.desktop.toolkits.toolkit import Toolkit, only_tell
from app.desktop.tray import TrayItem

FILES_DROPPED = '"FilesDropped"'
PERSONALISE = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize"
log = logging.getLogger("leochat.desktop")


class Edge(Toolkit):
    name = "edgechromium"
    _tray: Any = None

    def arm(self, lib: Any, fence: Fence) -> None:
        super().arm(lib, fence)
        edge: Any = importlib.import_module("webview.platforms.edgechromium")
        edge.inject_pywebview = only_tell

        def hear(_chrome: Any, _sender: Any, args: Any) -> None:
            """The page hands over what was dropped on it: only so does Windows tell where that is."""
            if str(args.get_WebMessageAsJson()) != FILES_DROPPED:
                return
            for file in list(args.get_AdditionalObjects() or []):
                if path := str(getattr(file, "Path", "")):
                    self._drops.append((Path(path).name, path))

        def open_none(_chrome: Any, _sender: Any, args: Any) -> None:
            args.set_Handled(True)

        def start(_chrome: Any, _sender: Any, args: Any) -> None:
            if not fence.allows(str(args.Uri)):
                args.Cancel = True

        edge.EdgeChrome.on_new_window_request = open_none
        edge.EdgeChrome.on_navigation_start = start
        edge.EdgeChrome.on_script_notify = hear  # all else is heard over the page's socket

    def _state(self) -> str:
        """Normal, Minimized or Maximized, as Windows Forms call it."""
        return str(self.window.native.WindowState)

    def is_maximised(self) -> bool:
        return self._state() == "Maximized"

    def is_plain(self) -> bool:
        return self._state() == "Normal"  # a minimised one says that it is far off every screen

    def bring_forward(self) -> None:
        if self._state() == "Minimized":
            self.lib.restore(self.window.uid)
        super().bring_forward()

    def system_is_dark(self) -> bool | None:
        registry: Any = importlib.import_module("winreg")
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, PERSONALISE) as key:
                light, _ = registry.QueryValueEx(key, "AppsUseLightTheme")
        except OSError:
            return None
        return not light

    def open_tray(self, icon: str, title: str, items: list[TrayItem]) -> bool:
        from app.desktop.toolkits.edge_tray import make_tray

        try:
            self._tray = self._from_its_thread(lambda: make_tray(icon, title, items))
        except Exception:
            log.exception("The tray's icon could not be shown.")  # whatever .NET says: closing then ends the app, as is told
        return self._tray is not None

    def close_tray(self) -> None:
        from app.desktop.toolkits.edge_tray import take_tray

        tray, self._tray = self._tray, None
        if tray is not None:
            self._from_its_thread(lambda: take_tray(tray))

    def _from_its_thread(self, do: Callable[[], Any]) -> Any:
        """What `do` gives in the window's own thread, the one that has its messages."""
        given: list[Any] = []

        def run() -> None:
            given.append(do())

        native = self.window.native
        if native.InvokeRequired:
            system: Any = importlib.import_module("System")
            native.Invoke(system.Func[system.Type](run))
        else:
            run()
        return given[0]
