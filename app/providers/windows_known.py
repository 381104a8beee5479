"""How many tokens a model can read and write at once, for vendors whose lists do not say; settings and lists win over it."""

import re

AS_OF = "2026-05-01"
"""The day the sizes are taken to be of, as was commonly known; where versions of a name differ, the smaller one stands."""

# (pattern of the model's name, tokens); the first that fits counts, so that longer names come first.
WINDOWS: tuple[tuple[str, int], ...] = (
    (r"gpt-5(\.\d)?-chat", 128_000),
    (r"(^|/)gpt-5", 272_000),  # of 400,000 in all, 128,000 are the reply's alone
    (r"gpt-4\.1", 1_047_576),
    (r"gpt-4o|gpt-4-turbo|gpt-oss|o1-mini|o1-preview", 128_000),
    (r"(^|/)o[1-4](-|$)", 200_000),
    (r"gpt-3\.5-turbo", 16_385),
    (r"claude-", 200_000),
    (r"gemini-(1\.5|2|3)", 1_048_576),
    (r"^deepseek-(chat|reasoner)", 128_000),
    (r"^kimi-k2(\.[5-9]|-0905|-thinking|-turbo)", 262_144),
    (r"^kimi-k2", 131_072),
    (r"mistral-(large|medium|small)|codestral|devstral|magistral", 128_000),
    (r"grok-4(\.1)?-fast|grok-4-1-fast", 2_000_000),
    (r"grok-4", 256_000),
    (r"glm-4\.[6-9]", 200_000),
    (r"glm-4\.5", 128_000),
)
_rows = tuple((re.compile(pattern), tokens) for pattern, tokens in WINDOWS)


def known_window(model: str) -> int | None:
    """Tokens, None for a model nobody here knows."""
    return next((tokens for pattern, tokens in _rows if pattern.search(model.lower())), None)
