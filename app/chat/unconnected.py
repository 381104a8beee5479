"""A provider that could not be had, as one whose every reply is the reason."""

import asyncio
from collections.abc import AsyncGenerator

from app.core.events import ModelEvent
from app.core.provider import ModelInfo, ProviderError, Request


class Unconnected:
    """Stands for a provider that could not be had: its stream is the error, so that the reply has its message."""

    def __init__(self, name: str, error: ProviderError):
        self.name = name
        self._error = error

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        raise self._error
        yield  # makes this a generator

    async def models(self) -> list[ModelInfo]:
        raise self._error

    async def aclose(self) -> None:
        await asyncio.sleep(0)
