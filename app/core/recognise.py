"""Find the cards, UI commands and instructions in a tool's raw answer, before anything is cut."""

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from app.core.cards import Card, CardAction, CardBody, CardNote, CardText
from app.core.messages import UiRequest
from app.core.tidy import tidy
from app.core.tools import MediaItem, ResourceItem, TextItem, ToolOutput

CARD_TYPE = "application/vnd.leochat.card+json"
MAX_CARD_CHARS = 256 * 1024
MAX_BLOCKS = 500
MAX_PICTURE_CHARS = 8 * 1024 * 1024
CARD_KEYS = frozenset(Card.model_fields)
BLOCK_TYPES = frozenset(("text", "fields", "image", "images", "progress", "badge", "divider", "table", "code", "input"))
_picture = re.compile(r"data:image/[^\"\\\s]*")


@functools.cache
def _body() -> TypeAdapter[Any]:
    return TypeAdapter(CardBody)


@dataclass(slots=True)
class Recognised:
    """`left` are the items that are neither card nor command; `for_model` the instructions meant for it alone."""

    cards: list[Card] = field(default_factory=list[Card])
    commands: list[UiRequest] = field(default_factory=list[UiRequest])
    for_model: list[str] = field(default_factory=list[str])
    left: list[Any] = field(default_factory=list[Any])
    raw: list[str] = field(default_factory=list[str])

    @property
    def empty(self) -> bool:
        return not self.cards and not self.commands

    def add_card(self, card: Card) -> None:
        if card not in self.cards:
            self.cards.append(card)

    def add_command(self, command: UiRequest) -> None:
        if command not in self.commands:
            self.commands.append(command)


def recognise(output: ToolOutput) -> Recognised:
    """All cards and commands of a result, in the documented order; equal ones count once."""
    found = Recognised()
    for item in output.items:
        if not _take_item(item, found):
            found.left.append(item)
    if output.structured is not None:
        _take_value(_unwrap(_tidied(output.structured)), found)
    for item in [i for i in found.left if _is_card_resource(i)]:
        if _take_value(parse_json(_resource_text(item)), found):
            found.left.remove(item)
            found.raw.append(_resource_text(item))
    return found


def _take_item(item: Any, found: Recognised) -> bool:
    if not isinstance(item, TextItem):
        return False
    value = parse_json(item.text)
    if value is None or not _take_value(value, found):
        return False
    found.raw.append(item.text)
    return True


def _is_card_resource(item: Any) -> bool:
    return isinstance(item, ResourceItem | MediaItem) and (item.media_type or "").split(";")[0].strip() == CARD_TYPE


def _resource_text(item: Any) -> str:
    return item.text if isinstance(item, ResourceItem) else item.data.decode("utf-8", "replace")


def _unwrap(value: Any) -> Any:
    """Typed Python servers wrap a plain answer as `{result: …}`."""
    if isinstance(value, dict) and set(cast("dict[str, Any]", value)) == {"result"}:
        inner = cast("dict[str, Any]", value)["result"]
        return parse_json(inner) if isinstance(inner, str) else inner
    return cast("Any", value)


def _tidied(value: Any) -> Any:
    try:
        return tidy(value)
    except ValueError:
        return None


