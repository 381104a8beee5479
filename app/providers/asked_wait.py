"""How long a vendor asks to be left alone, from the headers or the words of a refusal, in any way of writing a time."""

import math
import re
import time
from collections.abc import Mapping

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
UNIT = r"(?:ms|milli\w*|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)"
STEP = re.compile(rf"([0-9]+(?:\.[0-9]+)?)\s*({UNIT})(?![a-z])", re.IGNORECASE)
TIME = rf"([0-9]+(?:\.[0-9]+)?(?![0-9-])(?:\s*{UNIT}(?![a-z])(?:[\s,]*[0-9]+(?:\.[0-9]+)?\s*{UNIT}(?![a-z]))*)?)"
IN = re.compile(rf"(?:try again|retry|wait)[^0-9]{{0,14}}{TIME}", re.IGNORECASE)
"""`Please try again in 7m12.5s`, `retry_after": 12`, `"retryDelay": "13s"`, `wait 34 seconds`."""
RESET = re.compile(r"ratelimit-reset\W{1,6}([0-9]{10,13})\b", re.IGNORECASE)
"""OpenRouter tells the headers of whom it asked: milliseconds since 1970."""
SINCE_1970 = 1_000_000_000
"""Seconds. A wait of thirty years is a point in time."""
DAY = 86_400
MOST = 10.0 * DAY
MINUTES_FROM = 120
"""Seconds from which a wait is told in minutes."""


def retry_after(headers: Mapping[str, str], text: str) -> float | None:
    """Seconds to wait as asked; None where nothing is asked that can be understood."""
    if (ms := _number(headers.get("retry-after-ms", ""))) is not None and ms > 0:
        return _from_now(ms / 1000)
    given = headers.get("retry-after", "").strip()
    if given:
        return _header(given)
    if found := IN.search(text):
        return _duration(found.group(1))
    if found := RESET.search(text):
        return _from_now(float(found.group(1)))
    return None


def wait_text(seconds: float) -> str:
    """Seconds as a person says it, in two units at most: `34 s`, `12 min`, `1 h 5 min`, `2 d 3 h`; never less than asked."""
    whole = math.ceil(seconds - 0.5) if seconds < MINUTES_FROM else math.ceil(seconds / 60) * 60
    if whole < MINUTES_FROM:
        return f"{max(1, whole)} s"
    for (large, size), (small, part) in ((("d", DAY), ("h", 3600)), (("h", 3600), ("min", 60))):
        if whole >= size:
            many, rest = divmod(math.ceil(whole / part), size // part)
            return f"{many} {large} {rest} {small}" if rest else f"{many} {large}"
    return f"{whole // 60} min"


def _header(given: str) -> float | None:
    plain = _number(given.partition(",")[0])
    if plain is not None:
        return _from_now(plain)
    if re.fullmatch(rf"(?:{STEP.pattern}\s*)+", given, re.IGNORECASE):
        return _duration(given)
    return _until(given)


def _number(text: str) -> float | None:
    text = text.strip()
    return float(text) if re.fullmatch(r"[0-9]{1,16}(\.[0-9]{0,9})?", text) else None


def _duration(text: str) -> float | None:
    steps = STEP.findall(text)
    if not steps:
        return _from_now(float(text)) if _number(text) is not None else None
    return min(MOST, sum(float(number) * _unit(unit.lower()) for number, unit in steps))


def _unit(word: str) -> float:
    return UNITS["ms" if word == "ms" or word.startswith("mil") else word[0]]


def _from_now(seconds: float) -> float:
    """A number too large for a wait is a point in time, in seconds or in milliseconds."""
    if seconds >= SINCE_1970 * 1000:
        seconds /= 1000
    if seconds >= SINCE_1970:
        seconds = max(0.0, seconds - time.time())
    return min(MOST, seconds)


def _until(date: str) -> float | None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            at = read(date)
        except (ValueError, TypeError):
            continue
        aware = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max(0.0, (aware - datetime.now(UTC)).total_seconds())
    return None
