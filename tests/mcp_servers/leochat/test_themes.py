"""What people call a theme, and the theme they get."""

import pytest

from mcp_servers.leochat.themes import THEMES, Mode, theme_id

NAMES = {
    "light": ["light", "LIGHT", " Light theme ", "claro", "tema claro", "white", "blanco", "浅色", "亮色主题"],
    "dark": ["dark", "dark mode", "oscuro", "Tema oscuro", "modo noche", "negro", "深色", "暗色模式", "黑色"],
    "light-purple": [
        "purple", "light purple", "light-purple", "light_purple", "violet", "morado", "púrpura",
        "Púrpura claro", "lila", "紫色", "浅紫色", "淡紫色主题",
    ],
    "dark-purple": [
        "dark purple", "dark-purple", "deep purple", "purple dark", "morado oscuro", "tema morado oscuro",
        "violeta oscura", "深紫色", "暗紫", "深紫色主题", "a dark purple theme please",
    ],
    "light-green": ["green", "light green", "verde", "verde claro", "mint", "esmeralda", "绿色", "浅绿色", "綠色"],
    "dark-green": ["deep green", "dark green", "verde oscuro", "tema verde oscuro", "verde profundo",
        "深绿", "深绿色", "暗绿色"],
}  # fmt: skip


@pytest.mark.parametrize(("wish", "theme"), [(w, theme) for theme, ws in NAMES.items() for w in ws])
def test_a_theme_is_found_by_what_people_call_it(wish: str, theme: str) -> None:
    assert theme_id(wish) == theme


@pytest.mark.parametrize("theme", THEMES)
def test_every_id_names_itself(theme: str) -> None:
    assert theme_id(theme) == theme


@pytest.mark.parametrize(
    ("wish", "mode", "theme"),
    [
        ("purple", "dark", "dark-purple"),
        ("verde", "dark", "dark-green"),
        ("dark green", "light", "light-green"),
    ],
)
def test_a_given_mode_wins_over_the_word(wish: str, mode: Mode, theme: str) -> None:
    assert theme_id(wish, mode) == theme


@pytest.mark.parametrize("wish", ["ocean", "mi tema", "", "  ", "purple green", "dark light", "solarized dark"])
def test_what_names_no_built_in_theme_is_left_to_the_host(wish: str) -> None:
    assert theme_id(wish) is None
