"""Too many tools: above a share of the model's context those of third-party servers are found by a search, not listed."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from app.chat.context import tools_tokens
from app.core.messages import Message, ToolCall, ToolResultBlock
from app.core.tools import CallContext, TextItem, Toolbox, ToolOutput, ToolSpec

NAME = "leochat__find_tools"
UNKNOWN_WINDOW = 64_000
"""Tokens taken for a model whose window nobody knows."""
MOST = 8
"""Tools a search finds at most."""
NAMED = 12
"""Tools of a server that the search's own description names."""
SCHEMA_CHARS = 2000
"""Of a tool's schema in a search's answer; the model is given it whole from the next round on."""
READY = "You can call these now: "
_SHAPED = re.compile(re.escape(READY) + r"([A-Za-z0-9_, -]+)\.")
_WORD = re.compile(r"[a-z]+|[0-9]+")


def room_of(window: int | None, percent: int) -> int | None:
    """Tokens that tools may take before they are deferred; None: they never are."""
    return None if percent >= 100 else (window or UNKNOWN_WINDOW) * percent // 100


def is_deferred(spec: ToolSpec) -> bool:
    """Whether a tool is one of those that may be left out: bundled servers and demos never are."""
    return not spec.bundled


def too_many(specs: Iterable[ToolSpec], room: int | None) -> bool:
    """Whether the tools of third-party servers take more than `room` tokens."""
    return room is not None and tools_tokens([s for s in specs if is_deferred(s)]) > room


class Deferring:
    """One conversation's Toolbox: everything can be called, but the model is shown only what fits.

    `room()`: tokens for the tools of third-party servers. What a search found, or was called, stays
    for the conversation: it is read from `messages`, so it is the same after a restart.
    """

    def __init__(self, toolbox: Toolbox, room: Callable[[], int | None], messages: Sequence[Message] = ()):
        self._toolbox = toolbox
        self._room = room
        self._found = dict.fromkeys(name for m in messages for name in _named_in(m))
        self._last: tuple[Sequence[ToolSpec], int | None, tuple[ToolSpec, ...]] | None = None

    async def refreshed(self) -> None:
        await self._toolbox.refreshed()

    def specs(self) -> Sequence[ToolSpec]:
        """Everything that can be called; with the search where something is deferred."""
        specs, room = self._toolbox.specs(), self._room()
        # Measuring them costs as much as sending them, and a round asks several times.
        if self._last is None or self._last[0] is not specs or self._last[1] != room:
            search = (search_spec(specs),) if too_many(specs, room) else ()
            self._last = (specs, room, (*specs, *search))
        return self._last[2]

    def offered(self, specs: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
        """What of `specs` the model is shown: ours, the search, then what was found, in the order it was found."""
        if not any(s.name == NAME for s in specs):
            return tuple(specs)
        by_name = {s.name: s for s in specs if is_deferred(s)}
        found = [by_name[name] for name in self._found if name in by_name]
        return (*(s for s in specs if not is_deferred(s)), *found)

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        return self._toolbox.check(spec, arguments)

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        if spec.name == NAME:
            return self._search(str(call.arguments.get("query", "")))
        if is_deferred(spec):
            self._found[spec.name] = None
        return await self._toolbox.call(spec, call, context)

    def _search(self, query: str) -> ToolOutput:
        specs = [s for s in self._toolbox.specs() if is_deferred(s)]
        found = ranked(specs, query)
        if not found:
            return ToolOutput((TextItem(f"No tool fits {query!r}. Other words may: {_listing(specs)}"),))
        self._found |= dict.fromkeys(s.name for s in found)
        told = "\n\n".join(_described(s) for s in found)
        return ToolOutput((TextItem(f"{READY}{', '.join(s.name for s in found)}.\n\n{told}"),))


def ranked(specs: Sequence[ToolSpec], query: str) -> list[ToolSpec]:
    """The tools that fit a search, best first: words count in names three times as much as in descriptions."""
    wanted = set(_words(query))
    if not wanted:
        return []
    worth = [(_worth(spec, wanted, query), -at, spec) for at, spec in enumerate(specs)]
    best = sorted((w for w in worth if w[0] > 0), key=lambda w: w[:2], reverse=True)
    floor = best[0][0] / 4 if best else 0
    return [spec for value, _, spec in best if value >= floor][:MOST]


def _worth(spec: ToolSpec, wanted: set[str], query: str) -> float:
    asked = query.strip().lower()
    if asked and asked in (spec.name.lower(), spec.tool.lower()):
        return 1000
    properties: Any = spec.input_schema.get("properties")
    arguments = " ".join(map(str, properties)) if isinstance(properties, dict) else ""  # pyright: ignore[reportUnknownArgumentType]
    named, titled = Counter(_words(f"{spec.tool} {spec.title or ''}")), Counter(_words(spec.server))
    told = Counter(_words(f"{spec.description} {arguments}"))
    return sum(3 * _has(named, w) + 2 * _has(titled, w) + _has(told, w) for w in wanted)


def _has(words: Counter[str], wanted: str) -> float:
    """1 for the word itself, a half for one that begins alike (issue, issues)."""
    if wanted in words:
        return 1
    alike = len(wanted) > 3 and any(w.startswith(wanted) or (len(w) > 3 and wanted.startswith(w)) for w in words)
    return 0.5 if alike else 0


def _words(text: str) -> list[str]:
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return [w for w in _WORD.findall(spaced.lower()) if len(w) > 1 or w.isdigit()]


def search_spec(specs: Sequence[ToolSpec]) -> ToolSpec:
    """The search, whose description says what there is to be found."""
    deferred = [s for s in specs if is_deferred(s)]
    return ToolSpec(
        name=NAME,
        server="leochat",
        tool="find_tools",
        title="Find tools",
        description=(
            "Finds tools that are not listed here, to save room. Search by what you want to do or by a tool's name; "
            f"what is found can be called from then on. There are {_listing(deferred)}"
        ),
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "description": "A few words in English, or a tool's name."}
            },
            "required": ["query"],
        },
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=False,
        trusted=True,
        bundled=True,
        never_asks=True,
    )


def _listing(specs: Sequence[ToolSpec]) -> str:
    """Every server with how many tools it has, and the names of the first of them."""
    servers: dict[str, list[str]] = {}
    for spec in specs:
        servers.setdefault(spec.server, []).append(spec.tool)
    return "; ".join(
        f"{server} ({len(tools)}): {', '.join(tools[:NAMED])}{', …' if len(tools) > NAMED else ''}"
        for server, tools in servers.items()
    ) + "."  # fmt: skip


def _described(spec: ToolSpec) -> str:
    schema = json.dumps(spec.input_schema, ensure_ascii=False)
    shown = schema if len(schema) <= SCHEMA_CHARS else schema[:SCHEMA_CHARS] + " …"
    return f"{spec.name}: {spec.description.strip()[:1000]}\narguments: {shown}"


def _named_in(message: Message) -> list[str]:
    """The tools a message called, or that a search named in it."""
    names: list[str] = []
    for block in message.blocks:
        if isinstance(block, ToolCall):
            names.append(block.name)
        elif isinstance(block, ToolResultBlock) and (shaped := _SHAPED.match(block.text)):
            names += shaped.group(1).split(", ")
    return names
