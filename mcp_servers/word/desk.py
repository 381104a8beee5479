"""From a tool's call to its answer: the file is read here, worked on in a child process, and written here."""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from typing import Any, ParamSpec

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from mcp_servers.answers import error_answer, text_answer
from mcp_servers.change_cards import changed, undone
from mcp_servers.changed_files import ChangedFiles, Owner
from mcp_servers.filesystem.answering import answering as answering_files
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import to_the_end
from mcp_servers.word.pdf import as_pdf
from mcp_servers.worker import MIB, Limits, WorkError, work

P = ParamSpec("P")
Call = Context[Any, Any]

READING = Limits(seconds=45)
CHANGING = Limits(seconds=90, answer=96 * MIB)
WRITABLE = (".docx", ".docm", ".dotx", ".dotm")
PICTURE = re.compile(r"!\[[^\]]*\]\(\s*<?([^)>\s]+)>?[^)]*\)")
MAX_PICTURES = 50


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

    async def read(self, path: str, *, marked: bool, start: int, most: int) -> CallToolResult:
        """A part of the document as Markdown."""
        data = await self._files.read(path)
        told = await work("mcp_servers.word.job:read", await _request(path, data, marked=marked), READING)
        text: str = told["text"]
        end = start + most
        if not text:
            return text_answer(f"{path} has no text.")
        if start >= len(text):
            return error_answer(f"{path} has {len(text):,} characters; there is nothing from {start:,} on.")
        rest = f"\n\n[cut: {len(text):,} characters in all; go on with start_index {end}]" if end < len(text) else ""
        return text_answer(text[start:end] + rest)

    async def outline(self, path: str) -> CallToolResult:
        """Headings and counts."""
        data = await self._files.read(path)
        told = await work("mcp_servers.word.job:outline", await _request(path, data), READING)
        lines = [f"{'#' * one['level']} {one['text']}" for one in told["headings"]] or ["(no headings)"]
        facts = [f"{key}: {said}" for key, said in told.items() if isinstance(said, int)]
        lines += ["", ", ".join(facts), f"styles: {', '.join(told['styles']) or 'none'}"]
        return text_answer("\n".join(lines), told)

    async def change(
        self, call: Call, path: str, operation: str, arguments: Mapping[str, Any], *, new: bool = False
    ) -> CallToolResult:
        """A change of one document; with `new` it is made where it does not exist. Its answer has a card."""
        if not path.lower().endswith(WRITABLE):
            raise FilesError(f"{path} is not the name of a Word document. Give it the ending .docx.")
        async with self._files.changing(path) as file:
            if file.data is None and not new:
                told = str(await self._files.missing(path)).partition(" does not exist. ")[2]
                raise FilesError(f"{path} does not exist. Make it with write_document. {told}".rstrip())
            request = await _request(path, file.data or None, operation=operation, arguments=arguments)
            told = await work("mcp_servers.word.job:change", request, CHANGING)
            change = await file.write(_owner(call), base64.b64decode(told["data"]))
        return self._card(told["words"], told["shown"], file.place.path, change)

    async def pictures(self, markdown: str) -> dict[str, str]:
        """The pictures that a Markdown text names and that lie inside the roots, in base64 by name."""
        found: dict[str, str] = {}
        for name in list(dict.fromkeys(PICTURE.findall(markdown)))[:MAX_PICTURES]:
            if not re.match(r"[a-z][a-z0-9+.-]+:", name, re.IGNORECASE) and self._files.exists(name):
                found[name] = await self.picture(name)
        return found

    async def picture(self, path: str) -> str:
        """A picture inside the roots, in base64."""
        return base64.b64encode(await self._files.read(path)).decode("ascii")

    async def pdf(self, call: Call, path: str, target: str | None) -> CallToolResult:
        """The document as a new PDF beside it or at `target`."""
        aim = target or str(PurePath(path).with_suffix(".pdf"))
        if not aim.lower().endswith(".pdf"):
            raise FilesError(f"{aim} is not the name of a PDF. Give it the ending .pdf.")
        data = await self._files.read(path)
        ready = await work("mcp_servers.word.job:for_printing", await _request(path, data), READING)
        async with self._files.changing(aim) as file:
            if file.data is not None:
                raise FilesError(f"{aim} exists already. Choose another name.")
            change = await file.write(_owner(call), await as_pdf(base64.b64decode(ready["data"]), PurePath(path).suffix))
        words = f"Made {PurePath(aim).name} from {PurePath(path).name}."
        if ready["left_out"]:
            words += " Left out, since nothing is fetched for a PDF: pictures and parts that lie outside the document."
        return self._card(words, "", file.place.path, change)

    async def undo(self, call: Call, change: str | None) -> CallToolResult:
        """Bring back what a task has changed; without an id, the calling conversation's latest."""
        wanted = change or self._files.latest(_owner(call))
        if wanted is None:
            raise FilesError("Nothing was changed here that could be undone.")
        return undone(await self._files.undo(wanted), wanted, self._language())

    def _card(self, words: str, shown: str, path: str, change: str) -> CallToolResult:
        body = [{"type": "text", "text": shown, "format": "markdown"}] if shown else []
        told = f"{words}\nFile: {path}\nChange: {change}"
        return changed(told, path, change, body, self._language(), {"path": path, "change": change, "done": words})


def _owner(call: Call) -> Owner:
    return Owner.of(call.request_context.meta)


async def _request(path: str, data: bytes | None, **more: Any) -> dict[str, Any]:
    encoded = None if data is None else (await to_the_end(base64.b64encode, data)).decode("ascii")
    return {"name": PurePath(path).name, "data": encoded, **more}
