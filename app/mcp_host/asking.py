"""When a server asks the person or the model in the middle of a call, and what it gets for an answer."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from app.core.frozen import Frozen
from app.core.messages import Media, Message, StopReason, ToolCall
from app.core.tools import ToolSpec


class Asked(Frozen):
    """A server's question: a form (`json_schema` describes its fields) or an address to open (`url`).

    `conversation_id`: the conversation whose call it came in.
    """

    server: str
    message: str
    conversation_id: str
    json_schema: dict[str, Any] = {}
    url: str | None = None


class Answered(Frozen):
    """`content` goes with accept only."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


AskPerson: TypeAlias = Callable[[Asked], Coroutine[Any, Any, Answered]]


@dataclass(frozen=True, slots=True)
class SampleAsked:
    """A server wants a model's answer (sampling): its own messages and nothing of ours.

    `hints`: names of models it would like; `tools` are the server's own, which it runs itself; `media`: the bytes behind
    pictures and files in `messages`; `allowed`: the person said yes to this server for good.
    """

    server: str
    conversation_id: str
    messages: tuple[Message, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    media: Mapping[str, Media] = field(default_factory=dict[str, Media])
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class Sampled:
    """The model's answer. `calls`: the server's tools that it wants called."""

    text: str
    model: str
    stop_reason: StopReason | Literal["stop_sequence"]
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class NotSampled:
    """No answer goes back; `reason` is told to the server."""

    reason: str


AskModel: TypeAlias = Callable[[SampleAsked], Coroutine[Any, Any, Sampled | NotSampled]]
