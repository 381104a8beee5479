"""What stands in the window before the page does."""

import base64
from pathlib import Path

import pytest

from app.desktop import identity, splash
from app.desktop.fence import Fence


def test_it_shows_the_programs_face_on_the_themes_ground() -> None:
    page = splash.splash("#171221")
    assert "background:#171221" in page
    drawing = base64.b64encode(identity.ICON.with_suffix(".svg").read_bytes()).decode()
    assert f'<img alt="LeoChat" src="data:image/svg+xml;base64,{drawing}"' in page
    assert Fence().allows(f"data:text/html;charset=UTF-8,{page}")


def test_an_edition_has_its_own_face_and_a_large_or_lost_one_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    icon = tmp_path / "icon.png"
    monkeypatch.setattr(splash.identity, "icon", lambda: icon)
    monkeypatch.setattr(splash.identity, "title", lambda: "A <b>")
    assert "<img" not in splash.splash("#FFFFFF")
    icon.write_bytes(b"png")
    assert '<img alt="A &lt;b&gt;" src="data:image/png;base64,cG5n"' in splash.splash("#FFFFFF")
    icon.write_bytes(bytes(splash.MOST_BYTES + 1))
    assert "<img" not in splash.splash("#FFFFFF")
    assert len(splash.splash("#FFFFFF")) < 2_000_000


def test_why_it_cannot_start_is_text() -> None:
    assert "&lt;script&gt;" in splash.trouble("<script>", "#FBF9F3")


@pytest.mark.parametrize(("ground", "ink"), [("#FBF9F3", "#000"), ("#1B1713", "#FFF"), ("#111813", "#FFF")])
def test_why_it_cannot_start_can_be_read_on_every_ground(ground: str, ink: str) -> None:
    assert f"background:{ground};color:{ink}" in splash.trouble("no", ground)
