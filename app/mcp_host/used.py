"""How much each server is used and when it last failed, kept over restarts: its cost can be held against its use."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from app.core.frozen import Frozen
from app.core.messages import now_ms

WRITE_DELAY = 2.0


class Use(Frozen):
    """Of one server: calls ever, and in ms since 1970 when the last one was and when it last failed, with what it said.

    `signed_in`: tokens of the person's are kept for it.
    """

    calls: int = 0
    last_ms: int | None = None
    failed_ms: int | None = None
    error: str | None = None
    signed_in: bool = False


class UseLog:
    """One `Use` a server, written a moment after it changed. Losing it costs nothing but the figures."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._uses = _read(path)
        self._writing: asyncio.TimerHandle | None = None

    def of(self, server: str) -> Use:
        return self._uses.get(server, Use())

    def called(self, server: str) -> None:
        use = self.of(server)
        self._put(server, use.model_copy(update={"calls": use.calls + 1, "last_ms": now_ms()}))

    def failed(self, server: str, error: str) -> None:
        """`error`: its first 500 characters are kept."""
        self._put(server, self.of(server).model_copy(update={"failed_ms": now_ms(), "error": error[:500]}))

    def signed_in(self, server: str, signed_in: bool) -> None:
        if (use := self.of(server)).signed_in != signed_in:
            self._put(server, use.model_copy(update={"signed_in": signed_in}))

    def forget(self, server: str) -> None:
        if self._uses.pop(server, None) is not None:
            self._later()

    def rename(self, server: str, name: str) -> None:
        if (use := self._uses.pop(server, None)) is not None:
            self._put(name, use)

    def _put(self, server: str, use: Use) -> None:
        self._uses[server] = use
        self._later()

    def _later(self) -> None:
        if self._writing is None and self._path is not None:
            self._writing = asyncio.get_running_loop().call_later(WRITE_DELAY, self.write)

    def write(self) -> None:
        """Write now what is not written yet."""
        if self._writing is None or self._path is None:
            return
        self._writing.cancel()
        self._writing = None
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            kept = {n: u.model_dump(mode="json", exclude_defaults=True) for n, u in self._uses.items()}
            fresh.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8", errors="replace")
            fresh.replace(self._path)
        except OSError:
            self._path = None  # figures that cannot be kept are figures we do without


def _read(path: Path | None) -> dict[str, Use]:
    try:
        raw: Any = {} if path is None else json.loads(path.read_text(encoding="utf-8"))
        entries = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
        return {name: Use.model_validate(use) for name, use in entries.items()}
    except (OSError, ValueError, ValidationError):
        return {}
