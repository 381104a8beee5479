"""Staying after the window was closed: by the person's choice, and only where an icon in the tray can bring it back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

WORDS = {
    "en": {"show": "Show {name}", "new": "New conversation", "quit": "Quit {name}"},
    "es": {"show": "Mostrar {name}", "new": "Conversación nueva", "quit": "Salir de {name}"},
}
NO_TRAY = {
    "en": "This desktop shows no tray icons, so closing the window ends {name} as before.",
    "es": "Este escritorio no muestra iconos en la bandeja, así que cerrar la ventana termina {name}, como antes.",
}


TRAY_SECONDS = 5.0


class HasTray(Protocol):
    """The toolkit's part. May be called from any thread but the toolkit's own."""

    def open_tray(self, icon: str, title: str, items: "list[TrayItem]") -> bool: ...

    def close_tray(self) -> None: ...


@dataclass(frozen=True)
class TrayItem:
    """A line of the icon's menu."""

    words: str
    do: Callable[[], object]


def items(language: str, name: str, deeds: Mapping[str, Callable[[], object]]) -> list[TrayItem]:
    """The menu, whose first line is also what a click on the icon does."""
    words = WORDS.get(language, WORDS["en"])
    return [TrayItem(words[key].format(name=name), do) for key, do in deeds.items()]


class Staying:
    """Whether closing the window hides it. `deeds`: what the menu's lines do, by the names in WORDS."""

    def __init__(self, toolkit: HasTray, name: str, icon: str, deeds: Mapping[str, Callable[[], object]]):
        self._toolkit = toolkit
        self._name = name
        self._icon = icon
        self._deeds = deeds
        self.on = False

    def choose(self, on: bool, language: str) -> str | None:
        """Begin or end to stay; why that cannot be. Waits for the toolkit."""
        if on == self.on:
            return None
        if not on:
            self.on = False
            self._toolkit.close_tray()
            return None
        self.on = self._toolkit.open_tray(self._icon, self._name, items(language, self._name, self._deeds))
        return None if self.on else NO_TRAY.get(language, NO_TRAY["en"]).format(name=self._name)
