"""Everything a window can be told: the loop's events and what concerns the window alone."""

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field
from typing_extensions import TypeAliasType

from app.chat.asked import (
    Elicitation,
    ElicitationClosed,
    ElicitationRequest,
    MaterialChanged,
    Sampling,
    SamplingClosed,
    SamplingRequest,
)
from app.core.events import (
    EVENT_CONFIG,
    ApprovalAnswer,
    ApprovalRequest,
    BlockDelta,
    BlockEnd,
    BlockStart,
    Checkpoint,
    MessageEnd,
    MessageStart,
    ModelEnd,
    Retry,
    RoundStart,
    TaskEnd,
    TaskEndReason,
    TaskStart,
    ToolEnd,
    ToolProgress,
    ToolStart,
)
from app.core.frozen import Frozen
from app.core.messages import ErrorInfo, Message, ToolCall, UiRequest, Usage
from app.core.saying import Saying
from app.mcp_host.status import Era, Remedy

ServerState: TypeAlias = Literal["disabled", "starting", "ready", "error", "stopped", "waiting"]


class ContextShare(Frozen):
    """Tokens the last request took and the model's window; None is unknown."""

    used: int | None = None
    window: int | None = None


class ConversationInfo(Frozen):
    """One row of the list, and the head of the page.

    `interrupted` names why the last task did not come to its end (killed, stopped, error, round limit…), None after a good end.
    `usage` sums all replies. `waiting`: an approval or question is open.
    """

    id: str
    title: str
    created_ms: int
    updated_ms: int
    running: bool = False
    waiting: bool = False
    pinned: bool = False
    folder: str | None = None
    interrupted: TaskEndReason | Literal["killed"] | None = None
    provider: str | None = None
    model: str | None = None
    system: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    thinking: str | None = None
    usage: Usage = Usage()
    context: ContextShare = ContextShare()


class RunningTool(Frozen):
    call_id: str
    started_ms: int
    progress: float | None = None
    total: float | None = None
    message: str | None = None


class Running(Frozen):
    """A task in flight: `message_id` is the message being written, if any; `open_blocks` those of its blocks not yet whole."""

    task_id: str
    round: int
    started_ms: int
    message_id: str | None = None
    open_blocks: tuple[int, ...] = ()
    tools: tuple[RunningTool, ...] = ()


class PendingApproval(Frozen):
    """An approval still open, as its ApprovalRequest told it."""

    call: ToolCall
    reason: str
    ui_command: UiRequest | None = None
    folder: str | None = None
    more_folders: tuple[str, ...] = ()


class Attachment(Frozen):
    """`size` in bytes; the bytes are at GET /attachments/REF."""

    ref: str
    media_type: str
    name: str
    size: int


class QueuedMessage(Frozen):
    """Sent while a task ran; joins at the next round. `label` is the button's, where a card sent it."""

    id: str
    text: str
    label: str | None = None
    attachments: tuple[Attachment, ...] = ()


class CardState(Frozen):
    """What became of one button: it was pressed, waits in the queue, runs, or failed."""

    message_id: str
    card_id: str
    action_id: str
    state: Literal["pressed", "queued", "running", "failed"]
    message: str | None = None


class Siblings(Frozen):
    """The alternatives at one place of the tree, oldest first; the shown one is in `messages`."""

    ids: tuple[str, ...]


class ToolInfo(Frozen):
    """A tool in the servers page; `tokens` is what its definition costs a round (estimate)."""

    name: str
    title: str | None = None
    description: str = ""
    enabled: bool = True
    asks: bool = True
    tokens: int = 0


class ServerInfo(Frozen):
    """A row of the servers page. `command` is the whole command as it would start; `hash` is what accepting binds to."""

    name: str
    title: str
    description: str = ""
    kind: Literal["bundled", "demo", "third_party"]
    transport: Literal["builtin", "stdio", "http", "sse", "tcp"]
    state: ServerState
    enabled: bool
    message: str | None = None
    """One sentence: what it does now, or cause and cure of an error; `said`: the same for the page's language."""
    said: tuple[Saying, ...] = ()
    detail: str | None = None
    command: tuple[str, ...] = ()
    cwd: str | None = None
    variables: tuple[str, ...] = ()
    url: str | None = None
    headers: tuple[str, ...] = ()
    roots: bool = False
    """It may know the folders that LeoChat may use."""
    sampling: bool = False
    """It may use the model without asking each time."""
    hash: str | None = None
    accepted: bool = True
    changes: str | None = None
    """A unified diff of what changed since it was accepted."""
    sign_in: bool = False
    """It wants the person to sign in: `servers_sign_in` does."""
    signed_in: bool = False
    """Tokens are kept for it: `servers_sign_out` forgets them."""
    declined: bool = False
    """The person looked at what would start and said no."""
    remedies: tuple[Remedy, ...] = ()
    """What `servers_remedy` can do about its trouble, the likeliest first."""
    deferred: bool = False
    """Its tools are found by a search, since the tools of third-party servers take more than their share of the context."""
    calls: int = 0
    used_ms: int | None = None
    failed_ms: int | None = None
    last_error: str | None = None
    last_said: tuple[Saying, ...] = ()
    era: Era | None = None
    version: str | None = None
    ui_commands: bool = False
    trusted: bool = False
    tools: tuple[ToolInfo, ...] = ()
    tokens: int = 0
    started_ms: int | None = None
    protocol: str | None = None


