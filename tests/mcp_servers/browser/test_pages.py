"""What pages do besides showing something: dialogs, files, hanging, never ending."""

import re
from pathlib import Path

import pytest

from tests.mcp_servers.browser.household import Guest, ref
from tests.mcp_servers.browser.shop import Shop

pytestmark = pytest.mark.timeout(180)  # the first test starts a browser, and a loaded machine is slow


async def test_dialogs_never_hold_anything_up(tools: Guest, shop: Shop) -> None:
    page = await tools.ok("browser_navigate", url=shop.url("/dialogs"))
    warned = await tools.ok("browser_click", target=ref(page, 'button "Warn"'))
    assert 'The page said "Sold out"' in warned
    assert "alert over" in warned

    asked = await tools.ok("browser_click", target=ref(page, 'button "Empty"'))
    assert 'The page asks: "Empty the basket?" (a confirm dialog)' in asked
    assert "emptied" in await tools.ok("browser_handle_dialog", accept=True)

    await tools.ok("browser_click", target=ref(page, 'button "Empty"'))
    looked = await tools.ok("browser_snapshot")  # anything else answers it with Cancel
    assert 'The confirm "Empty the basket?" was answered with Cancel' in looked
    assert "kept" in looked

    assert 'with "Ann" in it' in await tools.ok("browser_click", target=ref(page, 'button "Name"'))
    assert "named Bo" in await tools.ok("browser_handle_dialog", accept=True, promptText="Bo")
    assert "No dialog is open" in await tools.refused("browser_handle_dialog", accept=True)


async def test_mouse_and_keys(tools: Guest, shop: Shop) -> None:
    page = await tools.ok("browser_navigate", url=shop.url("/dialogs"))
    assert "menu open" in await tools.ok("browser_hover", target="#menu")
    await tools.ok("browser_click", target=ref(page, 'textbox "Keys"'))
    assert "key ArrowLeft" in await tools.ok("browser_press_key", key="ArrowLeft")
    start, end = ref(page, 'img "thing"'), ref(page, 'region "box"')
    assert "dropped" in await tools.ok("browser_drag", startTarget=start, endTarget=end)
    assert "no element with the ref e999" in await tools.refused("browser_click", target="e999")
    assert "Say which element" in await tools.refused("browser_click", element="the button")
    assert "more than one element" in await tools.refused("browser_click", target="button")
    hidden = await tools.refused("browser_type", target="#said", text="no field")
    assert "browser_snapshot" in hidden or "not an <input>" in hidden


async def test_files_come_and_go_through_allowed_folders(tools: Guest, shop: Shop, folder: Path) -> None:
    (folder / "heron.png").write_bytes(b"picture")
    (folder.parent / "secret.txt").write_text("no")
    page = await tools.ok("browser_navigate", url=shop.url("/files"))
    told = await tools.ok("browser_click", target=ref(page, 'link "Receipt"'))
    kept = folder / "Downloads" / "receipt.csv"
    for _ in range(20):
        if "Downloaded" in told:
            break
        told = await tools.ok("browser_wait_for", time=0.25)  # a busy machine tells of it a moment later
    assert f"Downloaded {kept}" in told
    assert kept.read_text() == "item,price\nlamp,30\n"

    field = ref(page, 'button "Picture"')
    assert "does not ask for files" in await tools.refused("browser_file_upload", paths=["heron.png"])
    assert "asks for files" in await tools.ok("browser_click", target=field)
    outside = await tools.refused("browser_file_upload", paths=[str(folder.parent / "secret.txt")])
    assert "outside the allowed folders" in outside
    await tools.ok("browser_file_upload", paths=["heron.png"])
    await tools.ok("browser_click", target=ref(page, 'button "Send"'))
    assert shop.files == {"heron.png": b"picture"}


