"""JSON as people paste it: comments, trailing commas, prose and fences around, braces left out."""

import json
import re
from typing import Any

DEEPEST = 60
LONGEST = 1024 * 1024

# Strings are matched first, so that `//` in a URL is no comment.
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])')


class NotJsonError(ValueError):
    """Nothing in the text can be read as JSON; the message says where it stops making sense."""


def read_loosely(text: str) -> Any:
    """The first JSON value in `text`. Raises `NotJsonError`."""
    if len(text) > LONGEST:
        raise NotJsonError("This text is over 1 MiB: it is no configuration of servers.")
    plain = _straight(text.lstrip("\ufeff").strip())
    trouble = ""
    for candidate in _candidates(plain):
        try:
            value: Any = json.loads(candidate)
        except RecursionError:
            raise NotJsonError("This JSON is nested too deeply.") from None
        except json.JSONDecodeError as error:
            trouble = trouble or f"line {error.lineno}, column {error.colno}: {error.msg}"
            continue
        if _depth(value) > DEEPEST:
            raise NotJsonError("This JSON is nested too deeply.")
        return value
    raise NotJsonError(f"This is not JSON ({trouble})." if trouble else "There is no JSON in this text.")


def _candidates(text: str) -> list[str]:
    """The text as it is, without comments, as the inside of an object, and cut out of prose."""
    clean = _TRAILING.sub(_keep_strings, _COMMENT.sub(_keep_strings, text)).strip().rstrip(",;").strip()
    found = [text, clean]
    if clean.startswith('"'):
        found.append("{" + clean + "}")
    if (fenced := re.search(r"```[a-zA-Z0-9]*\s*\n(.*?)```", text, re.DOTALL)) is not None:
        found += _candidates(fenced.group(1).strip())
    start, end = clean.find("{"), clean.rfind("}")
    if 0 <= start < end:
        found.append(clean[start : end + 1])
        # A closing brace too many, or too few, at the end of what was copied.
        found += [clean[start:end], clean[start : end + 1] + "}", clean[start : end + 1] + "}}"]
    if (key := re.search(r'"[^"\n]+"\s*:\s*\{', clean)) is not None and end > key.start():
        found.append("{" + clean[key.start() : end + 1] + "}")
    return found


def _keep_strings(match: re.Match[str]) -> str:
    return match.group(0) if match.group(0).startswith('"') else ""


def _straight(text: str) -> str:
    """Typographic quotes, which word processors put in, and no-break spaces, as JSON knows them."""
    if '"' not in text:
        text = re.sub("[\u201c\u201d\u201e\u201f]", '"', text)
    return text.replace("\u00a0", " ")


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level:
        deepest += 1
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())  # pyright: ignore[reportUnknownArgumentType]
            elif isinstance(item, list):
                below.extend(item)  # pyright: ignore[reportUnknownArgumentType]
        level = below
    return deepest
