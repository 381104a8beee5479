"""A reference server beside ours: the same calls to both, and where they are meant to differ."""

import json
import os
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.server import MCPServer
from mcp_types import CallToolResult, Tool

from tests.mcp_servers.calls import LIMIT, ROOT, text_of

NODE_SERVERS = ROOT / ".cache" / "mcp-everything" / "node_modules" / "@modelcontextprotocol"
PYTHON = ROOT / ".cache" / "reference-python" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
NOT_THERE = "the reference server is not installed: python3 build test installs it where the registry can be reached"

LOOSE = {"number": "integer"}
"""Types of arguments that may be narrower here: a count of lines is whole."""


@dataclass
class Pair:
    """Two clients, the reference's and ours; `mine` and `theirs` are texts that stand for the same in both."""

    theirs: Client
    ours: Client
    same: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    async def tools(self) -> tuple[dict[str, Tool], dict[str, Tool]]:
        theirs, ours = await self.theirs.list_tools(), await self.ours.list_tools()
        return {t.name: t for t in theirs.tools}, {t.name: t for t in ours.tools}

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[CallToolResult, CallToolResult]:
        """The call with "THERE" in its texts replaced by each one's own place."""
        theirs = await self.theirs.call_tool(tool, self._placed(arguments, 0), read_timeout_seconds=LIMIT)
        ours = await self.ours.call_tool(tool, self._placed(arguments, 1), read_timeout_seconds=LIMIT)
        return theirs, ours

    def _placed(self, arguments: Mapping[str, Any], which: int) -> dict[str, Any]:
        text = json.dumps(arguments)
        for number, pair in enumerate(self.same):
            text = text.replace("THERE" if number == 0 else f"THERE{number}", json.dumps(pair[which])[1:-1])
        return json.loads(text)

    def told(self, result: CallToolResult) -> tuple[bool, str]:
        """Whether it is an error, and its text and kinds of content, with the places made one."""
        text = text_of(result)
        for number, pair in enumerate(self.same):
            for place in pair:
                text = text.replace(place, "THERE" if number == 0 else f"THERE{number}")
        kinds = [item.type for item in result.content if item.type != "text"]
        return bool(result.is_error), "\n".join([text, *kinds])


@asynccontextmanager
async def pair(
    command: Sequence[str], server: MCPServer, same: Sequence[tuple[str, str]] = (), **env: str
) -> AsyncGenerator[Pair]:
    """Both servers open: theirs as a process, ours in process."""
    parameters = StdioServerParameters(command=command[0], args=list(command[1:]), env={"PATH": os.environ["PATH"], **env})
    async with Client(parameters, read_timeout_seconds=LIMIT) as theirs, Client(server) as ours:
        yield Pair(theirs, ours, list(same))


def argument_differences(theirs: Tool, ours: Tool) -> list[str]:
    """What a call written for the reference would stumble over here."""
    found: list[str] = []
    wanted, given = theirs.input_schema.get("properties", {}), ours.input_schema.get("properties", {})
    for name, schema in wanted.items():
        if name not in given:
            found.append(f"{theirs.name}.{name} is missing")
        elif (kind := given[name].get("type")) not in (
            schema.get("type"),
            LOOSE.get(schema.get("type")),
        ) and "$ref" not in given[name]:
            found.append(f"{theirs.name}.{name} is {kind}, not {schema.get('type')}")
    more = set(ours.input_schema.get("required", [])) - set(theirs.input_schema.get("required", []))
    return [*found, *(f"{ours.name}.{name} must be given" for name in sorted(more))]


async def compare(
    both: Pair,
    calls: Mapping[str, tuple[str, dict[str, Any]]],
    meant: Mapping[str, str],
    bare: Callable[[str], str] = lambda text: text,
) -> None:
    """Every call has the same outcome in both, but for those in `meant`, which name a reason and must differ in their words.

    `bare` takes away what differs in every answer.
    """
    assert set(meant) <= set(calls), "a difference of no call"
    wrong: list[str] = []
    for name, (tool, arguments) in calls.items():
        theirs, ours = map(both.told, await both.call(tool, arguments))
        if theirs[0] != ours[0]:
            wrong.append(f"{name}: an error there {theirs}, but not here {ours}" if theirs[0] else f"{name}: {ours}")
        elif (bare(theirs[1]) == bare(ours[1])) == (name in meant):
            wrong.append(f"{name}\n   there: {theirs[1][:600]!r}\n   here:  {ours[1][:600]!r}")
    assert not wrong, "\n".join(wrong)
