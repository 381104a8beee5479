"""Chatbot UI's export: a version, a history of conversations, each a plain list."""

from typing import Any

from app.store.foreign.nodes import Draft, Node, as_dict, as_list, as_text, text

NAME = "Chatbot UI"


def unfold(data: object) -> list[Any] | None:
    """The conversations in the whole file, None where it is no such file."""
    whole = as_dict(data)
    return as_list(whole.get("history")) if "version" in whole and as_list(whole.get("history")) else None


def fits(entry: dict[str, Any]) -> bool:
    return {"messages", "prompt", "model"} <= set(entry)


def read(entry: dict[str, Any]) -> Draft:
    model = as_text(as_dict(entry.get("model")).get("id")) or None
    nodes: list[Node] = []
    for number, raw in enumerate(as_list(entry.get("messages"))):
        message = as_dict(raw)
        role = "user" if message.get("role") == "user" else "assistant"
        above = nodes[-1].id if nodes else None
        nodes.append(Node(f"m{number}", above, role, text(message.get("content")), model=model))
    return Draft(
        source_id=as_text(entry.get("id")),
        title=as_text(entry.get("name")),
        nodes=nodes,
        system=as_text(entry.get("prompt")) or None,
        model=model,
    )
