"""Tools as the loop sees them: what a tool is, all of them as one Toolbox, and what one call brought back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from app.core.frozen import Frozen
from app.core.messages import ToolCall


class ToolSpec(Frozen):
    """A tool as offered to the model: `name` is `server__tool`, at most 64 characters of `[a-zA-Z0-9_-]`.

    The hints are the server's own claims; `trusted` says whether they count (bundled, demo, or trusted by the person).
    `never_asks`: bundled as harmless. `serial`: calls of this server run one after another.
    """

    name: str
    server: str
    tool: str
    description: str = ""
    title: str | None = None
    input_schema: dict[str, Any] = {"type": "object", "properties": {}}
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    trusted: bool = False
    bundled: bool = False
    never_asks: bool = False
    serial: bool = False

    @property
    def reads(self) -> bool:
        """A read in the sense of the promises: changes nothing, reaches nothing outside, and we believe it."""
        return self.trusted and self.read_only and not self.open_world


@dataclass(frozen=True, slots=True)
class TextItem:
    """`audience`: who is meant, as in MCP annotations; None is everybody."""

    text: str
    audience: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MediaItem:
    """A picture, sound or file in full."""

    kind: Literal["image", "audio", "file"]
    media_type: str
    data: bytes
    name: str | None = None
    audience: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LinkItem:
    """A resource the server only names."""

    uri: str
    name: str
    media_type: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class ResourceItem:
    """An embedded text resource (a binary one comes as a MediaItem)."""

    uri: str
    media_type: str | None
    text: str


OutputItem: TypeAlias = TextItem | MediaItem | LinkItem | ResourceItem


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A tool's raw answer, whole, before recognition and truncation. `meta`: what its server says to the host alone."""

    items: tuple[OutputItem, ...] = ()
    structured: Any = None
    is_error: bool = False
    meta: Mapping[str, Any] | None = None

    @staticmethod
    def error(text: str) -> "ToolOutput":
        return ToolOutput((TextItem(text),), is_error=True)


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call carries besides its arguments. `progress(done, total, message)` may be called from the loop's thread only.

    `task_id` is the task it belongs to, `call_id` the call's own ("": none is known). `clicked`: a person's click on a
    card asked for just this call.
    """

    conversation_id: str
    progress: Callable[[float, float | None, str | None], None]
    task_id: str = ""
    call_id: str = ""
    clicked: bool = False


class Toolbox(Protocol):
    """Many servers' tools as one. Never raises for a tool's fault: errors are outputs."""

    async def refreshed(self) -> None:
        """Return once pending changes of tool lists are read (bounded); called before each round."""
        ...

    def specs(self) -> Sequence[ToolSpec]:
        """The tools to offer now, in a stable order."""
        ...

    def check(self, spec: ToolSpec, arguments: dict[str, Any]) -> str | None:
        """Words for the model naming the field that does not fit the input schema, or None."""
        ...

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        """Run it. Cancelling the awaiting task cancels the call."""
        ...


def find_spec(specs: Iterable[ToolSpec], name: str, prefer: str | None = None) -> ToolSpec | None:
    """The tool a model means: its full name, else a bare or `-`-for-`_` name that fits exactly one tool.

    `prefer` is the server of the card whose button sent the message; among several that fit, its tool wins.
    """
    listed = list(specs)
    if exact := next((s for s in listed if s.name == name), None):
        return exact
    wanted = name.replace("-", "_")
    fits = [
        s
        for s in listed
        if wanted
        in (
            s.tool.replace("-", "_"),
            s.name.replace("-", "_"),
            f"{s.server}__{s.tool}".replace("-", "_"),
        )
    ]
    preferred = [s for s in fits if s.server == prefer]
    chosen = preferred or fits
    return chosen[0] if len(chosen) == 1 else None
