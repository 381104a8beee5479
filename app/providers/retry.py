"""The one retry layer: how long to wait before another try, or that there is none."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from app.core.provider import ProviderError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Seconds. Full jitter between 0 and `base * factor**n`, at most `cap`; `tries` in all, `total` of waiting in all.

    A vendor that asks for up to `longest_ask` gets it; one that asks for more is not asked again by itself.
    """

    base: float = 0.5
    factor: float = 2.0
    cap: float = 20.0
    tries: int = 5
    total: float = 120.0
    longest_ask: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    uniform: Callable[[float, float], float] = random.uniform
    clock: Callable[[], float] = time.monotonic


@dataclass(slots=True)
class Tries:
    """The tries of one request. The time spent waiting counts, not that of a living stream."""

    policy: RetryPolicy
    made: int = 1
    waited: float = 0.0
    began: float = field(default=0.0)

    def __post_init__(self) -> None:
        self.began = self.policy.clock()

    def wait_after(self, error: ProviderError) -> float | None:
        """Seconds until the next try, which counts as made; None where there is none."""
        policy = self.policy
        if not error.retryable or self.made >= policy.tries:
            return None
        asked = error.retry_after or 0.0
        if asked > policy.longest_ask:
            return None
        delay = max(asked, policy.uniform(0.0, min(policy.cap, policy.base * policy.factor ** (self.made - 1))))
        if policy.clock() - self.began + delay > policy.total:
            return None
        self.made += 1
        return delay
