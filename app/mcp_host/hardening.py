"""What of the SDK's client is not for servers that may send anything: its judgements, and what it says of them."""

import asyncio
import functools
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import mcp_types as types

from app.mcp_host.mending import AT_ONCE, mend

if TYPE_CHECKING:
    from app.mcp_host.arguments import ArgumentCheck
    from app.mcp_host.link import Link

# It writes a traceback for each message it does not like; what matters of these is in the server's own log.
logging.getLogger("mcp.client").setLevel(logging.CRITICAL)
logging.getLogger("mcp.shared.jsonrpc_dispatcher").setLevel(logging.CRITICAL)


def harden(link: "Link") -> None:
    """Mend results before the SDK judges them, and log, not raise, what misses its output schema.

    The SDK's own judgement takes regular expressions and endless schemas from servers, and as long as they want.
    """
    session = link.client.session
    held = link.held
    dispatcher: Any = session._dispatcher  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    plain = dispatcher.send_raw_request
    version = link.client.protocol_version
    note = partial(link.log.add, "host")

    async def send(method: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
        result = held.put(method, await plain(method, *args, **kwargs))
        listed: Any = result.get("tools") if method == "tools/list" else None
        if not isinstance(listed, list) or len(cast("list[Any]", listed)) <= AT_ONCE:
            return mend(method, version, result, note)
        notes: list[str] = []
        mended = await asyncio.to_thread(mend, method, version, result, notes.append)
        for one in notes:
            note(one)
        return mended

    async def validate(name: str, result: types.CallToolResult) -> None:
        schema = link.outputs.get(name)
        structured: Any = result.structured_content
        if schema is None or held.holds(structured):
            return
        if not isinstance(structured, dict):
            note(f"{name} has an output schema and sent nothing that could fit it")
        elif found := _judge().misfit(schema, cast("dict[str, Any]", structured)):
            note(f"the result of {name} is not as its output schema has it: {': '.join(found).lstrip(': ')}")

    dispatcher.send_raw_request = send
    session.validate_tool_result = validate


@functools.cache
def _judge() -> "ArgumentCheck":
    """Loaded when the first result is to be judged: it brings a library of its own."""
    from app.mcp_host.arguments import ArgumentCheck

    return ArgumentCheck()
