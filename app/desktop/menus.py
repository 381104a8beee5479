"""The menu bar, on the platform where people look for one: macOS. Its lines are the page's own actions."""

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

# Titles by language, with the id of the page's action; None is a line between.
BAR: tuple[tuple[dict[str, str], tuple[tuple[dict[str, str], str] | None, ...]], ...] = (
    (
        {"en": "Conversation", "es": "Conversación"},
        (
            ({"en": "New Conversation", "es": "Conversación nueva"}, "conversation.new"),
            ({"en": "Search Conversations", "es": "Buscar conversaciones"}, "list.search"),
            None,
            ({"en": "Export", "es": "Exportar"}, "conversation.export"),
        ),
    ),
    (
        {"en": "Window Contents", "es": "Contenido"},
        (
            ({"en": "Larger", "es": "Más grande"}, "zoom.in"),
            ({"en": "Smaller", "es": "Más pequeño"}, "zoom.out"),
            ({"en": "Normal Size", "es": "Tamaño normal"}, "zoom.reset"),
            None,
            ({"en": "Show or Hide the List", "es": "Mostrar u ocultar la lista"}, "list.toggle"),
            ({"en": "Commands", "es": "Órdenes"}, "palette.open"),
            ({"en": "Settings", "es": "Ajustes"}, "settings.open"),
        ),
    ),
)


def spoken(chosen: str, preferred: Sequence[str]) -> str:
    """The bar's language: the setting, where that says "system" the first of the system's that there are words for."""
    if chosen != "system":
        return chosen
    known = (tag[:2].lower() for tag in preferred)
    return next((language for language in known if language in BAR[0][0]), "en")


def menu_bar(language: str, run: Callable[[str], object], platform: str = sys.platform) -> list[Any]:
    """pywebview's menus; none where the platform keeps its menus in the window. `run` gets an action's id."""
    if platform != "darwin":
        return []
    kinds: Any = importlib.import_module("webview.menu")

    def line(entry: tuple[dict[str, str], str] | None) -> Any:
        if entry is None:
            return kinds.MenuSeparator()
        titles, action = entry
        return kinds.MenuAction(titles.get(language, titles["en"]), lambda: run(action))

    return [kinds.Menu(titles.get(language, titles["en"]), [line(entry) for entry in entries]) for titles, entries in BAR]