@dataclass(slots=True)
class Opened:
    """A conversation whole: `messages` from the root to the head, the one being written included (its stop_reason is None).

    A window that asked for no more than the last ones is told by `earlier` how many stand before them.
    """

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    conversation: ConversationInfo
    messages: tuple[Message, ...]
    running: Running | None = None
    approvals: tuple[PendingApproval, ...] = ()
    queue: tuple[QueuedMessage, ...] = ()
    elicitations: tuple[Elicitation, ...] = ()
    samplings: tuple[Sampling, ...] = ()
    card_states: tuple[CardState, ...] = ()
    siblings: tuple[Siblings, ...] = ()
    earlier: int = 0
    type: Literal["opened"] = "opened"


@dataclass(slots=True)
class UiCommandAsked:
    """This window shall do it and answer `ui_result {ui_id: id}`; with `ask`, only after the person allowed it."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    id: str
    command: str
    payload: dict[str, Any]
    server: str = "leochat"
    type: Literal["ui_command"] = "ui_command"


@dataclass(slots=True)
class CardEvent:
    """A card's `agent-event` button was pressed: for whoever embeds LeoChat."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    card_id: str
    action_id: str
    name: str
    payload: dict[str, Any]
    type: Literal["card_event"] = "card_event"


@dataclass(slots=True)
class CardStateChanged:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    state: CardState
    type: Literal["card_state"] = "card_state"


@dataclass(slots=True)
class QueueChanged:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    queue: tuple[QueuedMessage, ...]
    type: Literal["queue_changed"] = "queue_changed"


@dataclass(slots=True)
class ConversationChanged:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    conversation: ConversationInfo
    type: Literal["conversation_changed"] = "conversation_changed"


@dataclass(slots=True)
class ConversationsChanged:
    """The whole list, newest first, deleted ones left out."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    conversations: tuple[ConversationInfo, ...]
    type: Literal["conversations_changed"] = "conversations_changed"


@dataclass(slots=True)
class ServersChanged:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    servers: tuple[ServerInfo, ...]
    type: Literal["servers_changed"] = "servers_changed"


@dataclass(slots=True)
class MemoryChanged:
    """What is remembered is not what it was: whoever shows it reads it again."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    type: Literal["memory_changed"] = "memory_changed"


@dataclass(slots=True)
class SettingsChanged:
    """`values` by dotted name, secrets never."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    values: dict[str, Any]
    type: Literal["settings_changed"] = "settings_changed"


@dataclass(slots=True)
class Notice:
    """Something to tell the person that belongs to no message; `key` is a name in the window's text table, if it has one."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    level: Literal["info", "success", "warning", "error"]
    message: str
    key: str | None = None
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    type: Literal["notice"] = "notice"


@dataclass(slots=True)
class RunAction:
    """Do what the action of this id does: it was chosen in a menu outside the page."""

    action: str
    type: Literal["run_action"] = "run_action"
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG


@dataclass(slots=True)
class ShowConversation:
    """Bring this conversation on show: its notification was clicked."""

    conversation_id: str
    type: Literal["show_conversation"] = "show_conversation"
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG


Said = TypeAliasType(
    "Said",
    Annotated[
        BlockStart
        | BlockDelta
        | BlockEnd
        | Retry
        | ModelEnd
        | TaskStart
        | RoundStart
        | MessageStart
        | MessageEnd
        | ApprovalRequest
        | ApprovalAnswer
        | ToolStart
        | ToolProgress
        | ToolEnd
        | Checkpoint
        | TaskEnd
        | Opened
        | UiCommandAsked
        | CardEvent
        | CardStateChanged
        | QueueChanged
        | ElicitationRequest
        | ElicitationClosed
        | SamplingRequest
        | SamplingClosed
        | MaterialChanged
        | ConversationChanged
        | ConversationsChanged
        | ServersChanged
        | MemoryChanged
        | SettingsChanged
        | RunAction
        | ShowConversation
        | Notice,
        Field(discriminator="type"),
    ],
)

__all__ = ["ErrorInfo", "Said"]
