"""Wrong arguments, long ones and what nobody foresaw: every server answers in words a small model can act on."""

import logging
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from mcp_types import CallToolResult, ResourceLink, TextContent
from pydantic import BaseModel

from mcp_servers.arguments import argument
from mcp_servers.filesystem import create
from mcp_servers.misfits import elided
from mcp_servers.serving import WordsServer
from tests.mcp_servers.calls import Tools, text_of, tools_of


class Edit(BaseModel):
    """One replacement."""

    old: str
    times: int = 1


def sample() -> WordsServer:
    server = WordsServer("sample")

    @server.tool()
    async def change(
        path: Annotated[str, argument("A file.", examples=["a.txt"])],
        edits: Annotated[list[Edit], argument("What to change.", min_length=1, examples=[[{"old": "x"}]])],
        sheet: Annotated[str | None, argument("A sheet.")] = None,
        size: Annotated[float | int | None, argument("A size.", ge=1, le=9)] = None,
        align: Annotated[Literal["left", "right"] | None, argument("Where to.")] = None,
        deep: Annotated[bool, argument("All of it.")] = False,
    ) -> str:
        """Change a file."""
        raise ValueError(f"a secret {path} {edits} {sheet} {size} {align} {deep}")

    return server


GOOD: dict[str, Any] = {"path": "a.txt", "edits": [{"old": "x"}]}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "change was not run: `path` is missing; `edits` is missing. Needed: path, edits. Also possible: sheet, size"),
        ({"file": "a.txt"}, "It has no argument `file`. Needed: path, edits."),
        ({**GOOD, "sheet_name": "x"}, "change has no argument `sheet_name`; it is `sheet`. Nothing was done."),
        ({**GOOD, "path": 5}, "`path` must be text (it was 5)"),
        ({**GOOD, "edits": []}, "`edits` needs at least 1 entry"),
        ({**GOOD, "edits": "x"}, '`edits` must be a list (it was "x")'),
        ({**GOOD, "edits": [{"old": "x", "times": "many"}]}, '`edits[0].times` must be a whole number (it was "many")'),
        ({**GOOD, "edits": [{"times": 1}]}, "`edits[0].old` is missing"),
        ({**GOOD, "size": 20}, "`size` must be at most 9 (it was 20)"),
        ({**GOOD, "align": "middle"}, '`align` must be one of "left" or "right" (it was "middle")'),
        ({**GOOD, "deep": "perhaps"}, '`deep` must be true or false (it was "perhaps")'),
    ],
)
async def test_a_wrong_argument_is_told_in_plain_words_with_the_way_to_call(given: dict[str, Any], words: str):
    async with tools_of(sample()) as tools:
        told = await tools.refused("change", **given)
    assert words in told
    for jargon in ("validation error", "pydantic", "Arguments", "input_value", "type="):
        assert jargon not in told
    assert 'Example: {"path": "a.txt", "edits": [{"old": "x"}]}' in told


@pytest.mark.parametrize(
    "given",
    [
        {"edits": {"old": "x", "times": "2"}, "deep": "True", "size": "3"},
        {"edits": '[{"old": "x", "times": 2}]', "deep": True, "size": 3.0},
        {"edits": '{"old": "x", "times": 2}', "deep": "true", "size": 3, "names": "a"},
    ],
)
async def test_what_a_small_model_plainly_meant_is_what_it_gets(given: dict[str, Any]):
    server = WordsServer("sample")

    @server.tool()
    async def change(
        edits: list[Edit],
        deep: bool,
        size: Annotated[int | None, argument("A size.")] = None,
        names: Annotated[list[str] | None, argument("Names.")] = None,
    ) -> str:
        """Change something."""
        return f"{edits[0].old} {edits[0].times} {deep} {size} {names}"

    async with tools_of(server) as tools:
        assert (await tools.ok("change", **given)).startswith(f"x 2 True 3 {['a'] if 'names' in given else None}")


async def test_half_characters_in_an_answer_do_not_end_the_server():
    server = WordsServer("sample")

    @server.tool()
    async def names(how: str) -> CallToolResult:
        """The names of files, as Python reads them."""
        if how == "error":
            raise ValueError("cannot open \udcff.txt")
        link = ResourceLink(type="resource_link", uri="file:///tmp/%FF.txt", name="\udcff.txt")
        return CallToolResult(
            content=[TextContent(type="text", text="ñ \udcff\udcfe.txt"), link],
            structured_content={"\udcff": ["\ud800", 1, None]},
        )

    async with tools_of(server) as tools:
        told = await tools.result("names", how="data")
        assert text_of(told) == "ñ \ufffd\ufffd.txt"
        assert told.structured_content == {"\ufffd": ["\ufffd", 1, None]}
        assert "\ufffd.txt" in told.model_dump_json()
        assert (await tools.result("names", how="error")).model_dump_json()


async def test_a_tool_that_is_not_there_is_told_with_those_that_are():
    async with tools_of(sample()) as tools:
        assert await tools.refused("chang") == "There is no tool chang. Did you mean change? There are: change."


async def test_an_argument_of_another_server_of_the_kind_is_left_out_and_said_so(tmp_path: Path):
    (tmp_path / "a.txt").write_text("hello", encoding="utf-8")
    async with tools_of(create({"roots": [str(tmp_path)]})) as tools:
        told = await tools.ok("read_text_file", path="a.txt", whatever=1)
        assert told.startswith("hello\nLeft out, since read_text_file has no such argument: `whatever`. It takes: path, head")
        assert "exists already. To move it in there, give its new path: sub/a.txt" in await _moved(tools, tmp_path)


async def _moved(tools: Tools, folder: Path) -> str:
    (folder / "sub").mkdir()
    return await tools.refused("move_file", source="a.txt", destination="sub")


async def test_what_nobody_foresaw_is_one_sentence_and_one_line_in_the_log(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.ERROR, "leochat.servers"):
        async with tools_of(sample()) as tools:
            told = await tools.refused("change", **GOOD)
    assert "change failed for a reason it was not made for (ValueError)" in told
    assert "secret" not in told
    (line,) = [record for record in caplog.records if record.name == "leochat.servers"]
    assert "sample.change failed: ValueError: a secret" in line.getMessage()
    assert "test_words.py" in line.getMessage()
    assert line.exc_info is None
    assert "\n" not in line.getMessage()


async def test_a_very_long_argument_does_not_come_back_whole(tmp_path: Path):
    long = "long name " * 20_000
    async with tools_of(create({"roots": [str(tmp_path)]})) as tools:
        (tmp_path / "a.txt").write_text("hello", encoding="utf-8")
        for tool, given in (
            ("read_text_file", {"path": long}),
            ("edit_file", {"path": "a.txt", "edits": [{"oldText": long, "newText": ""}]}),
            ("apply_patch", {"patch": long}),
            ("glob", {"pattern": 5, "path": long}),
            ("get_file_info", {"path": {"deep": [long]}}),
        ):
            result = await tools.result(tool, **given)
            assert result.is_error, tool
            assert len(text_of(result)) < 1500, tool


def test_the_beginning_and_the_end_of_a_long_text_are_kept():
    told = elided("begin " + "x" * 1000 + " end", 100)
    assert told.startswith("begin ")
    assert told.endswith(" end")
    assert "characters left out" in told
    assert len(told) < 140
