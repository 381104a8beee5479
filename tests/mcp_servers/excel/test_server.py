"""The whole way: a call through a real client, a child process, a file on the disk, a card."""

import json
from pathlib import Path
from typing import Any

import anyio
from mcp_types import CallToolResult, EmbeddedResource, TextResourceContents
from openpyxl import load_workbook

from mcp_servers.excel import create
from tests.mcp_servers.calls import Tools, text_of, tools_of

PEOPLE = [{"Name": "Ann", "Born": "1990-05-01", "Pay": 10.5}, {"Name": "=1+1", "Born": None, "Pay": 20}]


def card_of(result: CallToolResult) -> dict[str, Any]:
    held = [item.resource for item in result.content if isinstance(item, EmbeddedResource)]
    assert isinstance(held[0], TextResourceContents)
    assert held[0].mime_type == "application/vnd.leochat.card+json"
    return json.loads(held[0].text)


async def test_a_table_is_written_read_back_and_undone(folder: Path, tools: Tools) -> None:
    made = await tools.result("write_table", path="people.xlsx", sheet="People", records=PEOPLE)
    assert not made.is_error, text_of(made)
    sheet = load_workbook(folder / "people.xlsx")["People"]
    assert [cell.value for cell in sheet[1]] == ["Name", "Born", "Pay"]
    assert sheet["B2"].value.isoformat() == "1990-05-01T00:00:00"
    assert (sheet["A3"].value, sheet["A3"].data_type) == ("=1+1", "s")
    assert sheet.freeze_panes == "A2"
    assert [table.ref for table in sheet.tables.values()] == ["A1:C3"]

    card = card_of(made)
    table = card["body"][0]["table"]
    assert table["rows"][1] == ["2", "Ann", "1990-05-01", "10.5"]
    button = card["actions"][-1]["action"]
    assert (button["type"], button["tool"]) == ("tool-call", "undo_changes")

    page = await tools.result("read_sheet", path="people.xlsx")
    assert page.structured_content is not None
    assert page.structured_content["values"][1:] == [["Ann", "1990-05-01", 10.5], ["=1+1", None, 20]]
    assert page.structured_content["formulas"] == {}

    await tools.ok("undo_changes", **button["arguments"])
    assert not (folder / "people.xlsx").exists()
    assert "undone already" in await tools.refused("undo_changes", **button["arguments"])


async def test_undo_brings_back_the_file_from_before_the_first_change_of_the_task(folder: Path, tools: Tools) -> None:
    (folder / "a.csv").write_bytes(b"x;y\r\n1,5;007\r\n")
    before = (folder / "a.csv").read_bytes()
    first = await tools.result("set_cells", path="a.csv", cells={"A3": "new"})
    second = await tools.result("append_rows", path="a.csv", rows=[["more", "=HYPERLINK(1)"]])
    other = await tools.result("write_cells", path="b.xlsx", rows=[[1]])
    cards = [card_of(one) for one in (first, second, other)]
    assert len({one["metadata"]["change"] for one in cards}) == 1
    assert cards[0]["id"] == cards[1]["id"] != cards[2]["id"]  # a newer card takes the place of that file's alone
    assert (folder / "a.csv").read_bytes() == b"x;y\r\n1,5;007\r\nnew;\r\nmore;'=HYPERLINK(1)\r\n"
    undone = await tools.result("undo_changes")
    assert "As before" in text_of(undone)
    assert card_of(undone)["metadata"]["replaces"] == [cards[0]["id"], cards[2]["id"]]
    assert (folder / "a.csv").read_bytes() == before
    assert not (folder / "b.xlsx").exists()


async def test_a_change_reports_how_far_it_is(folder: Path, tools: Tools) -> None:
    said: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        said.append(f"{progress:g} of {total:g}: {message}")

    config = {"roots": [str(folder)], "data_dir": str(folder.parent / "data"), "language": "es"}
    async with tools_of(create(config)) as connected:
        options = {"path": "a.xlsx", "rows": [["x"]]}
        result = await connected.client.call_tool("write_cells", options, progress_callback=hear)
    assert said == ["0 of 3: Opening a.xlsx", "1 of 3: Changing a.xlsx", "2 of 3: Saving a.xlsx"]
    assert card_of(result)["actions"][-1]["label"] == "Deshacer los cambios de esta tarea"


async def test_two_changes_at_once_are_made_one_after_the_other(folder: Path, tools: Tools) -> None:
    async with anyio.create_task_group() as together:
        for name in ("A1", "B1", "C1"):
            together.start_soon(lambda cell: tools.ok("set_cells", path="a.csv", cells={cell: cell}), name)
    assert (folder / "a.csv").read_bytes() == b"\xef\xbb\xbfA1,B1,C1\r\n"


async def test_undo_leaves_alone_what_somebody_else_has_changed_since(folder: Path, tools: Tools) -> None:
    await tools.ok("write_cells", path="a.csv", rows=[["x"]])
    (folder / "a.csv").write_text("by hand")
    assert "changed since" in await tools.ok("undo_changes")
    assert (folder / "a.csv").read_text() == "by hand"


async def test_files_outside_the_allowed_folders_are_refused_with_a_hint_for_the_host(tools: Tools, tmp_path: Path) -> None:
    result = await tools.result("write_cells", path=str(tmp_path / "out.xlsx"), rows=[["x"]])
    assert result.is_error
    assert result.meta is not None
    assert result.meta["leochat/outsideRoots"] == str(tmp_path / "out.xlsx")
    assert not (tmp_path / "out.xlsx").exists()


async def test_an_old_workbook_is_converted_and_only_the_copy_can_be_changed(folder: Path, tools: Tools) -> None:
    (folder / "a.tsv").write_text("n\tv\n1\t=cmd\n", encoding="utf-8")
    await tools.ok("convert_workbook", path="a.tsv", target="a.xlsx")
    sheet = load_workbook(folder / "a.xlsx").active
    assert sheet is not None
    assert sheet["A2"].value == 1
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=cmd", "s")
    assert "exists already" in await tools.refused("convert_workbook", path="a.tsv", target="a.xlsx")
