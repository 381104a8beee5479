"""What tokens cost, by model, as the vendors listed it on the table's date; settings can override a row."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.core.messages import Usage

AS_OF = "2026-05-01"
"""The day the prices below were written down."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens. `cached`: input read from the cache; `written`: input written to it (None: as input)."""

    input: float
    output: float
    cached: float | None = None
    written: float | None = None


# (pattern of the model's name, price); the first that fits counts, so that longer names come first.
PRICES: tuple[tuple[str, Price], ...] = (
    (r"gpt-5(\.\d)?-pro", Price(15, 120)),
    (r"gpt-5(\.1)?-nano", Price(0.05, 0.40, 0.005)),
    (r"gpt-5(\.1)?-(codex-)?mini", Price(0.25, 2, 0.025)),
    (r"gpt-5\.2", Price(1.75, 14, 0.175)),
    (r"gpt-5(\.1)?(-codex|-chat|-\d|$)", Price(1.25, 10, 0.125)),
    (r"gpt-4\.1-nano", Price(0.10, 0.40, 0.025)),
    (r"gpt-4\.1-mini", Price(0.40, 1.60, 0.10)),
    (r"gpt-4\.1", Price(2, 8, 0.50)),
    (r"gpt-4o-mini", Price(0.15, 0.60, 0.075)),
    (r"gpt-4o", Price(2.50, 10, 1.25)),
    (r"o4-mini|o3-mini", Price(1.10, 4.40, 0.275)),
    (r"(^|/)o3(-\d|$)", Price(2, 8, 0.50)),
    (r"(^|/)o1(-\d|$)", Price(15, 60, 7.50)),
    (r"claude-(3-)?opus-4-[5-8]|claude-opus-4\.[5-8]", Price(5, 25, 0.50, 6.25)),
    (r"claude-(3-)?opus", Price(15, 75, 1.50, 18.75)),
    (r"claude.*sonnet", Price(3, 15, 0.30, 3.75)),
    (r"claude-haiku-4|claude-4\.5-haiku", Price(1, 5, 0.10, 1.25)),
    (r"claude-3-5-haiku", Price(0.80, 4, 0.08, 1)),
    (r"claude-3-haiku", Price(0.25, 1.25, 0.03, 0.30)),
    (r"gemini-3(\.\d)?-pro", Price(2, 12, 0.20)),
    (r"gemini-3(\.\d)?-flash", Price(0.50, 3, 0.05)),
    (r"gemini-2\.5-pro", Price(1.25, 10, 0.125)),
    (r"gemini-2\.5-flash-lite", Price(0.10, 0.40, 0.01)),
    (r"gemini-2\.5-flash", Price(0.30, 2.50, 0.03)),
    (r"^deepseek-(chat|reasoner)", Price(0.28, 0.42, 0.028)),
    (r"^kimi-k2", Price(0.60, 2.50, 0.15)),
    (r"mistral-large", Price(0.50, 1.50)),
    (r"mistral-medium", Price(0.40, 2)),
    (r"mistral-small", Price(0.10, 0.30)),
    (r"grok-4(\.1)?-fast|grok-4-1-fast", Price(0.20, 0.50, 0.05)),
    (r"grok-4", Price(3, 15, 0.75)),
)
SELF_PRICED = ("openrouter", "ollama", "lmstudio", "llamacpp", "vllm", "custom", "demo")
"""Vendors that say the cost themselves, or whose cost nobody here knows."""


class PriceTable:
    """`overrides`: price by exact model name, from the settings."""

    def __init__(self, overrides: Mapping[str, Price] | None = None) -> None:
        self._overrides = dict(overrides or {})

    def price(self, vendor: str, model: str) -> Price | None:
        if model in self._overrides:
            return self._overrides[model]
        if vendor in SELF_PRICED:
            return None
        return next((price for pattern, price in PRICES if re.search(pattern, model)), None)

    def priced(self, usage: Usage, vendor: str, model: str) -> Usage:
        """The same usage with its cost; unknown stays unknown."""
        price = self.price(vendor, model)
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return usage
        cached, written = usage.cached_input_tokens or 0, usage.cache_write_tokens or 0
        fresh = max(0, usage.input_tokens - cached - written)
        parts = (
            (fresh, price.input),
            (cached, price.input if price.cached is None else price.cached),
            (written, price.input if price.written is None else price.written),
            (usage.output_tokens, price.output),
        )
        return usage.model_copy(update={"cost": round(sum(tokens * each for tokens, each in parts) / 1_000_000, 8)})
