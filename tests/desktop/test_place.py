"""Size and place, remembered and brought back."""

import asyncio
from pathlib import Path

import pytest

from app.desktop.place import GROUNDS, Area, Place, Remembering, ground, place_for
from app.settings import SettingsFile
from app.settings.fields import General, Settings, Window

SCREEN = Area(0, 0, 1920, 1080)


def kept(**window: int | bool | None) -> Settings:
    return Settings(window=Window.model_validate(window))


def test_a_new_window_is_in_the_middle() -> None:
    assert place_for(Settings(), [SCREEN]) == Place(1200, 800)


def test_the_last_place_is_taken_again() -> None:
    assert place_for(kept(width=900, height=700, x=50, y=60), [SCREEN]) == Place(900, 700, 50, 60)


def test_a_place_on_a_screen_that_is_gone_is_not() -> None:
    assert place_for(kept(width=900, height=700, x=2500, y=60), [SCREEN]) == Place(900, 700)
    second = Area(1920, 0, 1920, 1080)
    assert place_for(kept(width=900, height=700, x=2500, y=60), [SCREEN, second]) == Place(900, 700, 2500, 60)


def test_no_window_is_larger_than_the_screen_or_smaller_than_can_be_used() -> None:
    assert place_for(kept(width=5000, height=4000), [SCREEN]) == Place(1920, 1080)
    assert place_for(kept(width=400, height=300), [SCREEN]) == Place(640, 480)


@pytest.mark.parametrize(
    ("theme", "follow", "dark", "shown"),
    [
        ("light", True, True, "dark"),
        ("dark-purple", True, False, "light-purple"),
        ("dark-purple", False, False, "dark-purple"),
        ("light-green", True, None, "light-green"),
        ("of-my-own", True, True, "light"),
    ],
)
def test_the_ground_is_the_themes_that_comes(theme: str, follow: bool, dark: bool | None, shown: str) -> None:
    assert ground(Settings(general=General(theme=theme, follow_system=follow)), dark) == GROUNDS[shown]


def test_the_grounds_are_those_of_the_page() -> None:
    styles = Path(__file__).parents[2] / "frontend" / "src" / "styles"
    text = "\n".join(file.read_text("utf-8") for file in styles.rglob("*.css")).lower()
    for theme, colour in GROUNDS.items():
        assert f'[data-theme-id="{theme}"]' in text
        assert f"--bg: {colour.lower()}" in text


async def test_a_maximised_window_keeps_the_size_it_had_before(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path)
    now: list[Place | None] = [Place(900, 700, 10, 20)]
    remembering = Remembering(settings, lambda: now[0])
    remembering.keep()
    now[0] = Place(0, 0, maximised=True)
    remembering.keep()
    now[0] = None
    remembering.keep()
    await asyncio.sleep(0)
    again = SettingsFile(tmp_path).value.window
    assert (again.width, again.height, again.x, again.y, again.maximised) == (900, 700, 10, 20, True)
