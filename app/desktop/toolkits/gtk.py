"""WebKitGTK, by the system's own bindings."""

import importlib
from typing import Any

from app.desktop.fence import Fence
from app.desktop.identity import app_id, title
from app.desktop.toolkits.toolkit import Do, Toolkit, downloads, no_window


class Gtk(Toolkit):
    name = "gtk"

    def introduce(self) -> None:
        glib: Any = importlib.import_module("gi.repository.GLib")
        glib.set_prgname(app_id())
        glib.set_application_name(title())
        gdk: Any = importlib.import_module("gi.repository.Gdk")
        gdk.set_program_class(app_id())

    def arm(self, lib: Any, fence: Fence) -> None:
        super().arm(lib, fence)
        view: Any = lib.BrowserView
        policies: Any = lib.webkit.PolicyDecisionType

        def decide(_view: Any, _webview: Any, decision: Any, kind: Any) -> bool:
            if kind == policies.RESPONSE:
                response = decision.get_response()
                if not decision.is_mime_type_supported() or _is_attachment(response):
                    decision.download() if fence.owns(response.get_uri()) else decision.ignore()
                    return True
                return False
            action = decision.get_navigation_action()
            address = action.get_request().get_uri()
            if kind == policies.NAVIGATION_ACTION and (fence.allows(address) or address == "about:srcdoc"):
                return False
            if kind == policies.NAVIGATION_ACTION and fence.owns(address) and address.startswith("blob:"):
                decision.download()
                return True
            decision.ignore()
            return True

        def choose(_view: Any, download: Any, suggested: str) -> bool:
            return _choose(self, download, suggested, fence)

        view.on_navigation = decide
        view.on_download_decide_destination = choose
        view.on_js_bridge_call = no_window  # nothing is heard from the page but over its socket

    def dress(self, window: Any, colour: str) -> None:
        super().dress(window, colour)
        browser = self._browser()
        browser.manager.unregister_script_message_handler("jsBridge")
        settings = browser.webview.get_settings()
        # In memory only, as the whole context is; without it the page cannot even keep a draft over a reload.
        settings.set_property("enable-html5-local-storage", True)
        settings.set_property("enable-media-stream", False)
        settings.set_property("javascript-can-open-windows-automatically", False)
        settings.set_property("enable-back-forward-navigation-gestures", False)
        browser.webview.connect("permission-request", _deny)
        browser.webview.connect("create", no_window)

        def title(view: Any, _property: Any) -> None:
            if name := view.get_title():
                browser.window.set_title(name)

        browser.webview.connect("notify::title", title)

    def _browser(self) -> Any:
        return self.lib.BrowserView.instances[self.window.uid]

    def _on_main(self, do: Do) -> None:
        def once() -> bool:
            do()
            return False

        self.lib.glib.idle_add(once)

    def is_maximised(self) -> bool:
        return bool(self.window.native.is_maximized())

    def unmaximise(self) -> None:
        self._on_main(self.window.native.unmaximize)

    def size(self) -> tuple[int, int] | None:
        width, height = self.window.native.get_size()  # pywebview's own would wait for the main thread, even in it
        return int(width), int(height)

    def corner(self) -> tuple[int, int] | None:
        x, y = self.window.native.get_position()
        return int(x), int(y)

    def move(self, x: int, y: int) -> None:
        self._on_main(lambda: self.window.native.move(x, y))

    def bring_forward(self) -> None:
        def present() -> None:
            self.window.native.deiconify()
            self.window.native.present()

        self._on_main(present)

    def system_is_dark(self) -> bool | None:
        gtk: Any = self.lib.gtk
        settings = gtk.Settings.get_default()
        if settings is None:
            return None
        theme = str(settings.get_property("gtk-theme-name") or "").lower()
        return bool(settings.get_property("gtk-application-prefer-dark-theme")) or theme.endswith("-dark")


def _deny(_webview: Any, request: Any) -> bool:
    request.deny()
    return True


def _is_attachment(response: Any) -> bool:
    headers = response.get_http_headers()
    return bool(headers) and str(headers.get_one("Content-Disposition") or "").startswith("attachment")


def _choose(toolkit: Gtk, download: Any, suggested: str, fence: Fence) -> bool:
    """Ask where to; what did not come from the page is not kept. True: nobody else need decide."""
    if not fence.owns(download.get_request().get_uri()):
        download.cancel()
        return True
    gtk: Any = toolkit.lib.gtk
    words = toolkit.window.localization["global.saveFile"]
    dialog = gtk.FileChooserNative.new(words, toolkit.window.native, gtk.FileChooserAction.SAVE, None, None)
    dialog.set_do_overwrite_confirmation(True)
    dialog.set_current_folder(str(downloads()))
    dialog.set_current_name(suggested)
    chosen = dialog.run() == gtk.ResponseType.ACCEPT
    path = dialog.get_filename() if chosen else None
    dialog.destroy()
    if path:
        download.set_allow_overwrite(True)
        download.set_destination(toolkit.lib.glib.filename_to_uri(path))
    else:
        download.cancel()
    return True


def is_here() -> bool:
    """Whether GTK 3, a WebKit for it and a display are there."""
    try:
        gi: Any = importlib.import_module("gi")
        gi.require_version("Gtk", "3.0")
        _require_webkit(gi)
        gtk: Any = importlib.import_module("gi.repository.Gtk")
    except (ImportError, ValueError):
        return False
    return bool(gtk.init_check(None)[0])


def _require_webkit(gi: Any) -> None:
    try:
        gi.require_version("WebKit2", "4.1")
    except ValueError:
        gi.require_version("WebKit2", "4.0")
