"""A Gemini call whose arguments come in pieces, each with its place as a JSON path (`streamFunctionCallArguments`)."""

import json
import re
from typing import Any

from app.providers.shapes import is_list, is_object, object_of
from app.providers.tool_calls import CallDraft

STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\[['\"]([^'\"]*)['\"]\]")
VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")
MOST = 10_000
"""No list of arguments is longer: a place beyond is no place."""


class CallInPieces:
    """`take` a functionCall, then `close` for the arguments as JSON text, which the draft has then too."""

    def __init__(self, draft: CallDraft) -> None:
        self.draft = draft
        self._arguments: dict[str, Any] = {}
        self._growing: str | None = None

    def take(self, call: dict[str, Any]) -> None:
        self._arguments |= object_of(call.get("args"))
        for piece in filter(is_object, call.get("partialArgs") or ()):
            self._put(str(piece.get("jsonPath") or ""), piece)

    def _put(self, path: str, piece: dict[str, Any]) -> None:
        kind = next((name for name in VALUES if name in piece), None)
        steps: list[str | int] = [int(at) if at else name or quoted for name, at, quoted in STEP.findall(path)]
        if kind is None or not steps or isinstance(steps[0], int):
            return
        value = None if kind == "nullValue" else piece[kind]
        _set(self._arguments, steps, value, grow=path == self._growing)
        self._growing = path if kind == "stringValue" and piece.get("willContinue") else None

    def close(self) -> str:
        text = json.dumps(self._arguments, ensure_ascii=False)
        self.draft.pieces = [text]
        return text


def _set(root: dict[str, Any], steps: list[str | int], value: Any, *, grow: bool) -> None:
    """Objects and lists on the way are made where they are missing; a place that cannot be is left out."""
    place: Any = root
    for at, step in enumerate(steps):
        if not _has_room(place, step):
            return
        before = place[step]
        if at == len(steps) - 1:
            place[step] = f"{before}{value}" if grow and isinstance(before, str) else value
        elif before is None:
            place[step] = [] if isinstance(steps[at + 1], int) else {}
        place = place[step]


def _has_room(place: Any, step: str | int) -> bool:
    if is_list(place) and isinstance(step, int) and step <= MOST:
        place += [None] * (step + 1 - len(place))
        return True
    if is_object(place) and isinstance(step, str):
        place.setdefault(step, None)
        return True
    return False
