"""LeoCard: the card a tool can return instead of text, tolerant in what it reads (format: "LeoCards" in the docs)."""

from typing import Annotated, Any, Literal, cast

from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from app.core.frozen import Frozen

TONES = ("default", "info", "success", "warning", "error")


def as_text(value: Any) -> Any:
    """Numbers and booleans are accepted where text is drawn; None is no text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(value)
    return "" if value is None else value


def number_text(value: float) -> str:
    """A number as a person writes it: whole ones without a point, others exactly."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def as_number(value: Any) -> Any:
    """Numeric strings are accepted where a number is."""
    if isinstance(value, str):
        return float(value.strip().rstrip("%"))
    return value


def as_tone(value: Any) -> Any:
    return value if value in TONES else "default"


Text = Annotated[str, BeforeValidator(as_text)]
Number = Annotated[float, BeforeValidator(as_number), Field(allow_inf_nan=False)]
Tone = Annotated[Literal["default", "info", "success", "warning", "error"], BeforeValidator(as_tone)]
Id = Annotated[str, BeforeValidator(as_text), Field(min_length=1)]


class CardText(Frozen):
    text: Text
    format: Annotated[Literal["plain", "markdown"], BeforeValidator(lambda v: v if v == "markdown" else "plain")] = "plain"
    type: Literal["text"] = "text"


class CardField(Frozen):
    label: Text
    value: Text = ""


class CardFields(Frozen):
    fields: tuple[CardField, ...]
    type: Literal["fields"] = "fields"


class Picture(Frozen):
    """`url` is https, a `data:` picture, or after keeping `leochat-blob:REF` (an attachment of ours)."""

    url: Annotated[str, Field(min_length=1)]
    alt: Text = ""


class CardImage(Frozen):
    image: Picture
    type: Literal["image"] = "image"


class CardImages(Frozen):
    images: tuple[Picture, ...]
    type: Literal["images"] = "images"


class Progress(Frozen):
    value: Number
    max: Number = 100
    label: Text = ""


class CardProgress(Frozen):
    progress: Progress
    type: Literal["progress"] = "progress"


class Badge(Frozen):
    text: Text
    tone: Tone = "default"


class CardBadge(Frozen):
    badge: Badge
    type: Literal["badge"] = "badge"


class CardDivider(Frozen):
    type: Literal["divider"] = "divider"


class Table(Frozen):
    columns: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...] = ()
    caption: Text = ""


class CardTable(Frozen):
    table: Table
    type: Literal["table"] = "table"


class Code(Frozen):
    text: Text
    language: Text = ""


class CardCode(Frozen):
    code: Code
    type: Literal["code"] = "code"


class InputOption(Frozen):
    value: Text
    label: Text


def as_option(value: Any) -> Any:
    return cast("Any", value) if isinstance(value, dict) else {"value": value, "label": value}


class Input(Frozen):
    name: Id
    label: Text = ""
    kind: Annotated[
        Literal["text", "number", "select", "checkbox", "date"],
        BeforeValidator(lambda v: v if v in ("text", "number", "select", "checkbox", "date") else "text"),
    ] = "text"
    options: tuple[Annotated[InputOption, BeforeValidator(as_option)], ...] = ()
    value: str | float | bool | None = None
    required: bool = False


class CardInput(Frozen):
    input: Input
    type: Literal["input"] = "input"


class CardNote(Frozen):
    """Stands in place of a block that could not be read: one line that says so."""

    note: str
    type: Literal["note"] = "note"


CardBody = TypeAliasType(
    "CardBody",
    Annotated[
        CardText
        | CardFields
        | CardImage
        | CardImages
        | CardProgress
        | CardBadge
        | CardDivider
        | CardTable
        | CardCode
        | CardInput
        | CardNote,
        Field(discriminator="type"),
    ],
)


class UiCommandAction(Frozen):
    command: str
    payload: dict[str, Any] = {}
    type: Literal["ui-command"] = "ui-command"


class AgentEventAction(Frozen):
    name: str
    payload: dict[str, Any] = {}
    type: Literal["agent-event"] = "agent-event"


class LinkAction(Frozen):
    url: str
    type: Literal["link"] = "link"


class ToolCallAction(Frozen):
    tool: str
    arguments: dict[str, Any] = {}
    type: Literal["tool-call"] = "tool-call"


CardDeed = TypeAliasType(
    "CardDeed",
    Annotated[
        UiCommandAction | AgentEventAction | LinkAction | ToolCallAction,
        Field(discriminator="type"),
    ],
)


class Confirm(Frozen):
    title: Text = ""
    message: Text = ""
    confirmText: Text = ""
    cancelText: Text = ""


class CardAction(Frozen):
    """A button. `action` None: what it should do could not be read; it is drawn disabled."""

    id: Id
    label: Text
    kind: Annotated[
        Literal["primary", "secondary", "danger"],
        BeforeValidator(lambda v: v if v in ("primary", "secondary", "danger") else "secondary"),
    ] = "secondary"
    action: CardDeed | None = None
    confirm: Confirm | None = None


class Card(Frozen):
    """A whole card, already read leniently by `app.core.recognise`; `notes` says what was left out and why."""

    id: Id
    kind: Id
    title: Text = ""
    subtitle: Text = ""
    tone: Tone = "default"
    body: tuple[CardBody, ...] = ()
    actions: tuple[CardAction, ...] = ()
    metadata: dict[str, Any] = {}
