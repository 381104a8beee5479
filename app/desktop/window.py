"""The native window: shown at once with the theme's colour, filled with the page once the backend has it."""

import importlib
import logging
import os
import sys
import threading
from pathlib import Path
from typing import Any

from app.desktop import identity
from app.desktop.backend import Backend
from app.desktop.ending import Signals, leave_nothing
from app.desktop.fence import Fence
from app.desktop.instance import Instance
from app.desktop.menus import menu_bar, spoken
from app.desktop.place import MIN_SIZE, Area, Place, Remembering, ground, place_for
from app.desktop.shell import DesktopShell
from app.desktop.splash import splash, trouble
from app.desktop.toolkits.choose import NO_EDGE, NoWindowError
from app.desktop.toolkits.toolkit import Toolkit
from app.desktop.tray import Staying
from app.settings import SettingsFile

END_SECONDS = 4.5
log = logging.getLogger("leochat.desktop")


class DesktopWindow:
    """One window with everything behind it. `run` belongs in the main thread and returns when all is over."""

    def __init__(self, home: Path, toolkit: Toolkit, instance: Instance, *, debug: bool = False):
        self.toolkit = toolkit
        self._home = home
        self._instance = instance
        self._debug = debug
        self._fence = Fence()
        self._signals = Signals()
        self._backend = Backend(home, DesktopShell(self), self)
        self._remembering: Remembering | None = None
        self._window: Any = None
        self._ground = ""
        self._shown_or_over = threading.Event()
        self._content = threading.Lock()
        self._failed = False
        self._leaving = False
        self._staying = Staying(
            toolkit,
            identity.title(),
            str(identity.icon()),
            {"show": self.come_forward, "new": self._begin_new, "quit": self.close},
        )

    @property
    def uid(self) -> str | None:
        """pywebview's id of the window while it is shown."""
        window = self._window
        if window is None or not window.events.shown.is_set() or window.events.closed.is_set():
            return None
        return str(window.uid)

    def run(self) -> int:
        """Show it until it is closed. The exit code: 0, 1 where the backend could not start, 128 + a signal's number."""
        self._signals.install()
        self._signals.listen(self.close)
        self._instance.listen(self.come_forward)
        self._backend.start()
        try:
            self._show()
        except NoWindowError:
            self._backend.end(END_SECONDS)
            raise
        except Exception:
            self._failed = True
            log.exception("The window could not be shown.")
        finally:
            self._shown_or_over.set()
        if not self._backend.end(END_SECONDS):
            log.warning("LeoChat did not end within %g seconds; what was left was killed.", END_SECONDS)
        self._instance.close()
        # The toolkit's own way out may take seconds, or fall over its threads: there is nothing left to be kept.
        leave_nothing(self._code())
        return self._code()

    def _code(self) -> int:
        if self._signals.heard is not None:
            return 128 + self._signals.heard
        return 1 if self._failed else 0

    def _show(self) -> None:
        """Make the window and run the toolkit's loop until it is closed."""
        webview: Any = importlib.import_module("webview")
        logging.getLogger("pywebview").setLevel(logging.DEBUG if self._debug else logging.ERROR)
        webview.settings["OPEN_EXTERNAL_LINKS_IN_BROWSER"] = False
        webview.settings["ALLOW_DOWNLOADS"] = True
        webview.settings["ALLOW_FILE_URLS"] = False
        webview.settings["OPEN_DEVTOOLS_IN_DEBUG"] = False
        _root_needs_no_sandbox()
        self.toolkit.introduce()
        lib: Any = importlib.import_module("webview.guilib").initialize(self.toolkit.name)
        if lib.renderer == "mshtml":
            raise NoWindowError(NO_EDGE, browser=True)
        self.toolkit.arm(lib, self._fence)
        settings = SettingsFile(self._home).value
        place = place_for(settings, [Area(s.x, s.y, s.width, s.height) for s in webview.screens])
        self._ground = colour = ground(settings, self.toolkit.system_is_dark())
        self._window = webview.create_window(
            identity.title(),
            html=splash(colour),
            width=place.width,
            height=place.height,
            min_size=MIN_SIZE,
            maximized=place.maximised,
            background_color=colour,
            text_select=True,
            zoomable=True,
            draggable=True,
        )
        self._watch(place, colour)
        webview.start(
            menu=menu_bar(spoken(settings.general.language, self.toolkit.languages()), self._backend.run_action),
            gui=self.toolkit.name,
            debug=self._debug,
            icon=str(identity.icon()),
            private_mode=True,
        )

    def _watch(self, place: Place, colour: str) -> None:
        window = self._window

        def dress() -> None:
            self._signals.install()
            self.toolkit.dress(window, colour)
            if place.x is not None and place.y is not None and not place.maximised:
                self.toolkit.move(place.x, place.y)

        window.events.before_show += dress
        window.events.shown += self._shown_or_over.set
        window.events.resized += self._moved
        window.events.moved += self._moved
        window.events.maximized += self._moved
        window.events.restored += self._moved
        window.events.closing += self._closing

    # From the toolkit

    def _moved(self, *_place: int) -> None:
        if self._remembering:
            self._backend.call(self._remembering.moved)

    def _closing(self) -> bool | None:
        """The last look before the window is gone; False where it only hides."""
        if self._remembering:
            self._remembering.keep()
        if self._staying.on and not self._leaving:
            self.toolkit.hide()
            return False
        return None

    def _begin_new(self) -> None:
        self.come_forward()
        self._backend.run_action("conversation.new")

    def _place(self) -> Place | None:
        if self.uid is None:
            return None
        if self.toolkit.is_maximised():
            return Place(0, 0, maximised=True)
        size, corner = self.toolkit.size(), self.toolkit.corner()
        if size is None or not self.toolkit.is_plain():
            return None
        x, y = corner or (None, None)
        return Place(*size, x, y)

    # From the backend's thread, and others

    def reachable(self, address: str) -> None:
        """The page can be had: put it into the window, unless there is trouble to tell by then."""

        def load() -> None:
            if self._there():
                with self._content:
                    if not self._failed:
                        self._fence.admit(address)
                        self.toolkit.lib.load_url(address, self._window.uid)

        threading.Thread(target=load, name="load", daemon=True).start()

    def ready(self, settings: SettingsFile) -> None:
        """The backend is whole: what it keeps of the window can be kept."""
        self._remembering = Remembering(settings, self._place)

        def stay() -> None:
            if settings.value.program.keep_running and (why_not := self.keep_running(True)):
                log.warning(why_not)

        threading.Thread(target=stay, name="stay", daemon=True).start()

    def failed(self, message: str) -> None:
        """Say it in the window, where a person who clicked an icon looks, and on stderr."""
        self._failed = True
        print(f"leochat: {message}", file=sys.stderr, flush=True)

        def say() -> None:
            if self._there():
                with self._content:
                    self._fence.withdraw()
                    self.toolkit.lib.load_html(trouble(message, self._ground), "", self._window.uid)

        threading.Thread(target=say, name="say", daemon=True).start()

    def come_forward(self) -> None:
        """Another start of the same home wants to see this window."""
        if self._there():
            self.toolkit.bring_forward()

    def keep_running(self, on: bool) -> str | None:
        """Closing only hides from now on, or not any more; why that cannot be."""
        return self._staying.choose(on, self._backend.language) if self._there() else None

    def close(self) -> None:
        """The end, also where closing only hides."""
        self._leaving = True
        if self._there():
            self.toolkit.lib.destroy_window(self._window.uid)

    def _there(self) -> bool:
        """Wait until the window is shown, however long a busy computer takes; False where it never is, or is no more.

        The backend may be ready before the toolkit is imported: there is no window yet then, and there will be.
        Not for the toolkit's own thread.
        """
        self._shown_or_over.wait()
        return self._window is not None and not self._window.events.closed.is_set()


def _root_needs_no_sandbox() -> None:
    """Chromium refuses its sandbox to root, and ends."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
        if "--no-sandbox" not in flags:
            os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = f"{flags} --no-sandbox".strip()
