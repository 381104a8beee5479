"""A conversation as a Markdown text that reads well: cards as outlines, tool calls as quoted lines."""

import json
from collections.abc import Iterable

from app.chat.said import ConversationInfo
from app.core.messages import (
    CardBlock,
    FileBlock,
    ImageBlock,
    Message,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultBlock,
    UiCommandBlock,
)
from app.core.outline import outline

WHO = {"user": "You", "assistant": "Leo", "tool": ""}


def as_markdown(conversation: ConversationInfo, messages: Iterable[Message]) -> str:
    """The shown branch, top to bottom."""
    parts = [f"# {conversation.title or 'Conversation'}"]
    speaker = ""
    for message in messages:
        if message.role != "tool" and message.role != speaker:
            speaker = message.role
            parts.append(f"## {WHO[message.role]}")
        if message.origin and message.origin.server:
            parts.append(f"*From a card of {message.origin.server}: {message.origin.label}*")
        parts += [text for block in message.blocks if (text := _block(block))]
    return "\n\n".join(parts) + "\n"


def _block(block: object) -> str:
    match block:
        case TextBlock(text=text):
            return text.strip()
        case ThinkingBlock(text=text) if text.strip():
            return f"<details><summary>Thinking</summary>\n\n{text.strip()}\n\n</details>"
        case ToolCall():
            return _quoted(f"**{block.name}** `{json.dumps(block.arguments, ensure_ascii=False)}`")
        case ToolResultBlock() if block.is_error:
            return _quoted(f"Error: {block.text}")
        case ToolResultBlock(text=text):
            return _quoted(_fenced(text))
        case CardBlock(card=card):
            return _quoted(outline(card))
        case UiCommandBlock():
            return _quoted(f"{block.command}: {block.result.message}")
        case ImageBlock() | FileBlock():
            return f"*[{block.name or block.media_type}]*"
        case _:
            return ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
