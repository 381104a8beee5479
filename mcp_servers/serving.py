"""The MCP server that all of ours are: its errors are words, and what nobody foresaw is one sentence and a line in the log."""

from __future__ import annotations

import difflib
import logging
import traceback
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import Annotations, CallToolResult, InputRequiredResult, TextContent
from pydantic import ValidationError

from mcp_servers.answers import error_answer
from mcp_servers.coaxed import coaxed
from mcp_servers.misfits import misfit, slip, unknown, without_long_arguments
from mcp_servers.wellformed import result_wellformed

log = logging.getLogger("leochat.servers")
FOR_THE_MODEL = Annotations(audience=["assistant"])
FRAMES = 6
"""Of a traceback, the innermost; enough to find the place."""


class WordsServer(MCPServer):
    """An MCPServer whose tools answer in words whatever comes."""

    def __init__(self, name: str, **given: Any) -> None:
        # The SDK would put a handler of its own here, which draws whole tracebacks in boxes, for seconds.
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
        super().__init__(name, log_level="WARNING", **given)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """As the SDK's, but a wrong argument and a failure are results in words, and every word can be sent."""
        result = await self._answered(name, arguments, context)
        return result_wellformed(result) if isinstance(result, CallToolResult) else result

    async def _answered(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        schema = self._tool_input_schema(name)
        if schema is None:
            known = sorted(one.name for one in await self.list_tools())
            near = difflib.get_close_matches(name, known, 1)
            meant = f" Did you mean {near[0]}?" if near else ""
            return error_answer(f"There is no tool {name[:80]}.{meant} There are: {', '.join(known)}.")
        if fault := slip(name, arguments, schema):
            return error_answer(without_long_arguments(fault, arguments))
        arguments = coaxed(arguments, schema)
        try:
            return _noted(await super().call_tool(name, arguments, context), name, arguments, schema)
        except UnexpectedToolError as error:
            return error_answer(_unforeseen(self.name, name, error))
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                return error_answer(misfit(name, cause, arguments, schema))
            return error_answer(without_long_arguments(str(cause or error), arguments))


def _noted(
    result: CallToolResult | InputRequiredResult, name: str, arguments: dict[str, Any], schema: dict[str, Any]
) -> CallToolResult | InputRequiredResult:
    """The result; an error without long arguments, and with a note where an argument was none."""
    if not isinstance(result, CallToolResult):
        return result
    if not result.is_error:
        note = unknown(name, arguments, schema)
        items = [*result.content, TextContent(type="text", text=note, annotations=FOR_THE_MODEL)] if note else result.content
        return result.model_copy(update={"content": items})
    content = [
        one.model_copy(update={"text": without_long_arguments(one.text, arguments)}) if isinstance(one, TextContent) else one
        for one in result.content
    ]
    return result.model_copy(update={"content": content})


def _unforeseen(server: str, tool: str, error: BaseException) -> str:
    cause = error.__cause__ or error
    frames = traceback.extract_tb(cause.__traceback__)[-FRAMES:]
    where = " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    log.error("%s.%s failed: %s: %.300s (%s)", server, tool, type(cause).__name__, cause, where)
    return (
        f"{tool} failed for a reason it was not made for ({type(cause).__name__}); part of the work may be done. Look at what "
        "is there before you try again, with other arguments. The log has the details."
    )
