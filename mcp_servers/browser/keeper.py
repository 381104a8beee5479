"""The server's side of the browser: its settings as they are now, the hosts a person opened, and its process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ImageContent, TextContent

from mcp_servers.answers import error_answer
from mcp_servers.browser.call import PageError
from mcp_servers.browser.child import Child
from mcp_servers.caller import CALLER
from mcp_servers.environment import default_data_dir, text_of

SILENCE = 45.0
"""Seconds without a word from the browser's process after which it is ended."""

CHARS = 20_000
HEAD = 500
"""Characters of an answer that are left for what is said beside a snapshot."""

FEWEST = 1200


class Keeper:
    """`config` is the server's; each value may be a function that is asked at every call."""

    def __init__(self, config: Mapping[str, object]) -> None:
        self._config = config
        self._child: Child | None = None
        self._starting = asyncio.Lock()
        self._approved: set[str] = set()

    def _now(self, name: str) -> Any:
        value = self._config.get(name)
        return value() if callable(value) else value

    @property
    def language(self) -> str:
        """ "en" or "es"."""
        return text_of(self._now("language"), "en")

    def opened(self) -> tuple[str, ...]:
        """The hosts that may be reached although they are not public: by the settings, and by answers since the start."""
        return (*cast("Iterable[str]", self._now("open_hosts") or ()), *sorted(self._approved))

    def approve(self, host: str) -> None:
        """A person opened this "host:port" until the server ends."""
        self._approved.add(host)

    async def call(
        self, operation: str, context: Context[Any, Any], arguments: Mapping[str, Any] | None = None
    ) -> CallToolResult:
        """An operation's answer as the tool's; failures are error results."""
        told = 0.0

        async def progress(words: str) -> None:
            nonlocal told
            told += 1
            await context.report_progress(told, None, words)

        message = {
            "op": operation,
            "args": {name: value for name, value in (arguments or {}).items() if value is not None},
            "owner": CALLER.get().conversation or "",
            "about": self._about(),
        }
        try:
            child = await self._running()
            return _answer(await child.call(message, progress, SILENCE))
        except PageError as fault:
            return error_answer(str(fault), fault.meta)

    def _about(self) -> dict[str, Any]:
        roots = self._now("roots") or ()
        return {
            "folder": str(Path(text_of(self._now("data_dir")) or default_data_dir()) / "browser"),
            "program": text_of(self._now("program")) or None,
            "headless": self._now("headless") is not False,
            "sandbox": self._now("sandbox") is not False,
            "isolated": bool(self._now("isolated")),
            "offline": bool(self._now("offline")),
            "opened": self.opened(),
            "roots": [str(root) for root in cast("Iterable[str]", roots)],
            "protected": [str(path) for path in cast("Iterable[str]", self._now("protected") or ())],
            "chars": max(FEWEST, int(self._now("chars") or CHARS) - HEAD),
        }

    async def _running(self) -> Child:
        async with self._starting:
            if self._child is None or not self._child.alive:
                if self._child is not None:
                    await self._child.end()
                self._child = await Child.start()
            return self._child

    async def close(self) -> None:
        """End the browser and its process, if there are any."""
        child, self._child = self._child, None
        if child is not None:
            await child.end()


def _answer(reply: Mapping[str, Any]) -> CallToolResult:
    content: list[Any] = [TextContent(type="text", text=str(reply["text"]))]
    if picture := reply.get("picture"):
        content.append(ImageContent(type="image", data=picture[0], mime_type=picture[1]))
    return CallToolResult(content=content, structured_content=reply.get("data"))
