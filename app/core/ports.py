"""What the loop needs from the floors above, stated as Protocols and supplied by them."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from app.core.events import Event
from app.core.messages import Media, Message, ToolCall, UiResult
from app.core.tools import ToolSpec

Verdict: TypeAlias = Literal["allow", "ask", "deny"]


class Journal(Protocol):
    async def append(self, *events: Event) -> None:
        """Commit events (message_end, checkpoint, task_start, task_end, approval_request, approval_answer), all of them or
        none; durable when this returns.
        """
        ...

    async def asked(self) -> set[str]:
        """Ids of the calls whose approval_request has no approval_answer, since a crash came: none has begun. Told once."""
        ...

    async def draft(self, message: Message) -> None:
        """Commit a message that is not whole yet: a later draft or message_end of the same id replaces it."""
        ...


class Blobs(Protocol):
    """Bytes too large for a message: attachments, pictures, whole tool results. A ref is the content's hash."""

    async def put(self, data: bytes, media_type: str, name: str | None = None) -> str: ...

    async def get(self, ref: str) -> Media | None: ...


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to an approval; `reason` is told to the model when it is no."""

    allowed: bool
    reason: str = ""


class Approver(Protocol):
    def verdict(self, spec: ToolSpec, call: ToolCall) -> tuple[Verdict, str]:
        """What the rules say, and why in words for a person."""
        ...

    async def ask(self, spec: ToolSpec, call: ToolCall) -> Decision:
        """Ask a person; with nobody to ask, deny."""
        ...


class Host(Protocol):
    async def execute(self, server: str, command: str, payload: dict[str, Any], call_id: str) -> UiResult:
        """Have a window do it, or say why not; never raises."""
        ...
