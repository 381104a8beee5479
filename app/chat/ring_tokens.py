"""Tokens of remote servers beside the providers' keys: in the system's key ring, or where there is none in the owner's file."""

import asyncio
from hashlib import sha256

from app.settings import Secrets


class RingTokens:
    """The MCP host's `TokenStore`. The key ring may ask the person to unlock it, so it is asked in a thread."""

    def __init__(self, secrets: Secrets):
        self._secrets = secrets

    async def read(self, url: str) -> str | None:
        found = await asyncio.to_thread(self._secrets.get, _vendor(url), url)
        return found.get_secret_value() if found else None

    async def write(self, url: str, text: str | None) -> None:
        if text is None:
            await asyncio.to_thread(self._secrets.delete, _vendor(url), url)
        else:
            await asyncio.to_thread(self._secrets.set, _vendor(url), url, text)


def _vendor(url: str) -> str:
    """Two servers on one host have tokens of their own."""
    return f"mcp-{sha256(url.encode()).hexdigest()[:16]}"
