"""The plain JSON of LeoCards, as any MCP server may write it: blocks, buttons, and the two kinds of tool result."""

import base64
import json
from collections.abc import Iterable, Mapping

from mcp_types import CallToolResult, TextContent

Json = dict[str, object]


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def fields(pairs: Iterable[tuple[str, str]]) -> Json:
    return {
        "type": "fields",
        "fields": [{"label": label, "value": value} for label, value in pairs],
    }


def image(url: str, alt: str) -> Json:
    return {"type": "image", "image": {"url": url, "alt": alt}}


def badge(words: str, tone: str = "default") -> Json:
    return {"type": "badge", "badge": {"text": words, "tone": tone}}


def progress(value: float, most: float, label: str) -> Json:
    return {"type": "progress", "progress": {"value": value, "max": most, "label": label}}


def divider() -> Json:
    return {"type": "divider"}


def divided(rows: Iterable[list[Json]]) -> list[Json]:
    """All rows in one body, with a divider between each two: a list card draws them as rows."""
    body: list[Json] = []
    for row in rows:
        body += [divider(), *row] if body else row
    return body


def call_text(tool: str, **arguments: str | int) -> str:
    """`[tool key="value" count=2]`, what a button sends as the user.

    Double quotes in values become single ones.
    """
    return f"[{' '.join((tool, *(f'{key}={_value(value)}' for key, value in arguments.items())))}]"


def _value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else '"{}"'.format(value.replace('"', "'"))


def button(
    action_id: str,
    label: str,
    sends: str,
    *,
    kind: str = "secondary",
    says: str | None = None,
    confirm: Mapping[str, str] | None = None,
) -> Json:
    """A button that sends `sends` as the user; the conversation shows `says` (default: the button's label)."""
    payload: Json = {"text": sends, "label": says or label}
    action: Json = {"id": action_id, "label": label, "kind": kind}
    if confirm:
        action["confirm"] = dict(confirm)
    return action | {"action": {"type": "ui-command", "command": "send_message", "payload": payload}}


def card(
    card_id: str,
    kind: str,
    title: str,
    *,
    subtitle: str = "",
    tone: str = "default",
    body: Iterable[Json] = (),
    actions: Iterable[Json] = (),
    metadata: Json | None = None,
) -> Json:
    made: Json = {
        "id": card_id,
        "kind": kind,
        "title": title,
        "tone": tone,
        "body": list(body),
        "actions": list(actions),
    }
    if subtitle:
        made["subtitle"] = subtitle
    return made | {"metadata": metadata} if metadata else made


def svg_url(drawing: str) -> str:
    """An SVG text as a `data:` address."""
    return "data:image/svg+xml;base64," + base64.b64encode(drawing.encode("utf-8")).decode("ascii")


def shown(made: Json, instruction: str) -> CallToolResult:
    """The card as a tool result; `instruction` is for the model alone."""
    return _result(made, instruction, is_error=False)


def refused(card_id: str, title: str, words: str, instruction: str, actions: Iterable[Json] = ()) -> CallToolResult:
    """An error result whose card says what is wrong and offers the way out."""
    made = card(card_id, "error", title, tone="error", body=[text(words)], actions=actions)
    return _result(made, instruction, is_error=True)


def _result(made: Json, instruction: str, *, is_error: bool) -> CallToolResult:
    envelope = {"type": "leochat-card", "card": made, "llmInstruction": instruction}
    words = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(type="text", text=words)], is_error=is_error)
