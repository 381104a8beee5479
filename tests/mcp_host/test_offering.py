"""Prompts, resources, proposals, folders and the model: what a server offers and asks for, in both eras of the protocol."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.messages import ToolCall
from app.core.tools import MediaItem, ResourceItem, TextItem
from app.mcp_host.asking import Answered, Asked, NotSampled, SampleAsked, Sampled
from app.mcp_host.config import ServerConfig, accept_launch
from app.mcp_host.material import MaterialError
from app.mcp_host.sampling import TEXT_LIMIT
from tests.mcp_host.desk import Desk, OpenDesk, eventually, fake, words

ROOT = Path(__file__).parents[2]
ERAS = ("auto", "legacy")
Told = tuple[str, str, str | None]


def everything(era: str) -> ServerConfig:
    """Our own server of examples, as anybody would run it."""
    args = ("-m", "mcp_servers.everything")
    facts: dict[str, Any] = {"era": era, "cwd": str(ROOT)}
    return accept_launch(ServerConfig(name="all", command=sys.executable, args=args, **facts))


def older(**facts: Any) -> ServerConfig:
    return fake("", file="older.py", **facts)


def hearing(heard: list[Told]) -> Callable[[str, str, str | None], None]:
    def hear(server: str, what: str, uri: str | None) -> None:
        heard.append((server, what, uri))

    return hear


class Model:
    """Answers what it is asked, and remembers."""

    def __init__(self, answer: Sampled | NotSampled) -> None:
        self.asked: list[SampleAsked] = []
        self._answer = answer

    async def __call__(self, asked: SampleAsked) -> Sampled | NotSampled:
        await asyncio.sleep(0)
        self.asked.append(asked)
        return self._answer


@pytest.mark.parametrize("era", ERAS)
async def test_all_that_a_server_offers_and_asks_for(desk: OpenDesk, tmp_path: Path, era: str) -> None:
    model = Model(Sampled(text="Grey lines.", model="m1", stop_reason="end"))
    heard: list[Told] = []
    options: dict[str, Any] = {"ask_model": model, "known_roots": lambda: [str(tmp_path)], "on_material": hearing(heard)}
    async with desk(everything(era), **options) as d:
        await offers(d)
        await asks(d, model, tmp_path)
        if era == "auto":
            assert await d.host.follow("all", "demo://counter", True)
            await d.call("count_up")
            await eventually(lambda: ("all", "resource", "demo://counter") in heard)
            counted = ResourceItem("demo://counter", "text/plain", "The counter stands at 1.")
            assert await d.host.read_resource("all", "demo://counter") == (counted,)


async def offers(d: Desk) -> None:
    [listed] = await d.host.listed("prompts")
    assert [p.name for p in listed.prompts] == ["simple_prompt", "complex_prompt"]
    assert (await d.host.complete("all", "prompt", "complex_prompt", "style", "po", {})).values == ("pompous", "poetic")
    assert (await d.host.complete("all", "prompt", "complex_prompt", "topic", "po", {})).values == ()
    messages = await d.host.prompt("all", "complex_prompt", {"topic": "rain"})
    assert [m.role for m in messages] == ["user", "assistant", "user"]
    [pattern] = [r for r in await d.host.resources() if r.template]
    assert pattern.arguments == ("number",)
    uri = await d.host.resource_uri(pattern.uri, {"number": "7"})
    assert await d.host.read_resource("all", uri) == (ResourceItem("demo://notes/7", "text/plain", "This is note 7."),)
    [picture] = await d.host.read_resource("all", "demo://picture")
    assert isinstance(picture, MediaItem)
    assert picture.kind == "image"
    with pytest.raises(MaterialError, match="There is no note 99"):
        await d.host.read_resource("all", await d.host.resource_uri(pattern.uri, {"number": "99"}))


async def asks(d: Desk, model: Model, folder: Path) -> None:
    assert words(await d.call("ask_model", topic="rain")) == "The model m1 says about rain: Grey lines."
    [asked] = model.asked
    assert (asked.server, asked.conversation_id, asked.system, asked.max_tokens, asked.allowed) == (
        "all", "conv", "You are a poet of few words.", 200, False,
    )  # fmt: skip
    assert [m.text for m in asked.messages] == ["Say something short about rain."]
    assert any("it asked the model" in line for line in d.host.log("all"))
    assert words(await d.call("list_folders")) == "No folders are known here."
    d.host.grant("all", roots=True, sampling=True)
    assert words(await d.call("list_folders")) == folder.as_uri()
    await d.call("ask_model", topic="snow")
    assert model.asked[1].allowed


async def test_a_no_of_the_person_goes_back_in_words(desk: OpenDesk) -> None:
    async with desk(older(), ask_model=Model(NotSampled("The user did not allow this."))) as d:
        assert json.loads(words(await d.call("sample"))) == {"code": -1, "message": "The user did not allow this."}


async def test_pages_are_walked_and_a_changed_list_is_read_again(desk: OpenDesk) -> None:
    heard: list[Told] = []
    async with desk(older(), on_material=hearing(heard)) as d:
        assert [p.name for p in await d.host.prompts()] == ["p0", "p1", "p2", "p3", "p4"]
        [listed] = await d.host.listed("resources")
        assert ([r.uri for r in listed.resources], listed.follows) == (
            ["item://0", "item://1", "item://2", "item://{number}{?q}"], True,
        )  # fmt: skip
        assert await d.host.resource_uri("item://{number}{?q}", {"number": "a b", "q": "é"}) == "item://a%20b?q=%C3%A9"
        await d.call("add_prompt")
        await eventually(lambda: ("fake", "prompts", None) in heard)
        assert [p.name for p in await d.host.prompts()][-1] == "new"
        proposals = await d.host.complete("fake", "prompt", "p0", "who", "x", {})
        assert (len(proposals.values), proposals.more) == (100, True)


async def test_a_followed_resource_is_told_of_also_after_a_restart(desk: OpenDesk) -> None:
    heard: list[Told] = []
    async with desk(older(), on_material=hearing(heard)) as d:
        await d.call("touch")
        assert await d.host.follow("fake", "item://1", True)
        assert ("fake", "resource", "item://1") not in heard
        await d.call("touch")
        await eventually(lambda: ("fake", "resource", "item://1") in heard)
        await d.host.restart("fake")
        await d.until("fake", "ready")

        async def followed_again() -> bool:
            return json.loads(words(await d.call("subscribed")))["subscribed"] == ["item://1"]

        await eventually(followed_again)
        assert not await d.host.follow("fake", "item://1", False)
        assert json.loads(words(await d.call("subscribed")))["subscribed"] == []


async def test_an_older_server_hears_the_level_of_its_log_and_of_changed_folders(desk: OpenDesk, tmp_path: Path) -> None:
    async with desk(older(), known_roots=lambda: [str(tmp_path)]) as d:

        async def told(key: str, value: object) -> bool:
            return json.loads(words(await d.call("level")))[key] == value

        await eventually(lambda: told("level", "info"))
        await d.call("log")
        await eventually(lambda: any('server: warning: pump: {"pressure": 3}' in line for line in d.host.log("fake")))
        assert json.loads(words(await d.call("roots"))) == {"roots": []}
        d.host.grant("fake", roots=True)
        await eventually(lambda: told("roots_changed", 1))
        [root] = json.loads(words(await d.call("roots")))["roots"]
        assert root == {"uri": tmp_path.as_uri(), "name": tmp_path.name}
        d.host.roots_changed()
        await eventually(lambda: told("roots_changed", 2))


async def test_tools_in_sampling_go_both_ways(desk: OpenDesk) -> None:
    tool = {"name": "weather", "description": "Of a city", "inputSchema": {"type": "object"}}
    call = ToolCall(id="t1", name="weather", arguments={"city": "Oslo"})
    model = Model(Sampled(text="I look.", model="m", stop_reason="tool_use", calls=(call,)))
    earlier: list[Any] = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t0", "name": "weather", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "toolUseId": "t0", "content": [{"type": "text", "text": "dry"}]}]},
    ]
    question = {"role": "user", "content": {"type": "text", "text": "And Oslo?"}}
    async with desk(older(), ask_model=model) as d:
        more: dict[str, Any] = {"tools": [tool], "messages": [question, *earlier], "stopSequences": ["END"]}
        given = json.loads(words(await d.call("sample", more=more)))
        assert given["stopReason"] == "toolUse"
        assert [c["type"] for c in given["content"]] == ["text", "tool_use"]
        [asked] = model.asked
        assert [(m.role, m.blocks[0].type) for m in asked.messages] == [
            ("user", "text"), ("assistant", "tool_call"), ("tool", "tool_result"),
        ]  # fmt: skip
        assert ([t.name for t in asked.tools], asked.stop) == (["weather"], ("END",))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"includeContext": "allServers"}, "The conversation is not given"),
        ({"messages": [{"role": "user", "content": {"type": "text", "text": "x" * (TEXT_LIMIT + 1)}}]}, "Too long"),
        ({"messages": []}, "no message"),
        ({"messages": [{"role": "user", "content": {"type": "image", "mimeType": "image/png", "data": "?"}}]}, "base64"),
    ],
)
async def test_questions_to_the_model_that_are_refused_unseen(desk: OpenDesk, more: dict[str, Any], why: str) -> None:
    model = Model(Sampled(text="never", model="m", stop_reason="end"))
    async with desk(older(), ask_model=model) as d:
        refused = json.loads(words(await d.call("sample", more=more)))
        assert why in refused["message"]
        assert model.asked == []


async def test_an_address_is_put_to_the_person(desk: OpenDesk) -> None:
    asked: list[Asked] = []

    async def ask(question: Asked) -> Answered:
        await asyncio.sleep(0)
        asked.append(question)
        return Answered(action="accept")

    async with desk(older(), ask=ask) as d:
        assert json.loads(words(await d.call("address"))) == {"action": "accept"}
    assert (asked[0].message, asked[0].url) == ("Pay first", "https://pay.example/1")


async def test_prompts_hold_texts_of_both_roles(desk: OpenDesk) -> None:
    async with desk(older()) as d:
        messages = await d.host.prompt("fake", "p1", {"who": "Leo"})
        assert [(m.role, m.items) for m in messages] == [
            ("assistant", (TextItem("p1 for Leo"),)), ("user", (TextItem("p1 for Leo"),)),
        ]  # fmt: skip
