"""LibreChat's export of one conversation: messages flat or nested, with parents."""

from collections.abc import Iterator
from typing import Any

from app.core.messages import ToolCall
from app.store.foreign.nodes import Draft, Node, Part, Result, as_arguments, as_dict, as_list, as_ms, as_text, text, thinking

NAME = "LibreChat"
ROOT = "00000000-0000-0000-0000-000000000000"
DEPTH = 10_000


def fits(entry: dict[str, Any]) -> bool:
    return "conversationId" in entry and isinstance(entry.get("messages"), list)


def read(entry: dict[str, Any]) -> Draft:
    options = as_dict(entry.get("options"))
    draft = Draft(
        source_id=as_text(entry.get("conversationId")),
        title=as_text(entry.get("title")),
        nodes=[],
        system=as_text(options.get("promptPrefix") or options.get("system")) or None,
        model=as_text(options.get("model")) or None,
    )
    before: str | None = None
    for message, above in _flat(as_list(entry.get("messages"))):
        node = _node(message, above or before, draft)
        draft.nodes.append(node)
        before = node.id if entry.get("branches") is False else None
    draft.created_ms = min((n.created_ms for n in draft.nodes if n.created_ms), default=0)
    draft.updated_ms = max((n.created_ms for n in draft.nodes), default=0)
    return draft


def _flat(messages: list[Any]) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Every message with the id of the one it is nested in, outer ones first."""
    waiting: list[tuple[Any, str | None]] = [(message, None) for message in reversed(messages)]
    while waiting:
        raw, above = waiting.pop()
        message = as_dict(raw)
        yield message, above
        children = as_list(message.get("children"))
        waiting += [(child, as_text(message.get("messageId"))) for child in reversed(children)]


def _node(message: dict[str, Any], above: str | None, draft: Draft) -> Node:
    told = as_text(message.get("parentMessageId"))
    by_user = message.get("isCreatedByUser")
    mine = by_user is True or (by_user is None and as_text(message.get("sender")).lower() == "user")
    return Node(
        id=as_text(message.get("messageId")) or f"m{len(draft.nodes)}",
        parent=(told if told != ROOT else None) or above,
        role="user" if mine else "assistant",
        parts=tuple(_parts(message, draft)),
        created_ms=as_ms(message.get("createdAt")),
        model=as_text(message.get("model")) or draft.model,
    )


def _parts(message: dict[str, Any], draft: Draft) -> Iterator[Part]:
    content = as_list(message.get("content"))
    if not content:
        yield from text(message.get("text"))
    for number, raw in enumerate(content):
        part = as_dict(raw)
        match part.get("type"):
            case "text":
                yield from text(as_dict(part.get("text")).get("value") or part.get("text"))
            case "think":
                yield from thinking(part.get("think"))
            case "tool_call":
                call = as_dict(part.get("tool_call"))
                key = as_text(call.get("id")) or f"call{number}"
                yield ToolCall(id=key, name=as_text(call.get("name")) or "tool", arguments=as_arguments(call.get("args")))
                if "output" in call:
                    yield Result(key, as_text(call.get("output")))
            case other:
                draft.notes.append(f"a part of type {as_text(other) or 'none'} was left out")
    for file in as_list(message.get("files")):
        draft.notes.append(f"the file {as_text(as_dict(file).get('filename')) or 'without a name'} is not in the export")
