"""Everything a running task says: a provider's events are a subset of the loop's, the loop's a subset of the window's.

Events are plain slotted dataclasses: a delta costs a quarter of a microsecond to make, a tenth of a model instance.
"""

import functools
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter
from typing_extensions import TypeAliasType

from app.core.messages import Block, ErrorInfo, Message, StopReason, ToolCall, UiRequest, Usage
from app.core.saying import Saying

EVENT_CONFIG = ConfigDict(json_schema_serialization_defaults_required=True)


@dataclass(slots=True)
class BlockStart:
    """A block begins at `index` of the running message, with what is known of it."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    index: int
    block: Block
    type: Literal["block_start"] = "block_start"


@dataclass(slots=True)
class BlockDelta:
    """More text of the block at `index` (for a tool call: raw JSON text of its arguments)."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    index: int
    text: str
    type: Literal["block_delta"] = "block_delta"


@dataclass(slots=True)
class BlockEnd:
    """The block at `index` is whole."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    index: int
    block: Block
    type: Literal["block_end"] = "block_end"


@dataclass(slots=True)
class Retry:
    """The provider failed before it said anything; try `attempt` of `of` follows after `delay_ms`."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    attempt: int
    of: int
    delay_ms: int
    reason: str
    said: Saying | None = None
    type: Literal["retry"] = "retry"


@dataclass(slots=True)
class ModelEnd:
    """The reply is over; the last event of every provider stream that did not raise."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    stop_reason: StopReason
    usage: Usage
    stop_detail: str | None = None
    model: str | None = None
    type: Literal["model_end"] = "model_end"


@dataclass(slots=True)
class PictureMade:
    """A picture of the reply, to stand at `index`. It crosses no wire: the loop keeps the bytes and says it as a block."""

    index: int
    media_type: str
    data: bytes
    type: Literal["picture_made"] = "picture_made"


@dataclass(slots=True)
class TaskStart:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    task_id: str
    started_ms: int
    type: Literal["task_start"] = "task_start"


@dataclass(slots=True)
class RoundStart:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    round: int
    type: Literal["round_start"] = "round_start"


@dataclass(slots=True)
class MessageStart:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    message: Message
    type: Literal["message_start"] = "message_start"


@dataclass(slots=True)
class MessageEnd:
    """Carries the whole message: storing this one event stores the conversation."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    message: Message
    type: Literal["message_end"] = "message_end"


@dataclass(slots=True)
class ApprovalRequest:
    """The task waits for a person: for `call`, with `ui_command` for what its result wants of the window, with
    `folder` for the call and a folder outside the allowed ones that it needs, with `more_folders` for further ones; for the
    folders alone where `reason` is "folder".

    For a command and for a folder alone `call.id` has a suffix, so that all can be answered apart.
    """

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    call: ToolCall
    reason: str
    ui_command: UiRequest | None = None
    folder: str | None = None
    more_folders: tuple[str, ...] = ()
    type: Literal["approval_request"] = "approval_request"


@dataclass(slots=True)
class ApprovalAnswer:
    """An approval was answered (by whichever window came first) or fell away."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    call_id: str
    allowed: bool
    type: Literal["approval_answer"] = "approval_answer"


@dataclass(slots=True)
class ToolStart:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    call: ToolCall
    type: Literal["tool_start"] = "tool_start"


@dataclass(slots=True)
class ToolProgress:
    """`progress` of `total` (None: unknown), in the server's own unit."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    call_id: str
    progress: float
    total: float | None = None
    message: str | None = None
    type: Literal["tool_progress"] = "tool_progress"


@dataclass(slots=True)
class ToolResult:
    """One call's outcome: `text` for the model, `blocks` as they stand in the tool message (result first)."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    tool_call_id: str
    text: str
    is_error: bool
    blocks: tuple[Block, ...]


@dataclass(slots=True)
class ToolEnd:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    result: ToolResult
    duration_ms: int
    type: Literal["tool_end"] = "tool_end"


@dataclass(slots=True)
class Checkpoint:
    """All up to here is on disk; `seq` is the conversation's last sequence number."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    reason: Literal["round", "stop", "error", "approval"]
    seq: int = 0
    type: Literal["checkpoint"] = "checkpoint"


TaskEndReason = Literal["done", "round_limit", "loop", "limit", "cancelled", "error"]


@dataclass(slots=True)
class TaskEnd:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    reason: TaskEndReason
    error: ErrorInfo | None = None
    type: Literal["task_end"] = "task_end"


ModelEvent = TypeAliasType("ModelEvent", BlockStart | BlockDelta | BlockEnd | PictureMade | Retry | ModelEnd)

Event = TypeAliasType(
    "Event",
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
        | TaskEnd,
        Field(discriminator="type"),
    ],
)


@functools.cache
def writer(kind: type) -> TypeAdapter[Any]:
    """What writes events of one class as JSON; made when the first of them is told, since a start tells few kinds."""
    return TypeAdapter(kind)
