"""Tokens as the contract counts them: input with what came from the cache, output with thinking, unknown as None."""

from typing import Any

from app.core.messages import Usage
from app.providers.shapes import is_object


def number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def openai_usage(raw: dict[str, Any], before: Usage) -> Usage:
    """OpenAI's names and its compatibles': `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Kimi), `cost` (OpenRouter).

    Thinking is part of the output with most; where the total shows that it was counted beside, it is added.
    """
    given: dict[str, Any] = raw.get("completion_tokens_details") or raw.get("output_tokens_details") or {}
    taken: dict[str, Any] = raw.get("prompt_tokens_details") or raw.get("input_tokens_details") or {}
    input_tokens = first(raw, "prompt_tokens", "input_tokens")
    output_tokens = first(raw, "completion_tokens", "output_tokens")
    thinking = first(given, "reasoning_tokens")
    if thinking is None:
        thinking = first(raw, "reasoning_tokens")
    if (
        input_tokens is not None
        and output_tokens is not None
        and thinking
        and raw.get("total_tokens") == input_tokens + output_tokens + thinking
    ):
        output_tokens += thinking
    cached = first(taken, "cached_tokens")
    if cached is None:
        cached = first(raw, "prompt_cache_hit_tokens", "cached_tokens")
    return merged(
        before,
        Usage(
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_input_tokens=cached,
            cache_write_tokens=first(taken, "cache_write_tokens"),
            thinking_tokens=thinking,
            cost=_cost(raw),
        ),
    )


def anthropic_usage(raw: dict[str, Any], before: Usage) -> Usage:
    """Input that went to and came from the cache is counted apart on the wire; a later event's numbers replace earlier ones."""
    fresh, read, written = (first(raw, k) for k in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
    cached = before.cached_input_tokens if read is None else read
    wrote = before.cache_write_tokens if written is None else written
    if fresh is None and before.input_tokens is not None:
        fresh = before.input_tokens - (before.cached_input_tokens or 0) - (before.cache_write_tokens or 0)
    total = None if fresh is None else fresh + (cached or 0) + (wrote or 0)
    details: dict[str, Any] = raw.get("output_tokens_details") or {}
    return merged(
        before,
        Usage(
            input_tokens=total,
            output_tokens=first(raw, "output_tokens"),
            cached_input_tokens=cached,
            cache_write_tokens=wrote,
            thinking_tokens=first(details, "thinking_tokens", "reasoning_tokens"),
        ),
    )


def gemini_usage(raw: dict[str, Any], before: Usage) -> Usage:
    """The prompt for tool use is counted beside the prompt, thoughts beside the candidates."""
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
    """What is known now, else what was known before."""
    known = now.model_dump(exclude_none=True)
    return before.model_copy(update=known) if known else before


def first(raw: dict[str, Any], *names: str) -> int | None:
    return next((n for name in names if (n := number(raw.get(name))) is not None), None)


def _cost(raw: dict[str, Any]) -> float | None:
    cost = raw.get("cost")
    if is_object(cost):
        cost = cost.get("total_cost")
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None
