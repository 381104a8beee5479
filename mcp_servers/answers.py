"""What the bundled servers' tools answer with, and the truthful hints hosts decide approvals on."""

from typing import Any

from mcp_types import CallToolResult, TextContent, ToolAnnotations

READ = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Looks at this computer only and changes nothing."""

READ_WEB = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""Looks at the network and changes nothing."""

ADD = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
"""Adds something; nothing that was there is lost."""

ADD_ONCE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Adds something; doing it again changes nothing more."""

CHANGE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
"""May overwrite or remove what was there."""

CHANGE_ONCE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
"""May overwrite or remove what was there; doing it again changes nothing more."""


def text_answer(text: str, structured: dict[str, Any] | None = None) -> CallToolResult:
    """One text item, with data for programs beside it where there is any."""
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def error_answer(text: str, meta: dict[str, Any] | None = None) -> CallToolResult:
    """A failure in words that say what to do next; `meta` is a hint for the host."""
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True, _meta=meta)
