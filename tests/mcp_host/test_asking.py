"""What servers ask of a person and offer to one, beside tools, in both eras of the protocol."""

import asyncio

import pytest

from app.core.tools import ResourceItem, TextItem
from app.mcp_host.asking import Answered, Asked
from app.mcp_host.material import MaterialError
from tests.mcp_host.desk import OpenDesk, fake, words

MODERN = "modern.py"


async def test_a_servers_question_reaches_the_person_and_its_call_waits(desk: OpenDesk) -> None:
    asked: list[Asked] = []
    answers = [
        Answered(action="cancel"),
        Answered(action="decline"),
        Answered(action="accept", content={"size": "large", "slices": 12}),
    ]

    async def ask(question: Asked) -> Answered:
        asked.append(question)
        await asyncio.sleep(3 if len(answers) == 3 else 0)
        return answers.pop()

    async with desk(fake("", file=MODERN, timeout=2.5), ask=ask) as d:
        assert words(await d.call("order")) == "large in 12"
        assert (await d.call("order")).is_error
        assert (await d.call("order")).is_error
    assert (asked[0].server, asked[0].message, asked[0].conversation_id) == ("fake", "Which size?", "conv")
    assert asked[0].json_schema["required"] == ["size"]


async def test_without_anybody_to_ask_the_call_fails_in_words(desk: OpenDesk) -> None:
    async with desk(fake("", file=MODERN)) as d:
        output = await d.call("order")
        assert output.is_error
        assert words(output)


async def test_the_old_era_asks_in_mid_call(desk: OpenDesk) -> None:
    async def ask(question: Asked) -> Answered:
        await asyncio.sleep(0)
        return Answered(action="accept", content={"answer": f"{question.message} {question.conversation_id}"})

    async with desk(fake("asks"), ask=ask) as d:
        assert words(await d.call("bad")) == "How many? conv"


async def test_prompts_and_resources_are_listed_and_read(desk: OpenDesk) -> None:
    async with desk(fake("", file=MODERN), fake("good", name="bare")) as d:
        [prompt] = await d.host.prompts()
        assert (prompt.server, prompt.name, prompt.arguments[0].name, prompt.arguments[0].required) == (
            "fake", "greet", "name", True,
        )  # fmt: skip
        [message] = await d.host.prompt("fake", "greet", {"name": "Leo"})
        assert (message.role, message.items) == ("user", (TextItem("Say hello to Leo."),))
        fixed, pattern = await d.host.resources()
        assert (fixed.uri, fixed.template, pattern.uri, pattern.template) == (
            "note://today", False, "note://{day}", True,
        )  # fmt: skip
        assert await d.host.read_resource("fake", "note://today") == (ResourceItem("note://today", "text/plain", "rain"),)
        with pytest.raises(MaterialError, match="fake did not give it"):
            await d.host.prompt("fake", "nothing", {})
