"""A program that stays by choice: hidden when closed, back from its tray, its notifications opening what they tell of."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.desktop.bus import BusNotifications
from app.desktop.tray import Staying, TrayItem
from tests.chat.conftest import script
from tests.desktop.apps import Desktop, until
from tests.desktop.bus import Bus
from tests.desktop.conftest import Open


async def test_a_notification_that_is_clicked_is_told_and_others_are_not(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.address)
    notifications, clicked = BusNotifications(), asyncio.Event()
    others: list[int] = []
    assert await notifications.show("LeoChat", "", "One", "first", lambda: others.append(1))
    assert await notifications.show("LeoChat", "", "Two", "second", clicked.set)
    first, second = bus.heard("notification"), bus.heard("notification")
    assert (first["title"], second["body"], second["actions"][0]) == ("One", "second", "default")
    bus.tell(f"click {second['notification']}")
    async with asyncio.timeout(20):
        await clicked.wait()
    assert others == []
    await notifications.close()


async def test_without_a_service_nothing_is_shown_and_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert not await BusNotifications().show("LeoChat", "", "One", "first", None)


class Toolkit:
    def __init__(self, *, has_tray: bool):
        self._has_tray = has_tray
        self.items: list[TrayItem] = []

    def open_tray(self, icon: str, title: str, items: list[TrayItem]) -> bool:
        self.items = items
        return self._has_tray

    def close_tray(self) -> None:
        self.items = []


def test_the_menu_speaks_the_language_and_does_what_it_says() -> None:
    toolkit, done = Toolkit(has_tray=True), list[str]()
    deeds: dict[str, Callable[[], object]] = {key: lambda key=key: done.append(key) for key in ("show", "new", "quit")}
    staying = Staying(toolkit, "LeoChat", "", deeds)
    assert staying.choose(True, "es") is None
    assert staying.on
    assert [item.words for item in toolkit.items] == ["Mostrar LeoChat", "Conversación nueva", "Salir de LeoChat"]
    toolkit.items[-1].do()
    assert done == ["quit"]
    assert staying.choose(False, "es") is None
    assert not staying.on


def test_a_desktop_without_a_tray_is_told_plainly() -> None:
    staying = Staying(Toolkit(has_tray=False), "LeoChat", "", {})
    assert "shows no tray icons" in (staying.choose(True, "en") or "")
    assert not staying.on


@pytest.mark.timeout(300)
def test_closing_hides_and_a_notification_brings_its_conversation_back(
    open_app: Open, desktop: Desktop, bus: Bus, tmp_path: Path
) -> None:
    app = open_app(DBUS_SESSION_BUS_ADDRESS=bus.address)
    page = app.page()
    expect.set_options(timeout=45_000)
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-general").click()
    page.locator('[data-setting="program.keep_running"] [role=switch]').click()
    bus.heard("tray")
    page.get_by_test_id("close-settings").click()
    slow = script(tmp_path / "slow.jsonl", {"blocks": [{"type": "text", "deltas": ["The answer"] * 6}], "delay_ms": 1000})
    page.get_by_test_id("composer").fill(slow)
    page.get_by_test_id("send").click()
    expect(page.get_by_test_id("stop")).to_be_visible()
    page.get_by_test_id("new-conversation").first.click()
    desktop.close(app.window)
    until(lambda: not app.windows(), 60, lambda: "the window is still shown")
    told = bus.heard("notification")
    assert app.process.poll() is None
    bus.tell(f"click {told['notification']}")
    until(app.windows, 20, lambda: "the window did not come back")
    expect(page.get_by_text("The answerThe answer").last).to_be_visible()
    desktop.close(app.window)
    until(lambda: not app.windows(), 60, lambda: "the window is still shown")
    bus.tell("press")
    until(app.windows, 20, lambda: "the tray did not bring it back")
    app.process.terminate()
    assert app.process.wait(20) == 143
