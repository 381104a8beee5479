"""An icon in the notification area of Windows, by Windows Forms, which the window is made of already."""

import importlib
import threading
from typing import Any

from app.desktop.tray import TrayItem

MOST_LETTERS = 63
"""Of the icon's tip: NotifyIcon.Text takes no more."""
SIDE = 32


def make_tray(icon: str, title: str, items: list[TrayItem]) -> Any:
    """The icon, shown, whose first item is what a click on it does. In the window's thread."""
    forms: Any = importlib.import_module("System.Windows.Forms")
    drawing: Any = importlib.import_module("System.Drawing")
    menu = forms.ContextMenuStrip()
    for item in items:
        line = menu.Items.Add(item.words)
        line.Click += _doing(item)
    tray = forms.NotifyIcon()
    small = drawing.Bitmap(drawing.Bitmap(icon), drawing.Size(SIDE, SIDE))
    tray.Icon = drawing.Icon.FromHandle(small.GetHicon())
    tray.Text = title[:MOST_LETTERS]
    tray.ContextMenuStrip = menu

    def clicked(_sender: Any, args: Any) -> None:
        if str(args.Button) == "Left":
            _apart(items[0])

    tray.MouseClick += clicked
    tray.Visible = True
    return tray


def _doing(item: TrayItem) -> Any:
    def run(_sender: Any, _args: Any) -> None:
        _apart(item)

    return run


def _apart(item: TrayItem) -> None:
    """What it does may wait for the window's thread, which is the one that tells of the click."""
    threading.Thread(target=item.do, name="tray", daemon=True).start()


def take_tray(tray: Any) -> None:
    """No icon any more; without this Windows shows it until the mouse comes by. In the window's thread."""
    tray.Visible = False
    tray.Dispose()
