"""The reply being written: takes what a protocol says, gives block events with indexes that rise."""

from collections.abc import Callable
from typing import Any, Literal

from app.core.events import BlockDelta, BlockEnd, BlockStart, ModelEnd, ModelEvent, PictureMade
from app.core.messages import Opaque, StopReason, TextBlock, ThinkingBlock, ToolCall, Usage
from app.core.pictures import decode_data_url
from app.providers.tool_calls import CallDraft, tool_name

Kind = Literal["text", "thinking"]
CUT_OFF = "the reply broke off before this call was complete"


class Reply:
    """Collects events in `events`, which the reader of the stream empties; `started` is True once anything was said.

    `kinds`: what was said so far. `over`: the server said that this was all; `hurry` is called then.
    """

    __slots__ = (
        "_index",
        "_kind",
        "_opaque",
        "_parts",
        "calls",
        "count",
        "events",
        "half",
        "hurry",
        "kinds",
        "model",
        "over",
        "protocol",
        "stop_detail",
        "usage",
        "vendor",
    )

    def __init__(self, protocol: str, vendor: str) -> None:
        self.protocol = protocol
        self.vendor = vendor
        self.events: list[ModelEvent] = []
        self.calls: list[CallDraft] = []
        self.kinds: set[Literal["text", "thinking", "call"]] = set()
        self.count = 0
        self.model: str | None = None
        self.stop_detail: str | None = None
        self.usage: Usage = Usage()
        self.half = ""
        self.over = False
        self.hurry: Callable[[], None] = _nothing
        self._kind: Kind | None = None
        self._index = -1
        self._parts: list[str] = []
        self._opaque: Any = None

    def all_said(self) -> None:
        """The server's own mark of the end came: a connection that breaks or stays open after it takes nothing away."""
        self.over = True
        self.hurry()

    @property
    def started(self) -> bool:
        return self.count > 0

    @property
    def open(self) -> bool:
        """A text or thinking block is being written."""
        return self._kind is not None

    @property
    def so_far(self) -> str:
        """The open block's text."""
        return "".join(self._parts)

    def recast(self) -> None:
        """Close the open text block as what it turns out to have been: thinking."""
        self.kinds.discard("text")
        self.kinds.add("thinking")
        self._kind = "thinking"
        self.end()

    def opaque(self, data: Any) -> Opaque:
        return Opaque(protocol=self.protocol, vendor=self.vendor, data=data)

    def text(self, text: str) -> None:
        """More text of the reply. The hot path: twenty thousand of these make a long reply."""
        if self._kind == "text" and text and not self.half and text.isascii():
            self._parts.append(text)
            self.events.append(BlockDelta(self._index, text))
        else:
            self._say("text", text)

    def texts(self, texts: list[str]) -> None:
        """More text in several pieces, none of them with half a character."""
        if self._kind != "text" or self.half:
            for text in texts:
                self.text(text)
            return
        self._parts += texts
        index = self._index
        self.events += [BlockDelta(index, text) for text in texts if text]

    def think(self, text: str) -> None:
        self._say("thinking", text)

    def _say(self, kind: Kind, text: str) -> None:
        if not text:
            return
        if self._kind != kind:
            self.begin(kind)
        if self.half or not text.isascii():
            text = self._whole_characters(text)
        if text:
            self._parts.append(text)
            self.events.append(BlockDelta(self._index, text))

    def _whole_characters(self, text: str) -> str:
        """Half a surrogate pair (a gateway that cuts UTF-16) waits for its other half; a lone one becomes U+FFFD."""
        text, self.half = self.half + text, ""
        if "\ud800" <= text[-1:] <= "\udbff":
            text, self.half = text[:-1], text[-1]
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text

    def begin(self, kind: Kind) -> None:
        """Open a text or thinking block, closing the one before."""
        self.end()
        self._kind = kind
        self.kinds.add(kind)
        self._index = self.count
        self.count += 1
        self.events.append(BlockStart(self._index, TextBlock(text="") if kind == "text" else ThinkingBlock(text="")))

    def mark(self, data: Any) -> None:
        """Keep `data` beside the open block, to be sent back verbatim."""
        self._opaque = data

    def end(self) -> None:
        """Close the open text or thinking block, if any."""
        if self._kind is None:
            return
        if self.half:
            self.half = ""
            self._say(self._kind, "\ufffd")
        text = "".join(self._parts)
        opaque = None if self._opaque is None else self.opaque(self._opaque)
        block = TextBlock(text=text, opaque=opaque) if self._kind == "text" else ThinkingBlock(text=text, opaque=opaque)
        self.events.append(BlockEnd(self._index, block))
        self._kind, self._opaque = None, None
        self._parts = []

    def whole(self, kind: Kind, text: str, data: Any = None) -> None:
        """A block in one piece; a text block without text holds what only this vendor understands."""
        self.begin(kind)
        if text:
            self._say(kind, text)
        self._opaque = data
        self.end()

    def picture(self, data: Any, media_type: Any = None) -> None:
        """A picture as a `data:` address, or in base64; what is none is left out."""
        if not isinstance(data, str):
            return
        found = decode_data_url(data if data.startswith("data:") else f"data:{media_type or 'image/png'};base64,{data}")
        if found is not None and found[1]:
            self.end()
            self.events.append(PictureMade(self.count, *found))
            self.count += 1

    def call(self, call_id: str = "", name: str = "") -> CallDraft:
        """Open a tool call; other blocks may stay open beside it."""
        draft = CallDraft(self.count, call_id, name)
        self.count += 1
        self.calls.append(draft)
        self.kinds.add("call")
        self.show(draft)
        return draft

    def show(self, draft: CallDraft) -> None:
        """Announce the call as soon as its name is known."""
        if draft.name and not draft.started:
            draft.started = True
            self.events.append(BlockStart(draft.block, ToolCall(id=draft.id, name=tool_name(draft.name))))
            if draft.pieces:
                self.events.append(BlockDelta(draft.block, draft.raw))

    def call_text(self, draft: CallDraft, text: str) -> None:
        """More argument text, already kept in the draft."""
        if not draft.started:
            self.show(draft)
        elif text:
            self.events.append(BlockDelta(draft.block, text))

    def end_call(self, draft: CallDraft, cut: str | None = None) -> None:
        if draft.ended:
            return
        draft.ended = True
        call = draft.call(cut=cut)
        if not draft.started:
            draft.started = True
            self.events.append(BlockStart(draft.block, ToolCall(id=draft.id, name=tool_name(draft.name))))
        self.events.append(BlockEnd(draft.block, call))

    def finish(self, stop: StopReason) -> None:
        """Close all that is open and say how the reply ended; with calls an `end` is a `tool_use`."""
        self.end()
        for draft in self.calls:
            self.end_call(draft, CUT_OFF if stop == "length" else None)
        if stop == "end" and self.calls:
            stop = "tool_use"
        self.events.append(ModelEnd(stop, self.usage, self.stop_detail, self.model))

    def abandon(self) -> list[ModelEvent]:
        """The stream broke: close what is open, so that what came can be kept; no call of it is run."""
        self.end()
        for draft in self.calls:
            self.end_call(draft, CUT_OFF)
        events, self.events = self.events, []
        return events


def _nothing() -> None: ...
