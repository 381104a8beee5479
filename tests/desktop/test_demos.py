"""The whole quiz and the whole shop in the real window, by clicking only what the cards offer."""

from dataclasses import dataclass
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from tests.desktop.apps import App
from tests.page import test_quiz_and_shop as demos
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(240)


@dataclass
class Shown:
    """What a Talk asks of the server behind its page."""

    origin: str


@pytest.fixture
def talk(app: App) -> Talk:
    """A new conversation in the window."""
    expect.set_options(timeout=45_000)
    page = app.ready()
    talking = Talk(page, cast("Any", Shown(page.evaluate("location.origin"))))
    talking.new()
    return talking


def test_the_whole_quiz_is_played_in_the_window(talk: Talk) -> None:
    demos.test_a_whole_quiz_is_played_by_clicking_and_begun_again(talk)
    assert talk.complaints == []


def test_the_whole_shop_is_walked_in_the_window(talk: Talk) -> None:
    demos.test_shopping_from_search_to_delivery_by_clicking(talk)
    assert talk.complaints == []
