"""Where the window was and how large, and the colour behind the page before it is there."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.settings import SettingError, SettingsFile
from app.settings.fields import Settings

MIN_SIZE = (640, 480)
SETTLED_SECONDS = 0.8
GROUNDS = {
    "light": "#FBF9F3",
    "dark": "#1B1713",
    "light-purple": "#FAF8FD",
    "dark-purple": "#171221",
    "light-green": "#F7FAF5",
    "dark-green": "#111813",
}
"""The themes' `--bg`, as in the page's tokens."""


@dataclass(frozen=True, slots=True)
class Place:
    """Logical pixels; the size is the page's, `x` and `y` the frame's corner on the desktop, None where unknown."""

    width: int
    height: int
    x: int | None = None
    y: int | None = None
    maximised: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A screen."""

    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a title bar that begins here could be seen and grasped."""
        return self.x - 40 <= x < self.x + self.width - 80 and self.y <= y < self.y + self.height - 40


def ground(settings: Settings, system_is_dark: bool | None) -> str:
    """The background of the theme that the page is going to show, as #RRGGBB."""
    theme = settings.general.theme
    if settings.general.follow_system and system_is_dark is not None:
        mode, _, hue = theme.partition("-")
        if mode in ("light", "dark"):
            theme = "-".join(filter(None, ("dark" if system_is_dark else "light", hue)))
    return GROUNDS.get(theme, GROUNDS["light"])


def place_for(settings: Settings, screens: list[Area]) -> Place:
    """The remembered place as far as today's screens have it; in the middle where they do not."""
    kept = settings.window
    width, height = max(kept.width, MIN_SIZE[0]), max(kept.height, MIN_SIZE[1])
    if screens:
        width = min(width, max(s.width for s in screens))
        height = min(height, max(s.height for s in screens))
    x, y = kept.x, kept.y
    if x is None or y is None or not any(s.holds(x, y) for s in screens):
        x = y = None
    return Place(width, height, x, y, kept.maximised)


class Remembering:
    """Keeps the place in the settings, once the window has come to rest. Lives on the backend's loop."""

    def __init__(self, settings: SettingsFile, now: Callable[[], Place | None]):
        self._settings = settings
        self._now = now
        self._due: asyncio.TimerHandle | None = None

    def moved(self) -> None:
        if self._due:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(SETTLED_SECONDS, self.keep)

    def keep(self) -> None:
        place = self._now()
        if place is None:
            return
        kept = self._settings.value.window
        values: dict[str, Any] = {"maximised": place.maximised}
        if not place.maximised:
            values |= {"width": place.width, "height": place.height, "x": place.x, "y": place.y}
        for name, value in values.items():
            if getattr(kept, name) != value:
                with contextlib.suppress(SettingError, OSError):  # a place not kept is no reason to bother anybody
                    self._settings.set(f"window.{name}", value)
