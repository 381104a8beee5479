"""Text that every peer can read: Python keeps undecodable bytes of file names as half characters, which JSON cannot carry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from mcp_types import CallToolResult

_HALF = re.compile("[\ud800-\udfff]")


def wellformed(value: Any) -> Any:
    """`value` (text, or what JSON is made of) with U+FFFD in place of every lone surrogate; itself where it has none."""
    return _mended(value) if _broken(value) else value


def result_wellformed(result: CallToolResult) -> CallToolResult:
    """The result, whose texts, links, data and `_meta` can be written as JSON."""
    held = [result.structured_content, result.meta, *(one.model_dump(exclude={"data"}) for one in result.content)]
    if not any(map(_broken, held)):
        return result
    return CallToolResult.model_validate(_mended(result.model_dump(by_alias=True)))


def _broken(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and _HALF.search(value) is not None
    if isinstance(value, Mapping):
        held = cast("Mapping[Any, Any]", value)
        return any(map(_broken, held)) or any(map(_broken, held.values()))
    return isinstance(value, Sequence) and not isinstance(value, bytes) and any(map(_broken, cast("Sequence[Any]", value)))


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_mended(key): _mended(one) for key, one in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_mended(one) for one in cast("Sequence[Any]", value)]
    return value
