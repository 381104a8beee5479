"""What servers say and ask on their own: log messages, changes, and questions to the person, the model, the host."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import mcp_types as types
from pydantic import FileUrl

from app.mcp_host.asking import Answered, NotSampled, Sampled
from app.mcp_host.sampling import REFUSED, answer_of
from app.mcp_host.serverlog import ServerLog

Change: TypeAlias = Literal["tools", "prompts", "resources"]
Sample: TypeAlias = Callable[[types.CreateMessageRequestParams], Awaitable[Sampled | NotSampled]]
Ask: TypeAlias = Callable[[str, dict[str, Any], str | None], Awaitable[Answered]]
LOG_LEVEL: types.LoggingLevel = "info"


class Backtalk:
    """The callbacks of one connection. `ask` None: nobody can be asked; `sample` None: no model is lent.

    `roots` gives the folders a server may know of. `changed(what)` and `updated(uri)` hear of what is not any more as it was;
    `completed(id)` that what a person does at an address was done.
    """

    def __init__(
        self,
        log: ServerLog,
        *,
        ask: Ask | None,
        sample: Sample | None,
        roots: Callable[[], tuple[str, ...]] | None,
        changed: Callable[[Change], None],
        updated: Callable[[str], None],
    ) -> None:
        self._log = log
        self._ask = ask
        self._sample = sample
        self._roots = roots
        self._changed = changed
        self._updated = updated

    def callbacks(self) -> dict[str, Any]:
        """For the SDK's Client: what is not given there is not declared to the server either."""
        return {
            "logging_callback": self._on_log,
            "log_level": LOG_LEVEL,
            "message_handler": self._on_message,
            "elicitation_callback": self._on_elicit if self._ask else None,
            "list_roots_callback": self._on_roots if self._roots else None,
            "sampling_callback": self._on_sample if self._sample else None,
            "sampling_capabilities": types.SamplingCapability(tools=types.SamplingToolsCapability()),
        }

    async def _on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        await asyncio.sleep(0)
        data = params.data if isinstance(params.data, str) else json.dumps(params.data, ensure_ascii=False, default=str)
        who = f" {params.logger}:" if params.logger else ""
        self._log.add("server", f"{params.level}:{who} {data}")

    async def _on_message(self, message: Any) -> None:
        await asyncio.sleep(0)
        match message:
            case types.ToolListChangedNotification():
                self._changed("tools")
            case types.PromptListChangedNotification():
                self._changed("prompts")
            case types.ResourceListChangedNotification():
                self._changed("resources")
            case types.ResourceUpdatedNotification(params=params):
                self._updated(params.uri)
            case Exception():
                self._log.add("host", f"a message was not understood: {str(message)[:500]}")
            case _:
                pass

    async def _on_roots(self, context: Any) -> types.ListRootsResult:
        del context
        await asyncio.sleep(0)
        given = self._roots() if self._roots else ()
        return types.ListRootsResult(roots=[_root(folder) for folder in given])

    async def _on_elicit(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        del context
        assert self._ask is not None
        if isinstance(params, types.ElicitRequestURLParams):
            answered = await self._ask(params.message, {}, params.url)
        else:
            answered = await self._ask(params.message, dict(params.requested_schema), None)
        content = answered.content if answered.action == "accept" else None
        return types.ElicitResult(action=answered.action, content=content)

    async def _on_sample(self, context: Any, params: types.CreateMessageRequestParams) -> Any:
        del context
        if self._sample is None:
            return types.ErrorData(code=REFUSED, message="No model is lent here.")
        return answer_of(await self._sample(params), with_tools=params.tools is not None)


def _root(folder: str) -> types.Root:
    path = Path(folder)
    return types.Root(uri=FileUrl(path.absolute().as_uri()), name=path.name or folder)
