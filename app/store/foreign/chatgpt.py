"""ChatGPT's export (conversations.json): a mapping of nodes, hidden ones among them, and a current node."""

from collections.abc import Iterator
from typing import Any

from app.core.messages import ToolCall
from app.store.foreign.nodes import Draft, Node, Part, Result, as_dict, as_list, as_ms, as_text, text, thinking

NAME = "ChatGPT"


def fits(entry: dict[str, Any]) -> bool:
    return "mapping" in entry or ("conversation_id" in entry and "default_model_slug" in entry)


def read(entry: dict[str, Any]) -> Draft:
    mapping = {key: as_dict(node) for key, node in as_dict(entry.get("mapping")).items()}
    draft = Draft(
        source_id=as_text(entry.get("conversation_id") or entry.get("id")),
        title=as_text(entry.get("title")),
        nodes=[],
        head=as_text(entry.get("current_node")) or None,
        created_ms=as_ms(entry.get("create_time")),
        updated_ms=as_ms(entry.get("update_time")),
        model=as_text(entry.get("default_model_slug")) or None,
        pinned=entry.get("is_starred") is True,
    )
    answered = {key: result for key, node in mapping.items() if (result := _single_answer(node, mapping))}
    taken = set(answered.values())
    for key, node in mapping.items():
        draft.nodes.append(_node(key, node, mapping.get(answered.get(key, "")), key in taken, draft))
    return draft


def _single_answer(node: dict[str, Any], mapping: dict[str, dict[str, Any]]) -> str | None:
    """The one tool message that answers this node's call, if it is a call and there is just that one."""
    message = as_dict(node.get("message"))
    if _role(message) != "assistant" or message.get("recipient") in (None, "all"):
        return None
    children = [as_text(child) for child in as_list(node.get("children"))]
    tools = [child for child in children if _role(as_dict(mapping.get(child, {}).get("message"))) == "tool"]
    return tools[0] if len(tools) == len(children) == 1 else None


def _node(key: str, node: dict[str, Any], answer: dict[str, Any] | None, taken: bool, draft: Draft) -> Node:
    message = as_dict(node.get("message"))
    metadata = as_dict(message.get("metadata"))
    role = _role(message)
    parts: tuple[Part, ...] = ()
    if role == "system" or metadata.get("is_visually_hidden_from_conversation"):
        _take_instructions(as_dict(message.get("content")), draft)
    elif message and not taken:
        parts = _call(key, message, answer, draft) if answer else tuple(_parts(as_dict(message.get("content")), draft))
    return Node(
        id=key,
        parent=as_text(node.get("parent")) or None,
        role="user" if role == "user" else "assistant",
        parts=parts,
        created_ms=as_ms(message.get("create_time")) or draft.created_ms,
        model=as_text(metadata.get("model_slug")) or draft.model,
    )


def _role(message: dict[str, Any]) -> str:
    return as_text(as_dict(message.get("author")).get("role"))


def _take_instructions(content: dict[str, Any], draft: Draft) -> None:
    """Hidden messages hold what the person set up for every conversation: the system prompt."""
    told = [as_text(content.get(key)) for key in ("user_profile", "user_instructions")]
    told += [part for part in as_list(content.get("parts")) if isinstance(part, str)]
    said = "\n\n".join(part for part in told if part.strip())
    if said:
        draft.system = f"{draft.system}\n\n{said}" if draft.system else said


def _call(key: str, message: dict[str, Any], answer: dict[str, Any], draft: Draft) -> tuple[Part, ...]:
    content = as_dict(message.get("content"))
    arguments = {"input": as_text(content.get("text")) or "\n".join(map(as_text, as_list(content.get("parts"))))}
    replied = as_dict(as_dict(answer.get("message")).get("content"))
    said = "\n".join(getattr(part, "text", "") for part in _parts(replied, draft))
    return ToolCall(id=key, name=as_text(message.get("recipient")), arguments=arguments), Result(key, said)


def _parts(content: dict[str, Any], draft: Draft) -> Iterator[Part]:
    match content.get("content_type"):
        case "text":
            yield from text("\n".join(part for part in as_list(content.get("parts")) if isinstance(part, str)))
        case "multimodal_text":
            yield from _multimodal(as_list(content.get("parts")), draft)
        case "code":
            language = as_text(content.get("language")).replace("unknown", "")
            yield from text(f"```{language}\n{as_text(content.get('text'))}\n```")
        case "execution_output" | "system_error":
            yield from text(f"```\n{as_text(content.get('text'))}\n```")
        case "tether_quote":
            yield from text(
                f"{as_text(content.get('title'))} <{as_text(content.get('url'))}>\n\n{as_text(content.get('text'))}"
            )
        case "tether_browsing_display":
            yield from text(as_text(content.get("summary")) or as_text(content.get("result")))
        case "thoughts":
            thoughts = [as_dict(thought) for thought in as_list(content.get("thoughts"))]
            yield from thinking("\n\n".join(as_text(t.get("content")) or as_text(t.get("summary")) for t in thoughts))
        case "reasoning_recap":
            return
        case other:
            draft.notes.append(f"a part of type {as_text(other) or 'none'} was left out")


def _multimodal(parts: list[Any], draft: Draft) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, str):
            yield from text(part)
            continue
        kind = as_text(as_dict(part).get("content_type")) or "unknown part"
        yield from text(as_dict(part).get("text"))
        if not as_dict(part).get("text"):
            draft.notes.append(f"a picture or file ({kind}) is not in the export's text")
