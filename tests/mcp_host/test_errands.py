"""Calls that a server takes over as tasks of its own: followed to their end, asked for, cancelled, taken up after a restart."""

import asyncio
import json
from pathlib import Path
from typing import Any

from app.core.messages import ToolCall
from app.core.tools import CallContext, ToolOutput
from app.mcp_host.asking import Answered, Asked
from tests.mcp_host.desk import Desk, OpenDesk, eventually, fake, words


class Oven:
    """The file in which the fake server keeps its tasks."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "tasks.json"
        self.server = fake(str(self.file), file="errands.py")

    def tasks(self) -> dict[str, Any]:
        return json.loads(self.file.read_text()) if self.file.exists() else {}

    def set(self, name: str, **facts: Any) -> None:
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(self.tasks() | {name: {**self.tasks()[name], **facts}}))
        fresh.replace(self.file)


async def bake(d: Desk, word: str = "bread", call_id: str = "call-1") -> ToolOutput:
    spec = d.spec("bake")
    context = CallContext("conv", lambda done, total, text: d.progress.append((done, total, text)), call_id=call_id)
    return await d.host.call(spec, ToolCall(id=call_id, name=spec.name, arguments={"word": word}), context)


async def test_a_task_is_followed_to_its_end_and_its_words_are_progress(desk: OpenDesk, tmp_path: Path) -> None:
    oven = Oven(tmp_path)
    async with desk(oven.server) as d:
        assert words(await d.call("plain")) == "at once"
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: "at work" in [text for _, _, text in d.progress])
        assert d.host.continues("conv", "call-1")
        oven.set("bake-1", state="completed")
        output = await calling
        assert (words(output), output.structured) == ("baked: bread", {"n": 1})
        assert not d.host.continues("conv", "call-1")

        failing = asyncio.create_task(bake(d))
        await eventually(lambda: "bake-2" in oven.tasks())
        oven.set("bake-2", state="failed")
        assert "the oven is cold" in words(await failing)


async def test_what_a_task_asks_for_reaches_the_person(desk: OpenDesk, tmp_path: Path) -> None:
    oven, asked = Oven(tmp_path), list[Asked]()

    async def ask(question: Asked) -> Answered:
        asked.append(question)
        return Answered(action="accept", content={"size": "large"})

    async with desk(oven.server, ask=ask) as d:
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: "bake-1" in oven.tasks())
        oven.set("bake-1", state="input_required")
        assert words(await calling) == "baked: large"
    assert [(a.conversation_id, a.message) for a in asked] == [("conv", "Which size?")]


async def test_a_stop_cancels_the_task(desk: OpenDesk, tmp_path: Path) -> None:
    oven = Oven(tmp_path)
    async with desk(oven.server) as d:
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: bool(d.progress))
        calling.cancel()
        await eventually(lambda: oven.tasks()["bake-1"]["state"] == "cancelled")
        assert not d.host.continues("conv", "call-1")


async def test_a_task_outlives_us_and_is_taken_up_not_begun_again(desk: OpenDesk, tmp_path: Path) -> None:
    oven = Oven(tmp_path)
    async with desk(oven.server) as d:
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: bool(d.progress))
        d.host.leave()
        calling.cancel()
        await asyncio.gather(calling, return_exceptions=True)
    assert oven.tasks()["bake-1"]["state"] == "working"
    async with desk(oven.server) as d:
        assert d.host.continues("conv", "call-1")
        again = asyncio.create_task(bake(d, call_id="call-2"))
        other = asyncio.create_task(bake(d, "cake", call_id="call-3"))
        await eventually(lambda: "bake-2" in oven.tasks())
        oven.set("bake-1", state="completed")
        oven.set("bake-2", state="completed")
        assert (words(await again), words(await other)) == ("baked: bread", "baked: cake")
        assert set(oven.tasks()) == {"bake-1", "bake-2"}


async def test_a_server_that_went_away_is_asked_again(desk: OpenDesk, tmp_path: Path) -> None:
    oven = Oven(tmp_path)
    async with desk(oven.server) as d:
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: bool(d.progress))
        await d.host.restart("fake")
        oven.set("bake-1", state="completed")
        assert words(await calling) == "baked: bread"


async def test_a_task_that_the_server_forgot_is_an_end_in_words(desk: OpenDesk, tmp_path: Path) -> None:
    oven = Oven(tmp_path)
    async with desk(oven.server) as d:
        calling = asyncio.create_task(bake(d))
        await eventually(lambda: bool(d.progress))
        oven.file.write_text("{}")
        output = await calling
        assert output.is_error
        assert "does not know its task for bake any more" in words(output)
