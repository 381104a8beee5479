"""A sentence for a person as a key with what fills its holes, so that the page can word it in the person's own language."""

import re
from typing import TypeAlias

from typing_extensions import TypedDict

Hole: TypeAlias = str | int | float
Saying = TypedDict("Saying", {"key": str, "with": dict[str, Hole]})
"""`key`: of the page's tables, without their `said.` in front. `with`: names, numbers, and others' words as they came; one
called `reason` is told after the sentence, as what the other side says. A message beside it says the same in English."""

REASON = " It says: {reason}"


def saying(key: str, **holes: Hole | None) -> Saying:
    """Holes of None or of empty text are left out."""
    return {"key": key, "with": {name: value for name, value in holes.items() if value is not None and value != ""}}


def worded(text: str, holes: dict[str, Hole]) -> str:
    """`text` with its `{holes}` filled; a hole that nothing fills stays as it is."""
    whole = text + REASON if "reason" in holes and "{reason}" not in text else text
    return re.sub(r"\{(\w+)\}", lambda found: str(holes.get(found[1], found[0])), whole)
