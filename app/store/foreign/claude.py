"""Claude's export (conversations.json): a list of messages, the newer ones with their parents."""

from collections.abc import Iterator
from typing import Any

from app.core.messages import ToolCall
from app.store.foreign.nodes import Draft, Node, Part, Result, as_arguments, as_dict, as_list, as_ms, as_text, text, thinking

NAME = "Claude"
ROOT = "00000000-0000-4000-8000-000000000000"


def fits(entry: dict[str, Any]) -> bool:
    return "chat_messages" in entry or {"uuid", "name", "account"} <= set(entry)


def read(entry: dict[str, Any]) -> Draft:
    draft = Draft(
        source_id=as_text(entry.get("uuid")),
        title=as_text(entry.get("name") or entry.get("title")),
        nodes=[],
        head=as_text(entry.get("current_leaf_message_uuid")) or None,
        created_ms=as_ms(entry.get("created_at")),
        updated_ms=as_ms(entry.get("updated_at")),
        model=as_text(entry.get("model")) or None,
        pinned=entry.get("is_starred") is True,
    )
    before: str | None = None
    for number, raw in enumerate(as_list(entry.get("chat_messages"))):
        message = as_dict(raw)
        told = as_text(message.get("parent_message_uuid")) if "parent_message_uuid" in message else before
        key = as_text(message.get("uuid")) or f"m{number}"
        draft.nodes.append(_node(key, None if told == ROOT else told or None, message, draft))
        before = key
    return draft


def _node(key: str, parent: str | None, message: dict[str, Any], draft: Draft) -> Node:
    sender = as_text(message.get("sender"))
    if sender not in ("human", "assistant"):
        draft.notes.append(f"a message by {sender or 'nobody'} was taken as the model's")
    parts = list(parts_of(message, draft))
    for file in [*as_list(message.get("attachments")), *as_list(message.get("files"))]:
        parts += _attachment(as_dict(file), draft)
    return Node(
        id=key,
        parent=parent,
        role="user" if sender == "human" else "assistant",
        parts=tuple(parts),
        created_ms=as_ms(message.get("created_at")) or draft.created_ms,
        model=draft.model,
    )


def parts_of(message: dict[str, Any], draft: Draft) -> Iterator[Part]:
    """A message's content blocks, or its plain text where it has none."""
    content = as_list(message.get("content"))
    if not content:
        yield from text(message.get("text") or message.get("content"))
        return
    for number, raw in enumerate(content):
        block = as_dict(raw)
        match block.get("type"):
            case "text":
                yield from text(block.get("text"))
            case "thinking":
                yield from thinking(block.get("thinking"))
            case "tool_use":
                key = as_text(block.get("id")) or f"call{number}"
                yield ToolCall(id=key, name=as_text(block.get("name")) or "tool", arguments=as_arguments(block.get("input")))
            case "tool_result":
                yield _result(block, content[:number])
            case other:
                draft.notes.append(f"a part of type {as_text(other) or 'none'} was left out")


def _result(block: dict[str, Any], before: list[Any]) -> Result:
    """A result without an id belongs to the call before it."""
    calls = [n for n, raw in enumerate(before) if as_dict(raw).get("type") == "tool_use"]
    last = as_text(as_dict(before[calls[-1]]).get("id")) or f"call{calls[-1]}" if calls else ""
    content = block.get("content")
    pieces = [as_text(as_dict(item).get("text")) for item in as_list(content)]
    said = "\n".join(piece for piece in pieces if piece) if isinstance(content, list) else as_text(content)
    return Result(as_text(block.get("tool_use_id")) or last, said, block.get("is_error") is True)


def _attachment(file: dict[str, Any], draft: Draft) -> tuple[Part, ...]:
    name = as_text(file.get("file_name")) or "attachment"
    if extracted := as_text(file.get("extracted_content")):
        return text(f"{name}:\n\n{extracted}")
    draft.notes.append(f"the file {name} is not in the export")
    return text(f"[{name}]")
