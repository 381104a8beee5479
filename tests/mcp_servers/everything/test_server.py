"""The `everything` server: each feature of the protocol once, as a client sees it."""

import base64
import io
import wave
from typing import Literal

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    ElicitRequestParams,
    ElicitRequestURLParams,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    LoggingMessageNotificationParams,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from mcp_servers.everything import create
from tests.mcp_servers.calls import Tools, text_of, tools_of, tools_over_stdio


@pytest.fixture
def tools() -> Tools:
    return Tools(server=create({}))


async def test_text_and_data(tools: Tools) -> None:
    assert await tools.ok("echo", message="ñ 你好") == "Echo: ñ 你好"
    assert await tools.ok("add", a=2, b=0.5) == "The sum of 2 and 0.5 is 2.5."
    data = await tools.result("structured_content", city="Tokyo")
    assert data.structured_content == {"temperature": 26.5, "conditions": "cloudy", "humidity": 68}
    assert await tools.refused("fail", message="as asked") == "as asked"


async def test_a_long_operation_reports_every_step_and_can_be_cancelled(tools: Tools) -> None:
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    async with tools_of(create({})) as connected:
        arguments = {"duration": 0.05, "steps": 4}
        await connected.client.call_tool("long_operation", arguments, progress_callback=note)
        assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
        with anyio.fail_after(10), anyio.move_on_after(0.05) as scope:
            await connected.result("long_operation", duration=500)
        assert scope.cancelled_caught
        assert await connected.ok("echo", message="still here")


async def test_each_kind_of_content(tools: Tools) -> None:
    image = (await tools.result("get_image")).content
    assert [item.type for item in image] == ["text", "image", "text"]
    assert isinstance(image[1], ImageContent)
    assert base64.b64decode(image[1].data).startswith(b"\x89PNG")
    tone = (await tools.result("get_audio")).content[0]
    assert isinstance(tone, AudioContent)
    with wave.open(io.BytesIO(base64.b64decode(tone.data))) as sound:
        assert sound.getnframes() == 2400
    links = (await tools.result("get_resource_links", count=2)).content[1:]
    assert [link.uri for link in links if isinstance(link, ResourceLink)] == ["demo://notes/1", "demo://notes/2"]
    embedded = (await tools.result("get_resource")).content[0]
    assert isinstance(embedded, EmbeddedResource)
    assert isinstance(embedded.resource, TextResourceContents)
    message = (await tools.result("annotated_message", audience="user")).content[0]
    assert isinstance(message, TextContent)
    assert message.annotations
    assert message.annotations.audience == ["user"]
    assert "leochat-card" in await tools.ok("get_card")


async def test_resources_and_prompts() -> None:
    async with tools_of(create({})) as tools:
        client = tools.client
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert listed == {"demo://readme", "demo://picture", "demo://counter"}
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == ["demo://notes/{number}"]
        note = (await client.read_resource("demo://notes/7")).contents[0]
        assert isinstance(note, TextResourceContents)
        assert note.text == "This is note 7."
        picture = (await client.read_resource("demo://picture")).contents[0]
        assert isinstance(picture, BlobResourceContents)
        with pytest.raises(MCPError, match="notes 1 to 10"):
            await client.read_resource("demo://notes/11")
        prompt = await client.get_prompt("complex_prompt", {"topic": "tides"})
        assert [message.role for message in prompt.messages] == ["user", "assistant", "user"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            ElicitResult(action="accept", content={"name": "Leo", "size": "large"}),
            "A large one with cheese for Leo, to eat here.",
        ),
        (ElicitResult(action="decline"), "The user declined."),
        (ElicitResult(action="cancel"), "The user closed the question."),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_question_to_the_user(answer: ElicitResult, said: str, mode: str) -> None:
    asked: list[str] = []

    async def ask(context: object, params: ElicitRequestParams) -> ElicitResult:
        asked.append(params.message)
        return answer

    async with Client(create({}), mode=mode, elicitation_callback=ask) as client:
        assert text_of(await client.call_tool("ask_user")) == said
    assert asked == ["What would you like?"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("action", "said"), [("accept", "went there"), ("decline", "did not want to")])
async def test_a_page_to_visit(action: Literal["accept", "decline"], said: str, mode: str) -> None:
    asked: list[str] = []

    async def ask(context: object, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestURLParams)
        asked.append(params.url)
        return ElicitResult(action=action)

    async with Client(create({}), mode=mode, elicitation_callback=ask) as client:
        assert text_of(await client.call_tool("visit_page")) == f"The user {said}."
    assert asked == ["https://example.org/"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_list_of_tools_changes_and_comes_back(mode: str) -> None:
    async with Client(create({}), mode=mode) as client:
        before = {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("change_lists")
        assert {tool.name for tool in (await client.list_tools()).tools} - before == {"extra"}
        assert text_of(await client.call_tool("extra")) == "I come and go."
        await client.call_tool("change_lists")
        assert {tool.name for tool in (await client.list_tools()).tools} == before


async def test_log_messages_reach_the_client() -> None:
    heard: list[tuple[str, object]] = []

    async def hear(params: LoggingMessageNotificationParams) -> None:
        heard.append((params.level, params.data))

    async with Client(create({}), mode="legacy", logging_callback=hear) as client:
        await client.call_tool("write_log", {"message": "careful", "level": "warning"})
    assert heard == [("warning", "careful")]


async def test_it_runs_alone_over_stdio() -> None:
    async with tools_over_stdio("mcp_servers.everything") as tools:
        assert await tools.ok("add", a=1, b=1) == "The sum of 1 and 1 is 2."
