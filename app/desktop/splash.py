"""What stands in the window before the page does: the program's face on the theme's ground, or why it cannot start."""

import base64
import html
from pathlib import Path

from app.desktop import identity

MOST_BYTES = 400_000
"""Of an icon drawn before the page is there: toolkits take a page of at most 2 MB as text."""
LATE = "0.25s"
"""A start that is over by then shows nothing but its colour."""
STYLE = (
    "html,body{{height:100%;margin:0;background:{ground}}}"
    "body{{display:grid;place-content:center}}"
    "img{{width:72px;height:72px;opacity:0;animation:come .4s {late} ease-out forwards,breathe 2.4s .65s ease-in-out infinite}}"
    "@keyframes come{{to{{opacity:1}}}}"
    "@keyframes breathe{{50%{{transform:scale(1.06)}}}}"
    "@media (prefers-reduced-motion:reduce){{img{{animation:come 0s {late} forwards}}}}"
)


def splash(ground: str) -> str:
    """The page until the backend has one; `ground` is the theme's, as #RRGGBB."""
    name = html.escape(identity.title())
    style = STYLE.format(ground=ground, late=LATE)
    return f"<!doctype html><title>{name}</title><style>{style}</style><body>{_face(name)}"


def trouble(message: str, ground: str) -> str:
    """The backend's last words as a page, to be read on the theme's `ground`, as #RRGGBB."""
    style = (
        f"html{{background:{ground};color:{_ink(ground)}}}body{{font:15px/24px system-ui,sans-serif;"
        "max-width:560px;margin:15vh auto;padding:0 24px;white-space:pre-wrap;overflow-wrap:anywhere}"
    )
    title = html.escape(identity.title())
    return f"<!doctype html><title>{title}</title><style>{style}</style><body>{html.escape(message)}"


def _ink(ground: str) -> str:
    """Black or white, whichever is far from the ground, by the weights of ITU-R BT.601."""
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 127 else "#FFF"


def _face(name: str) -> str:
    """The icon, in the page itself; nothing where it cannot be read or is a large picture."""
    icon = identity.icon()
    drawing = icon.with_suffix(".svg")
    kind, file = ("svg+xml", drawing) if icon == identity.ICON and drawing.is_file() else ("png", icon)
    data = _read(file)
    return f'<img alt="{name}" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">' if data else ""


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.stat().st_size <= MOST_BYTES else b""
    except OSError:
        return b""
