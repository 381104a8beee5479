"""From a vendor's row or a protocol's name, an address and a key to a provider."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

from app.core.provider import Provider
from app.providers.breaker import Breaker
from app.providers.heeded import Heeded
from app.providers.http import Http, Limits, is_loopback
from app.providers.key import plain_key
from app.providers.prices import PriceTable
from app.providers.retry import RetryPolicy
from app.providers.sentences import failure
from app.providers.vendors import PROTOCOLS, VENDORS, ProtocolName, Vendor, vendor_at
from app.providers.wire import Address, Wire


def find_vendor(vendor_or_protocol: str, base_url: str | None = None) -> Vendor:
    """The row of that name; for a protocol, the row whose address this is, else one made for it. KeyError if unknown.

    A row used at another address is called by that address in messages.
    """
    row = VENDORS.get(vendor_or_protocol)
    protocol: ProtocolName | None = next((p for p in PROTOCOLS if p == vendor_or_protocol), None)
    if row is None and protocol is None:
        raise KeyError(vendor_or_protocol)
    known = vendor_at(base_url) if base_url and (row is None or row.name == "custom" or protocol) else None
    if known is not None:
        return _speaking(known, protocol or known.protocol)
    if row is None:
        row = VENDORS["custom"] if base_url else VENDORS["openai"]
        row = _speaking(row, protocol or row.protocol)
    if base_url and not row.local and _host(base_url) != _host(row.base_url):
        return replace(row, title=_host(base_url), local=is_loopback(base_url))
    return row


def _speaking(vendor: Vendor, protocol: ProtocolName) -> Vendor:
    return vendor if vendor.protocol == protocol else replace(vendor, protocol=protocol)


def _host(base_url: str) -> str:
    return base_url.partition("://")[2].partition("/")[0].rpartition("@")[2] or base_url


def connect(
    vendor: Vendor | str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    limits: Limits | None = None,
    retry: RetryPolicy | None = None,
    breaker: Breaker | None = None,
    heeded: Heeded | None = None,
    prices: PriceTable | None = None,
) -> Provider:
    """A provider for a vendor (a row, its name, or a protocol's name). Nothing is sent yet.

    ValueError where no address is known, KeyError where no vendor is, ProviderError for what can be no key. `base_url` as
    the user gave it, without what the protocol adds (`/chat/completions`, `/v1/messages`, …). `breaker` and
    `heeded`: shared by all providers of one endpoint.
    """
    row = find_vendor(vendor, base_url) if isinstance(vendor, str) else vendor
    if row.protocol == "demo":
        from app.providers.demo import DemoProvider

        return DemoProvider()
    url = with_scheme(base_url or row.base_url)
    if not url:
        raise ValueError(f"{row.title} needs a base URL.")
    from app.providers.endpoint import HttpProvider

    address = Address(row, url, plain_key(api_key, row.title))
    return HttpProvider(
        wire_of(row.protocol),
        address,
        Http(url, row.title, limits),
        retry=retry,
        breaker=breaker,
        heeded=heeded,
        prices=prices,
    )


def with_scheme(base_url: str) -> str:
    """As typed, without a slash at its end; what names no scheme is on this computer or behind TLS."""
    url = base_url.strip().rstrip("/")
    if not url or "://" in url:
        return url
    return ("http://" if is_loopback(f"http://{url}") else "https://") + url


def checked_address(base_url: str) -> None:
    """ProviderError in words for what can be no base URL."""
    url = with_scheme(base_url)
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # a UnicodeError too: a name with an empty or an endless part
        fits = False
    if not fits or re.search(r"[\s<>\"\\^`{|}]", url):
        raise failure("bad_request", "noUrl", holes={"url": base_url.strip()})


def wire_of(protocol: ProtocolName) -> Wire:
    """The protocol table. A new protocol is one file and one line here."""
    if protocol == "anthropic":
        from app.providers.anthropic import Anthropic

        return Anthropic()
    if protocol == "openai-responses":
        from app.providers.openai_responses import OpenAIResponses

        return OpenAIResponses()
    if protocol == "gemini":
        from app.providers.gemini import Gemini

        return Gemini()
    if protocol == "ollama":
        from app.providers.ollama import Ollama

        return Ollama()
    from app.providers.openai_chat import OpenAIChat

    return OpenAIChat()
