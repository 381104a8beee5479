"""Yes or no before a tool runs: the rules, what was granted before, and the person's answer."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias
from urllib.parse import urlsplit

from app.core.messages import ToolCall
from app.core.ports import Decision, Verdict
from app.core.tools import ToolSpec
from app.store.grants import Grant, Grants

Mode: TypeAlias = Literal["ask", "reads", "all", "none"]
Answer: TypeAlias = Literal["once", "conversation", "always", "deny"]
Scope: TypeAlias = Literal["tool", "path", "server"]
PATH_ARGUMENTS = ("path", "file_path", "filename", "source", "destination", "url", "uri")


def target(call: ToolCall) -> str | None:
    """What a grant by path or host is about: the folder of the call's path, or the host of its address."""
    for name in PATH_ARGUMENTS:
        value = call.arguments.get(name)
        if isinstance(value, str) and value:
            if "://" in value:
                return urlsplit(value).hostname
            return value.replace("\\", "/").rpartition("/")[0] or value
    return None


class FolderDoor(Protocol):
    """What knows of the folders that a call will need, and gives them to it."""

    async def foreseen(self, conversation_id: str, spec: ToolSpec, call: ToolCall) -> tuple[str, ...]:
        """The folders outside the allowed ones that this call will need and that can be asked for."""
        ...

    def promise(self, conversation_id: str, call: ToolCall, folders: tuple[str, ...], answer: Answer) -> None:
        """The person allowed them, together with the call."""
        ...


@dataclass(slots=True)
class Question:
    """One that is open: `spec` None where it is not about the call itself; `folders` where it is about those too."""

    answer: asyncio.Future[tuple[Answer, Scope]]
    call: ToolCall
    spec: ToolSpec | None
    folders: tuple[str, ...] = ()


class Approvals:
    """One conversation's approver. Grants are read once, at `load`; `attended` says whether anybody can be asked."""

    def __init__(
        self,
        grants: Grants,
        conversation_id: str,
        mode: Callable[[], Mode],
        attended: Callable[[], bool],
        door: FolderDoor | None = None,
    ):
        self._grants = grants
        self.conversation_id = conversation_id
        self._mode = mode
        self._attended = attended
        self._door = door
        self._known: list[Grant] = []
        self._open: dict[str, Question] = {}
        self._folders: dict[str, tuple[str, ...]] = {}

    async def load(self) -> None:
        self._known = await self._grants.all()

    def verdict(self, spec: ToolSpec, call: ToolCall) -> tuple[Verdict, str]:
        mode = self._mode()
        if mode == "none":
            return "deny", "No tool calls are allowed in this run."
        if mode == "all" or spec.never_asks or spec.reads or self._granted(spec, call):
            return "allow", ""
        if mode == "reads":
            return "deny", "Only reads are allowed in this run; this call may change or reach something."
        if not self._attended():
            return "deny", "This call needs a person's approval and nobody is there to ask."
        return "ask", reason_for(spec)

    def _granted(self, spec: ToolSpec, call: ToolCall) -> bool:
        return any(
            g.kind == "approval"
            and g.server == spec.server
            and g.tool in (None, spec.tool)
            and g.pattern in (None, target(call))
            and g.conversation_id in (None, self.conversation_id)
            for g in self._known
        )

    async def folder_for(self, spec: ToolSpec, call: ToolCall) -> tuple[str, ...]:
        """The folders outside the allowed ones that the question about this call is about too."""
        folders = await self._door.foreseen(self.conversation_id, spec, call) if self._door else ()
        self._folders.pop(call.id, None)
        if folders:
            self._folders[call.id] = folders
        return folders

    async def ask(self, spec: ToolSpec, call: ToolCall) -> Decision:
        folders = self._folders.pop(call.id, ())
        answer, scope = await self._wait(call, spec, folders)
        if answer == "deny":
            return Decision(False, "The user did not allow this call. Do not try it again unless they ask for it.")
        if answer in ("conversation", "always"):
            # A folder is allowed with the call: for good only in that folder, not everywhere.
            await self._keep(spec, call, answer, "path" if folders and answer == "always" else scope)
        if folders and self._door:
            self._door.promise(self.conversation_id, call, folders, answer)
        return Decision(True)

    async def ask_apart(self, call: ToolCall) -> Answer:
        """A question beside the call's own: a UI command of its server, a folder it needs. `call.id` names the question."""
        return (await self._wait(call, None))[0]

    async def _wait(self, call: ToolCall, spec: ToolSpec | None, folders: tuple[str, ...] = ()) -> tuple[Answer, Scope]:
        question = Question(asyncio.get_running_loop().create_future(), call, spec, folders)
        self._open[call.id] = question
        try:
            return await question.answer
        finally:
            self._open.pop(call.id, None)

    async def _keep(self, spec: ToolSpec, call: ToolCall, answer: Answer, scope: Scope) -> None:
        tool = None if scope == "server" else spec.tool
        pattern = target(call) if scope == "path" else None
        conversation = self.conversation_id if answer == "conversation" else None
        self._known.append(
            await self._grants.add("approval", spec.server, tool=tool, pattern=pattern, conversation_id=conversation)
        )

    def answer(self, call_id: str, answer: Answer, scope: Scope) -> bool:
        """The first answer counts; False where nothing is asked under this id any more.

        An answer that covers more than its call settles the other open questions it covers.
        """
        asked = self._open.get(call_id)
        if asked is None or asked.answer.done():
            return False
        asked.answer.set_result((answer, scope))
        if answer in ("conversation", "always"):
            for other in self._open.values():
                if not other.answer.done() and _covers(asked, other, scope):
                    other.answer.set_result(("once", scope))
        return True


def _covers(asked: Question, other: Question, scope: Scope) -> bool:
    """Whether a lasting yes to one is a yes to the other: same tool or server, and no folder that the first did not name."""
    if not asked.spec or not other.spec or other.spec.server != asked.spec.server:
        return False
    if not set(other.folders) <= set(asked.folders):
        return False
    if asked.folders:
        return other.spec.tool == asked.spec.tool and bool(other.folders)
    return scope != "path" and (scope == "server" or other.spec.tool == asked.spec.tool)


def reason_for(spec: ToolSpec) -> str:
    """Why it asks, in a word the window translates: changes, destroys, reaches out, or cannot be known."""
    if not spec.trusted:
        return "untrusted"
    if spec.read_only and spec.open_world:
        return "reaches_out"
    return "destroys" if spec.destructive else "changes"
