"""A server's tools as listed: definitions with their hash, and what was known of them the last time."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from app.core.frozen import Frozen


class Tool(Frozen):
    """One tool as its server defines it."""

    name: str
    title: str | None = None
    description: str = ""
    input_schema: dict[str, Any] = {"type": "object", "properties": {}}
    output_schema: dict[str, Any] | None = None
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True

    @cached_property
    def digest(self) -> str:
        """Changes with anything a model or a person is told of the tool."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]

    @cached_property
    def tokens(self) -> int:
        """Roughly what the definition costs in a request: four characters a token."""
        shown = {"name": self.name, "description": self.description, "schema": self.input_schema}
        return (len(json.dumps(shown, ensure_ascii=False)) + 3) // 4


class Known(Frozen):
    """What a server said the last time, good for offering its tools before it runs again.

    `era` is "modern" (2026-07-28, stateless) or "legacy" (the `initialize` revisions); `accepted`
    are the definitions a person agreed to, kept to show what changed.
    """

    key: str
    tools: tuple[Tool, ...] = ()
    accepted: tuple[Tool, ...] = ()
    era: str | None = None
    title: str | None = None
    server_version: str | None = None


class KnownTools:
    """The cache file: one `Known` a server. Losing it costs nothing but time."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Known] = dict(_read(path))

    def get(self, server: str, key: str) -> Known | None:
        """What is known of `server` as launched and versioned by `key`."""
        known = self._known.get(server)
        return known if known is not None and known.key == key else None

    def put(self, server: str, known: Known) -> None:
        if self._known.get(server) == known:
            return
        self._known[server] = known
        self._write()

    def forget(self, server: str) -> None:
        if self._known.pop(server, None) is not None:
            self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        # Written by the models themselves: a thousand tools dumped and written again would hold up everybody.
        text = "{" + ", ".join(f"{json.dumps(n)}: {k.model_dump_json()}" for n, k in self._known.items()) + "}"
        temporary = self._path.with_name(self._path.name + ".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(text, encoding="utf-8", errors="replace")
            temporary.replace(self._path)
        except OSError:
            self._path = None  # a cache that cannot be written is a cache we do without


def set_digest(tools: Iterable[Tool]) -> str:
    """The identity of some definitions taken together."""
    text = "\n".join(sorted(f"{t.name} {t.digest}" for t in tools))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _read(path: Path | None) -> Iterable[tuple[str, Known]]:
    try:
        raw: Any = {} if path is None else json.loads(path.read_text(encoding="utf-8"))
        entries: Mapping[str, Any] = cast("Mapping[str, Any]", raw) if isinstance(raw, Mapping) else {}
        return [(n, Known.model_validate(k)) for n, k in entries.items()]
    except (OSError, ValueError, ValidationError):
        return []


def difference(old: Mapping[str, str], tools: Iterable[Tool], before: Iterable[Tool]) -> tuple[str, ...]:
    """Lines `- …` and `+ …` for the tools whose definition is not the accepted one (`old`, by name)."""
    earlier = {t.name: t for t in before}
    lines: list[str] = []
    for tool in tools:
        accepted = old.get(tool.name)
        if accepted is None or accepted == tool.digest:
            continue
        was = earlier.get(tool.name)
        if was is not None and was.digest == accepted:
            lines += [f"- {tool.name}: {fact}" for fact in _facts(was) if fact not in _facts(tool)]
        lines += [
            f"+ {tool.name}: {fact}"
            for fact in _facts(tool)
            if was is None or was.digest != accepted or fact not in _facts(was)
        ]
    return tuple(lines)


def _facts(tool: Tool) -> list[str]:
    hints = ("read_only", "destructive", "idempotent", "open_world")
    properties: Any = tool.input_schema.get("properties")
    shown: Mapping[str, Any] = cast("Mapping[str, Any]", properties) if isinstance(properties, Mapping) else {}
    return [
        *(f"description: {line}" for line in tool.description.splitlines()),
        *(f"title: {tool.title}" for _ in range(1) if tool.title),
        *(f"argument {n}: {json.dumps(s, sort_keys=True, ensure_ascii=False)}" for n, s in shown.items()),
        f"required: {json.dumps(tool.input_schema.get('required', []))}",
        *(f"{hint}: {getattr(tool, hint)}" for hint in hints),
        f"schemas: {_short_digest([tool.input_schema, tool.output_schema])}",
    ]


def _short_digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("ascii")).hexdigest()[:12]
