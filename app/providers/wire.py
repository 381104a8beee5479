"""What a protocol is, to the code that sends requests: how to ask, and how to read the answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.core.provider import ModelInfo, Request
from app.providers.mould import Mould
from app.providers.reply import Reply
from app.providers.vendors import Vendor


@dataclass(frozen=True, slots=True)
class Address:
    """Where and as whom: `base_url` without a slash at its end. `origin` marks what only this endpoint may have back."""

    vendor: Vendor
    base_url: str
    api_key: str | None

    @property
    def origin(self) -> str:
        if not self.vendor.base_url or self.base_url == self.vendor.base_url.rstrip("/"):
            return self.vendor.name
        return self.base_url.partition("://")[2]


class Reading(Protocol):
    """Reads one answer's payloads into a reply."""

    reply: Reply
    mould: Mould | None
    """Where the protocol's events of text are all alike."""

    def take(self, payload: Any) -> None:
        """Understand one JSON value; raise ProviderError for an error in it."""
        ...

    def end(self, done: bool) -> None:
        """The body is over (`done`: with `[DONE]`); finish the reply or raise where it was cut off."""
        ...


class Wire(Protocol):
    """One wire protocol. Stateless; one instance an endpoint."""

    protocol: str

    def url(self, address: Address, request: Request) -> str: ...

    def headers(self, address: Address) -> Mapping[str, str]: ...

    def body(self, address: Address, request: Request) -> dict[str, Any]: ...

    def reading(self, address: Address, request: Request) -> Reading: ...

    def models_url(self, address: Address) -> str: ...

    def models(self, listed: Any) -> list[ModelInfo]: ...
