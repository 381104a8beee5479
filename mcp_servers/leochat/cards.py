"""`show_card`: the model draws a card of its own, a choice, a form or a summary."""

import json
import secrets
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import WithJsonSchema

from mcp_servers.answers import ADD, error_answer, text_answer

KINDS = ("summary", "media", "list", "status", "review", "error", "quiz", "form")
TONES = ("default", "info", "success", "warning", "error")
SHOWN = (
    "The card is on the screen. Do not repeat its contents in words; wait for the user, "
    "a pressed button comes back as a message."
)


def _object(required: list[str], /, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


_TEXT: dict[str, Any] = {"type": "string"}
_PICTURE = _object(["url"], url=_TEXT, alt=_TEXT)
_FIELD = _object(["label", "value"], label=_TEXT, value=_TEXT)
_BLOCK = _object(
    ["type"],
    type={
        "type": "string",
        "enum": [
            "text",
            "fields",
            "image",
            "images",
            "progress",
            "badge",
            "divider",
            "table",
            "code",
            "input",
        ],
        "description": "The block's kind; its contents are in the property of the same name.",
    },
    text={"type": "string", "description": "For type text."},
    format={"type": "string", "enum": ["plain", "markdown"], "description": "For type text."},
    fields={"type": "array", "items": _FIELD},
    image=_PICTURE,
    images={"type": "array", "items": _PICTURE},
    progress=_object(["value"], value={"type": "number"}, max={"type": "number"}, label=_TEXT),
    badge=_object(["text"], text=_TEXT, tone={"type": "string", "enum": list(TONES)}),
    table=_object(
        ["columns", "rows"],
        columns={"type": "array", "items": _TEXT},
        rows={"type": "array", "items": {"type": "array", "items": _TEXT}},
        caption=_TEXT,
    ),
    code=_object(["text"], text=_TEXT, language=_TEXT),
    input=_object(
        ["name", "label", "kind"],
        name=_TEXT,
        label=_TEXT,
        kind={"type": "string", "enum": ["text", "number", "select", "checkbox", "date"]},
        options={"type": "array", "items": _TEXT, "description": "The choices of a select."},
        required={"type": "boolean"},
    ),
)
_ACTION = _object(
    ["id", "label", "action"],
    id=_TEXT,
    label={"type": "string", "description": "The text on the button."},
    kind={"type": "string", "enum": ["primary", "secondary", "danger"]},
    confirm=_object(["title", "message"], title=_TEXT, message=_TEXT, confirmText=_TEXT, cancelText=_TEXT),
    action=_object(
        ["type"],
        type={"type": "string", "enum": ["ui-command", "link", "agent-event"]},
        command={"type": "string", "description": "For ui-command, most of all send_message."},
        payload={
            "type": "object",
            "description": 'For send_message {"text": "…"}; {{name}} is the value of that input.',
        },
        url={"type": "string", "description": "For link."},
        name={"type": "string", "description": "For agent-event."},
    ),
)
CARD_SCHEMA: dict[str, Any] = {
    **_object(
        ["title"],
        id={
            "type": "string",
            "description": "A name of your own, such as trip_choice; the same id replaces a card.",
        },
        kind={"type": "string", "enum": list(KINDS)},
        title=_TEXT,
        subtitle=_TEXT,
        tone={"type": "string", "enum": list(TONES)},
        body={"type": "array", "items": _BLOCK},
        actions={"type": "array", "items": _ACTION, "description": "Buttons."},
        metadata={"type": "object"},
    ),
    "description": "The card to show.",
    "examples": [
        {
            "id": "dinner",
            "kind": "summary",
            "title": "What shall we cook?",
            "body": [{"type": "text", "text": "Pick one."}],
            "actions": [
                {
                    "id": "pasta",
                    "label": "Pasta",
                    "action": {
                        "type": "ui-command",
                        "command": "send_message",
                        "payload": {"text": "Pasta, please"},
                    },
                }
            ],
        }
    ],
}


def register(server: MCPServer) -> None:
    """Add the tool."""

    @server.tool(title="Show a card", annotations=ADD)
    async def show_card(
        card: Annotated[dict[str, Any], WithJsonSchema(CARD_SCHEMA)],
    ) -> CallToolResult:
        """Show a card with text, fields, pictures, tables, inputs and buttons.

        Good for a choice (one button each, with send_message), a form (input blocks) or a summary.
        """
        trouble = _trouble(card)
        if trouble:
            return error_answer(trouble)
        drawn = {"id": f"card_{secrets.token_hex(4)}", "kind": "summary", **card}
        envelope = {"type": "leochat-card", "card": drawn, "llmInstruction": SHOWN}
        return text_answer(json.dumps(envelope, ensure_ascii=False))


def _trouble(card: dict[str, Any]) -> str | None:
    for name in ("id", "kind"):
        value = card.get(name, "given later")
        if not isinstance(value, str) or not value.strip():
            return f"card.{name} must be text that is not empty, or be left out."
    for name in ("body", "actions"):
        if not isinstance(card.get(name, []), list):
            return f"card.{name} must be a list."
    if not any(card.get(name) for name in ("title", "body", "actions")):
        return "The card is empty: give it a title, a body or actions."
    return None
