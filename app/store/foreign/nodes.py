"""What every foreign export is read into: nodes of a tree, and from them messages whose calls all have results."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast

from app.core.messages import Block, CardBlock, Message, TextBlock, ThinkingBlock, ToolCall, ToolResultBlock
from app.core.tidy import clean

NO_RESULT = "The export holds no result of this call."
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_DECODER = json.JSONDecoder()
LATEST_MS = 4_102_444_800_000  # 2100: a larger number is no time


@dataclass(frozen=True, slots=True)
class Result:
    """What a call brought back, as the export tells it."""

    call_id: str
    text: str
    is_error: bool = False


Part: TypeAlias = Block | Result
Group: TypeAlias = tuple[Literal["said", "results"], list[Block]]


@dataclass(frozen=True, slots=True)
class Node:
    """One entry of the export's tree. No parts: it is passed over, its children stand under its parent."""

    id: str
    parent: str | None
    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]
    created_ms: int = 0
    model: str | None = None


@dataclass(slots=True)
class Draft:
    """One conversation of an export. `notes` say what of it was not understood; times in ms, 0 where not told."""

    source_id: str
    title: str
    nodes: list[Node]
    head: str | None = None
    created_ms: int = 0
    updated_ms: int = 0
    system: str | None = None
    model: str | None = None
    pinned: bool = False
    notes: list[str] = field(default_factory=list[str])


def line_up(draft: Draft) -> tuple[list[Message], str | None]:
    """The draft's messages, parents before children, and the head's id; loops and lost parents are mended."""
    by_id = {node.id: node for node in reversed(draft.nodes)}  # of two with one id the first counts
    last_of: dict[str, str | None] = {}
    messages: list[Message] = []
    for node in draft.nodes:
        for waiting in _path(node, by_id, last_of):
            parent = last_of.get(waiting.parent) if waiting.parent else None
            said = chain(waiting, parent)
            messages += said
            last_of[waiting.id] = said[-1].id if said else parent
    head = last_of.get(draft.head) if draft.head else None
    return messages, head or (messages[-1].id if messages else None)


def _path(node: Node, by_id: Mapping[str, Node], done: Mapping[str, str | None]) -> list[Node]:
    """The node and those above it that are not placed yet, topmost first."""
    path: list[Node] = []
    seen: set[str] = set()
    at: Node | None = node
    while at is not None and at.id not in done and at.id not in seen:
        seen.add(at.id)
        path.append(by_id[at.id])
        at = by_id.get(at.parent) if at.parent else None
    return path[::-1]


def chain(node: Node, parent: str | None) -> list[Message]:
    """The node as messages: a reply with calls is followed by one tool message with a result for each of them."""
    groups = list(_groups(node.parts))
    messages: list[Message] = []
    for number, (role, blocks) in enumerate(groups):
        calls = any(isinstance(block, ToolCall) for block in blocks)
        assistant = role == "said" and node.role == "assistant"
        message = Message(
            id=node.id if number == len(groups) - 1 else f"{node.id}~{number + 1}",
            role="tool" if role == "results" else node.role,
            blocks=tuple(blocks),
            parent_id=messages[-1].id if messages else parent,
            stop_reason=("tool_use" if calls else "end") if assistant else None,
            model=node.model if assistant else None,
            created_ms=node.created_ms,
        )
        messages.append(message)
    return messages


@dataclass(slots=True)
class _Turn:
    """What is said up to the first call's result, and what came back for its calls."""

    said: list[Block] = field(default_factory=list[Block])
    calls: list[str] = field(default_factory=list[str])
    results: dict[str, list[Block]] = field(default_factory=dict[str, list[Block]])

    def take(self, part: Part) -> bool:
        """Take what belongs here; False where a new turn begins."""
        if isinstance(part, Result | CardBlock):
            key = part.call_id if isinstance(part, Result) else part.tool_call_id
            if key in self.calls:
                block = (
                    ToolResultBlock(tool_call_id=key, text=part.text, is_error=part.is_error)
                    if isinstance(part, Result)
                    else part
                )
                self.results.setdefault(key, []).append(block)
                return True
        if self.calls and (self.results or not isinstance(part, ToolCall)):
            return False
        if isinstance(part, ToolCall):
            self.calls.append(part.id)
        self.said.append(TextBlock(text=part.text) if isinstance(part, Result) else part)
        return True

    def groups(self) -> Iterable[Group]:
        if self.said:
            yield "said", self.said
        if self.calls:
            yield "results", [block for key in self.calls for block in self._answer(key)]

    def _answer(self, key: str) -> list[Block]:
        """The result first (a second one of the same call adds nothing), then its cards."""
        found = self.results.get(key, [])
        results = [block for block in found if isinstance(block, ToolResultBlock)]
        first = results[0] if results else ToolResultBlock(tool_call_id=key, text=NO_RESULT, is_error=True)
        return [first, *(block for block in found if not isinstance(block, ToolResultBlock))]


def _groups(parts: Sequence[Part]) -> Iterable[Group]:
    turn = _Turn()
    for part in parts:
        if not turn.take(part):
            yield from turn.groups()
            turn = _Turn()
            turn.take(part)
    yield from turn.groups()


def read_json(said: str) -> object:
    """The value of a JSON text, with U+FFFD for what no store can hold. Raises ValueError and RecursionError as JSON does.

    Every importer reads through it, the JSON texts inside an export too.
    """
    value: object = json.loads(clean(said))
    return _mended(value) if _SURROGATE.search(said) else value


def read_json_at(said: str, at: int) -> tuple[object, int]:
    """The one value that begins there, in a text without lone surrogates, and where it ends."""
    value, end = _DECODER.raw_decode(said, at)
    return (_mended(value) if _SURROGATE.search(said, at, end) else value), end


def _mended(value: object) -> object:
    """By hand and not by recursion: threads of replies are nested deep."""
    top: list[Any] = [value]
    waiting: list[dict[str, Any] | list[Any]] = [top]
    while waiting:
        within = waiting.pop()
        if isinstance(within, dict):
            cleaned = {clean(key): item for key, item in within.items()}
            within.clear()
            within.update(cleaned)
        for key, item in list(within.items()) if isinstance(within, dict) else enumerate(within):
            if isinstance(item, str):
                within[key] = clean(item)  # type: ignore[index]
            elif isinstance(item, dict | list):
                waiting.append(cast("dict[str, Any] | list[Any]", item))
    return top[0]


def as_dict(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A text as it is, nothing for None, anything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def as_ms(value: object) -> int:
    """A time as exports tell it (seconds or milliseconds since 1970, ISO 8601) in milliseconds; 0 where it is none."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, int | float):
        ms = value if value > 100_000_000_000 else value * 1000
        return int(ms) if 0 < ms < LATEST_MS else 0
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return 0
        return as_ms((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    return 0


def as_arguments(value: object) -> dict[str, Any]:
    """A call's arguments, from an object or its JSON text; what is neither stands under `input`."""
    if isinstance(value, str):
        try:
            value = read_json(value) if value.strip() else {}
        except (ValueError, RecursionError):
            return {"input": value}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {"input": value}


def text(value: object) -> tuple[TextBlock, ...]:
    """A text block, none for an empty text."""
    found = as_text(value)
    return (TextBlock(text=found),) if found.strip() else ()


def thinking(value: object) -> tuple[ThinkingBlock, ...]:
    found = as_text(value)
    return (ThinkingBlock(text=found),) if found.strip() else ()
