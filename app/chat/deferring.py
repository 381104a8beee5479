"""Too many tools: above a share of the model's context they are found by a search, not listed; third parties' first."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.chat.context import tools_tokens
from app.core.messages import Message, ToolCall, ToolResultBlock
from app.core.tools import CallContext, TextItem, Toolbox, ToolOutput, ToolSpec

NAME = "leochat__find_tools"
UNKNOWN_WINDOW = 64_000
"""Tokens taken for a model whose window nobody knows."""
OURS_PERCENT = 20
"""The share of a known window that the tools of bundled servers may take: all of them have room in 128,000 tokens."""
MOST = 8
"""Tools a search finds at most."""
NAMED = 12
"""Tools of a server that the search's own description names."""
SCHEMA_CHARS = 2000
"""Of a tool's schema in a search's answer; the model is given it whole from the next round on."""
READY = "You can call these now: "
_SHAPED = re.compile(re.escape(READY) + r"([A-Za-z0-9_, -]+)\.")
_WORD = re.compile(r"[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class Room:
    """Tokens that the tools of third-party and of bundled servers may take before they are deferred; None: they never are."""

    theirs: int | None = None
    ours: int | None = None


def room_of(window: int | None, percent: int) -> Room:
    """By the model's window in tokens (None: unknown) and the person's share for third-party tools, in percent."""
    if percent >= 100:
        return Room()
    return Room((window or UNKNOWN_WINDOW) * percent // 100, window * OURS_PERCENT // 100 if window else None)


def deferred(specs: Sequence[ToolSpec], room: Room) -> frozenset[str]:
    """The names of the tools that are left out: all of third parties, and of ours those of the servers that take most."""
    theirs, ours = [s for s in specs if not s.bundled], [s for s in specs if s.bundled]
    out: set[str] = set()
    if room.theirs is not None and tools_tokens(theirs) > room.theirs:
        out |= {s.name for s in theirs}
    if room.ours is None or tools_tokens(ours) <= room.ours:
        return frozenset(out)
    servers: dict[str, list[ToolSpec]] = {}
    for spec in ours:
        servers.setdefault(spec.server, []).append(spec)
    left = room.ours
    for tools in sorted(servers.values(), key=_rank):
        cost = tools_tokens(tools)
        if cost > left:
            out |= {s.name for s in tools}
        else:
            left -= cost
    return frozenset(out)


def _rank(tools: Sequence[ToolSpec]) -> tuple[bool, int]:
    """Demos last, then by what they take."""
    return tools[0].never_asks and tools[0].server != "leochat", tools_tokens(tools)


class Deferring:
    """One conversation's Toolbox: everything can be called, but the model is shown only what fits.

    `room()`: tokens for tools. What a search found, or was called, stays
    for the conversation: it is read from `messages`, so it is the same after a restart.
    """

    def __init__(self, toolbox: Toolbox, room: Callable[[], Room], messages: Sequence[Message] = ()):
        self._toolbox = toolbox
        self._room = room
        self._found = dict.fromkeys(name for m in messages for name in _named_in(m))
        self._last: tuple[Sequence[ToolSpec], Room, tuple[ToolSpec, ...]] | None = None
        self._out: frozenset[str] = frozenset()

    async def refreshed(self) -> None:
        await self._toolbox.refreshed()

    def specs(self) -> Sequence[ToolSpec]:
        """Everything that can be called; with the search where something is deferred."""
        specs, room = self._toolbox.specs(), self._room()
        # Measuring them costs as much as sending them, and a round asks several times.
        if self._last is None or self._last[0] is not specs or self._last[1] != room:
            self._out = deferred(specs, room)
            search = (search_spec([s for s in specs if s.name in self._out]),) if self._out else ()
            self._last = (specs, room, (*specs, *search))
        return self._last[2]

    def offered(self, specs: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
        """What of `specs` the model is shown: ours, the search, then what was found, in the order it was found."""
        if not any(s.name == NAME for s in specs):
            return tuple(specs)
        by_name = {s.name: s for s in specs if s.name in self._out}
        found = [by_name[name] for name in self._found if name in by_name]
        return (*(s for s in specs if s.name not in self._out), *found)

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        return self._toolbox.check(spec, arguments)

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        if spec.name == NAME:
            return self._search(str(call.arguments.get("query", "")))
        if spec.name in self._out:
            self._found[spec.name] = None
        return await self._toolbox.call(spec, call, context)

    def _search(self, query: str) -> ToolOutput:
        specs = [s for s in self._toolbox.specs() if s.name in self._out]
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


def search_spec(deferred: Sequence[ToolSpec]) -> ToolSpec:
    """The search, whose description says what there is to be found."""
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
