"""Tokens and cost: input with what the cache gave, output with thinking, unknown as unknown."""

from collections.abc import Callable
from typing import Any

import pytest

from app.core.messages import Usage
from app.providers.prices import AS_OF, Price, PriceTable
from app.providers.usage import anthropic_usage, gemini_usage, openai_usage

NONE = Usage()


def test_unknown_is_none_and_never_zero() -> None:
    assert openai_usage({}, NONE) == NONE
    assert anthropic_usage({"output_tokens": 3}, NONE) == Usage(output_tokens=3)
    assert gemini_usage({"promptTokenCount": 4}, NONE) == Usage(input_tokens=4)


def test_thinking_counted_beside_the_output_is_added_where_the_total_shows_it() -> None:
    raw = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 22,
        "completion_tokens_details": {"reasoning_tokens": 7},
    }
    assert openai_usage(raw, NONE).output_tokens == 12
    assert openai_usage({**raw, "total_tokens": 15}, NONE).output_tokens == 5


@pytest.mark.parametrize(
    "where", [{"prompt_tokens_details": {"cached_tokens": 8}}, {"prompt_cache_hit_tokens": 8}, {"cached_tokens": 8}]
)
def test_cached_input_is_read_under_every_name(where: dict[str, object]) -> None:
    assert openai_usage({"prompt_tokens": 10, "completion_tokens": 1, **where}, NONE).cached_input_tokens == 8


def test_input_beside_the_cache_is_added_up_over_the_events() -> None:
    first = anthropic_usage(
        {"input_tokens": 10, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 1000, "output_tokens": 1}, NONE
    )
    assert (first.input_tokens, first.cached_input_tokens, first.cache_write_tokens) == (1110, 100, 1000)
    last = anthropic_usage({"output_tokens": 50}, first)
    assert (last.input_tokens, last.output_tokens) == (1110, 50)
    assert anthropic_usage({"input_tokens": 12, "output_tokens": 50}, first).input_tokens == 1112


def test_tool_prompts_and_thoughts_of_gemini_count() -> None:
    raw = {"promptTokenCount": 10, "toolUsePromptTokenCount": 5, "candidatesTokenCount": 3, "thoughtsTokenCount": 4}
    usage = gemini_usage(raw, NONE)
    assert (usage.input_tokens, usage.output_tokens, usage.thinking_tokens) == (15, 7, 4)


def test_the_vendors_own_figure_is_the_cost() -> None:
    assert openai_usage({"prompt_tokens": 1, "cost": 0.25}, NONE).cost == 0.25
    assert openai_usage({"prompt_tokens": 1, "cost": {"total_cost": 0.5}}, NONE).cost == 0.5


def test_cost_comes_from_the_dated_table_with_its_cache_prices() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=100_000, cached_input_tokens=500_000, cache_write_tokens=100_000)
    priced = PriceTable().priced(usage, "anthropic", "claude-sonnet-4-5-20250929")
    assert priced.cost == pytest.approx(0.4 * 3 + 0.5 * 0.30 + 0.1 * 3.75 + 0.1 * 15)
    assert len(AS_OF) == 10


def test_settings_override_a_price_and_unknown_models_cost_unknown() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=0)
    assert PriceTable({"gpt-4o": Price(1, 1)}).priced(usage, "openai", "gpt-4o").cost == 1
    assert PriceTable().priced(usage, "openai", "gpt-99-unheard-of").cost is None
    assert PriceTable().priced(usage, "ollama", "gpt-4o").cost is None
    assert PriceTable().priced(Usage(input_tokens=5), "openai", "gpt-4o").cost is None


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4o-mini-2024-07-18", 0.15),
        ("gpt-5.1", 1.25),
        ("gpt-5-nano", 0.05),
        ("claude-opus-4-1-20250805", 15),
        ("claude-opus-4-6", 5),
        ("claude-3-5-haiku-latest", 0.8),
        ("gemini-2.5-flash-lite", 0.10),
        ("o4-mini", 1.10),
    ],
)
def test_the_most_exact_name_has_the_price(model: str, price: float) -> None:
    found = PriceTable().price("openai", model)
    assert found is not None
    assert found.input == price


@pytest.mark.parametrize(
    ("read", "counted", "nothing"),
    [
        (
            openai_usage,
            {"prompt_tokens": 20, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 5}, "cost": 0.25},
            {"prompt_tokens": 0, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 0}, "cost": 0},
        ),
        (
            anthropic_usage,
            {"input_tokens": 20, "output_tokens": 7, "cache_read_input_tokens": 5},
            {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 0},
        ),
        (
            gemini_usage,
            {"promptTokenCount": 20, "candidatesTokenCount": 7, "cachedContentTokenCount": 5},
            {"promptTokenCount": 0, "candidatesTokenCount": 0, "cachedContentTokenCount": 0},
        ),
    ],
)
def test_counts_of_nothing_after_real_ones_take_nothing_back(
    read: Callable[[Any, Usage], Usage], counted: dict[str, Any], nothing: dict[str, Any]
) -> None:
    before = read(counted, Usage())
    assert before.output_tokens == 7
    assert read(nothing, before) == before


def test_an_output_of_nothing_alone_is_a_count() -> None:
    begun = anthropic_usage({"input_tokens": 20, "output_tokens": 1}, Usage())
    assert anthropic_usage({"output_tokens": 0}, begun).output_tokens == 0
