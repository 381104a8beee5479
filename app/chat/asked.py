"""What servers ask in the middle of a call, and what changed at them, as windows are told."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from app.core.events import EVENT_CONFIG
from app.core.frozen import Frozen
from app.core.messages import Message, ToolCall


class Elicitation(Frozen):
    """A server asks the person for data; `json_schema` describes the answer's fields."""

    request_id: str
    server: str
    message: str
    json_schema: dict[str, Any] = {}
    url: str | None = None


class Sampling(Frozen):
    """A server asks for a model's answer. `asked`: the person decides; `running`; `answered`: they look at the answer first.

    `tools` are the server's own, by name; `hints`: the models it would like. `input_tokens` and `cost` (USD, with an answer of
    the longest length) are estimates, None where unknown.
    """

    request_id: str
    server: str
    state: Literal["asked", "running", "answered"]
    provider: str
    model: str
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    max_tokens: int
    input_tokens: int | None = None
    cost: float | None = None
    answer: str | None = None
    calls: tuple[ToolCall, ...] = ()


@dataclass(slots=True)
class ElicitationRequest:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    elicitation: Elicitation
    type: Literal["elicitation_request"] = "elicitation_request"


@dataclass(slots=True)
class ElicitationClosed:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    request_id: str
    type: Literal["elicitation_closed"] = "elicitation_closed"


@dataclass(slots=True)
class SamplingRequest:
    """New, or in another state than before."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    sampling: Sampling
    type: Literal["sampling_request"] = "sampling_request"


@dataclass(slots=True)
class SamplingClosed:
    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    request_id: str
    type: Literal["sampling_closed"] = "sampling_closed"


@dataclass(slots=True)
class MaterialChanged:
    """A server's prompts, its list of resources, or one followed resource (`uri`) is not what it was."""

    __pydantic_config__: ClassVar[ConfigDict] = EVENT_CONFIG
    server: str
    what: Literal["prompts", "resources", "resource"]
    uri: str | None = None
    type: Literal["material_changed"] = "material_changed"
