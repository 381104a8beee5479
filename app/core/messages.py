"""What is said: a message is a role and a tuple of typed blocks; a conversation is a tree of them."""

import secrets
import threading
import time
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, JsonValue
from typing_extensions import TypeAliasType

from app.core.cards import Card
from app.core.frozen import Frozen
from app.core.saying import Saying

Role: TypeAlias = Literal["user", "assistant", "tool"]
ErrorKind: TypeAlias = Literal[
    "auth",
    "balance",
    "rate_limit",
    "overloaded",
    "context_overflow",
    "bad_request",
    "content_filter",
    "network",
    "timeout",
    "protocol",
    "internal",
]
StopReason: TypeAlias = Literal["end", "tool_use", "length", "content_filter", "refusal", "cancelled", "error"]


_RANDOM_BITS = 48
_STEP_BITS = 40


class _Ids:
    """Numbers that rise: milliseconds and random bits; within one, or after the clock was set back, a step above the last."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self) -> int:
        with self._lock:
            fresh = int(time.time() * 1000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
            later = self._last + 1 + secrets.randbits(_STEP_BITS)
            self._last = fresh if fresh >> _RANDOM_BITS > self._last >> _RANDOM_BITS else later
            return self._last


_ids = _Ids()


def new_id(prefix: str) -> str:
    """An unguessable id: `prefix_` + 12 hex digits of milliseconds + 12 random ones; those of one process rise."""
    return f"{prefix}_{_ids.next():024x}"


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return int(time.time() * 1000)


class Opaque(Frozen):
    """What a provider must get back verbatim (a signature, `reasoning_details`, …), kept beside the neutral block.

    `protocol` and `vendor` say who may have it back; everybody else's request leaves it out.
    """

    protocol: str
    vendor: str
    data: JsonValue


class TextBlock(Frozen):
    text: str
    opaque: Opaque | None = None
    type: Literal["text"] = "text"


class ThinkingBlock(Frozen):
    text: str
    opaque: Opaque | None = None
    duration_ms: int | None = None
    type: Literal["thinking"] = "thinking"


class InvalidArguments(Frozen):
    """What the model wrote as arguments where it is not a JSON object, and why not."""

    raw: str
    error: str


class ToolCall(Frozen):
    """The model asks for a tool. `name` is the name offered to it; `server` and `tool` are known once it was resolved."""

    id: str
    name: str
    arguments: dict[str, Any] = {}
    server: str | None = None
    tool: str | None = None
    invalid: InvalidArguments | None = None
    opaque: Opaque | None = None
    type: Literal["tool_call"] = "tool_call"


class Truncated(Frozen):
    """A result longer than the model gets: `chars` in all, `kept` of them shown, the whole under `ref`."""

    chars: int
    kept: int
    ref: str


class LinkedResource(Frozen):
    """A resource that a result names, to be read from the call's server; with `ref` its text came along and is kept there."""

    uri: str
    name: str
    media_type: str | None = None
    description: str | None = None
    ref: str | None = None


class ToolResultBlock(Frozen):
    """What came back for one call; `text` is exactly what the model sees, `for_user` what only the person does."""

    tool_call_id: str
    text: str
    is_error: bool = False
    for_user: str | None = None
    truncated: Truncated | None = None
    links: tuple[LinkedResource, ...] = ()
    duration_ms: int | None = None
    type: Literal["tool_result"] = "tool_result"


class CardBlock(Frozen):
    tool_call_id: str
    card: Card
    server: str
    type: Literal["card"] = "card"


class UiRequest(Frozen):
    """A UI command as a tool result or a card button asks for it."""

    command: str
    payload: dict[str, Any] = {}


class UiResult(Frozen):
    """What became of a UI command; this is also the tool's result for the model."""

    executed: bool
    message: str
    data: dict[str, Any] | None = None


class UiCommandBlock(Frozen):
    tool_call_id: str
    command: str
    payload: dict[str, Any] = {}
    server: str
    result: UiResult
    type: Literal["ui_command"] = "ui_command"


class ImageBlock(Frozen):
    """A picture kept as a blob under `ref` (attachments and tool results alike)."""

    media_type: str
    ref: str
    name: str | None = None
    tool_call_id: str | None = None
    type: Literal["image"] = "image"


class FileBlock(Frozen):
    """Any other file kept as a blob under `ref`; `size` in bytes."""

    media_type: str
    ref: str
    name: str | None = None
    size: int | None = None
    tool_call_id: str | None = None
    type: Literal["file"] = "file"


Block = TypeAliasType(
    "Block",
    Annotated[
        TextBlock | ThinkingBlock | ToolCall | ToolResultBlock | CardBlock | UiCommandBlock | ImageBlock | FileBlock,
        Field(discriminator="type"),
    ],
)


class Usage(Frozen):
    """Tokens of one reply. None is unknown, never 0. Input counts cached tokens too, output thinking too; cost in USD."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    thinking_tokens: int | None = None
    cost: float | None = None


class Origin(Frozen):
    """Where a message came from when no person typed it: the card of a server whose button was pressed.

    `prompt`: a server's prompt that the person picked; `label` is its title.
    """

    server: str
    card_id: str
    label: str
    bundled: bool
    prompt: bool = False


class ErrorInfo(Frozen):
    """A failure in words for a person (`message`, `said` for the page's language) with raw `detail`; kinds as contracted."""

    kind: ErrorKind
    message: str
    detail: str | None = None
    said: Saying | None = None


class Message(Frozen):
    """One speaker's contribution. `parent_id` is the message before it in the tree (None at the root).

    `covers`: this is a summary, sent to the model in place of everything up to the message of that id. `recalled`: lines of
    the memory that went along with a person's message, as data.
    """

    id: str
    role: Role
    blocks: tuple[Block, ...] = ()
    parent_id: str | None = None
    stop_reason: StopReason | None = None
    stop_detail: str | None = None
    error: ErrorInfo | None = None
    usage: Usage | None = None
    model: str | None = None
    provider: str | None = None
    origin: Origin | None = None
    covers: str | None = None
    recalled: tuple[str, ...] = ()
    created_ms: int = Field(default_factory=now_ms)
    duration_ms: int | None = None

    @property
    def text(self) -> str:
        return "".join(b.text for b in self.blocks if isinstance(b, TextBlock))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(b for b in self.blocks if isinstance(b, ToolCall))


class Media(Frozen):
    """Bytes of an attachment, loaded for a request."""

    media_type: str
    data: bytes
    name: str | None = None
