"""Between cells and JSON: dates are ISO texts, what looks like a formula stays text unless it was asked for."""

import datetime as dt
import re
from typing import Any

from mcp_servers.worker import WorkError

LONGEST = 32_767
"""The most characters of a cell (Excel's specifications and limits)."""

EXACT = 10**15
"""Excel keeps 15 digits; whole numbers from here on are written as text, so that none is lost."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d$")
_TIMED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?$")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def shown(value: Any) -> Any:
    """A cell's value as JSON: text, number, boolean or None; dates and times in ISO 8601, durations as H:MM:SS."""
    if value is None or value == "":
        return None
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        told = float(f"{value:.15g}")  # as many digits as Excel shows: the rest is noise of binary numbers
        return int(told) if told.is_integer() and abs(told) < EXACT else told
    if isinstance(value, dt.datetime):
        return value.isoformat(timespec="seconds") if value.time() != dt.time() else value.date().isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        seconds = round(value.total_seconds())
        hours, rest = divmod(abs(seconds), 3600)
        return f"{'-' if seconds < 0 else ''}{hours}:{rest // 60:02d}:{rest % 60:02d}"
    return str(value)


def stored(value: Any, where: str, *, dates: bool = True) -> Any:
    """A JSON value as it goes into a cell; ISO dates become real ones. WorkError names the cell `where`."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) >= EXACT:
        return str(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, dict | list):
        raise WorkError(f"The value for {where} is a list or an object; a cell holds one text, number, true or false.")
    text = _CONTROL.sub("", str(value))
    if len(text) > LONGEST:
        raise WorkError(f"The text for {where} has {len(text):,} characters; a cell holds at most {LONGEST:,}.")
    return (_date(text) if dates else None) or text


def _date(text: str) -> dt.date | dt.datetime | None:
    try:
        if _DATE.match(text) and text >= "1900-03-01":
            return dt.date.fromisoformat(text)
        if _TIMED.match(text) and text >= "1900-03-01":
            return dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return None
