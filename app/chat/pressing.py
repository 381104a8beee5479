"""What a card's button sends: the action with the inputs' values in place."""

import re
from typing import Any, cast

from app.chat.refused import Refused
from app.core.cards import Card, CardAction, CardInput, number_text
from app.core.messages import CardBlock, Message, ToolCall
from app.core.ports import Approver, Decision, Verdict
from app.core.tools import ToolSpec

UNDO = "undo_changes"
"""The tool of our own servers that a card's Undo calls."""

_placeholder = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def find_button(messages: list[Message], message_id: str, card_id: str, action_id: str) -> tuple[CardBlock, CardAction]:
    """The card and its button as stored; Refused where there is none."""
    for message in messages:
        if message.id != message_id:
            continue
        for block in message.blocks:
            if isinstance(block, CardBlock) and block.card.id == card_id:
                for action in block.card.actions:
                    if action.id == action_id:
                        return block, action
    raise Refused("not_found", "This card or its button is not in the conversation any more.")


class Pressed:
    """The approver of a card's own call: to press Undo is to consent to just that undo, where one of our servers does it."""

    def __init__(self, approver: Approver):
        self._approver = approver

    def verdict(self, spec: ToolSpec, call: ToolCall) -> tuple[Verdict, str]:
        verdict, reason = self._approver.verdict(spec, call)
        if verdict == "ask" and spec.bundled and spec.tool == UNDO:
            return "allow", ""
        return verdict, reason

    async def ask(self, spec: ToolSpec, call: ToolCall) -> Decision:
        return await self._approver.ask(spec, call)


def input_values(card: Card, given: dict[str, Any]) -> dict[str, Any]:
    """The value of every input of the card; Refused where a required one is empty or a number is none."""
    values: dict[str, Any] = {}
    for block in card.body:
        if not isinstance(block, CardInput):
            continue
        field = block.input
        value = given.get(field.name, field.value)
        if field.required and value in (None, "", False):
            raise Refused("invalid", f"{field.label or field.name} is required.")
        if field.kind == "number" and isinstance(value, str) and value.strip():
            try:
                value = float(value)
            except ValueError:
                raise Refused("invalid", f"{field.label or field.name} must be a number.") from None
        values[field.name] = value
    return values


def filled(value: Any, values: dict[str, Any]) -> Any:
    """`value` with each {{name}} replaced; one that is the whole string keeps the input's type."""
    if isinstance(value, str):
        whole = _placeholder.fullmatch(value.strip())
        if whole and whole[1] in values:
            return values[whole[1]]
        return _placeholder.sub(lambda m: _text(values[m[1]]) if m[1] in values else m[0], value)
    if isinstance(value, list):
        return [filled(v, values) for v in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {k: filled(v, values) for k, v in cast("dict[str, Any]", value).items()}
    return value


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, int | float) else str(value)
