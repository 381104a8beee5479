"""A conversation as Markdown for people: who said what, thinking folded away, tools with their results, cards drawn."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from app.core.cards import (
    Card,
    CardAction,
    CardBadge,
    CardBody,
    CardCode,
    CardDivider,
    CardFields,
    CardImage,
    CardImages,
    CardInput,
    CardNote,
    CardProgress,
    CardTable,
    CardText,
    LinkAction,
    Picture,
)
from app.core.messages import (
    Block,
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
from app.store.conversations import ConversationRow


@dataclass(frozen=True, slots=True)
class MarkdownWords:
    """The words around the content, in the reader's language."""

    untitled: str = "Conversation"
    user: str = "User"
    assistant: str = "Assistant"
    thinking: str = "Thinking"
    tool: str = "Tool"
    result: str = "Result"
    error: str = "Error"
    card: str = "Card"
    command: str = "UI command"
    attachment: str = "Attachment"
    from_card: str = "from a card of"
    from_prompt: str = "from a prompt of"


def to_markdown(row: ConversationRow, messages: list[Message], words: MarkdownWords | None = None) -> str:
    """The branch `messages` of a conversation as one document."""
    return "\n\n".join(_Writer(words or MarkdownWords()).document(row, messages)) + "\n"


class _Writer:
    def __init__(self, words: MarkdownWords):
        self.words = words

    def document(self, row: ConversationRow, messages: list[Message]) -> Iterator[str]:
        yield f"# {_line(row.title) or self.words.untitled}"
        yield f"*{datetime.fromtimestamp(row.created_ms / 1000).astimezone():%Y-%m-%d %H:%M}*"
        if row.options.system:
            yield _quote(row.options.system)
        for message in messages:
            yield from self.message(message)

    def message(self, message: Message) -> Iterator[str]:
        if message.role == "user":
            yield f"## {self.words.user}{self.origin(message)}"
        elif message.role == "assistant":
            yield f"## {self.words.assistant}{f' ({message.model})' if message.model else ''}"
        for block in message.blocks:
            if said := self.block(block):
                yield said
        if message.error:
            yield f"**{self.words.error}:** {message.error.message}"

    def origin(self, message: Message) -> str:
        """The server whose card or prompt it came from; LeoChat's own, as a summary is, tell by their label what they are."""
        origin = message.origin
        if origin is None:
            return ""
        if origin.server:
            return f" ({self.words.from_prompt if origin.prompt else self.words.from_card} {_line(origin.server)})"
        return f" ({_line(origin.label)})" if _line(origin.label) else ""

    def block(self, block: Block) -> str:
        match block:
            case TextBlock():
                return block.text.strip()
            case ThinkingBlock():
                return f"<details><summary>{self.words.thinking}</summary>\n\n{block.text.strip()}\n\n</details>"
            case ToolCall():
                arguments = block.invalid.raw if block.invalid else json.dumps(block.arguments, ensure_ascii=False, indent=2)
                return f"**{self.words.tool}:** `{block.name}`\n\n{_fence(arguments, 'json')}"
            case ToolResultBlock():
                return f"**{self.words.error if block.is_error else self.words.result}:**\n\n{_fence(block.text)}"
            case CardBlock():
                return _quote("\n\n".join(part for part in self.card(block.card) if part))
            case UiCommandBlock():
                return f"**{self.words.command}:** `{block.command}`: {block.result.message}"
            case ImageBlock() | FileBlock():
                return f"*{self.words.attachment}: {_line(block.name or block.ref)} ({block.media_type})*"

    def card(self, card: Card) -> Iterator[str]:
        yield f"**{_line(card.title) or self.words.card}**"
        yield _line(card.subtitle)
        for part in card.body:
            yield _card_part(part)
        yield " ".join(map(_button, card.actions))


def _card_part(part: CardBody) -> str:
    match part:
        case CardText():
            return part.text
        case CardFields():
            return "\n".join(f"- **{_line(field.label)}:** {_line(field.value)}" for field in part.fields)
        case CardImage():
            return _picture(part.image)
        case CardImages():
            return " ".join(map(_picture, part.images))
        case CardProgress():
            progress = part.progress
            return f"{progress.label} {progress.value:g} / {progress.max:g}".strip()
        case CardBadge():
            return f"`{_line(part.badge.text)}`"
        case _:
            return _larger_part(part)


def _larger_part(part: CardDivider | CardTable | CardCode | CardInput | CardNote) -> str:
    match part:
        case CardDivider():
            return "---"
        case CardTable():
            return _table(part)
        case CardCode():
            return _fence(part.code.text, part.code.language)
        case CardInput():
            return f"{_line(part.input.label or part.input.name)}: ____"
        case CardNote():
            return f"*{part.note}*"


def _picture(picture: Picture) -> str:
    """A remote picture as a link to look at, any other by its description."""
    alt = _line(picture.alt) or "…"
    return f"[{alt}](<{picture.url}>)" if picture.url.startswith("https://") and ">" not in picture.url else f"*[{alt}]*"


def _button(action: CardAction) -> str:
    deed = action.action
    if isinstance(deed, LinkAction) and deed.url.startswith("https://") and ">" not in deed.url:
        return f"[{_line(action.label)}](<{deed.url}>)"
    return f"[{_line(action.label)}]"


def _table(part: CardTable) -> str:
    width = max([len(part.table.columns), *map(len, part.table.rows)])
    rows = [part.table.columns, *part.table.rows]
    drawn = [
        "| " + " | ".join([*(_line(cell).replace("|", "\\|") for cell in row), *[""] * (width - len(row))]) + " |"
        for row in rows
    ]
    return "\n".join([*([part.table.caption, ""] if part.table.caption else []), drawn[0], "|" + " --- |" * width, *drawn[1:]])


def _line(text: str) -> str:
    return " ".join(text.split())


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fence(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{re.sub(r'[^A-Za-z0-9+#.-]', '', language)}\n{text}\n{fence}"
