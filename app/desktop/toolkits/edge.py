"""WebView2 on Windows."""

import importlib
from pathlib import Path
from typing import Any

from app.desktop.fence import Fence
from app.desktop.toolkits.toolkit import Toolkit, only_tell

FILES_DROPPED = '"FilesDropped"'


class Edge(Toolkit):
    name = "edgechromium"

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
