"""The menu bar where people look for one."""

from typing import Any

from app.desktop.menus import menu_bar, spoken


def test_macos_gets_the_pages_actions_as_menus_and_others_none() -> None:
    asked: list[str] = []
    bar: list[Any] = menu_bar("es", asked.append, platform="darwin")
    assert [menu.title for menu in bar] == ["Conversación", "Contenido"]
    lines = [line for menu in bar for line in menu.items if hasattr(line, "function")]
    assert lines[0].title == "Conversación nueva"
    for line in lines:
        line.function()
    assert {"conversation.new", "settings.open", "zoom.in"} <= set(asked)
    assert menu_bar("en", asked.append, platform="linux") == []


def test_the_bar_speaks_as_chosen_or_as_the_system_does_though_nothing_else_is_loaded_yet() -> None:
    assert spoken("es", ["en-GB"]) == "es"
    assert spoken("system", ["fr-FR", "es-419", "en"]) == "es"
    assert spoken("system", []) == "en"
