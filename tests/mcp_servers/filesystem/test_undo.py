"""What a task changed comes back whole: writes, edits, patches, moves and what went to the trash, in any order."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client
from mcp.server import MCPServer
from mcp_types import CallToolResult, EmbeddedResource, TextResourceContents

from mcp_servers.filesystem import create
from tests.mcp_servers.calls import LIMIT, text_of


class Task:
    """Calls in the name of one task."""

    def __init__(self, server: MCPServer, name: str) -> None:
        self._server = server
        self.meta: Any = {"leochat/taskId": name, "leochat/conversationId": "talk"}

    async def result(self, tool: str, **arguments: Any) -> CallToolResult:
        async with Client(self._server) as client:
            return await client.call_tool(tool, arguments, read_timeout_seconds=LIMIT, meta=self.meta)

    async def __call__(self, tool: str, **arguments: Any) -> CallToolResult:
        result = await self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        return result


def card_of(result: CallToolResult) -> Mapping[str, Any] | None:
    held = [one.resource for one in result.content if isinstance(one, EmbeddedResource)]
    return json.loads(cast("TextResourceContents", held[0]).text) if held else None


def look(folder: Path) -> dict[str, bytes | None]:
    return {str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in sorted(folder.rglob("*"))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "allowed"
    (made / "box" / "deep").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "box/one.md", "box/deep/two.md"):
        (made / name).write_text(f"{name} as it was\r\n", encoding="utf-8", newline="")
    return made


@pytest.fixture
def server(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MCPServer:
    def away(path: str) -> None:
        Path(path).rename(tmp_path / f"trash-{Path(path).name}")

    monkeypatch.setattr("send2trash.send2trash", away)
    return create({"roots": [str(folder)], "data_dir": str(tmp_path / "data"), "language": "en"})


async def test_everything_a_task_did_is_undone_and_another_tasks_work_stays(server: MCPServer, folder: Path):
    first, second = Task(server, "t1"), Task(server, "t2")
    await second("write_file", path="theirs.txt", content="stays")
    before = look(folder)
    await first("write_file", path="a.txt", content="new")
    await first("edit_file", path="b.txt", edits=[{"oldText": "as it was", "newText": "edited"}])
    await first("write_file", path="fresh.txt", content="made")
    await first("move_file", source="a.txt", destination="moved.txt")
    await first("write_file", path="a.txt", content="another at the old place")
    await first("edit_file", path="moved.txt", edits=[{"oldText": "new", "newText": "newer"}])
    await first("apply_patch", patch="*** Begin Patch\n*** Delete File: b.txt\n*** Add File: c.txt\n+c\n*** End Patch")
    await first("move_file", source="box", destination="chest")
    await first("write_file", path="chest/one.md", content="in the chest")
    await first("delete_to_trash", path="chest")
    await first("delete_to_trash", path="moved.txt")
    assert sorted(look(folder)) == ["a.txt", "c.txt", "fresh.txt", "theirs.txt"]
    await first("undo_changes")
    assert look(folder) == before
    again = await first.result("undo_changes")
    assert "Nothing was changed here" in text_of(again)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps other permissions")
async def test_a_program_is_still_one_after_a_move_by_patch_and_after_an_undo(server: MCPServer, folder: Path):
    task = Task(server, "t1")
    (folder / "a.txt").chmod(0o750)
    (folder / "box" / "one.md").chmod(0o755)
    patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: run.sh\n@@\n-a.txt as it was\n+new\n*** End Patch"
    await task("apply_patch", patch=patch)
    assert stat.S_IMODE((folder / "run.sh").stat().st_mode) == 0o750
    await task("delete_to_trash", path="box")
    assert "nothing was moved" in text_of(await task("move_file", source="b.txt", destination="./b.txt"))
    assert "changed since" not in text_of(await task("undo_changes"))
    modes = [stat.S_IMODE((folder / name).stat().st_mode) for name in ("a.txt", "box/one.md")]
    assert modes == [0o750, 0o755]


async def test_the_first_change_of_a_task_has_a_card_and_the_others_do_not(server: MCPServer, folder: Path):
    task = Task(server, "t1")
    card = card_of(await task("write_file", path="a.txt", content="1"))
    assert card
    assert [action["id"] for action in card["actions"]] == ["open", "reveal", "undo"]
    assert card["actions"][0]["action"]["payload"] == {"path": str(folder / "a.txt")}
    assert card_of(await task("write_file", path="run.sh", content="2")) is None
    other = card_of(await Task(server, "t2")("write_file", path="run.sh", content="2"))
    assert other
    assert [action["id"] for action in other["actions"]] == ["reveal", "undo"]


async def test_the_card_of_an_edit_shows_its_difference(server: MCPServer, folder: Path):
    edits = [{"oldText": "as it was", "newText": "```as it is"}]
    card = card_of(await Task(server, "t1")("edit_file", path="a.txt", edits=edits))
    assert card
    assert card["subtitle"] == "Saved; it can be undone"
    code = card["body"][0]["code"]
    assert code["language"] == "diff"
    assert code["text"].splitlines()[-2:] == ["-a.txt as it was", "+a.txt ```as it is"]
    patch = "*** Begin Patch\n*** Add File: c.txt\n+c\n*** Delete File: b.txt\n*** End Patch"
    other = card_of(await Task(server, "t2")("apply_patch", patch=patch))
    assert other
    assert other["subtitle"] == "Patch applied"
    assert other["body"][0]["code"]["text"] == "A c.txt\nD b.txt"


async def test_what_somebody_else_changed_since_is_left_alone(server: MCPServer, folder: Path):
    task = Task(server, "t1")
    await task("write_file", path="a.txt", content="1")
    await task("write_file", path="b.txt", content="2")
    (folder / "a.txt").write_text("by hand", encoding="utf-8")
    said = text_of(await task("undo_changes"))
    assert f"Left alone, changed since: {folder / 'a.txt'}" in said
    assert (folder / "a.txt").read_text(encoding="utf-8") == "by hand"
    assert "as it was" in (folder / "b.txt").read_text(encoding="utf-8")


async def test_what_failed_is_not_among_the_changes(server: MCPServer, folder: Path):
    task = Task(server, "t1")
    before = look(folder)
    for tool, arguments in (
        ("edit_file", {"path": "a.txt", "edits": [{"oldText": "not there", "newText": "x"}]}),
        ("move_file", {"source": "a.txt", "destination": "b.txt"}),
        ("delete_to_trash", {"path": "missing"}),
        ("write_file", {"path": "box", "content": "x"}),
    ):
        assert (await task.result(tool, **arguments)).is_error, tool
    assert look(folder) == before
    assert "Nothing was changed here" in text_of(await task.result("undo_changes"))
