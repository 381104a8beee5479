"""Tokens as the contract counts them: input with what came from the cache, output with thinking, unknown as None."""

import math
from typing import Any

from app.core.messages import Usage
from app.providers.shapes import is_list, is_object, object_of

MOST = 2**53
"""No count of tokens is larger; a number that is was none."""


def number(value: Any) -> int | None:
    """A count, also written as text or with a decimal point."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST or value != int(value):
        return None
    return int(value)


def openai_usage(raw: Any, before: Usage) -> Usage:
    """OpenAI's names and its compatibles': `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Kimi), `cost` (OpenRouter).

    Thinking is part of the output with most; where the total shows that it was counted beside, it is added.
    """
    raw = object_of(raw[0] if is_list(raw) and raw else raw)
    given = object_of(raw.get("completion_tokens_details") or raw.get("output_tokens_details"))
    taken = object_of(raw.get("prompt_tokens_details") or raw.get("input_tokens_details"))
    input_tokens = first(raw, "prompt_tokens", "input_tokens", "promptTokens", "inputTokens")
    output_tokens = first(raw, "completion_tokens", "output_tokens", "completionTokens", "outputTokens")
    thinking = first(given, "reasoning_tokens")
    if thinking is None:
        thinking = first(raw, "reasoning_tokens")
    if (
        input_tokens is not None
        and output_tokens is not None
        and thinking
        and first(raw, "total_tokens") == input_tokens + output_tokens + thinking
    ):
        output_tokens += thinking
    cached = first(taken, "cached_tokens")
    if cached is None:
        cached = first(raw, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens")
    return merged(
        before,
        Usage(
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_input_tokens=cached,
            cache_write_tokens=first(taken, "cache_write_tokens", "cache_creation_tokens"),
            thinking_tokens=thinking,
            cost=_cost(raw),
        ),
    )


def anthropic_usage(raw: Any, before: Usage) -> Usage:
    """Input that went to and came from the cache is counted apart on the wire; a later event's numbers replace earlier ones."""
    raw = object_of(raw)
    fresh, read, written = (first(raw, k) for k in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
    if not fresh and not read and not written and before.input_tokens:
        fresh = read = written = None  # some servers count the input at the start and nothing at the end
    cached = before.cached_input_tokens if read is None else read
    wrote = before.cache_write_tokens if written is None else written
    if fresh is None and before.input_tokens is not None:
        fresh = before.input_tokens - (before.cached_input_tokens or 0) - (before.cache_write_tokens or 0)
    total = None if fresh is None else fresh + (cached or 0) + (wrote or 0)
    details = object_of(raw.get("output_tokens_details"))
    output = first(raw, "output_tokens")
    if not output and first(raw, "input_tokens") == 0 and before.input_tokens:
        output = None  # nothing at all is counted here; an output of 0 alone is a count
    return merged(
        before.model_copy(update={"output_tokens": None}) if output is not None else before,
        Usage(
            input_tokens=total,
            output_tokens=output,
            cached_input_tokens=cached,
            cache_write_tokens=wrote,
            thinking_tokens=first(details, "thinking_tokens", "reasoning_tokens"),
        ),
    )


def gemini_usage(raw: Any, before: Usage) -> Usage:
    """The prompt for tool use is counted beside the prompt, thoughts beside the candidates."""
    raw = object_of(raw)
    prompt, tool_use = first(raw, "promptTokenCount"), first(raw, "toolUsePromptTokenCount")
    said, thought = first(raw, "candidatesTokenCount"), first(raw, "thoughtsTokenCount")
    output = None if said is None and thought is None else (said or 0) + (thought or 0)
    return merged(
        before,
        Usage(
            input_tokens=None if prompt is None else prompt + (tool_use or 0),
            output_tokens=output,
            cached_input_tokens=first(raw, "cachedContentTokenCount"),
            thinking_tokens=thought,
        ),
    )


def merged(before: Usage, now: Usage) -> Usage:
    """What is known now, else what was known before; a count of nothing takes back no count (some close a stream with it)."""
    counted = before.model_dump(exclude_none=True)
    known = {name: value for name, value in now.model_dump(exclude_none=True).items() if value or not counted.get(name)}
    return before.model_copy(update=known) if known else before


def first(raw: dict[str, Any], *names: str) -> int | None:
    return next((n for name in names if (n := number(raw.get(name))) is not None), None)


def _cost(raw: dict[str, Any]) -> float | None:
    """US dollars. Perplexity gives an object of them."""
    cost = raw.get("cost", raw.get("total_cost"))
    if is_object(cost):
        cost = cost.get("total_cost")
    try:
        dollars = float(cost) if isinstance(cost, int | float | str) and not isinstance(cost, bool) else -1.0
    except ValueError:
        return None
    return dollars if 0 <= dollars < math.inf else None
