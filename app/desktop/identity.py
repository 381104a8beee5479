"""How the desktop knows this program: by its edition's name, id and icon."""

from pathlib import Path

from app.settings import edition

ICONS = Path(__file__).parent / "icons"
ICON = ICONS / "leochat.png"


def icon() -> Path:
    """A PNG: the edition's own, else LeoChat's."""
    ours = edition()
    own = ours.place / ours.icon if ours.place and ours.icon else None
    return own if own and own.is_file() else ICON


def title() -> str:
    """What stands over the window until the page says what it shows."""
    return edition().name


def app_id() -> str:
    """What the menu entry, the window's class and the icon theme call it."""
    return edition().id
