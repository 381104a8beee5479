"""An icon in the tray of the desktop, by Qt."""

from collections.abc import Callable
from typing import Any

from app.desktop.tray import TrayItem


def make_tray(icon: str, title: str, items: list[TrayItem]) -> Any:
    """The icon, shown, whose first item is what a click on it does; None where this desktop has no tray. In the main thread."""
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QMenu, QSystemTrayIcon

    if not QSystemTrayIcon.isSystemTrayAvailable():
        return None
    tray = QSystemTrayIcon(QIcon(icon))
    tray.setToolTip(title)
    menu = QMenu()
    for item in items:
        menu.addAction(item.words).triggered.connect(_doing(item))
    tray.setContextMenu(menu)
    tray.setProperty("leochat-menu", menu)  # else the menu goes with this function

    def clicked(reason: Any) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            items[0].do()

    tray.activated.connect(clicked)
    tray.show()
    return tray


def _doing(item: TrayItem) -> Callable[[bool], None]:
    def run(_checked: bool) -> None:
        item.do()

    return run


def take_tray(tray: Any) -> None:
    """No icon any more. In the main thread."""
    tray.hide()
    tray.deleteLater()
