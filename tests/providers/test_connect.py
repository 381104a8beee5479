"""Vendors and addresses: each row works as it stands, and an address may be given in any usual form."""

import subprocess
import sys

import pytest

from app.core.provider import Request
from app.providers.connect import connect, find_vendor, wire_of
from app.providers.endpoint import HttpProvider
from app.providers.http import is_loopback
from app.providers.vendors import PROTOCOLS, VENDORS, Vendor
from app.providers.wire import Address

REQUEST = Request(model="m", messages=())
WANTED = "openai anthropic gemini openrouter deepseek moonshot moonshot-cn mistral groq xai together cerebras perplexity azure ollama lmstudio llamacpp vllm custom demo"  # noqa: E501


def url(vendor: Vendor, base_url: str) -> str:
    return wire_of(vendor.protocol).url(Address(vendor, base_url.rstrip("/"), None), REQUEST)


@pytest.mark.parametrize("row", VENDORS.values(), ids=lambda v: v.name)
def test_a_row_of_the_table_is_whole(row: Vendor) -> None:
    assert row.protocol in PROTOCOLS
    assert row.title
    assert not row.base_url.endswith("/")
    if row.local:
        assert row.protocol == "demo" or is_loopback(row.base_url)
    elif row.name != "custom":
        assert row.key_variable
        assert row.key_url
        assert row.base_url.startswith("https://") or row.name == "azure"


def test_every_vendor_that_was_promised_is_there() -> None:
    assert set(WANTED.split()) <= set(VENDORS)


@pytest.mark.parametrize(
    ("protocol", "base_url", "asked"),
    [
        ("openai-chat", "http://h/v1", "http://h/v1/chat/completions"),
        ("openai-chat", "http://h/v1/", "http://h/v1/chat/completions"),
        ("openai-chat", "http://h/v1/chat/completions", "http://h/v1/chat/completions"),
        ("openai-chat", "https://h/openai?api-version=1", "https://h/openai/chat/completions?api-version=1"),
        ("openai-responses", "http://h/v1", "http://h/v1/responses"),
        ("anthropic", "http://h", "http://h/v1/messages"),
        ("anthropic", "http://h/v1", "http://h/v1/messages"),
        ("gemini", "http://h", "http://h/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("gemini", "http://h/v1beta", "http://h/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("ollama", "http://h", "http://h/api/chat"),
        ("ollama", "http://h/v1", "http://h/api/chat"),
    ],
)
def test_a_base_url_is_taken_as_people_give_it(protocol: str, base_url: str, asked: str) -> None:
    assert url(find_vendor(protocol, base_url), base_url) == asked


def test_a_known_vendors_address_brings_its_ways_along() -> None:
    assert find_vendor("openai-chat", "https://api.deepseek.com").quirks == VENDORS["deepseek"].quirks
    assert find_vendor("custom", "https://api.mistral.ai/v1").name == "mistral"
    assert find_vendor("openai-chat", "https://api.openai.com/v1").protocol == "openai-chat"
    local = find_vendor("anthropic", "http://127.0.0.1:9/v1")
    assert (local.name, local.title, local.protocol, local.local) == ("anthropic", "127.0.0.1:9", "anthropic", True)
    assert find_vendor("openai-responses", "http://127.0.0.1:9/v1").name == "custom"


async def test_an_address_without_a_scheme_gets_the_usual_one() -> None:
    for given, meant in (("127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"), ("models.test/v1", "https://models.test/v1")):
        provider = connect("custom", base_url=given)
        assert isinstance(provider, HttpProvider)
        assert provider.address.base_url == meant
        await provider.aclose()


def test_a_vendor_without_an_address_says_that_it_needs_one() -> None:
    with pytest.raises(ValueError, match="needs a base URL"):
        connect("azure")
    with pytest.raises(KeyError):
        connect("nobody")


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://127.0.0.1:1/x", True),
        ("http://localhost/", True),
        ("http://[::1]:80", True),
        ("http://127.9.9.9", True),
        ("http://localhost.evil.test", False),
        ("https://10.0.0.1", False),
        ("http://127.0.0.1@evil.test/", False),
    ],
)
def test_only_this_computer_is_this_computer(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_looking_at_the_table_loads_no_http_library() -> None:
    modules = "app.providers.vendors, app.providers.connect, app.providers.demo"
    code = f"import sys, {modules}; print([m for m in ('httpx', 'aiohttp', 'ssl') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "httpx" not in done.stdout
    assert "aiohttp" not in done.stdout
