"""What the browser's tools do to the world, for hosts that decide by it whether to ask."""

from mcp_types import ToolAnnotations

ACT = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=True)
"""Does on a page what a person could do there: order, send, delete."""

POINT = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
"""Points at something on a page, which may load more of it."""

FETCH = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""Gets something from the network and changes what is open or installed here."""
