"""A person at a demo server: calls its tools, sees its cards and presses their buttons."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client
from mcp.server import MCPServer
from mcp_types import TextContent

from app.core.recognise import read_card

CALL = re.compile(r"^\[(\w+)((?: \w+=(?:\"[^\"]*\"|\d+))*)\]$")
ARGUMENT = re.compile(r" (\w+)=(?:\"([^\"]*)\"|(\d+))")


@dataclass(frozen=True)
class Shown:
    """One result as the host gets it: a single card envelope."""

    card: dict[str, Any]
    instruction: str
    is_error: bool
    text: str

    def blocks(self, kind: str) -> list[Any]:
        found = [block for block in self.card["body"] if block["type"] == kind]
        return [block["fields" if kind == "fields" else kind] for block in found]

    @property
    def fields(self) -> dict[str, str]:
        pairs = [field for group in self.blocks("fields") for field in group]
        return {field["label"]: field["value"] for field in pairs}

    @property
    def words(self) -> str:
        return " ".join(self.blocks("text"))

    @property
    def badges(self) -> list[str]:
        return [badge["text"] for badge in self.blocks("badge")]

    @property
    def action_ids(self) -> list[str]:
        return [action["id"] for action in self.card["actions"]]

    def action(self, action_id: str) -> dict[str, Any]:
        return next(action for action in self.card["actions"] if action["id"] == action_id)

    def label(self, action_id: str) -> str:
        return self.action(action_id)["label"]

    def sends(self, action_id: str) -> str:
        action = self.action(action_id)["action"]
        assert (action["type"], action["command"]) == ("ui-command", "send_message")
        return action["payload"]["text"]


class Person:
    """`conversation` is what the host says in the request's `_meta`."""

    def __init__(self, client: Client, conversation: str | None = None) -> None:
        self.client = client
        self._meta = {"leochat/conversationId": conversation} if conversation else None

    def elsewhere(self, conversation: str) -> "Person":
        return Person(self.client, conversation)

    async def call(self, tool: str, **arguments: object) -> Shown:
        result = await self.client.call_tool(tool, arguments, meta=cast("Any", self._meta))
        assert result.structured_content is None, "a result is sent once"
        (item,) = result.content
        assert isinstance(item, TextContent)
        envelope = json.loads(item.text)
        assert envelope["type"] == "leochat-card"
        _is_whole(envelope["card"])
        return Shown(envelope["card"], envelope["llmInstruction"], result.is_error, item.text)

    async def press(self, shown: Shown, action_id: str) -> Shown:
        """Does what the message of the button asks for."""
        said = CALL.match(shown.sends(action_id))
        assert said, shown.sends(action_id)
        pairs = ARGUMENT.findall(said[2])
        arguments = {key: int(digits) if digits else words for key, words, digits in pairs}
        return await self.call(said[1], **arguments)


def _is_whole(raw: dict[str, Any]) -> None:
    """The host reads the card without leaving anything out."""
    card = read_card(raw)
    assert [block.type for block in card.body] == [block["type"] for block in raw["body"]]
    assert len(card.actions) == len(raw["actions"])
    assert all(action.action for action in card.actions)
    assert len({action.id for action in card.actions}) == len(card.actions)


@pytest.fixture
def config(tmp_path: Path) -> dict[str, object]:
    return {"data_dir": str(tmp_path / "not" / "there"), "language": "en", "offline": True}


Meet = Callable[..., Any]


@pytest.fixture
def meet() -> Meet:
    """`async with meet(server) as person`; leaving it closes the server."""

    @asynccontextmanager
    async def meeting(server: MCPServer, conversation: str | None = None) -> AsyncGenerator[Person]:
        async with Client(server) as client:
            yield Person(client, conversation)

    return meeting


@pytest.fixture
def hints() -> Callable[[Client], Any]:
    async def of(client: Client) -> Mapping[str, tuple[bool | None, ...]]:
        tools = (await client.list_tools()).tools
        found = {tool.name: tool.annotations for tool in tools}
        assert all(tool.description and tool.title and not tool.output_schema for tool in tools)
        return {
            name: (hint.read_only_hint, hint.destructive_hint, hint.idempotent_hint, hint.open_world_hint)
            for name, hint in found.items()
            if hint
        }

    return of
