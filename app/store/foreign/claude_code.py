"""A Claude Code session: one JSON object a line; tool results come in lines of the user's."""

from typing import Any

from app.store.foreign.claude import parts_of
from app.store.foreign.nodes import Draft, Node, Part, Result, as_dict, as_list, as_ms, as_text

NAME = "Claude Code"


def unfold(data: object) -> list[Any] | None:
    """The lines of a session as one entry, None where they are none."""
    lines = as_list(data)
    if lines and all("sessionId" in as_dict(line) for line in lines):
        return [{"session_lines": lines}]
    return None


def fits(entry: dict[str, Any]) -> bool:
    return "session_lines" in entry


def read(entry: dict[str, Any]) -> Draft:
    lines = [as_dict(line) for line in as_list(entry.get("session_lines"))]
    first = lines[0]
    draft = Draft(source_id=as_text(first.get("sessionId")), title="", nodes=[], created_ms=as_ms(first.get("timestamp")))
    for line in lines:
        message = as_dict(line.get("message"))
        draft.updated_ms = max(draft.updated_ms, as_ms(line.get("timestamp")))
        if line.get("type") == "summary":
            draft.title = as_text(line.get("summary"))
        elif line.get("type") in ("user", "assistant") and message and not line.get("isSidechain"):
            _add(draft, line, message)
        else:
            draft.notes.append(f"a part of type {as_text(line.get('type')) or 'none'} was left out")
    return draft


def _add(draft: Draft, line: dict[str, Any], message: dict[str, Any]) -> None:
    """Results join the reply whose calls they answer, and so does what the model says next."""
    parts: tuple[Part, ...] = tuple(parts_of(message, draft))
    before = draft.nodes[-1] if draft.nodes else None
    results = bool(parts) and all(isinstance(part, Result) for part in parts)
    role = "assistant" if line["type"] == "assistant" or results else "user"
    if before and before.role == role == "assistant":
        key, parts, parent = before.id, (*before.parts, *parts), before.parent
        draft.nodes.pop()
    else:
        key, parent = as_text(line.get("uuid")) or f"m{len(draft.nodes)}", before.id if before else None
    created, model = as_ms(line.get("timestamp")), as_text(message.get("model")) or None
    draft.nodes.append(Node(key, parent, role, parts, created_ms=created, model=model))
