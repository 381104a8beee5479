"""What the model sees of a card: a short outline in place of its JSON."""

import json
from collections.abc import Iterator

from app.core.cards import (
    AgentEventAction,
    Card,
    CardAction,
    CardBadge,
    CardBody,
    CardCode,
    CardFields,
    CardImage,
    CardImages,
    CardInput,
    CardNote,
    CardProgress,
    CardTable,
    CardText,
    LinkAction,
    ToolCallAction,
    UiCommandAction,
    number_text,
)

TEXT_CHARS = 300
TABLE_ROWS = 5
CODE_LINES = 8
METADATA_CHARS = 300


def outline(card: Card) -> str:
    """Title, subtitle, what the blocks say (long ones shortened) and what each button sends."""
    lines = [f"[card {card.kind}] {_join(' — ', card.title, card.subtitle)}".rstrip()]
    lines += [line for block in card.body if (line := _block(block))]
    if card.metadata:
        lines.append(
            "metadata "
            + _short(
                json.dumps(card.metadata, ensure_ascii=False, separators=(",", ":"), default=str),
                METADATA_CHARS,
            )
        )
    lines += _buttons(card.actions)
    return "\n".join(lines)


def _join(between: str, *parts: str) -> str:
    return between.join(p for p in parts if p)


def _short(text: str, limit: int) -> str:
    flat = text.strip()
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"


def _block(block: CardBody) -> str:
    match block:
        case CardText():
            return _short(block.text, TEXT_CHARS)
        case CardFields():
            return "; ".join(_join(": ", f.label, _short(f.value, TEXT_CHARS)) for f in block.fields)
        case CardImage():
            return _picture(block.image.alt)
        case CardImages():
            return "; ".join(filter(None, (_picture(i.alt) for i in block.images))) or f"{len(block.images)} pictures"
        case CardProgress(progress=p):
            return _join(" ", p.label, f"{number_text(p.value)}/{number_text(p.max)}")
        case CardTable():
            return "\n".join(_table(block))
        case CardCode():
            lines = block.code.text.splitlines()
            more = [f"… {len(lines) - CODE_LINES} more lines"] if len(lines) > CODE_LINES else []
            return "\n".join([*lines[:CODE_LINES], *more])
        case CardInput(input=field):
            return f"input {field.name}: {_join(' ', field.label, '(required)' if field.required else '')}"
        case CardNote() | CardBadge():
            return f"({block.note if isinstance(block, CardNote) else block.badge.text})"
        case _:
            return ""


def _picture(alt: str) -> str:
    return f"picture: {_short(alt, 80)}" if alt else ""


def _table(block: CardTable) -> Iterator[str]:
    rows = block.table.rows
    if block.table.caption:
        yield block.table.caption
    yield " | ".join(block.table.columns)
    for row in rows[:TABLE_ROWS]:
        yield " | ".join(_short(c, 40) for c in row)
    if len(rows) > TABLE_ROWS:
        yield f"… {len(rows) - TABLE_ROWS} more rows"


def _buttons(actions: tuple[CardAction, ...]) -> list[str]:
    return ["buttons: " + "; ".join(_button(a) for a in actions)] if actions else []


def _button(action: CardAction) -> str:
    match action.action:
        case UiCommandAction(command="send_message", payload=payload):
            sends = _short(str(payload.get("text", "")), 120)
        case UiCommandAction(command=command):
            sends = command
        case LinkAction(url=url):
            sends = _short(url, 120)
        case ToolCallAction(tool=tool):
            sends = f"calls {tool}"
        case AgentEventAction(name=name):
            sends = f"event {name}"
        case _:
            sends = "nothing"
    return f"{action.label} → {sends}"
