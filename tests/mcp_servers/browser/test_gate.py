"""Private addresses: asked about, and reached by no way around the question."""

from collections.abc import AsyncGenerator

import pytest

from mcp_servers.browser import create
from tests.mcp_servers.browser.household import Guest
from tests.mcp_servers.browser.shop import Shop, open_shop
from tests.mcp_servers.calls import tools_of

pytestmark = pytest.mark.timeout(180)  # the first test starts a browser, and a loaded machine is slow


@pytest.fixture
async def router() -> AsyncGenerator[Shop]:
    """Something of this computer that nobody opened to the browser."""
    async with open_shop() as found:
        yield found


async def test_redirects_and_parts_of_pages_do_not_get_there(tools: Guest, shop: Shop, router: Shop) -> None:
    shop.elsewhere = router.url("/order")
    away = await tools.refused("browser_navigate", url=shop.url("/away"))
    assert f"leads to {router.host}" in away
    assert "browser_navigate" in away
    part = await tools.ok("browser_navigate", url=shop.url("/part"))
    while "Refused" not in part:  # the page's script may only just begin
        part = await tools.ok("browser_wait_for", time=0.2)
    assert f"Refused: the page wanted to reach {router.host}" in part
    for way in (f"fetch('{router.url()}', {{mode: 'no-cors'}})", f"new WebSocket('ws://{router.host}/')"):
        await tools.result("browser_evaluate", function=f"() => {{ try {{ {way} }} catch {{}} }}")
    await tools.ok("browser_evaluate", function=f"() => {{ location.href = '{router.url()}' }}")
    await tools.ok("browser_wait_for", time=0.3)
    assert router.asked == []


async def test_a_person_is_asked_by_host_and_their_word_counts(tools: Guest, router: Shop) -> None:
    asked: list[str] = []

    def answer(words: str) -> str:
        asked.append(words)
        return "decline" if len(asked) == 1 else "accept"

    tools.household.answer = answer
    refused = await tools.refused("browser_navigate", url=router.url())
    assert "did not allow" in refused
    assert router.asked == []
    assert "Little shop" in await tools.ok("browser_navigate", url=router.url())
    assert "Order" in await tools.ok("browser_tabs", action="new", url=router.url("/order"))  # not asked again
    assert len(asked) == 2
    assert router.host in asked[0]
    assert "127.0.0.1:1" in (await tools.refused("browser_navigate", url="http://127.0.0.1:1/")) or asked[2]


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/", "http://localhost:8000/", "http://[::1]/", "http://10.0.0.1/", "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/", "http://2130706433/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/",
    ],
)  # fmt: skip
async def test_without_anybody_to_ask_no_private_address_is_opened(address: str) -> None:
    async with tools_of(create({"open_hosts": []})) as alone:  # no browser is started for it
        refused = await alone.refused("browser_navigate", url=address)
    assert "inside this computer or its network" in refused
    assert "settings" in refused
