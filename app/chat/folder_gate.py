"""“Allow this folder?”: a call that was refused for a path outside the allowed folders asks for it, and is then made again.

A call that is asked about anyhow asks for both at once, where its arguments name the place."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from app.chat.approvals import Answer, Mode
from app.chat.folders import Folders
from app.chat.pressing import UNDO
from app.chat.refused import Refused
from app.chat.session import Session
from app.core.events import ApprovalAnswer, ApprovalRequest, Checkpoint
from app.core.messages import ToolCall, new_id
from app.core.tools import CallContext, ToolOutput, ToolSpec
from mcp_servers.filesystem.errors import OUTSIDE, FilesError

PATHS = ("path", "paths", "source", "destination", "target", "picture", "image")
"""Arguments of bundled tools that name a file or folder. Only what is asked depends on them: the server judges the path."""

MOST = 4
"""Folders that one call may ask for: it names a source and a target, say."""

MOST_PATHS = 100
"""Paths of one call that are looked at before it is made."""

Call = Callable[[ToolSpec, ToolCall, CallContext], Awaitable[ToolOutput]]


class FolderGate:
    """Around the calls of bundled servers; what other servers say in `_meta` opens nothing.

    `place` gives an open conversation; `attended`, whether anybody is there to be asked.
    """

    def __init__(
        self,
        folders: Folders,
        host_call: Call,
        place: Callable[[str], Session | None],
        attended: Callable[[], bool],
        mode: Callable[[], Mode],
    ):
        self._folders = folders
        self._call = host_call
        self._place = place
        self._attended = attended
        self._mode = mode
        self._asking: dict[str, asyncio.Lock] = {}
        self._promised: dict[tuple[str, str], tuple[ToolCall, tuple[str, ...], Answer]] = {}

    async def foreseen(self, conversation_id: str, spec: ToolSpec, call: ToolCall) -> tuple[str, ...]:
        """The folders that this call will be refused for, told by its arguments, at most `MOST`; those that cannot be asked
        for are not among them."""
        if not spec.bundled:
            return ()
        await self._folders.load()
        given = [call.arguments.get(name) for name in PATHS]
        named = [path for value in given for path in (cast("list[Any]", value) if isinstance(value, list) else [value])]
        paths = [path for path in named if isinstance(path, str)][:MOST_PATHS]
        return await asyncio.to_thread(self._outside, conversation_id, paths)

    def _outside(self, conversation_id: str, named: list[str]) -> tuple[str, ...]:
        from mcp_servers.filesystem.roots import Roots

        roots = Roots(self._folders.of_conversation(conversation_id))
        found: list[str] = []
        for path in named:
            try:
                roots.resolve(path)
            except FilesError as error:
                folder = self._folders.wanted(real) if (real := (error.meta or {}).get(OUTSIDE)) else None
                if folder and not self._folders.why_closed(folder):
                    found.append(folder)
        return tuple(dict.fromkeys(found))[:MOST]

    def promise(self, conversation_id: str, call: ToolCall, folders: tuple[str, ...], answer: Answer) -> None:
        """This very call, which is made next, may have the folders."""
        self._promised[conversation_id, call.id] = (call, folders, answer)

    async def call(self, spec: ToolSpec, call: ToolCall, context: CallContext) -> ToolOutput:
        """Make the call, again after each folder it was given."""
        await self._folders.load()
        with self._folders.lending(context.conversation_id, context.call_id) as lend:
            given: set[str] = set()
            promised = self._promised.pop((context.conversation_id, context.call_id), None)
            if promised and promised[0] == call:
                for folder in promised[1]:
                    given.add(folder)
                    if fault := await self._allow(promised[2], spec, context, folder, lend):
                        return ToolOutput.error(fault)
            output = await self._call(spec, call, context)
            for _ in range(MOST):
                folder = self._folders.wanted(real) if (real := outside(output)) else None
                if folder is None or folder in given:
                    break  # done; or it was given already and did not help
                also = [one for one in await self.foreseen(context.conversation_id, spec, call) if one not in (folder, *given)]
                given |= {folder, *also}
                refused = await self._leave(spec, call, context, folder, also, lend)
                if refused:
                    return ToolOutput.error(refused) if output.is_error else output
                output = await self._call(spec, call, context)
            return output

    async def _leave(
        self,
        spec: ToolSpec,
        call: ToolCall,
        context: CallContext,
        folder: str,
        also: list[str],
        lend: Callable[[str], None],
    ) -> str | None:
        """Why the call may not have the folder, in words for the model; None once it may. `also` are asked for with it."""
        allowed = ", ".join(self._folders.allowed_roots())
        if why := self._folders.why_closed(folder):
            return f"Access denied: {folder} is never opened to tools: {why}. Use a path inside one of these: {allowed}."
        if context.clicked and spec.tool == UNDO:
            lend(folder)  # the click is the person's word for just these files
            return None
        place = self._place(context.conversation_id)
        if place is None or self._mode() == "reads" or not self._attended():
            return (
                f"Access denied: {folder} is outside the allowed folders, and nobody can be asked to allow it now. Nothing was "
                f"done. Use a path inside one of these: {allowed}. The user can allow more in the settings, under Folders."
            )
        async with self._asking.setdefault(context.conversation_id, asyncio.Lock()):
            wanted = [one for one in (folder, *also) if not self._folders.holds(context.conversation_id, one)]
            if not wanted:
                return None  # answered for another call of the same round meanwhile
            answer = await self._ask(place, call, wanted)
            if answer == "deny":
                return (
                    f"The user did not allow the folder{'s' if wanted[1:] else ''} {', '.join(wanted)}. Nothing was done. "
                    f"Do not try it again unless they ask for it; these folders are allowed: {allowed}."
                )
            for one in wanted:
                if fault := await self._allow(answer, spec, context, one, lend):
                    return fault
            return None

    async def _ask(self, place: Session, call: ToolCall, folders: list[str]) -> Answer:
        """The person's answer, in the conversation; a checkpoint before it, as before every question."""
        asked = call.model_copy(update={"id": f"{call.id}#{new_id('folder')}"})
        pause = Checkpoint("approval")
        await place.journal.append(pause)
        place.emit(pause)
        place.emit(ApprovalRequest(asked, "folder", folder=folders[0], more_folders=tuple(folders[1:])))
        allowed = False
        try:
            answer = await place.approvals.ask_apart(asked)
            allowed = answer != "deny"
            return answer
        finally:
            place.emit(ApprovalAnswer(asked.id, allowed))

    async def _allow(
        self, answer: Answer, spec: ToolSpec, context: CallContext, folder: str, lend: Callable[[str], None]
    ) -> str | None:
        try:
            if not spec.read_only:  # one that is only looked for is not made
                await asyncio.to_thread(Path(folder).mkdir, parents=True, exist_ok=True)
            if answer == "always":
                self._folders.allow(folder)
        except (OSError, Refused) as error:
            return f"The folder {folder} cannot be used: {error}. Nothing was done."
        if answer == "conversation":
            await self._folders.allow_in(context.conversation_id, folder)
        elif answer == "once":
            lend(folder)
        return None


def outside(output: ToolOutput) -> str | None:
    """The real path outside the allowed folders that kept the call from being done."""
    real = (output.meta or {}).get(OUTSIDE)
    return real if isinstance(real, str) and Path(real).is_absolute() else None
