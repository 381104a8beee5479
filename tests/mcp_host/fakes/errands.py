"""A server that takes calls over as tasks of its own, kept in the file it is given: they go on while it is away."""

import json
import sys
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
from mcp.server import MCPServer
from mcp.server.extension import Extension, MethodBinding

BOOK = Path(sys.argv[1])
WHEN = "2026-07-28T12:00:00Z"


class About(types.RequestParams):
    task_id: str


class Given(About):
    input_responses: dict[str, Any] = {}


class Begun(types.Result):
    result_type: Literal["task"] = "task"  # pyright: ignore[reportIncompatibleVariableOverride]
    task_id: str
    status: str = "working"
    created_at: str = WHEN
    last_updated_at: str = WHEN
    ttl_ms: int | None = None
    poll_interval_ms: int = 100


def kept() -> dict[str, Any]:
    return json.loads(BOOK.read_text()) if BOOK.exists() else {}


def keep(**tasks: Any) -> None:
    part = BOOK.with_suffix(".part")  # whole at any moment for who reads it meanwhile
    part.write_text(json.dumps(kept() | tasks))
    part.replace(BOOK)


class Tasks(Extension):
    identifier = "io.modelcontextprotocol/tasks"

    def methods(self) -> list[MethodBinding]:
        return [
            MethodBinding("tasks/get", About, self.get),
            MethodBinding("tasks/update", Given, self.update),
            MethodBinding("tasks/cancel", About, self.cancel),
        ]

    async def intercept_tool_call(self, params: types.CallToolRequestParams, ctx: Any, call_next: Any) -> Any:
        if params.name == "plain":
            return await call_next(ctx)
        name = f"{params.name}-{len(kept()) + 1}"
        keep(**{name: {"state": "working", "word": (params.arguments or {}).get("word", "")}})
        return Begun(task_id=name)

    async def get(self, ctx: Any, params: About) -> dict[str, Any]:
        task = kept().get(params.task_id)
        if task is None:
            raise types_error(params.task_id)
        now: dict[str, Any] = {"resultType": "complete", "taskId": params.task_id, "createdAt": WHEN, "lastUpdatedAt": WHEN}
        now |= {"ttlMs": None, "pollIntervalMs": 100, "status": task["state"], "statusMessage": task.get("says", "at work")}
        if task["state"] == "completed":
            now["result"] = {"content": [{"type": "text", "text": f"baked: {task['word']}"}], "structuredContent": {"n": 1}}
        if task["state"] == "failed":
            now["error"] = {"code": -32603, "message": "the oven is cold"}
        if task["state"] == "input_required":
            form = {"type": "object", "properties": {"size": {"type": "string"}}}
            asked = {"mode": "form", "message": "Which size?", "requestedSchema": form}
            now["inputRequests"] = {"q1": {"method": "elicitation/create", "params": asked}}
        return now

    async def update(self, ctx: Any, params: Given) -> dict[str, Any]:
        size = params.input_responses["q1"]["content"]["size"]
        keep(**{params.task_id: {"state": "completed", "word": size}})
        return {"resultType": "complete"}

    async def cancel(self, ctx: Any, params: About) -> dict[str, Any]:
        keep(**{params.task_id: {**kept()[params.task_id], "state": "cancelled"}})
        return {"resultType": "complete"}


def types_error(name: str) -> Exception:
    from mcp.shared.exceptions import MCPError

    return MCPError(code=types.INVALID_PARAMS, message=f"Task not found: {name}")


server = MCPServer("errands", version="1.0", log_level="ERROR", extensions=[Tasks()])


@server.tool()
def bake(word: str) -> str:
    """Takes long."""
    return word


@server.tool()
def plain() -> str:
    """Answers at once."""
    return "at once"


server.run("stdio")
