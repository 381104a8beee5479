"""Calls that servers took over as tasks of their own (an extension of the protocol): kept on the disk, to be taken up again.

The protocol's word is task; a Task is something else here, so we say errand.
"""

import json
import os
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from app.core.frozen import Frozen
from app.core.messages import now_ms

KEPT_MS = 30 * 24 * 3_600_000
"""After a month without its end nobody asks for an errand any more."""
MOST = 200


class Errand(Frozen):
    """`id` is the server's; `launch` tells what was started (its hash): another program of the same name knows no such errand.

    `ttl_ms`: how long the server keeps it from `begun_ms` (since 1970) on, None for ever or unknown.
    """

    id: str
    server: str
    launch: str
    tool: str
    arguments: dict[str, Any] = {}
    conversation_id: str = ""
    call_id: str = ""
    begun_ms: int = 0
    ttl_ms: int | None = None
    poll_ms: int | None = None


class ErrandBook:
    """Every errand whose end was not seen, on the disk before anybody waits for it. `leaving`: LeoChat ends, they go on."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._errands = _read(path)
        self._followed: set[str] = set()
        self.leaving = False

    def begin(self, errand: Errand) -> None:
        """Keep it; raises nothing: one that cannot be kept is followed all the same."""
        self._errands = [*self._errands, errand][-MOST:]
        self._write()

    def end(self, errand: Errand) -> None:
        self._errands = [e for e in self._errands if e.id != errand.id or e.launch != errand.launch]
        self._write()

    def __len__(self) -> int:
        return len(self._errands)

    def call(self, conversation_id: str, call_id: str) -> Errand | None:
        """What became of a call; None where it was no errand, or is at its end."""
        return next(
            (e for e in self._errands if call_id and (e.conversation_id, e.call_id) == (conversation_id, call_id)), None
        )

    def alike(self, launch: str, tool: str, arguments: dict[str, Any], conversation_id: str) -> Errand | None:
        """One of the same call in the same conversation that nobody waits for any more: it is taken up, not begun twice."""
        wanted = (launch, tool, arguments, conversation_id)
        return next(
            (
                e
                for e in self._errands
                if (e.launch, e.tool, e.arguments, e.conversation_id) == wanted and e.id not in self._followed
            ),
            None,
        )

    def follow(self, errand: Errand, on: bool) -> None:
        """Somebody waits for its end, or no more."""
        (self._followed.add if on else self._followed.discard)(errand.id)

    def _write(self) -> None:
        if self._path is None:
            return
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8", errors="replace") as out:
                out.write(json.dumps([e.model_dump(mode="json", exclude_defaults=True) for e in self._errands]))
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(self._path)
        except OSError:
            self._path = None  # a full disk costs the taking up, not the call


def _read(path: Path | None) -> list[Errand]:
    try:
        raw: Any = [] if path is None else json.loads(path.read_text(encoding="utf-8"))
        entries = cast("list[Any]", raw) if isinstance(raw, list) else []
        found = [Errand.model_validate(e) for e in entries]
    except (OSError, ValueError, ValidationError):
        return []
    return [e for e in found if now_ms() - e.begun_ms < KEPT_MS]
