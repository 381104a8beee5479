"""What is known of models by their names: which parameters they refuse, how they are told to think, what they cannot see."""

import re

TEXT_ONLY = re.compile(
    r"deepseek|gpt-3\.5|o1-mini|o3-mini|gpt-oss|codestral|devstral-small|magistral-small-25|kimi-k2(?!\.[5-9])|glm-4\.\d(?!v)(?!\.?\d*v)|qwen3-(coder|next|max|235b)|sonar-reasoning|llama-3\.[13]|llama3\.[13]|smollm2"
)
O_SERIES = re.compile(r"(^|/)o[1-9](-|$)")
GPT_5 = re.compile(r"(^|/)gpt-(5|[6-9])(\.\d+)?")


def uses_completion_tokens(model: str) -> bool:
    """OpenAI's reasoning models refuse `max_tokens`, also behind other addresses (OpenAI, "Reasoning models")."""
    return bool(O_SERIES.search(model) or (GPT_5.search(model) and "/" not in model))


FIXED_KIMI = re.compile(r"kimi-(k2\.[5-9]|k[3-9]|for-coding)", re.IGNORECASE)


def refuses_temperature(model: str) -> bool:
    """OpenAI's reasoning models, and Kimi from K2.5 on, take the default temperature only (Kimi, "Model Parameter
    Reference").
    """
    return bool(O_SERIES.search(model) or (GPT_5.search(model) and "chat" not in model) or FIXED_KIMI.search(model))


def openai_effort(model: str, level: str) -> str | None:
    """`reasoning_effort` for a level; "off" in each model's own word. None: this model takes no effort."""
    if level != "off":
        return level if thinks(model) else None
    if O_SERIES.search(model):
        return "low"  # the lowest there is: these cannot be told not to think
    if found := GPT_5.search(model):
        return "none" if found.group(2) else "minimal"
    if "gpt-oss" in model:
        return "low"
    return "none" if thinks(model) else None


def two_way_effort(model: str, level: str) -> str | None:
    """On or off alone for Qwen 3 on Groq (Groq, "Reasoning") and Mistral's (Mistral, "Adjustable", which names no alias
    of the medium one: it means an older model in places); Magistral always thinks."""
    if "qwen" in model:
        return "none" if level == "off" else "default"
    if re.search(r"mistral-small-(latest|26\d\d)|mistral-medium-3[-.]5", model):
        return "none" if level == "off" else "high"
    return None if "magistral" in model else openai_effort(model, level)


def thinks(model: str) -> bool:
    """Whether a model takes an effort at all: sending it to others is refused."""
    return bool(
        O_SERIES.search(model)
        or (GPT_5.search(model) and "chat" not in model)
        or re.search(r"gpt-oss|qwen3|magistral|deepseek-r1|grok-3-mini|gemini-(2\.5|[3-9])|glm-4\.[5-9]", model)
    )


def sees_no_pictures(model: str) -> bool:
    """Known to take text only; an unknown model is given what the user attached."""
    return bool(TEXT_ONLY.search(model.lower())) and not re.search(r"vl\b|-vl-|vision|janus", model.lower())


_CLAUDE = re.compile(r"claude-(?:(opus|sonnet|haiku|fable|mythos)-)?(\d+)(?:[-.](\d{1,2}))?(?!\d)")


def claude_version(model: str) -> tuple[str, float] | None:
    """`("opus", 4.7)`; None for what is no Claude (a local server's model)."""
    found = _CLAUDE.search(model)
    if not found:
        return None
    family = found.group(1) or next((f for f in ("opus", "sonnet", "haiku") if f in model), "")
    return family, float(f"{found.group(2)}.{found.group(3) or 0}")
