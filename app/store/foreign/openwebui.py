"""Open WebUI's export: a history of messages by id, replies with an `output` list where there is one."""

import re
from collections.abc import Iterator
from typing import Any

from app.core.messages import ToolCall
from app.store.foreign.nodes import Draft, Node, Part, Result, as_arguments, as_dict, as_list, as_ms, as_text, text, thinking

NAME = "Open WebUI"
_DETAILS = re.compile(r"<details\b[^>]*>.*?</details>\s*", re.DOTALL)


def fits(entry: dict[str, Any]) -> bool:
    return "messages" in as_dict(as_dict(entry.get("chat")).get("history"))


def read(entry: dict[str, Any]) -> Draft:
    chat = as_dict(entry.get("chat"))
    history = as_dict(chat.get("history"))
    models = as_list(chat.get("models"))
    draft = Draft(
        source_id=as_text(entry.get("id")),
        title=as_text(entry.get("title") or chat.get("title")),
        nodes=[],
        head=as_text(history.get("currentId")) or None,
        created_ms=as_ms(entry.get("created_at")),
        updated_ms=as_ms(entry.get("updated_at")),
        system=as_text(as_dict(chat.get("params")).get("system")) or None,
        model=as_text(models[0]) if models else None,
        pinned=entry.get("pinned") is True,
    )
    for key, raw in as_dict(history.get("messages")).items():
        message = as_dict(raw)
        node = Node(
            id=key,
            parent=as_text(message.get("parentId")) or None,
            role="user" if message.get("role") == "user" else "assistant",
            parts=tuple(_parts(message, draft)),
            created_ms=as_ms(message.get("timestamp")) or draft.created_ms,
            model=as_text(message.get("model")) or draft.model,
        )
        draft.nodes.append(node)
    return draft


def _parts(message: dict[str, Any], draft: Draft) -> Iterator[Part]:
    output = as_list(message.get("output"))
    if not output:
        yield from text(_DETAILS.sub("", as_text(message.get("content"))))
    for raw in output:
        item = as_dict(raw)
        match item.get("type"):
            case "message":
                yield from text(_said(item.get("content")))
            case "reasoning":
                yield from thinking(_said(item.get("content")))
            case "function_call":
                key = as_text(item.get("call_id") or item.get("id"))
                yield ToolCall(id=key, name=as_text(item.get("name")) or "tool", arguments=as_arguments(item.get("arguments")))
            case "function_call_output":
                yield Result(as_text(item.get("call_id")), _said(item.get("output")))
            case other:
                draft.notes.append(f"a part of type {as_text(other) or 'none'} was left out")
    for file in as_list(message.get("files")):
        draft.notes.append(f"the file {as_text(as_dict(file).get('name')) or 'without a name'} is not in the export")


def _said(content: object) -> str:
    items = as_list(content)
    return "\n".join(as_text(as_dict(item).get("text")) for item in items) if items else as_text(content)
