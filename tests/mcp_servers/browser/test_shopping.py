"""What people do in a browser all day: search, fill in a form, read the result, look at it."""

import base64
import io
import re
from pathlib import Path

import pytest
from mcp_types import ImageContent
from PIL import Image

from tests.mcp_servers.browser.household import Guest, ref
from tests.mcp_servers.browser.shop import Shop
from tests.mcp_servers.calls import text_of

pytestmark = pytest.mark.timeout(180)  # the first test starts a browser, and a loaded machine is slow


async def test_a_search_and_an_order(tools: Guest, shop: Shop) -> None:
    home = await tools.ok("browser_navigate", url=shop.url())
    assert "Page Title: Little shop" in home
    assert "Errors in the console: 1" in home

    results = await tools.ok("browser_type", element="Search", target=ref(home, 'textbox "Search"'), text="heron", submit=True)
    assert "Heron headphones" in results
    assert "89 €" in results
    assert "Fjord lamp" not in results

    home = await tools.ok("browser_navigate_back")
    order = await tools.ok("browser_click", element="Order", ref=ref(home, 'link "Order"'))  # ref: the older name
    assert 'heading "Order"' in order
    fields = [
        {"name": "Name", "type": "textbox", "target": ref(order, 'textbox "Name"'), "value": "Ann <Lee>"},
        {"name": "Delivery", "type": "combobox", "target": ref(order, 'combobox "Delivery"'), "value": "Express"},
        {"name": "Gift", "type": "checkbox", "ref": ref(order, 'checkbox "Wrap it as a gift"'), "value": "true"},
        {"name": "Cash", "type": "radio", "target": ref(order, 'radio "Cash"'), "value": "true"},
        {"name": "Tip", "type": "slider", "target": ref(order, 'slider "Tip"'), "value": "7"},
    ]
    filled = await tools.ok("browser_fill_form", fields=fields)
    thanks = await tools.ok("browser_click", target=ref(filled, 'button "Place the order"'))
    assert "Order 1001 for Ann <Lee> is on its way." in thanks
    assert shop.orders == [{"name": "Ann <Lee>", "town": "", "way": "fast", "gift": "on", "pay": "cash", "tip": "7"}]


async def test_looking_at_a_page(tools: Guest, shop: Shop, folder: Path) -> None:
    await tools.ok("browser_navigate", url=shop.url())
    shown = await tools.result("browser_take_screenshot")
    [picture] = [item for item in shown.content if isinstance(item, ImageContent)]
    assert picture.mime_type == "image/png"
    assert Image.open(io.BytesIO(base64.b64decode(picture.data))).size == (1280, 800)

    assert ref(await tools.ok("browser_find", text="ORDER"), 'link "Order"')
    said = await tools.result("browser_console_messages", level="error")
    assert "the till is stuck" in text_of(said)
    assert "the shop is open" not in text_of(said)
    asked = await tools.result("browser_network_requests", filter="/api/")
    assert asked.structured_content is not None
    [request] = asked.structured_content["requests"]
    assert (request["method"], request["status"]) == ("GET", 200)
    answer = await tools.ok("browser_network_request", index=request["index"], part="response-body")
    assert '{"offers": ["lamp"]}' in answer

    asked_of_page = await tools.ok("browser_evaluate", function="() => ({title: document.title, n: 3})")
    assert '"title": "Little shop"' in asked_of_page
    assert "Saved" in await tools.ok("browser_pdf_save", filename="shop.pdf")
    assert (folder / "shop.pdf").read_bytes().startswith(b"%PDF")
    await tools.ok("browser_save_screenshot", filename="shop.png")
    await tools.ok("browser_save_screenshot", filename="shop.png")
    assert [(folder / name).read_bytes()[:4] for name in ("shop.png", "shop (2).png")] == [b"\x89PNG"] * 2
    outside = await tools.refused("browser_pdf_save", filename="../outside.pdf")
    assert "outside the allowed folders" in outside


async def test_a_long_page_comes_in_parts(tools: Guest, shop: Shop) -> None:
    tools.household.config["chars"] = 3000
    first = await tools.ok("browser_navigate", url=shop.url("/long"))
    assert len(first) < 3500
    start = re.search(r"start_index=(\d+)", first)
    assert start
    second = await tools.ok("browser_snapshot", start_index=int(start[1]))
    before = re.findall(r"Line (\d+) of", first)[-1]
    assert f"Line {int(before) + 1} of" in second
    assert "Line 1987 of a long page" in await tools.ok("browser_find", text="line 1987 ")


async def test_tabs_are_a_conversations_own(tools: Guest, shop: Shop) -> None:
    home = await tools.ok("browser_navigate", url=shop.url())
    await tools.ok("browser_click", target=ref(home, 'link "News"'))
    listed = ""
    while "- 1:" not in listed:  # a page that opens takes its time
        listed = await tools.ok("browser_tabs", action="list")
    assert "- 0: (current) [Little shop]" in listed
    assert "No news" in await tools.ok("browser_tabs", action="select", index=1)
    assert "none is open" in await Guest(tools.household, "another").ok("browser_tabs", action="list")
    await tools.ok("browser_tabs", action="close")
    assert "Little shop" in await tools.ok("browser_snapshot")
    assert "There is no tab 7" in await tools.refused("browser_tabs", action="select", index=7)
