"""From a tool's call to its answer: the file is read here, worked on in a child process, and written here."""

from __future__ import annotations

import base64
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, ParamSpec

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from mcp_servers.answers import error_answer, text_answer
from mcp_servers.change_cards import changed, losses, table, undone
from mcp_servers.changed_files import ChangedFiles, Owner
from mcp_servers.filesystem.answering import answering as answering_files
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import to_the_end
from mcp_servers.worker import MIB, Limits, WorkError, work

P = ParamSpec("P")
Call = Context[Any, Any]

MAKING = ("write_cells", "set_cells", "append_rows", "write_table", "create_workbook")
"""Changes that make a file that is not there; all others need one."""

READING = Limits(seconds=45)
CHANGING = Limits(seconds=180, answer=96 * MIB)


def answering(tool: Callable[P, Awaitable[CallToolResult]]) -> Callable[P, Awaitable[CallToolResult]]:
    """The tool, with refusals of files and of the worker as error results."""

    @functools.wraps(tool)
    async def answered(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except WorkError as error:
            return error_answer(str(error))

    return answering_files(answered)


class Desk:
    """The tools' work, without their schemas."""

    def __init__(self, files: ChangedFiles, language: Callable[[], str]) -> None:
        self._files = files
        self._language = language

    async def read(self, path: str, operation: str, **arguments: Any) -> CallToolResult:
        """A read of one file. Raises FilesError and WorkError."""
        data = await self._files.read(path)
        request = await _request(path, data, operation, arguments)
        told = await work("mcp_servers.excel.job:read", request, READING)
        return text_answer(told["text"], told["data"])

    async def change(self, call: Call, path: str, operation: str, **arguments: Any) -> CallToolResult:
        """A change of one file, which is made where it does not exist; its answer has a card."""
        async with self._files.changing(path) as file:
            if file.data is None and operation not in MAKING:
                raise await self._files.missing(path)
            request = await _request(path, file.data, operation, arguments)
            told = await work("mcp_servers.excel.job:change", request, CHANGING, call.report_progress)
            change = await file.write(_owner(call), base64.b64decode(told["data"]))
        return self._card(told, file.place.path, change)

    async def convert(self, call: Call, path: str, target: str, sheet: str | None) -> CallToolResult:
        """A new file with the values of another."""
        data = await self._files.read(path)
        async with self._files.changing(target) as file:
            if file.data is not None:
                raise FilesError(f"{target} exists already. Choose another name.")
            request = await _request(path, data, "convert", {"target": Path(target).name, "sheet": sheet})
            told = await work("mcp_servers.excel.job:convert", request, CHANGING, call.report_progress)
            change = await file.write(_owner(call), base64.b64decode(told["data"]))
        return self._card(told, file.place.path, change)

    async def picture(self, path: str) -> str:
        """A picture inside the roots, in base64."""
        return base64.b64encode(await self._files.read(path)).decode("ascii")

    async def undo(self, call: Call, change: str | None) -> CallToolResult:
        """Bring back what a task has changed; without an id, the calling conversation's latest."""
        wanted = change or self._files.latest(_owner(call))
        if wanted is None:
            raise FilesError("Nothing was changed here that could be undone.")
        return undone(await self._files.undo(wanted), wanted, self._language())

    def _card(self, told: dict[str, Any], path: str, change: str) -> CallToolResult:
        seen = told["preview"]
        body = [losses(lost, self._language())] if (lost := told.get("lost")) else []
        body += [table(seen["columns"], seen["rows"], seen["caption"])] if seen else []
        words = f"{told['words']}\nFile: {path}\nChange: {change}"
        data = {"path": path, "change": change, "done": told["words"]}
        return changed(words, path, change, body, self._language(), data)


def _owner(call: Call) -> Owner:
    return Owner.of(call.request_context.meta)


async def _request(path: str, data: bytes | None, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
    encoded = None if data is None else (await to_the_end(base64.b64encode, data)).decode("ascii")
    return {"operation": operation, "name": Path(path).name, "data": encoded, "arguments": arguments}
