"""No way leads to an address inside: not by its spelling, a redirect, a name, nor a name that changes its mind."""

from collections.abc import Sequence

import pytest

from mcp_servers.addresses import AddressError, Guard, pinned, public
from mcp_servers.fetch import create
from mcp_servers.fetch.web import Web, WebError
from tests.mcp_servers.calls import Tools
from tests.mcp_servers.fetch.site import Site

CLOSED = [
    "127.0.0.1", "127.1.2.3", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.254", "192.168.0.1", "192.168.255.1", "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200",
    "168.63.129.16", "192.0.0.1", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
    "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::1", "::", "::7f00:1", "::a9fe:a9fe", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe",
    "::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::",
    "2002:a9fe:a9fe::1", "2001:0:53aa:64c:0:fbcc:80ff:fffe", "fe80::1", "fe80::5efe:127.0.0.1", "2a00::5efe:a00:1", "fc00::1",
    "fd00:ec2::254", "fec0::1", "ff02::1", "100::1", "2001:db8::1", "3fff::1", "5f00::1", "4000::1",
]  # fmt: skip
OPEN = ["1.1.1.1", "8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]

SPELLINGS = [
    "http://0x7f.1/", "http://0x7f000001/", "http://2130706433/", "http://0177.0.0.1/", "http://127.1/", "http://127.0.1/",
    "http://0/", "http://127.0.0.1./", "http://[::ffff:7f00:1]/", "http://[::1]:80/", "http://[fe80::1%25eth0]/",
    "http://１２７.０.０.１/", "http://①②⑦.0.0.1/", "http://127。0。0。1/", "http://0251.0376.0251.0376/", "http://0xA9FEA9FE/",
    "http://2852039166/", "http://localhost/", "http://LOCALHOST/", "http://localhost./",
    "file:///etc/passwd", "ftp://example.org/", "gopher://127.0.0.1/", "data:text/html,hi", "//127.0.0.1/", "javascript:1",
    "http://user:pass@example.org/", "http://example.org@127.0.0.1/", "http://127.0.0.1\\@example.org/", "http:///x", "http://",
    "http://exa mple.org/", "http://example.org/\r\nHost: inside", "http://example.org:0/", "http://example.org:99999/",
    "http://[::1/", "http://999.1.1.1/", "https://127.0.0.1:443/",
]  # fmt: skip


def shown(address: str) -> str:
    return f"http://[{address}]/" if ":" in address else f"http://{address}/"


def names(*answers: Sequence[str]) -> Guard:
    """A guard whose resolver gives these answers, one after the other."""
    left = list(answers)

    async def lookup(_: str, __: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return Guard(lookup=lookup)


def test_there_are_enough_of_them() -> None:
    assert len(CLOSED) >= 45
    assert len(set(CLOSED)) == len(CLOSED)


@pytest.mark.parametrize("address", OPEN)
def test_the_public_internet_stays_open(address: str) -> None:
    assert public(address)


@pytest.mark.parametrize("address", CLOSED)
async def test_not_when_it_is_asked_for_by_number(address: str) -> None:
    with pytest.raises(AddressError, match="inside this computer or its network"):
        await Guard().check(shown(address))


@pytest.mark.parametrize("address", CLOSED)
async def test_not_by_a_name_that_leads_there(address: str) -> None:
    with pytest.raises(AddressError, match="inside this computer or its network"):
        await names([address]).check("http://innocent.example/")


@pytest.mark.parametrize("address", CLOSED)
async def test_not_by_a_name_that_leads_there_too(address: str) -> None:
    with pytest.raises(AddressError):
        await names(["93.184.215.14", address]).check("http://innocent.example/")


@pytest.mark.parametrize("address", CLOSED)
async def test_not_by_a_name_that_leads_there_the_second_time(address: str) -> None:
    guard = names(["93.184.215.14"], [address])
    target = await guard.check("http://rebinding.example/")
    found = await pinned(target).resolve("rebinding.example", 80)
    assert [one["host"] for one in found] == ["93.184.215.14"]
    with pytest.raises(AddressError):
        await guard.check("http://rebinding.example/")


async def test_not_by_a_redirect(site: Site) -> None:
    web = Web(lambda: Guard([site.host]), obey_robots=lambda: False)
    for number, address in enumerate(CLOSED):
        site.answers[f"/{number}"] = shown(address)
        with pytest.raises(WebError, match="inside this computer or its network"):
            await web.get(site.url(f"/{number}"))
    assert len(site.paths()) == len(CLOSED)


@pytest.mark.parametrize("url", SPELLINGS)
async def test_not_by_an_unusual_spelling(url: str) -> None:
    with pytest.raises(AddressError):
        await Guard().check(url)


@pytest.mark.parametrize("url", ["http://[", "http://[::1/", "http://example.org:99999/"])
async def test_half_an_address_is_called_so(url: str, site: Site) -> None:
    web = Web(lambda: Guard([site.host]), obey_robots=lambda: False)
    with pytest.raises(WebError, match="not a valid URL"):
        await web.get(url)


async def test_a_redirect_to_half_an_address_is_called_so(site: Site) -> None:
    site.answers["/away"] = "http://["
    with pytest.raises(WebError, match="not valid"):
        await Web(lambda: Guard([site.host]), obey_robots=lambda: False).get(site.url("/away"))


async def test_not_by_another_port_of_an_opened_host(site: Site) -> None:
    with pytest.raises(AddressError):
        await Guard([site.host]).check(f"http://127.0.0.1:{site.port + 1 if site.port < 65535 else 1}/")


async def test_the_model_is_told_and_nothing_is_asked_for(site: Site) -> None:
    words = await Tools(server=create({})).refused("fetch", url=site.url("/secret"))
    assert "may not reach" in words
    assert site.asked == []


async def test_robots_txt_is_no_way_in_either(site: Site) -> None:
    site.page("/page", "<p>fine</p>")
    site.answers["/robots.txt"] = "http://169.254.169.254/latest/meta-data/"
    with pytest.raises(WebError, match="inside this computer"):
        await Web(lambda: Guard([site.host])).get(site.url("/page"))
    assert site.paths() == []
