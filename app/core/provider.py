"""What the loop needs of a provider: one request in, a stream of events out, one kind of error."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from app.core.events import ModelEvent
from app.core.messages import ErrorInfo, ErrorKind, Media, Message
from app.core.saying import Saying
from app.core.tools import ToolSpec

Thinking: TypeAlias = Literal["off", "low", "medium", "high"] | int


@dataclass(frozen=True, slots=True)
class Request:
    """One model call, neutral. `media` holds the bytes behind every image and file ref in `messages`.

    `thinking` None leaves the vendor's default; an int is a budget in tokens. `tool_choice` "none" lists the tools and
    forbids them.
    """

    model: str
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Thinking | None = None
    media: Mapping[str, Media] = field(default_factory=dict[str, Media])


class Provider(Protocol):
    """A wire protocol with its address and key. `name` is the vendor's row, as shown in messages."""

    name: str

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        """Yield block events and retries, last a `ModelEnd`, or raise ProviderError. Close with `aclosing`."""
        ...

    async def models(self) -> list["ModelInfo"]:
        """The models this endpoint lists; raises ProviderError where it cannot say."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as its endpoint lists it; None is unknown. `context` in tokens, prices in USD per million tokens."""

    id: str
    name: str | None = None
    context: int | None = None
    vision: bool | None = None
    tools: bool | None = None
    thinking: bool | None = None
    input_price: float | None = None
    output_price: float | None = None


class ProviderError(Exception):
    """A reply that could not be had, in words for the user: `message` in English, `said` for the page's language.

    `retry_after` in seconds, as the vendor asked; `retryable` says whether another try may help.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        detail: str | None = None,
        *,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        said: Saying | None = None,
    ):
        super().__init__(message)
        self.kind: ErrorKind = kind
        self.message = message
        self.detail = detail
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after
        self.said = said

    @property
    def info(self) -> ErrorInfo:
        return ErrorInfo(kind=self.kind, message=self.message, detail=self.detail, said=self.said)
