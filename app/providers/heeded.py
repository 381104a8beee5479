"""What the models of one endpoint refused of a request, so that the next task need not ask for it in vain."""

import time
from collections.abc import Callable

HOLDS = 3600.0
"""Seconds. A server may be started again with what it lacked, a model brought up to date: then it is asked once more."""


class Heeded:
    """The words of refusals by model, in the order they came."""

    def __init__(self, holds: float = HOLDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._holds, self._clock = holds, clock
        self._refusals: dict[str, list[tuple[float, str]]] = {}

    def of(self, model: str) -> list[str]:
        now = self._clock()
        return [words for at, words in self._refusals.get(model, ()) if now - at < self._holds]

    def note(self, model: str, words: str) -> None:
        now = self._clock()
        held = [(at, before) for at, before in self._refusals.get(model, ()) if now - at < self._holds and before != words]
        self._refusals[model] = [*held, (now, words)]

    def forget(self) -> None:
        """A person tries the endpoint: it may take now what it refused."""
        self._refusals.clear()
