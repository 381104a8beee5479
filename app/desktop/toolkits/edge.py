"""WebView2 on Windows."""

import importlib
from typing import Any

from app.desktop.fence import Fence
from app.desktop.toolkits.toolkit import Toolkit, no_window, only_tell


class Edge(Toolkit):
    name = "edgechromium"

    def arm(self, lib: Any, fence: Fence) -> None:
        super().arm(lib, fence)
        edge: Any = importlib.import_module("webview.platforms.edgechromium")
        edge.inject_pywebview = only_tell

        def open_none(_chrome: Any, _sender: Any, args: Any) -> None:
            args.set_Handled(True)

        def start(_chrome: Any, _sender: Any, args: Any) -> None:
            if not fence.allows(str(args.Uri)):
                args.Cancel = True

        edge.EdgeChrome.on_new_window_request = open_none
        edge.EdgeChrome.on_navigation_start = start
        edge.EdgeChrome.on_script_notify = no_window  # nothing is heard from the page but over its socket
