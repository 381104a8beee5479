"""The protocol's tasks extension, which the stateless era has: declared, received, asked after. Imports the SDK.

https://modelcontextprotocol.io/seps/2663-tasks-extension
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Literal

import mcp_types as types
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

POLL_FIRST_MS, POLL_LEAST_MS, POLL_MOST_MS = 1000, 100, 60_000
ASK_SECONDS = 30.0
Status = Literal["working", "input_required", "completed", "cancelled", "failed"]


class _Params(types.RequestParams):
    task_id: str


class _UpdateParams(_Params):
    input_responses: dict[str, Any]


class GetTask(types.Request[_Params, Literal["tasks/get"]]):
    method: Literal["tasks/get"] = "tasks/get"
    name_param = "taskId"


class UpdateTask(types.Request[_UpdateParams, Literal["tasks/update"]]):
    method: Literal["tasks/update"] = "tasks/update"
    name_param = "taskId"


class CancelTask(types.Request[_Params, Literal["tasks/cancel"]]):
    method: Literal["tasks/cancel"] = "tasks/cancel"
    name_param = "taskId"


class TaskBegun(types.Result):
    """The answer to a call that the server took over: `resultType` "task"."""

    result_type: Literal["task"]  # pyright: ignore[reportIncompatibleVariableOverride]
    task_id: str
    status: Status = "working"
    status_message: str | None = None
    ttl_ms: int | None = None
    poll_interval_ms: int | None = None


class TaskNow(BaseModel):
    """How a task stands: its `result` once completed, its `error` once failed, what it asks for while it waits."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")
    status: Status
    status_message: str | None = None
    poll_interval_ms: int | None = None
    input_requests: dict[str, types.InputRequest] = Field(default={})
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class Begun(types.CallToolResult):
    """What the SDK passes on of a task: a failed result, since it checks only others against the tool's schema."""

    task: TaskBegun


class Tasks(ClientExtension):
    """Says to servers that they may answer a call with a task."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return (ResultClaim(result_type="task", model=TaskBegun, resolve=_passed_on),)


async def _passed_on(task: TaskBegun, context: ClaimContext) -> types.CallToolResult:
    del context
    await asyncio.sleep(0)
    return Begun(content=[], is_error=True, task=task)


class TaskFailedError(Exception):
    """The task came to an end that is no result, in the server's words."""


async def followed(client: Client, task_id: str, poll_ms: int | None, tell: Callable[[str], None]) -> types.CallToolResult:
    """Ask after a task until its end; `tell` hears each new message about it. What it asks for goes where the questions of
    running calls go, each once.

    Raises `TaskFailedError`, `MCPError` (`INVALID_PARAMS`: the server does not know it any more) and `TimeoutError`.
    """
    answered: set[str] = set()
    said: str | None = None
    while True:
        now = await _asked(client, GetTask(params=_Params(task_id=task_id)))
        if (words := now.status_message or "") != said:
            said = words
            tell(words)
        match now.status:
            case "completed":
                return types.CallToolResult.model_validate(now.result or {"content": []})
            case "failed":
                raise TaskFailedError(str((now.error or {}).get("message") or said or "it failed"))
            case "cancelled":
                raise TaskFailedError(f"the server cancelled it. {said}".rstrip(" ."))
            case "input_required":
                await _answer(client, task_id, {k: r for k, r in now.input_requests.items() if k not in answered})
                answered |= now.input_requests.keys()
            case "working":
                pass
        poll_ms = now.poll_interval_ms or poll_ms or POLL_FIRST_MS
        await asyncio.sleep(min(max(poll_ms, POLL_LEAST_MS), POLL_MOST_MS) / 1000)


async def cancel(client: Client, task_id: str) -> None:
    """Say that nobody wants it any more; the server decides whether it stops."""
    with suppress(MCPError, TimeoutError, RuntimeError, ValueError):
        request = CancelTask(params=_Params(task_id=task_id))
        await client.session.send_request(request, types.EmptyResult, request_read_timeout_seconds=ASK_SECONDS)


async def _asked(client: Client, request: GetTask) -> TaskNow:
    return await client.session.send_request(request, TaskNow, request_read_timeout_seconds=ASK_SECONDS)


async def _answer(client: Client, task_id: str, asked: dict[str, types.InputRequest]) -> None:
    if not asked:
        return
    session = client.session

    async def one(key: str, request: types.InputRequest) -> Any:
        context = ClientRequestContext(session=session, request_id=key, meta=None)
        given = await session.dispatch_input_request(context, request)
        return given.model_dump(mode="json", by_alias=True, exclude_none=True)

    given = dict(zip(asked, await asyncio.gather(*(one(k, r) for k, r in asked.items())), strict=True))
    update = UpdateTask(params=_UpdateParams(task_id=task_id, input_responses=given))
    await session.send_request(update, types.EmptyResult, request_read_timeout_seconds=ASK_SECONDS)
