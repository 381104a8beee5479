"""How much a model can read: what is known of it, and what its own refusals say where they know better."""

import re

from app.core.provider import ProviderError

LEAST, MOST = 512, 20_000_000
SHRINK = 3 / 4
"""Of what was refused, where the refusal names no number."""
_NUMBER = r"(\d[\d,_]*\d)"
_LIMITS = (
    re.compile(
        r"(?:context[ _-]?(?:length|window|size)|(?:prompt|input) length|allowed|only supports|limit for this model|must be <=)"
        rf"\D{{0,40}}{_NUMBER}",
        re.IGNORECASE,
    ),
    re.compile(rf"> {_NUMBER}"),
    re.compile(rf"{_NUMBER}(?: tokens?)? max", re.IGNORECASE),
)
"""Where vendors put the window in a refusal, as recorded, and as llama.cpp, vLLM, TGI and LM Studio say it."""


def told_window(text: str) -> int | None:
    """The window in tokens that a refusal names, None where it names none. "exceeded … by 900 tokens" is no window."""
    for limit in _LIMITS:
        for found in limit.finditer(text):
            tokens = int(re.sub(r"\D", "", found[1]))
            if LEAST <= tokens <= MOST and not text[: found.start(1)].endswith("by "):
                return tokens
    return None


class Reach:
    """One model's window in tokens; None: unknown. `known`: by the person's word, the endpoint's list or our table."""

    def __init__(self, known: int | None):
        self.known = known
        self._taught: int | None = None

    @property
    def window(self) -> int | None:
        return self.known if self._taught is None else self._taught

    def learn(self, refusal: ProviderError, used: int) -> None:
        """What was sent did not fit, though by our guess it took only `used` tokens: from now on the window is smaller."""
        told = told_window(f"{refusal.message} {refusal.detail or ''}")
        window = self.window
        if told is None or (window is not None and told >= window):
            told = int(min(used, window or used) * SHRINK)
        self._taught = max(told, LEAST)
