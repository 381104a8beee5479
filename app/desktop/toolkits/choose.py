"""Which toolkit is here, tried before a window is made, since some of them end the process where they cannot."""

import contextlib
import ctypes
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Generator, Mapping
from pathlib import Path

from app.desktop.toolkits.toolkit import Toolkit

NONE_HERE = (
    "There is no toolkit for a window here, so LeoChat opens in the browser. For a window install "
    "gir1.2-webkit2-4.1 and python3-gi (Debian and Ubuntu), or Qt: pip install 'leochat[qt]'."
)
NO_DISPLAY = "There is no display here, so LeoChat serves its page: open the address below."
NO_EDGE = "The WebView2 runtime is not installed, so LeoChat opens in the browser. Microsoft offers it as a free download."


class NoWindowError(Exception):
    """No window can be shown; the text says why, `browser` whether one could be."""

    def __init__(self, message: str, *, browser: bool):
        super().__init__(message)
        self.browser = browser


def choose(environ: Mapping[str, str] = os.environ) -> Toolkit:
    """The toolkit to use; `PYWEBVIEW_GUI` (gtk or qt) decides where both are. Raises NoWindowError."""
    if sys.platform == "win32":
        from app.desktop.toolkits.edge import Edge

        return Edge()
    if sys.platform == "darwin":
        from app.desktop.toolkits.cocoa import Cocoa

        return Cocoa()
    if not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        raise NoWindowError(NO_DISPLAY, browser=False)
    return _of_the_free_desktops(environ)


def _of_the_free_desktops(environ: Mapping[str, str]) -> Toolkit:
    from app.desktop.toolkits.gtk import Gtk
    from app.desktop.toolkits.gtk import is_here as gtk_is_here
    from app.desktop.toolkits.qt import Qt

    wanted = environ.get("PYWEBVIEW_GUI", "qt" if "KDE_FULL_SESSION" in environ else "gtk").lower()
    order = ("qt", "gtk") if wanted == "qt" else ("gtk", "qt")
    faults: list[str] = []
    for name in order:
        if name == "gtk" and gtk_is_here():
            return Gtk()
        if name == "qt":
            fault = qt_fault(environ)
            if fault is None:
                return Qt()
            faults.append(fault)
    raise NoWindowError(next(filter(None, faults), NONE_HERE), browser=True)


def qt_fault(environ: Mapping[str, str]) -> str | None:
    """None where Qt's window can be made; "" where Qt is not installed; else what it lacks."""
    found = importlib.util.find_spec("PySide6")
    if found is None or found.origin is None or importlib.util.find_spec("qtpy") is None:
        return ""
    folder = Path(found.origin).parent
    if not list(folder.glob("QtWebEngineWidgets*")):
        return ""
    try:
        with _ctrl_c_afterwards():
            importlib.import_module("PySide6.QtWebEngineWidgets")
        if environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY"):
            ctypes.CDLL(str(folder / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except (ImportError, OSError) as error:
        return f"Qt cannot show a window here, so LeoChat opens in the browser: {error}."
    if environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY") and not x_answers(environ["DISPLAY"]):
        return f"The display {environ['DISPLAY']} does not answer, so LeoChat opens in the browser."
    return None


@contextlib.contextmanager
def _ctrl_c_afterwards() -> Generator[None]:
    """Qt's own code takes an interrupted import for a failed one, and the page would be served to who wanted the end."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if heard:
            raise KeyboardInterrupt


def x_answers(display: str) -> bool:
    """Whether an X server takes us: Qt ends the whole process where it does not."""
    try:
        x11 = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # then Qt brings its own, and shall say
    x11.xcb_connect.restype = ctypes.c_void_p
    x11.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    x11.xcb_connection_has_error.argtypes = (ctypes.c_void_p,)
    x11.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = x11.xcb_connect(display.encode(), None)
    fault = x11.xcb_connection_has_error(connection)
    x11.xcb_disconnect(connection)
    return not fault
