"""From a refused or failed file operation to the answer the model reads."""

import functools
from collections.abc import Awaitable, Callable
from typing import ParamSpec

from mcp_types import CallToolResult

from mcp_servers.answers import error_answer
from mcp_servers.filesystem.errors import FilesError, from_system

P = ParamSpec("P")


def answering(
    tool: Callable[P, Awaitable[CallToolResult]],
) -> Callable[P, Awaitable[CallToolResult]]:
    """The tool, with its refusals and the system's errors as error results."""

    @functools.wraps(tool)
    async def answered(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except FilesError as error:
            return error_answer(str(error), dict(error.meta) if error.meta else None)
        except OSError as error:
            asked = kwargs.get("path") or kwargs.get("source") or "The file"
            return error_answer(str(from_system(error, str(asked))))

    return answered
