"""The rooms of floor 1 as a session uses them, wired together by LeoChat."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from app.chat.approvals import FolderDoor, Mode
from app.chat.shell import NoShell, Shell
from app.chat.windows import Windows
from app.core.messages import Media, Message
from app.core.provider import Provider, Thinking
from app.core.tools import Toolbox
from app.store import Store


@dataclass(frozen=True, slots=True)
class Choice:
    """Which model answers and how; None leaves it to the vendor."""

    provider: str
    model: str
    system: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Thinking | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """`rounds` a task may take, `result_chars` of a result the model gets; seconds and US dollars a task, None: no limit.

    `tools_percent` of the model's context for the tools of third-party servers, before they are found by a search.
    """

    rounds: int = 50
    result_chars: int = 3000
    task_seconds: float | None = None
    task_cost: float | None = None
    tools_percent: int = 10


@dataclass(frozen=True, slots=True)
class OpenPlaces:
    """Allowed folders, and paths that stay closed although one of these holds them."""

    roots: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


class ModelSource(Protocol):
    def choice(self) -> Choice:
        """What is used where a conversation says nothing."""
        ...

    async def connect(self, provider: str) -> Provider:
        """The provider ready to stream; raises ProviderError with what to do where it cannot be had."""
        ...

    def reads(self, provider: str, model: str, media: Media) -> bool:
        """Whether that model gets more of an attachment than a note with its name."""
        ...

    def ask_again(self) -> None:
        """A person wants another try: what was left alone after failures is asked at once."""
        ...

    def context_window(self, provider: str, model: str) -> int | None:
        """Tokens, None where unknown."""
        ...


async def nothing_recalled(message: Message, sent: Sequence[Message]) -> Message:
    """A message as it is."""
    del sent
    return message


@dataclass(slots=True)
class Rooms:
    """Shared by all sessions. `list_changed` is called when a row of the list is not what it was."""

    store: Store
    toolbox: Toolbox
    models: ModelSource
    windows: Windows = field(default_factory=Windows)
    shell: Shell = field(default_factory=NoShell)
    approval_mode: Callable[[], Mode] = lambda: "ask"
    limits: Callable[[], Limits] = Limits
    list_changed: Callable[[], None] = lambda: None
    attended: Callable[[], bool] = lambda: False
    door: FolderDoor | None = None
    bundled: Callable[[str], bool] = lambda _server: False
    """Whether a server is one of ours (bundled or demo)."""
    ui_granted: Callable[[str], bool] = lambda _server: False
    """Whether a server's UI commands were allowed for good."""
    notify: Callable[[str, str, str], None] = lambda _title, _body, _conversation: None
    """(title, body, conversation): the system's notification, if the window is out of sight."""
    language: Callable[[], str] = lambda: "en"
    opens: Callable[[str], OpenPlaces] = lambda _conversation: OpenPlaces()
    """Where a file lies that a click in this conversation may open."""
    grant_ui: Callable[[str], None] = lambda _server: None
    continues: Callable[[str, str], bool] = lambda _conversation, _call: False
    """Whether a server goes on with a call that was cut off."""
    recall: Callable[[Message, Sequence[Message]], Awaitable[Message]] = nothing_recalled
    """(message, what the model is sent before it): the message with what is remembered about it, where that is allowed."""
