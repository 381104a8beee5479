"""Large structured results go around the SDK, which would look at every value of them several times."""

from itertools import count
from typing import Any, cast

from mcp_types import CallToolResult

FEW = 2000
MOST = 16
_KEY = "leochat/held"


class Held:
    """Takes a large `structuredContent` out of a raw result and puts it back into the parsed one."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._values: dict[int, Any] = {}

    def put(self, method: str, result: dict[str, Any]) -> dict[str, Any]:
        structured = result.get("structuredContent")
        if method != "tools/call" or not holds_over(structured, FEW):
            return result
        number = next(self._numbers)
        self._values[number] = structured
        if len(self._values) > MOST:
            # Of a call that was cancelled meanwhile: nobody comes for it.
            del self._values[next(iter(self._values))]
        return {**result, "structuredContent": {_KEY: number}}

    def holds(self, structured: Any) -> bool:
        return self._number(structured) in self._values

    def back(self, result: CallToolResult) -> CallToolResult:
        number = self._number(result.structured_content)
        if number in self._values:
            result.structured_content = self._values.pop(number)
        return result

    def _number(self, structured: Any) -> int:
        if not isinstance(structured, dict):
            return 0
        number: Any = cast("dict[str, Any]", structured).get(_KEY)
        return number if isinstance(number, int) else 0


def holds_over(value: Any, most: int) -> bool:
    """Whether it holds over `most` values; looks at no more than these."""
    seen, left = 0, [value]
    while left:
        item = left.pop()
        seen += 1
        if isinstance(item, dict | list):
            if len(cast("list[Any]", item)) > most or seen + len(left) > most:
                return True
            left.extend(cast("dict[str, Any]", item).values() if isinstance(item, dict) else cast("list[Any]", item))
    return seen > most
