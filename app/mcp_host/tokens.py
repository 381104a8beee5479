"""Where the tokens of remote servers are kept, as the host needs it; the app wires the system's key ring in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol


class TokenStore(Protocol):
    """One text for each server's address. What it holds is secret: never logged, never shown."""

    async def read(self, url: str) -> str | None: ...

    async def write(self, url: str, text: str | None) -> None:
        """Keep it; None forgets it. May raise OSError where it cannot be kept."""
        ...


class TokensInMemory:
    """For tests and for runs that keep nothing."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    async def read(self, url: str) -> str | None:
        return self._texts.get(url)

    async def write(self, url: str, text: str | None) -> None:
        if text is None:
            self._texts.pop(url, None)
        else:
            self._texts[url] = text


@dataclass(frozen=True, slots=True)
class Signing:
    """How people sign in to servers: where tokens are kept, and how an address is opened in their browser.

    `client_metadata_url`: where a document says who LeoChat is, for servers that take one instead of
    a registration.
    """

    tokens: TokenStore
    open_url: Callable[[str], Awaitable[None]]
    client_metadata_url: str | None = None


class SignInNeededError(Exception):
    """A server wants a person to sign in, and none is doing so."""