async def test_an_address_that_is_a_file_is_downloaded_and_one_behind_a_password_said(
    tools: Guest, shop: Shop, folder: Path
) -> None:
    told = await tools.ok("browser_navigate", url=shop.url("/bill"))
    assert "is a file to download, not a page" in told
    kept = folder / "Downloads" / "bill.txt"
    for _ in range(20):
        if "Downloaded" in told:
            break
        told = await tools.ok("browser_wait_for", time=0.25)  # a busy machine tells of it a moment later
    assert f"Downloaded {kept}" in told
    assert kept.read_bytes() == b"paid"
    assert "wants a user name and password" in await tools.refused("browser_navigate", url=shop.url("/closed"))
    assert "Keys are called as in Enter" in await tools.refused("browser_press_key", key="Entr")


async def test_a_page_that_never_ends_is_shown_as_far_as_it_came(tools: Guest, shop: Shop) -> None:
    begun = await tools.ok("browser_navigate", url=shop.url("/never"))
    assert "still loading" in begun
    assert 'heading "The beginning"' in begun
    assert "Little shop" in await tools.ok("browser_navigate", url=shop.url())
    gone = await tools.refused("browser_wait_for", text="a text that never comes", time=0.3)
    assert "did not come within 0.3 s" in gone


async def test_a_script_that_never_ends_costs_its_tab_only(tools: Guest, shop: Shop) -> None:
    page = await tools.ok("browser_navigate", url=shop.url("/dialogs"))
    stuck = await tools.refused("browser_click", target=ref(page, 'button "Hang"'))
    assert re.search(r"does not answer|not ready", stuck)
    assert "Little shop" in await tools.ok("browser_navigate", url=shop.url())


async def test_what_is_no_page_of_the_web_is_refused(tools: Guest, shop: Shop) -> None:
    for address in ("file:///etc/passwd", "chrome://settings", "javascript:alert(1)", "view-source:file:///etc/passwd"):
        assert "opens http and https" in await tools.refused("browser_navigate", url=address)
    assert "not a valid address" in await tools.refused("browser_navigate", url="http://[")
    await tools.ok("browser_navigate", url=shop.url())
    await tools.result("browser_evaluate", function="() => { location.href = 'file:///etc/passwd' }")
    assert "root:" not in await tools.ok("browser_snapshot")
    assert "cannot be opened" in await tools.refused("browser_navigate", url=f"http://nobody.invalid:{shop.port}/")


async def test_what_a_page_does_not_take_or_answer_is_said_as_it_is(tools: Guest, shop: Shop, folder: Path) -> None:
    page = await tools.ok("browser_navigate", url=shop.url("/odd"))
    wrong = await tools.refused("browser_type", target="#day", text="3/2/2024")
    assert "did not take" in wrong
    assert "2026-12-31" in wrong  # how it is written
    await tools.ok("browser_type", target="#day", text="2024-02-03")

    (folder / "photo.png").write_bytes(b"picture")
    assert "dropped photo.png" in await tools.ok("browser_drop", target="#box", paths=["photo.png"])
    assert "dropped hello" in await tools.ok("browser_drop", target="#box", data={"text/plain": "hello"})
    assert "outside the allowed folders" in await tools.refused("browser_drop", target="#box", paths=["/etc/passwd"])

    assert "seen dark" in await tools.ok("browser_emulate_media", colorScheme="dark")
    assert "seen light" in await tools.ok("browser_emulate_media", colorScheme="none")

    assert "Question 0" in await tools.ok("browser_click", target=ref(page, 'button "Ask on"'))
    again = await tools.ok("browser_snapshot")  # it is answered with Cancel, and the page asks the next thing at once
    assert 'The page asks: "Question 1"' in again
    missing = await tools.ok("browser_navigate", url=shop.url("/nowhere"))
    assert "HTTP status: 404" in missing


async def test_pages_open_no_more_tabs_than_somebody_can_look_at(tools: Guest, shop: Shop) -> None:
    await tools.ok("browser_navigate", url=shop.url("/odd"))
    await tools.result("browser_click", target='text="Open on"')
    listed = await tools.result("browser_tabs", action="list")
    assert listed.structured_content is not None
    assert len(listed.structured_content["tabs"]) <= 30
    assert "Little shop" in await tools.ok("browser_navigate", url=shop.url())


async def test_a_frame_that_never_answers_does_not_hide_its_page(tools: Guest, shop: Shop) -> None:
    assert 'heading "Framed"' in await tools.ok("browser_navigate", url=shop.url("/framed"))
