"""The host's own tool: read the rest of a tool result that was cut, page by page."""

from app.core.events import ToolResult
from app.core.messages import ToolCall, ToolResultBlock
from app.core.ports import Blobs
from app.core.tools import ToolSpec

READ_RESULT = ToolSpec(
    name="leochat__read_result",
    server="leochat",
    tool="read_result",
    title="Read a kept result",
    description="Read a tool result that was cut. `ref` stands in the cut result; offset and length count characters.",
    input_schema={
        "type": "object",
        "properties": {
            "ref": {"type": "string", "description": "The ref named where the result was cut."},
            "offset": {"type": "integer", "minimum": 0, "default": 0},
            "length": {
                "type": "integer",
                "minimum": 1,
                "description": "At most what a result may hold; default: that.",
            },
        },
        "required": ["ref"],
    },
    read_only=True,
    destructive=False,
    idempotent=True,
    open_world=False,
    trusted=True,
    bundled=True,
    never_asks=True,
)


def _whole(value: object, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


async def read_result(call: ToolCall, blobs: Blobs, limit: int) -> ToolResult:
    """A page of the kept text with where it stands in the whole; an unknown ref or a picture is an error result."""
    ref = str(call.arguments.get("ref", ""))
    kept = await blobs.get(ref)
    if kept is None or not kept.media_type.startswith(("text/", "application/json")):
        return _answer(call, f"There is no kept result with ref {ref!r}.", is_error=True)
    text = kept.data.decode("utf-8", "replace")
    offset = _whole(call.arguments.get("offset"), 0)
    room = max(limit - 120, 200)
    page = text[offset : offset + min(_whole(call.arguments.get("length"), room) or room, room)]
    end = offset + len(page)
    more = f"more at offset={end}" if end < len(text) else "the end"
    return _answer(call, f"{page}\n\n[characters {offset:,} to {end:,} of {len(text):,}; {more}]")


def _answer(call: ToolCall, text: str, *, is_error: bool = False) -> ToolResult:
    return ToolResult(
        call.id,
        text,
        is_error,
        (ToolResultBlock(tool_call_id=call.id, text=text, is_error=is_error),),
    )
