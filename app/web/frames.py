"""What crosses the WebSocket from the server: frames and replies."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from app.chat.said import Said
from app.core.events import EVENT_CONFIG
from app.core.saying import Saying


@dataclass(slots=True)
class Frame:
    """`seq` rises within a conversation and may skip; 0 where `conversation_id` is None."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    conversation_id: str | None
    seq: int
    event: Said


@dataclass(slots=True)
class Refusal:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    kind: str
    message: str
    said: tuple[Saying, ...] = ()
    """The same sentences for the page's language, where they are known."""


@dataclass(slots=True)
class Reply:
    """The answer to a command; `data` as the command's class says, `error` where `ok` is false."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    reply_to: str
    ok: bool
    data: Any = None
    error: Refusal | None = None


@dataclass(slots=True)
class Hello:
    """The page's first frame. `languages`: the tags the window's system prefers ("es-MX"), best first."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    token: str
    resume: dict[str, int] | None = None
    languages: list[str] | None = None
    type: Literal["hello"] = "hello"
