"""The original LeoChat's storage: what the model was told (`contextMessages`), what was shown (`displayMessages`).

Its file is the saved state of the whole window; the keys in it are not read.
"""

from collections.abc import Iterator
from typing import Any

from app.core.cards import Card
from app.core.messages import CardBlock, ToolCall
from app.core.outline import outline
from app.core.recognise import read_card
from app.store.foreign.nodes import (
    Draft,
    Node,
    Part,
    Result,
    as_arguments,
    as_dict,
    as_list,
    as_ms,
    as_text,
    read_json,
    text,
    thinking,
)

NAME = "LeoChat (original)"


def unfold(data: object) -> list[Any] | None:
    """The conversations in a saved state, None where it is none."""
    whole = as_dict(data)
    for value in (whole, *whole.values()):
        inner = _parsed(value)
        if isinstance(as_dict(inner.get("state")).get("conversations"), list):
            return as_list(as_dict(inner["state"])["conversations"])
    return None


def _parsed(value: object) -> dict[str, Any]:
    """Some copies hold the state as JSON text under its key."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            return as_dict(read_json(value))
        except (ValueError, RecursionError):
            return {}
    return as_dict(value)


def fits(entry: dict[str, Any]) -> bool:
    return "createdAt" in entry and bool({"contextMessages", "displayMessages", "messages"} & set(entry))


def read(entry: dict[str, Any]) -> Draft:
    draft = Draft(
        source_id=as_text(entry.get("id")),
        title=as_text(entry.get("title")),
        nodes=[],
        created_ms=as_ms(entry.get("createdAt")),
        updated_ms=as_ms(entry.get("updatedAt")),
    )
    kinds = ("contextMessages", "internalMessages", "messages", "displayMessages")
    told = next(filter(None, (as_list(entry.get(kind)) for kind in kinds)), as_list(None))
    cards = _cards(as_list(entry.get("displayMessages")), {as_text(as_dict(message).get("id")) for message in told})
    for turn in _turns([as_dict(message) for message in told]):
        first = turn[0]
        parts = [part for message in turn for part in _parts(message, draft)]
        shown = [card for message in turn for card in cards.get(as_text(message.get("id")), [])]
        node = Node(
            id=as_text(first.get("id")) or f"m{len(draft.nodes)}",
            parent=draft.nodes[-1].id if draft.nodes else None,
            role="user" if first.get("role") == "user" else "assistant",
            parts=_with_cards(parts, shown),
            created_ms=as_ms(first.get("timestamp")) or draft.created_ms,
            model=as_text(as_dict(first.get("metadata")).get("model")) or None,
        )
        draft.nodes.append(node)
    return draft


def _turns(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Each message of the person alone, the model's and its tools' between two of those together."""
    turn: list[dict[str, Any]] = []
    for message in messages:
        if turn and (message.get("role") == "user" or turn[0].get("role") == "user"):
            yield turn
            turn = []
        turn.append(message)
    if turn:
        yield turn


def _parts(message: dict[str, Any], draft: Draft) -> Iterator[Part]:
    if message.get("role") == "system":
        draft.system = _said(message) or draft.system
        return
    if message.get("role") == "tool":
        yield Result(as_text(message.get("tool_call_id")), _said(message), message.get("state") == "mcp_error")
        return
    yield from thinking(message.get("reasoning_content"))
    yield from text(_said(message))
    calls = as_list(message.get("tool_calls")) or _items(message, "tool-call")
    for number, raw in enumerate(calls):
        call = as_dict(raw)
        asked = as_dict(call.get("function")) or call
        key = as_text(call.get("id")) or f"call{number}"
        yield ToolCall(id=key, name=as_text(asked.get("name")) or "tool", arguments=as_arguments(asked.get("arguments")))
    for raw in calls:
        if as_dict(raw).get("result") is not None:
            yield Result(
                as_text(as_dict(raw).get("id")), as_text(as_dict(raw)["result"]), as_dict(raw).get("status") == "error"
            )


def _said(message: dict[str, Any]) -> str:
    said = as_text(message.get("content"))
    return said or "\n".join(as_text(item) for item in _items(message, "text"))


def _items(message: dict[str, Any], kind: str) -> list[Any]:
    """The contents of the shown items of one kind."""
    items = [as_dict(item) for item in as_list(message.get("contentItems"))]
    return [item.get("content") for item in items if item.get("type") == kind]


def _cards(messages: list[Any], told: set[str]) -> dict[str, list[Card]]:
    """The cards that were shown, by the id of their message, or of the one before it where the model was not told it."""
    found: dict[str, list[Card]] = {}
    key = ""
    for message in messages:
        own = as_text(as_dict(message).get("id"))
        key = own if own in told else key
        found.setdefault(key, []).extend(
            read_card(as_dict(card)) for card in _items(as_dict(message), "leo-card") if _is_card(card)
        )
    return found


def _is_card(value: object) -> bool:
    return bool(as_dict(value).get("id")) and bool(as_dict(value).get("kind"))


def _with_cards(parts: list[Part], cards: list[Card]) -> tuple[Part, ...]:
    """The cards with the last call of their turn, after its result; without a call their outlines are text."""
    call = next((part for part in reversed(parts) if isinstance(part, ToolCall)), None)
    if call is None:
        return (*parts, *(block for card in cards for block in text(outline(card))))
    server = call.name.rpartition("__")[0] or call.name
    shown = [CardBlock(tool_call_id=call.id, card=card, server=server) for card in cards]
    after = max(number for number, part in enumerate(parts) if part is call or isinstance(part, Result)) + 1
    return (*parts[:after], *shown, *parts[after:])
