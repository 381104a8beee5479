"""What is so large that looking at it would hold up everybody is cut before anybody looks: definitions, pieces of results."""

from collections.abc import Callable
from typing import Any, cast

from app.mcp_host.held import holds_over

TOOLS_AT_ONCE = 1000
DEFINITION_VALUES = 2_000
DESCRIPTION_CHARS = 100_000
PIECES = 500
"""More pieces of text in one result become one."""


def lightened_listing(result: dict[str, Any], note: Callable[[str], None]) -> dict[str, Any]:
    """A page of tools: not over 1,000, none of over 2,000 values, their descriptions cut."""
    listed: Any = result.get("tools")
    if not isinstance(listed, list):
        return result
    tools: list[Any] = []
    for tool in cast("list[Any]", listed)[:TOOLS_AT_ONCE]:
        fields: dict[str, Any] = cast("dict[str, Any]", tool) if isinstance(tool, dict) else {}
        described = fields.get("description")
        if holds_over(fields, DEFINITION_VALUES):
            note(f"a tool was left out, its definition is too large: {str(fields.get('name'))[:200]}")
        elif isinstance(described, str) and len(described) > DESCRIPTION_CHARS:
            tools.append({**fields, "description": described[:DESCRIPTION_CHARS]})
        else:
            tools.append(tool)
    if len(cast("list[Any]", listed)) > TOOLS_AT_ONCE:
        note(f"of {len(cast('list[Any]', listed)):,} tools in one page the first {TOOLS_AT_ONCE:,} are used")
    return {**result, "tools": tools}


def lightened_outcome(result: dict[str, Any], note: Callable[[str], None]) -> dict[str, Any]:
    """Thousands of pieces of text become one; of the other pieces the first 500 stay."""
    listed: Any = result.get("content")
    if not isinstance(listed, list) or len(cast("list[Any]", listed)) <= PIECES:
        return result
    blocks = cast("list[Any]", listed)
    texts = [b["text"] for b in blocks if _plain(b)]
    others = [b for b in blocks if not _plain(b)]
    note(f"a result came in {len(blocks):,} pieces: its texts were put together, {min(len(others), PIECES):,} others kept")
    joined = [{"type": "text", "text": "\n".join(texts)}] if texts else []
    return {**result, "content": [*joined, *others[:PIECES]]}


def _plain(block: Any) -> bool:
    """A piece of text that is for everybody."""
    if not isinstance(block, dict):
        return False
    fields = cast("dict[str, Any]", block)
    return fields.get("type") == "text" and isinstance(fields.get("text"), str) and "annotations" not in fields