def parse_json(text: str) -> Any:
    """The value of a JSON text (a JSON string inside it is parsed once more), or None."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "[", '"'):
        return None
    try:
        value = json.loads(stripped)
        return tidy(json.loads(value) if isinstance(value, str) else value)
    except (ValueError, RecursionError):
        return None


def _take_value(value: Any, found: Recognised) -> bool:
    """Take what `value` is, or each element of a list of such; False if it holds none."""
    if isinstance(value, list):
        taken = [_take_value(v, found) for v in cast("list[Any]", value) if isinstance(v, dict)]
        return any(taken)
    if not isinstance(value, dict):
        return False
    data = cast("dict[str, Any]", value)
    if data.get("__ui_command__") is True:
        payload = data.get("payload")
        found.add_command(
            UiRequest(
                command=str(data.get("command", "")),
                payload=cast("dict[str, Any]", payload) if isinstance(payload, dict) else {},
            )
        )
        return True
    if data.get("type") == "leochat-card" and isinstance(data.get("card"), dict):
        return _take_envelope(data, found)
    if _is_bare_card(data):
        found.add_card(read_card(data))
        return True
    return False


def _take_envelope(data: dict[str, Any], found: Recognised) -> bool:
    card = cast("dict[str, Any]", data["card"])
    if not (card.get("id") and card.get("kind")):
        return False
    found.add_card(read_card(card))
    instruction = data.get("llmInstruction")
    if isinstance(instruction, str) and instruction and instruction not in found.for_model:
        found.for_model.append(instruction)
    return True


def _is_bare_card(data: dict[str, Any]) -> bool:
    """An `id` and a `kind` alone are no card: a Kubernetes object or a JSON API answer has them too."""
    if not all(isinstance(data.get(k), str) and data[k] for k in ("id", "kind")):
        return False
    if isinstance(data.get("body"), list) or isinstance(data.get("actions"), list):
        return True
    return bool(data.get("title")) and set(data) <= CARD_KEYS


def read_card(data: dict[str, Any]) -> Card:
    """A card read leniently: what is broken becomes a note in its place, what is too large a card that says so."""
    blocks = _entries(data.get("body"))
    text = json.dumps(data, ensure_ascii=False, default=str)
    pictures = sum(len(p) for p in _picture.findall(text))
    size = len(text) - pictures
    if size > MAX_CARD_CHARS or len(blocks) > MAX_BLOCKS or pictures > MAX_PICTURE_CHARS * 4 // 3:
        return _refused(data, size, len(blocks), pictures)
    head = {k: data[k] for k in ("id", "kind", "title", "subtitle", "tone", "metadata") if data.get(k) is not None}
    try:
        return Card.model_validate(
            {
                **head,
                "body": tuple(_blocks(blocks)),
                "actions": tuple(_actions(data.get("actions"))),
            }
        )
    except ValidationError as error:
        field_name = ".".join(str(p) for p in error.errors()[0]["loc"])
        return Card(
            id=str(data["id"]),
            kind="error",
            tone="error",
            title=_plain(data.get("title")),
            body=(CardNote(note=f"This card cannot be shown: its {field_name} is not valid."),),
        )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _entries(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _refused(data: dict[str, Any], size: int, blocks: int, pictures: int) -> Card:
    if pictures > MAX_PICTURE_CHARS * 4 // 3:
        why = f"its pictures take {pictures * 3 // 4 // 1024:,} KiB; 8,192 KiB is the limit"
    elif blocks > MAX_BLOCKS:
        why = f"it has {blocks:,} blocks; {MAX_BLOCKS} is the limit"
    else:
        why = f"it takes {size // 1024:,} KiB; {MAX_CARD_CHARS // 1024} KiB is the limit"
    body = (CardText(text=f"This card is too large to be shown: {why}."),)
    return Card(
        id=str(data["id"]),
        kind="error",
        tone="error",
        title=_plain(data.get("title")) or "Card refused",
        body=body,
    )


def _blocks(entries: list[Any]) -> Iterator[Any]:
    """Unknown block types are skipped; a broken block is a note in its place."""
    for entry in entries:
        kind = cast("dict[str, Any]", entry).get("type") if isinstance(entry, dict) else None
        if isinstance(entry, dict) and kind not in BLOCK_TYPES:
            continue
        try:
            yield _body().validate_python(entry)
        except (ValidationError, ValueError, TypeError):
            yield CardNote(note=f"A {kind} block could not be read." if kind else "A block could not be read.")


def _actions(value: Any) -> Iterator[CardAction]:
    """A button whose action cannot be read stays, drawn disabled; one without a label falls back to its id."""
    for at, entry in enumerate(_entries(value)):
        if not isinstance(entry, dict):
            continue
        data = cast("dict[str, Any]", entry)
        base: dict[str, Any] = {
            "id": data.get("id") or f"action_{at}",
            "label": data.get("label") or data.get("id") or "…",
            "kind": data.get("kind"),
        }
        for extra in (
            {"action": data.get("action"), "confirm": data.get("confirm")},
            {"action": data.get("action")},
            {},
        ):
            try:
                yield CardAction.model_validate({**base, **extra})
                break
            except (ValidationError, ValueError, TypeError):
                continue
