"""Qt's web engine, by PySide6."""

import os
import re
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from app.desktop.fence import Fence
from app.desktop.identity import app_id, title
from app.desktop.toolkits.toolkit import Do, Toolkit, downloads, no_window, only_tell
from app.desktop.tray import TRAY_SECONDS, TrayItem
from app.settings.edition import packaged

ADDRESS = re.compile(r"#|://|^about:|^data:")
OURS = (
    "QTWEBENGINE_CHROMIUM_FLAGS", "QTWEBENGINE_REMOTE_DEBUGGING", "QT_STYLE_OVERRIDE", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH",
    "RESOURCE_NAME", "QT_API",
)  # fmt: skip
"""Variables that are set for Qt and its binding inside this process, which reads them before its first page."""
DENIED = 2
"""QWebEnginePage.PermissionPolicy.PermissionDeniedByUser."""


class Qt(Toolkit):
    name = "qt"
    _errands: Any = None
    _tray: Any = None

    def __init__(self) -> None:
        super().__init__()
        self._before = {name: os.environ.get(name) for name in OURS if not (packaged() and name.endswith("_PATH"))}

    def introduce(self) -> None:
        from PySide6.QtGui import QGuiApplication

        QGuiApplication.setApplicationName(title())
        QGuiApplication.setDesktopFileName(app_id())
        os.environ.setdefault("RESOURCE_NAME", app_id())  # what X11 calls the window, else the name of a script

    def arm(self, lib: Any, fence: Fence) -> None:
        super().arm(lib, fence)
        view: Any = lib.BrowserView

        def accept(page: Any, url: Any, _kind: Any, _main: bool) -> bool:
            return not is_ours(page) or fence.allows(url.toString())

        def download(browser: Any, request: Any) -> None:
            save_download(browser, request, fence)

        def tell(browser: Any) -> None:
            only_tell(self.name, browser.pywebview_window)

        def is_ours(page: Any) -> bool:
            return page.profile().property("leochat") is True  # the inspector's page is no business of the fence

        view.WebPage.acceptNavigationRequest = accept
        view.WebPage.createWindow = no_window
        view.WebPage.onFeaturePermissionRequested = deny
        view.on_download_requested = download
        view._set_js_api = tell  # noqa: SLF001

    def dress(self, window: Any, colour: str) -> None:
        super().dress(window, colour)
        from PySide6.QtGui import QColor
        from PySide6.QtWebEngineCore import QWebEngineSettings

        browser = window.native
        page = browser.webview.page()
        page.profile().setProperty("leochat", True)
        page.setBackgroundColor(QColor(colour))
        page.setWebChannel(None)
        attributes = QWebEngineSettings.WebAttribute
        for attribute in (attributes.JavascriptCanAccessClipboard, attributes.ScrollAnimatorEnabled):
            page.settings().setAttribute(attribute, True)
        for attribute in (attributes.PluginsEnabled, attributes.PdfViewerEnabled, attributes.JavascriptCanOpenWindows):
            page.settings().setAttribute(attribute, False)

        def title(name: str) -> None:
            if name and not ADDRESS.search(name):  # before a page has one, its address stands in
                browser.setWindowTitle(name)

        page.titleChanged.connect(title)
        self._errands = _errands()
        self._give_back()

    def _give_back(self) -> None:
        """What is opened from here may be a Qt program too: it must not get our plugins, our name or our engine's flags."""
        for name in OURS:
            value = self._before.get(name)
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def _on_main(self, do: Do) -> None:
        self._errands.asked.emit(do)

    def _from_main(self, do: Callable[[], Any]) -> Any:
        """What `do` gives in the main thread; None where that one does not come to it."""
        given: list[Any] = []
        done = threading.Event()

        def run() -> None:
            try:
                given.append(do())
            finally:
                done.set()

        self._on_main(run)
        return given[0] if done.wait(TRAY_SECONDS) and given else None

    def open_tray(self, icon: str, title: str, items: list[TrayItem]) -> bool:
        from app.desktop.toolkits.qt_tray import make_tray

        self._tray = self._from_main(lambda: make_tray(icon, title, items))
        return self._tray is not None

    def close_tray(self) -> None:
        from app.desktop.toolkits.qt_tray import take_tray

        tray, self._tray = self._tray, None
        if tray is not None:
            self._on_main(lambda: take_tray(tray))

    def facts(self) -> str:
        from PySide6.QtCore import qVersion
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtWebEngineCore import qWebEngineChromiumVersion

        return f"Qt {qVersion()} on {QGuiApplication.platformName()}, Chromium {qWebEngineChromiumVersion()}"

    def is_maximised(self) -> bool:
        return bool(self.window.native.isMaximized())

    def is_plain(self) -> bool:
        native = self.window.native
        return not (native.isMaximized() or native.isMinimized() or native.isFullScreen())

    def unmaximise(self) -> None:
        self._on_main(self.window.native.showNormal)

    def corner(self) -> tuple[int, int] | None:
        at = self.window.native.pos()  # the frame's corner, as `move` takes it
        return at.x(), at.y()

    def move(self, x: int, y: int) -> None:
        self._on_main(lambda: self.window.native.move(x, y))

    def bring_forward(self) -> None:
        self._on_main(lambda: _raise(self.window.native))

    def system_is_dark(self) -> bool | None:
        from PySide6.QtCore import Qt as Names
        from PySide6.QtGui import QGuiApplication

        scheme = QGuiApplication.styleHints().colorScheme()
        return None if scheme == Names.ColorScheme.Unknown else scheme == Names.ColorScheme.Dark


def _errands() -> Any:
    """An object of the main thread; what other threads emit to it is run there."""
    from PySide6.QtCore import QObject, Signal

    class Errands(QObject):
        asked: ClassVar[Any] = Signal(object)

        def __init__(self) -> None:
            super().__init__()
            self.asked.connect(self.run)

        def run(self, do: Do) -> None:
            do()

    return Errands()


def _raise(native: Any) -> None:
    from PySide6.QtCore import Qt as Names

    native.setWindowState(native.windowState() & ~Names.WindowState.WindowMinimized | Names.WindowState.WindowActive)
    native.show()
    native.raise_()
    native.activateWindow()


def deny(page: Any, url: Any, feature: Any) -> None:
    """No camera, no microphone, no place: the page asks for none of them."""
    page.setFeaturePermission(url, feature, DENIED)


def save_download(browser: Any, request: Any, fence: Fence) -> None:
    """Ask where to; what did not come from the page is not kept."""
    from PySide6.QtCore import QFileInfo
    from PySide6.QtWidgets import QFileDialog

    if not fence.owns(request.url().toString()):
        request.cancel()
        return
    proposed = str(downloads() / request.suggestedFileName())
    path, _ = QFileDialog.getSaveFileName(browser, browser.localization["global.saveFile"], proposed)
    if not path:
        request.cancel()
        return
    chosen = QFileInfo(path)
    request.setDownloadDirectory(chosen.absolutePath())
    request.setDownloadFileName(chosen.fileName())
    request.accept()
